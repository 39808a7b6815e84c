"""Writes test/fixtures/healpix.json: small data sets on HEALPix grids, as xdggs and xarray write them.

    python make_healpix_fixtures.py ../../test/fixtures/healpix.json

Each has a variable "t" of dimensions (time, cells), whose values are 1000 * time + the nested index, and points
with the value that the cell there has by healpy (null if it has none). Needs healpy, healpix-geo, xarray, xdggs
and zarr as pinned in requirements-conventions.txt.
"""

import base64
import json
import pathlib
import sys
import tempfile
import warnings

import healpix_geo
import healpy
import numpy as np
import xarray as xr
import xdggs  # noqa: F401: the accessor dggs

warnings.filterwarnings("ignore")
random = np.random.default_rng(55)
UUID = "7b255807-140c-42ca-97f6-7a1cfecdbc38"
DGGS = {"name": "healpix", "spatial_dimension": "cells"}


def values(nested):
    return np.stack([nested, 1000 + nested]).astype("float32")


def listed(nested, indices, **grid):
    """As xdggs has it: indices beside the values."""
    coordinate = ("cells", indices, {"grid_name": "healpix", **grid})
    return xr.Dataset({"t": (("time", "cells"), values(nested))}, coords={"cell_ids": coordinate})


def whole(level, scheme):
    cells = np.arange(12 * 4**level)
    nested = healpy.ring2nest(2**level, cells) if scheme == "ring" else cells
    return xr.Dataset({"t": (("time", "cells"), values(nested))})


def by(convention, dataset):
    return dataset.dggs.decode().dggs.encode(convention=convention)


def dggs(dataset, **grid):
    conventions = [{"uuid": UUID, "name": "dggs"}]
    return dataset.assign_attrs(zarr_conventions=conventions, dggs={**DGGS, **grid})


def climate(level, order):
    """As ICON and its kin were published before CF 1.13."""
    dataset = whole(level, order).rename(cells="cell")
    dataset["t"].attrs["grid_mapping"] = "crs"
    attributes = {"grid_mapping_name": "healpix", "healpix_nside": 2**level, "healpix_order": order}
    return dataset.assign_coords(crs=((), np.int32(0), attributes))


some = np.arange(100, 300, dtype="uint64")
scattered = random.permutation(3072)[:500].astype("uint64")
wgs84 = {"name": "WGS84", "semimajor_axis": 6378137.0, "inverse_flattening": 298.257223563}
nested4 = {"level": 4, "indexing_scheme": "nested"}
# name: (level, ellipsoid, format, chunks, data set)
DATASETS = {
    "dggs_some": (4, None, 3, 64, by("zarr", listed(some, some, **nested4))),
    "cf_some": (4, None, 3, 200, by("cf", listed(some, some, **nested4))),
    "xdggs_some": (4, None, 2, 50, by("xdggs", listed(some, some, **nested4))),
    "dggs_scattered": (4, None, 3, 100, by("zarr", listed(scattered, scattered, **nested4))),
    "dggs_zuniq": (
        4,
        None,
        3,
        64,
        by(
            "zarr",
            listed(scattered, healpix_geo.nested.to_zuniq(scattered, 4), level=None, indexing_scheme="zuniq"),
        ),
    ),
    "dggs_wgs84": (
        4,
        "WGS84",
        3,
        64,
        dggs(
            listed(some, some, **nested4),
            refinement_level=4,
            indexing_scheme="nested",
            ellipsoid=wgs84,
            coordinate="cell_ids",
            compression="none",
        ),
    ),
    "dggs_whole": (3, None, 3, 256, dggs(whole(3, "nested"), refinement_level=3, indexing_scheme="nested")),
    "dggs_ring": (3, None, 3, 100, dggs(whole(3, "ring"), refinement_level=3, indexing_scheme="ring")),
    "climate_nest": (3, None, 2, 192, climate(3, "nest")),
    "climate_ring": (2, None, 2, 192, climate(2, "ring")),
}


def files(dataset, zarr_format, chunk):
    dimension = dataset["t"].dims[1]
    with tempfile.TemporaryDirectory() as folder:
        encoding = {"t": {"chunks": (1, min(chunk, dataset.sizes[dimension]))}}
        dataset.to_zarr(folder, zarr_format=zarr_format, encoding=encoding)
        found = [path for path in pathlib.Path(folder).rglob("*") if path.is_file()]
        return {f"/{each.relative_to(folder)}": base64.b64encode(each.read_bytes()).decode() for each in sorted(found)}


def points(dataset, level, ellipsoid):
    longitudes = random.uniform(-180, 360, 200)
    latitudes = np.degrees(np.arcsin(random.uniform(-1, 1, 200)))
    cells = healpix_geo.nested.lonlat_to_healpix(longitudes, latitudes, level, ellipsoid or "sphere")
    if ellipsoid is None:
        assert (cells == healpy.ang2pix(2**level, longitudes, latitudes, nest=True, lonlat=True)).all()
    there = {int(value) for value in dataset["t"].values[0]}
    return [
        [longitude, latitude, int(cell) if int(cell) in there else None]
        for longitude, latitude, cell in zip(longitudes.tolist(), latitudes.tolist(), cells)
    ]


fixtures = {
    name: {
        "level": level,
        "files": files(dataset, zarr_format, chunk),
        "points": points(dataset, level, ellipsoid),
    }
    for name, (level, ellipsoid, zarr_format, chunk, dataset) in DATASETS.items()
}
pathlib.Path(sys.argv[1]).write_text(json.dumps(fixtures, separators=(",", ":")) + "\n")
