"""zarr-python 2.13.6 as a writer and reader of N5: a case has "dimensions", "block_size", "data_type", "compression" (N5's JSON), "data".

N5 counts dimensions from the fastest, zarr-python from the slowest: it shows an N5 array transposed, and is shown it so.
"""

import json
import os

import numcodecs
import zarr

from elements import from_hex, stored_dtype, to_hex

VERSIONS = {"zarr": zarr.__version__, "numcodecs": numcodecs.__version__}
COMPRESSORS = {"gzip": numcodecs.GZip, "bzip2": numcodecs.BZ2}


def write(case, folder):
    compression = dict(case["compression"])
    make = COMPRESSORS.get(compression.pop("type"))
    level = compression.get("level", compression.get("blockSize"))
    array = zarr.create(
        store=zarr.N5Store(folder),
        shape=case["dimensions"][::-1],
        chunks=case["block_size"][::-1],
        dtype=stored_dtype(case["data_type"]),
        compressor=None if make is None else make(level=level),
        fill_value=0,
    )
    array[...] = from_hex(case["data_type"], case["dimensions"], case["data"]).T


def read(folder, path, zarr_format):
    # zarr-python wants to be told that the root is N5 as well.
    attributes = os.path.join(folder, "attributes.json")
    with open(attributes) as file:
        assert "dimensions" in json.load(file)
    array = zarr.open_array(zarr.N5Store(folder), mode="r")
    return {"shape": list(array.shape)[::-1], "data": to_hex(array[...].T)}
