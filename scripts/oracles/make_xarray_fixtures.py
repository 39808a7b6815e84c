"""Writes test/fixtures/xarray: small data sets as people have them, written by xarray, as JSON of keys and values in base64.

Run with .oracles/python/bin/python -W ignore, and the target folder. Each file has `variables` (what xarray decodes: dims, dtype, whether it is a
coordinate, its attributes' names, its values), `selections` (what `.sel` gives) and `store`. Values: bytes of little-endian numbers in base64, or texts.
"""

import base64
import json
import sys
import tempfile
from pathlib import Path

import cftime
import numpy as np
import xarray as xr

random = np.random.default_rng(27)


def reanalysis():
    """Packed: 16-bit integers with scale, offset and a fill value; hours since 1900; latitudes that fall."""
    time = np.datetime64("2026-07-31", "ns") + np.arange(12) * np.timedelta64(6, "h")
    latitude, longitude = np.linspace(60, 45, 7, dtype="f4"), np.linspace(0, 17.5, 8, dtype="f4")
    t2m = 285 + 8 * np.sin(np.arange(12)[:, None, None] / 4) - (latitude[:, None] - 50) / 2 + random.normal(0, 1, (12, 7, 8))
    t2m[3, 2:4, 5] = np.nan
    dataset = xr.Dataset(
        {
            "t2m": (("time", "latitude", "longitude"), t2m, {"units": "K", "long_name": "2 metre temperature", "standard_name": "air_temperature"}),
            "tp": (("time", "latitude", "longitude"), random.gamma(0.3, 2e-3, (12, 7, 8)), {"units": "m", "long_name": "Total precipitation"}),
        },
        {
            "time": ("time", time, {"long_name": "time"}),
            "latitude": ("latitude", latitude, {"units": "degrees_north", "long_name": "latitude"}),
            "longitude": ("longitude", longitude, {"units": "degrees_east", "long_name": "longitude"}),
        },
        {"Conventions": "CF-1.6", "history": "2026-09-01 from GRIB"},
    )
    packed = {"dtype": "int16", "_FillValue": -32767, "missing_value": -32767, "chunks": (6, 7, 8)}
    encoding = {
        "t2m": {**packed, "scale_factor": 0.0011637085, "add_offset": 287.25},
        "tp": {**packed, "scale_factor": 5.2e-7, "add_offset": 0.017},
        "time": {"units": "hours since 1900-01-01 00:00:00.0", "calendar": "gregorian", "dtype": "int32"},
    }
    selections = [
        ("t2m", {"time": "2026-08-01"}),
        ("t2m", {"time": slice("2026-08-01T12", "2026-08-02"), "latitude": slice(57.5, 50)}),
        ("tp", {"time": "2026-08-01T06:00", "latitude": 50.0, "longitude": 7.5}),
    ]
    return dataset, encoding, selections


def cube():
    """A climate model: the noleap calendar, longitudes from 0 to 360, bounds, a scalar coordinate."""
    time = xr.date_range("2049-12-16 12:00", periods=6, freq="30D", calendar="noleap", use_cftime=True)
    lat, lon = np.linspace(-75, 75, 6), np.arange(12) * 30.0
    half = cftime.DatetimeNoLeap(2000, 1, 16) - cftime.DatetimeNoLeap(2000, 1, 1)
    bounds = np.array([[each - half, each + half] for each in time], dtype=object)
    tas = 288 + 30 * np.cos(np.deg2rad(lat))[:, None] - 25 + random.normal(0, 2, (6, 6, 12))
    dataset = xr.Dataset(
        {
            "tas": (("time", "lat", "lon"), tas.astype("f4"), {"units": "K", "cell_methods": "time: mean", "standard_name": "air_temperature"}),
            "time_bnds": (("time", "bnds"), bounds),
        },
        {
            "time": ("time", time, {"bounds": "time_bnds", "axis": "T"}),
            "lat": ("lat", lat, {"units": "degrees_north", "axis": "Y"}),
            "lon": ("lon", lon, {"units": "degrees_east", "axis": "X"}),
            "height": ((), 2.0, {"units": "m", "positive": "up"}),
        },
        {"Conventions": "CF-1.8", "source": "a model", "realization": 1},
    )
    encoding = {
        "tas": {"_FillValue": np.float32(1e20), "missing_value": np.float32(1e20), "chunks": (2, 6, 12)},
        "time": {"units": "days since 1850-01-01", "calendar": "noleap", "dtype": "float64"},
    }
    selections = [
        ("tas", {"time": "2050-02"}),
        ("tas", {"lon": slice(30, 120), "lat": slice(-50, 20)}),
        ("tas", {"lat": {"nearest": 50.0}, "lon": {"nearest": 7.0}}),
    ]
    return dataset, encoding, selections


