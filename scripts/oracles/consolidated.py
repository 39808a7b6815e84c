"""
Hierarchies with consolidated metadata by zarr-python 3, for round_trip.py. A case is zarr_format and attributes of the group "a" (JSON text);
below it is an int16 array "a/array" of shape 2, 3.
"""

import json

import zarr

VERSIONS = {"zarr": zarr.__version__}


def write(case, folder):
    zarr_format = case["zarr_format"]
    root = zarr.create_group(folder, zarr_format=zarr_format)
    group = root.create_group("a", attributes=json.loads(case["attributes"]))
    array = group.create_array("array", shape=(2, 3), chunks=(2, 2), dtype="int16")
    array[...] = [[1, 2, 3], [4, 5, 6]]
    zarr.consolidate_metadata(folder, zarr_format=zarr_format)


def read(folder, path, zarr_format):
    root = zarr.open_consolidated(folder, zarr_format=zarr_format)
    consolidated = root.metadata.consolidated_metadata.flattened_metadata
    return {
        "members": sorted(consolidated),
        "attributes": json.dumps(dict(root["a"].attrs)),
        "data": root["a/array"][...].tolist(),
    }
