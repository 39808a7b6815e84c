"""Writes test/fixtures/nczarr.json: data sets that netCDF-C writes as Zarr, and what xarray reads in them.

    python -m venv /tmp/nczarr && /tmp/nczarr/bin/pip install netCDF4==1.7.5.1.post1 xarray==2026.9.0
    /tmp/nczarr/bin/python scripts/oracles/make_nczarr_fixtures.py test/fixtures/nczarr.json

xarray reads them through netCDF-C (engine="netcdf4"), which knows the types of attributes.
"""

import base64
import itertools
import json
import sys
import tempfile
from importlib import metadata
from pathlib import Path

import netCDF4
import numpy as np
import xarray as xr

VALUES = [0, 1, 7, 100, 31000, -5, -999, 12345]
FLOATS = {"f4": np.float32, "f8": np.float64}


def variables():
    """Names and properties: each stored type, with a scale, an offset or both of each type, with a fill value or without."""
    for stored, scale, offset, fill in itertools.product(
        ["i2", "u2", "i4", "i8", "f4", "f8"], [None, "f4", "f8"], [None, "f4", "f8"], [False, True]
    ):
        if scale is None and offset is None:
            continue
        yield f"{stored}_{scale}_{offset}_{'filled' if fill else 'whole'}", stored, scale, offset, fill


def write(address):
    with netCDF4.Dataset(address, "w") as group:
        group.Conventions = "CF-1.11, ACDD-1.3"
        group.createDimension("x", len(VALUES))
        for name, stored, scale, offset, fill in variables():
            variable = group.createVariable(name, stored, ("x",), fill_value=7 if fill else None)
            variable.set_auto_maskandscale(False)
            if scale:
                variable.scale_factor = FLOATS[scale](0.01)
            if offset:
                variable.add_offset = FLOATS[offset](273.15)
            data = np.array(VALUES, "i8")
            # Numbers that float32 does not hold.
            data = data * 65539 if stored in ("i4", "i8", "f8") else data
            variable[:] = np.where(np.array(VALUES) == 7, 7, data).astype(stored)


def main(output):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.zarr"
        address = f"file://{path}#mode=nczarr,file"
        write(address)
        store = {
            f"/{file.relative_to(path)}": base64.b64encode(file.read_bytes()).decode()
            for file in sorted(path.rglob("*"))
            if file.is_file()
        }
        with xr.open_dataset(address, engine="netcdf4") as data:
            decoded = {
                name: {
                    "dtype": str(each.dtype),
                    "attrs": sorted(each.attrs),
                    "bytes": base64.b64encode(each.values.tobytes()).decode(),
                }
                for name, each in data.data_vars.items()
            }
    versions = {name: metadata.version(name) for name in ("netCDF4", "xarray")}
    libraries = {**versions, "netcdf-c": netCDF4.__netcdf4libversion__}
    output.write_text(json.dumps({"versions": libraries, "decoded": decoded, "store": store}, indent=1) + "\n")


main(Path(sys.argv[1]))
