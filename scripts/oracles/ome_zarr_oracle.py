"""Reads images with ome-zarr-py, checks their metadata with ome-zarr-models and opens each level with xarray.

python ome_zarr_oracle.py FOLDER... prints a list of JSON objects, one for each folder.
"""

import json
import sys

import numpy
import ome_zarr_models
import xarray
import zarr
from ome_zarr.io import parse_url
from ome_zarr.reader import Reader


def describe(folder):
    group = zarr.open_group(folder, mode="r")
    model = ome_zarr_models.open_ome_zarr(group)
    image = next(iter(Reader(parse_url(folder))()))
    paths = sorted(group.array_keys())
    return {
        "model": type(model).__name__,
        "version": str(model.ome_zarr_version),
        "axes": [axis["name"] for axis in image.metadata["axes"]],
        "transformations": image.metadata["coordinateTransformations"],
        "levels": [numpy.asarray(level).ravel().tolist() for level in image.data],
        "shapes": [list(level.shape) for level in image.data],
        "xarray": [
            {"dims": list(data[path].dims), "sum": float(data[path].sum())}
            for path in paths
            for data in [xarray.open_zarr(folder, consolidated=False, drop_variables=[each for each in paths if each != path])]
        ],
    }


print(json.dumps([describe(folder) for folder in sys.argv[1:]]))
