"""Writes test/fixtures/references.json: a file of HDF5 and one of NetCDF 3 (base64), the reference documents that kerchunk makes of them, and
what zarr-python reads through those, by array. kerchunk needs an environment of its own, with h5py, scipy and zarr:

    python scripts/oracles/make_reference_fixtures.py test/fixtures/references.json
"""

import base64
import json
import sys
import tempfile
from pathlib import Path

import fsspec
import h5py
import kerchunk
import numpy
import scipy.io
import zarr
from kerchunk.hdf import SingleHdf5ToZarr
from kerchunk.netCDF3 import NetCDF3ToZarr

HOST = "http://files.test"


def write_hdf5(path):
    generator = numpy.random.default_rng(1)
    with h5py.File(path, "w") as file:
        time = file.create_dataset("time", data=[0, 6], dtype="i4")
        time.make_scale("time")
        time.attrs["units"] = "hours since 2026-01-01"
        field = numpy.round(generator.normal(280, 10, (2, 12, 16)), 1)
        options = {"chunks": (1, 6, 8), "compression": "gzip", "shuffle": True}
        dataset = file.create_dataset("t2m", data=field, dtype="f4", **options)
        dataset.dims[0].attach_scale(time)
        dataset.attrs["units"] = "K"
        group = file.create_group("deep")
        group.create_dataset("packed", data=generator.integers(-300, 300, (5, 7)), dtype="i2")
        group.create_dataset("big", data=numpy.arange(12.0).reshape(3, 4), dtype=">f8")


def write_netcdf3(path):
    with scipy.io.netcdf_file(path, "w") as file:
        file.createDimension("x", 6)
        file.createDimension("y", 4)
        variable = file.createVariable("depth", "f4", ("y", "x"))
        variable[:] = numpy.arange(24, dtype="f4").reshape(4, 6) * 2.5
        variable.units = "m"


def read(document, path):
    """The elements of every array, from the file itself in place of its URL."""
    local = json.loads(json.dumps(document).replace(f"{HOST}/{path.name}", str(path)))
    files = fsspec.filesystem("reference", fo=local, remote_protocol="file", asynchronous=True)
    group = zarr.open_group(zarr.storage.FsspecStore(files, path=""), mode="r", zarr_format=2)
    names = [key.removesuffix("/.zarray") for key in document["refs"] if key.endswith("/.zarray")]
    arrays = {name: numpy.asarray(group[name][...]) for name in sorted(names)}
    return {name: {"shape": array.shape, "data": array.ravel().tolist()} for name, array in arrays.items()}


def main(target):
    folder = Path(tempfile.mkdtemp())
    hdf5, netcdf3 = folder / "first.h5", folder / "classic.nc"
    write_hdf5(hdf5)
    write_netcdf3(netcdf3)
    with open(hdf5, "rb") as file:
        of_hdf5 = SingleHdf5ToZarr(file, f"{HOST}/{hdf5.name}", inline_threshold=40).translate()
    of_netcdf3 = NetCDF3ToZarr(str(netcdf3), inline_threshold=0).translate()
    of_netcdf3 = json.loads(json.dumps(of_netcdf3).replace(str(netcdf3), f"{HOST}/{netcdf3.name}"))
    fixtures = {
        "kerchunk": kerchunk.__version__,
        "files": {path.name: base64.b64encode(path.read_bytes()).decode() for path in (hdf5, netcdf3)},
        "documents": {"hdf5": of_hdf5, "netcdf3": of_netcdf3},
        "arrays": {"hdf5": read(of_hdf5, hdf5), "netcdf3": read(of_netcdf3, netcdf3)},
    }
    Path(target).write_text(json.dumps(fixtures, indent=1) + "\n")


main(sys.argv[1])