def ocean():
    """A curvilinear grid: latitudes and longitudes of two dimensions, NaN over land, a mask, names of basins."""
    y, x = np.meshgrid(np.arange(6), np.arange(8), indexing="ij")
    lat, lon = 55 + y * 0.8 - x * 0.15, -10 + x * 1.2 + y * 0.3
    land = (x - 5) ** 2 + (y - 2) ** 2 < 5
    time = np.array(["2026-01-15", "2026-02-14", "2026-03-15"], "datetime64[ns]")
    sst = np.where(land, np.nan, 10 + 3 * np.sin(x / 3) + y / 4 + random.normal(0, 0.2, (3, 6, 8)))
    dataset = xr.Dataset(
        {
            "sst": (("time", "y", "x"), sst.astype("f4"), {"units": "degC", "long_name": "sea surface temperature"}),
            "land": (("y", "x"), land, {"long_name": "land mask"}),
        },
        {
            "time": ("time", time),
            "lat": (("y", "x"), lat, {"units": "degrees_north"}),
            "lon": (("y", "x"), lon, {"units": "degrees_east"}),
            "basin": ("x", np.array([f"basin {'AB'[each > 3]}é" for each in range(8)])),
        },
        {"title": "an ocean model", "grid": "curvilinear"},
    )
    encoding = {"sst": {"chunks": (1, 6, 8)}, "time": {"units": "days since 2000-01-01", "dtype": "int64"}}
    return dataset, encoding, [("sst", {"time": "2026-02"}), ("sst", {"time": "2026-03-15"})]


def values_of(data):
    if data.dtype == object and isinstance(data.ravel()[0], cftime.datetime):
        return {"dtype": f"cftime[{data.ravel()[0].calendar}]", "texts": [each.isoformat() for each in data.ravel()]}
    if data.dtype.kind in "OUT":
        return {"dtype": "string", "texts": [str(each) for each in data.ravel()]}
    if data.dtype.kind == "M":
        return {"dtype": str(data.dtype), "texts": [str(each) for each in data.ravel()]}
    if data.dtype == bool:
        return {"dtype": "bool", "texts": [str(each).lower() for each in data.ravel()]}
    return {"dtype": str(data.dtype), "bytes": base64.b64encode(data.tobytes()).decode()}


def described(dataset):
    return {
        str(name): {"dims": list(each.dims), "isCoordinate": name in dataset.coords, "attrs": sorted(each.attrs), **values_of(each.values)}
        for name, each in dataset.variables.items()
    }


def selected(dataset, name, selection):
    """Exact labels and slices as they are; {"nearest": x} searched."""
    near = {key: entry["nearest"] for key, entry in selection.items() if isinstance(entry, dict)}
    exact = {key: entry for key, entry in selection.items() if key not in near}
    chosen = dataset[name].sel(exact).sel(near, method="nearest") if near else dataset[name].sel(exact)
    entries = {
        key: {"range": [entry.start, entry.stop]} if isinstance(entry, slice) else entry if isinstance(entry, dict) else {"at": entry}
        for key, entry in selection.items()
    }
    return {"variable": name, "selection": entries, "shape": list(chosen.shape), **values_of(chosen.values)}


def main(target):
    target.mkdir(parents=True, exist_ok=True)
    # With consolidated metadata and without in each format; shards where there are such.
    for make, zarr_format, consolidated in (
        (reanalysis, 2, True), (reanalysis, 3, False), (cube, 2, False), (cube, 3, True), (ocean, 2, True), (ocean, 3, False),
    ):
        dataset, encoding, selections = make()
        if make is cube and zarr_format == 3:
            encoding["tas"] = {**encoding["tas"], "shards": (6, 6, 12)}
        folder = Path(tempfile.mkdtemp()) / "data.zarr"
        dataset.to_zarr(folder, zarr_format=zarr_format, encoding=encoding, consolidated=consolidated)
        opened = xr.open_zarr(folder, consolidated=consolidated, chunks=None).load()
        store = {
            f"/{file.relative_to(folder).as_posix()}": base64.b64encode(file.read_bytes()).decode()
            for file in sorted(folder.rglob("*"))
            if file.is_file()
        }
        document = {
            "writer": f"xarray {xr.__version__}",
            "dims": dict(opened.sizes),
            "attrs": opened.attrs,
            "variables": described(opened),
            "selections": [selected(opened, *each) for each in selections],
            "store": store,
        }
        (target / f"{make.__name__}-v{zarr_format}.json").write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
