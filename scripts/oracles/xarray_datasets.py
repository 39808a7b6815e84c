"""Random data sets as xarray writes them, or reads them where zarr-python wrote them, and what it decodes them to.

Usage: xarray_datasets.py FOLDER SEED. Stores go into the folder; JSON of what xarray reads of each to standard output.
"""

import base64
import json
import sys
import warnings

import cftime
import numpy as np
import xarray as xr
import zarr

warnings.simplefilter("ignore")
folder, seed = sys.argv[1], int(sys.argv[2])
random = np.random.default_rng(seed)
described = []


def values_of(data):
    """Elements as text that keeps every bit."""
    if data.dtype == object:
        flat = data.ravel().tolist()
        if flat and isinstance(flat[0], cftime.datetime):
            return {"type": f"cftime[{flat[0].calendar}]", "texts": [each.isoformat() for each in flat]}
        return {"type": "string", "texts": [str(each) for each in flat]}
    if data.dtype.kind in "UT":
        return {"type": "string", "texts": [str(each) for each in data.ravel()]}
    if data.dtype == np.float16:
        data = data.astype(np.float32)
    little = data.astype(data.dtype.newbyteorder("<"))
    return {"type": str(data.dtype), "bytes": base64.b64encode(little.tobytes()).decode()}


def describe(name, **options):
    try:
        dataset = xr.open_zarr(f"{folder}/{name}", chunks=None, consolidated=None, **options).load()
    except Exception as error:
        described.append({"name": name, "error": repr(error)})
        return
    variables = {
        key: {
            "dims": list(each.dims),
            "shape": list(each.shape),
            "isCoordinate": key in dataset.coords,
            "attrs": sorted(each.attrs),
            **values_of(each.values),
        }
        for key, each in dataset.variables.items()
    }
    described.append({"name": name, "variables": variables, "dims": dict(dataset.sizes), "attrs": sorted(dataset.attrs)})


def raw(name, arrays, zarr_format, attributes=None):
    """Arrays with attributes, without xarray's encoding in between: {name: (dims, data, attributes, fill value)}."""
    group = zarr.open_group(f"{folder}/{name}", mode="w", zarr_format=zarr_format, attributes=attributes or {})
    for key, (dims, data, attrs, fill) in arrays.items():
        extra = {"dimension_names": dims} if zarr_format == 3 else {}
        extended = attrs if zarr_format == 3 else {**attrs, "_ARRAY_DIMENSIONS": list(dims)}
        array = group.create_array(key, shape=data.shape, dtype=data.dtype, fill_value=fill, attributes=extended, **extra)
        array[...] = data
    zarr.consolidate_metadata(f"{folder}/{name}", zarr_format=zarr_format)


def base64_double(value):
    return base64.b64encode(np.float64(value).tobytes()).decode()


INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
for zarr_format in (2, 3):
    # Masks and packed numbers of every type and every set of attributes.
    arrays = {}
    for dtype in [*INTEGERS, "float16", "float32", "float64"]:
        for kind in range(12):
            if dtype == "float16" and kind == 6:
                continue  # xarray computes in float16, wazarr in float32
            if np.dtype(dtype).kind == "f":
                data = (random.standard_normal(40) * 100).astype(dtype)
                data[3] = np.nan
            else:
                info = np.iinfo(dtype)
                data = random.integers(info.min, info.max, 40, dtype=dtype, endpoint=True)
            attrs = {}
            fill = None if zarr_format == 2 else 0
            # xarray opens no unsigned fill value that the signed type lacks.
            mark = min(data[7].item(), np.iinfo(dtype).max // 2) if np.dtype(dtype).kind == "u" else data[7].item()
            data[7] = mark
            stored = base64_double(mark) if np.dtype(dtype).kind == "f" else mark
            if kind in (1, 3, 5, 8, 10):
                if zarr_format == 2:
                    fill = mark
                else:
                    attrs["_FillValue"] = stored
            if kind in (2, 3, 4, 9):
                attrs["missing_value"] = [mark, data[9].item(), data[11].item()] if kind == 9 else mark
            if kind in (4, 5, 6, 10):
                attrs["scale_factor"] = float(random.uniform(1e-4, 3))
            if kind in (4, 5, 7, 10):
                attrs["add_offset"] = float(random.normal() * 200)
            if kind in (8, 10, 11) and np.dtype(dtype).kind in "iu":
                attrs["_Unsigned"] = "true" if np.dtype(dtype).kind == "i" else "false"
            if kind == 6 and np.dtype(dtype).kind == "f":
                if zarr_format == 2:
                    fill = np.nan
                else:
                    attrs["_FillValue"] = base64_double(np.nan)
            arrays[f"{dtype}_{kind}"] = (("x",), data, attrs, fill)
    raw(f"packed-v{zarr_format}", arrays, zarr_format)
    describe(f"packed-v{zarr_format}")

    # Times.
    arrays = {}
    units = ["days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds"]
    references = ["1970-01-01", "1900-01-01 00:00:00", "2000-02-29T12:30:15.5", "1582-10-15", "0001-01-01 00:00:0.0",
                  "1850-1-1", "1999-12-31 23:00:00 +02:00", "2020-01-01T00:00:00Z"]
    calendars = ["standard", "gregorian", "proleptic_gregorian", "noleap", "365_day", "360_day", "julian", "all_leap", "366_day", None]
    spans = {"days": 80000, "hours": 1_500_000, "minutes": 10**8, "seconds": 2 * 10**9, "milliseconds": 10**12,
             "microseconds": 10**15, "nanoseconds": 2 * 10**18}
    at = 0
    for unit in units:
        # Both formats decode alike: of v2 a few.
        for reference in references if zarr_format == 3 else references[1:3]:
            for calendar in calendars:
                if unit == "nanoseconds" and calendar not in ("standard", "gregorian", "proleptic_gregorian", None):
                    continue
                if calendar == "360_day" and "-31 " in reference or calendar in ("noleap", "365_day", "360_day") and "-29T" in reference and calendar != "360_day":
                    continue
                if calendar in ("noleap", "365_day", "360_day", "julian", "all_leap", "366_day") and ("Z" in reference or "+" in reference):
                    continue
                at += 1
                dtype = ["int32", "int64", "float32", "float64"][at % 4]
                span = min(spans[unit], 2**31 - 1 if dtype == "int32" else 2**63 - 1)
                numbers = random.uniform(-span / 4 if at % 3 == 0 else 0, span, 12)
                data = numbers.astype(dtype)
                attrs = {"units": f"{unit} since {reference}"}
                if calendar is not None:
                    attrs["calendar"] = calendar
                arrays[f"t{at}"] = (("x",), data, attrs, None if zarr_format == 2 else 0)
    # One by one: xarray opens nothing of a data set with one variable that it does not decode.
    raw(f"times-v{zarr_format}", arrays, zarr_format)
    variables = {}
    plain = xr.open_zarr(f"{folder}/times-v{zarr_format}", chunks=None, decode_cf=False)
    for key in plain.variables:
        try:
            each = xr.decode_cf(plain[[key]]).load()[key]
            variables[key] = {"dims": list(each.dims), "shape": list(each.shape), "isCoordinate": False,
                              "attrs": sorted(each.attrs), "units": arrays[key][2], **values_of(each.values)}
        except Exception as error:
            variables[key] = {"error": repr(error), "units": arrays[key][2]}
    described.append({"name": f"times-v{zarr_format}", "variables": variables})

    # What xarray itself writes.
    times = np.datetime64("2026-08-01", "ns") + np.arange(8) * np.timedelta64(6, "h")
    dataset = xr.Dataset(
        {
            "t2m": (("time", "lat", "lon"), random.normal(280, 10, (8, 6, 12)), {"units": "K", "cell_methods": "time: mean"}),
            "sst": (("lat", "lon"), np.where(random.random((6, 12)) < 0.3, np.nan, 15.0).astype("f4")),
            "step": ("time", np.arange(8) * np.timedelta64(3, "h")),
            "land": (("lat", "lon"), random.random((6, 12)) < 0.5),
            "station": ("lon", np.array([f"s{i}é" for i in range(12)])),
            "code": ("lon", np.array([f"c{i}".encode() for i in range(12)])),
            "time_bnds": (("time", "nv"), np.stack([times, times + np.timedelta64(6, "h")], 1)),
            "crs": ((), 0, {"grid_mapping_name": "latitude_longitude"}),
        },
        {
            "time": ("time", times, {"bounds": "time_bnds"}),
            "lat": ("lat", np.linspace(60, 35, 6), {"units": "degrees_north"}),
            "lon": ("lon", np.arange(12) * 30.0, {"units": "degrees_east"}),
            "height": 2.0,
        },
        {"title": "a reanalysis", "n": 3},
    )
    encoding = {
        "t2m": {"dtype": "int16", "scale_factor": 0.01, "add_offset": 273.15, "_FillValue": -32768},
        "time": {"units": "hours since 1900-01-01", "calendar": "gregorian", "dtype": "int32"},
    }
    name = f"written-v{zarr_format}"
    dataset.to_zarr(f"{folder}/{name}", zarr_format=zarr_format, encoding=encoding, consolidated=zarr_format == 2)
    describe(name)

# Selections of the last one.
opened = xr.open_zarr(f"{folder}/written-v3", chunks=None).load()
selections = []


def select(selection, chosen):
    selections.append({"selection": selection, "shape": list(chosen.shape), "coords": sorted(map(str, chosen.coords)), **values_of(chosen.values)})


t2m = opened.t2m
select({"time": ["at", "2026-08-01"]}, t2m.sel(time="2026-08-01"))
select({"time": ["at", "2026-08-02T06:00"]}, t2m.sel(time="2026-08-02T06:00"))
select({"time": ["range", "2026-08-01T12", "2026-08-02"]}, t2m.sel(time=slice("2026-08-01T12", "2026-08-02")))
select({"lat": ["range", 60, 40]}, t2m.sel(lat=slice(60, 40)))
for _ in range(30):
    lat, lon = float(random.uniform(30, 65)), float(random.uniform(-20, 350))
    select({"lat": ["nearest", lat], "lon": ["nearest", lon]}, t2m.sel(lat=lat, lon=lon, method="nearest"))
    a, b = sorted(map(float, random.uniform(-10, 340, 2)))
    select({"lon": ["range", a, b]}, t2m.sel(lon=slice(a, b)))
for lon in range(15, 330, 30):
    select({"lon": ["nearest", lon]}, t2m.sel(lon=lon, method="nearest"))
for lat in (37.5, 42.5, 57.5):
    select({"lat": ["nearest", lat]}, t2m.sel(lat=lat, method="nearest"))
select({"lat": ["at", [60, 35, 60]], "lon": ["at", [330, 0]]}, t2m.sel(lat=[60, 35, 60], lon=[330, 0]))
print(json.dumps({"sets": described, "selections": selections}))
