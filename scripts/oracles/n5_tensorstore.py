"""TensorStore as a writer and reader of N5: a case has "dimensions", "block_size", "data_type", "compression" (N5's JSON), "data"."""

import importlib.metadata

import tensorstore

from elements import from_hex, to_hex

VERSIONS = {"tensorstore": importlib.metadata.version("tensorstore")}


def _spec(folder):
    return {"driver": "n5", "kvstore": {"driver": "file", "path": folder + "/"}}


def write(case, folder):
    metadata = {
        "dimensions": case["dimensions"],
        "blockSize": case["block_size"],
        "dataType": case["data_type"],
        "compression": case["compression"],
    }
    array = tensorstore.open({**_spec(folder), "metadata": metadata, "create": True}).result()
    array.write(from_hex(case["data_type"], case["dimensions"], case["data"])).result()


def read(folder, path, zarr_format):
    array = tensorstore.open({**_spec(folder), "open": True}).result()
    return {"shape": list(array.shape), "data": to_hex(array.read().result())}
