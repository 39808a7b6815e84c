"""Reads images with ngff-zarr, which checks their metadata by the schema of their version first.

python ngff_zarr_oracle.py FOLDER... prints a list of JSON objects, one for each folder.
"""

import json
import sys

import ngff_zarr
import numpy


def describe(folder):
    multiscales = ngff_zarr.from_ngff_zarr(folder, validate=True)
    metadata = multiscales.metadata
    first = multiscales.images[0]
    systems = getattr(metadata, "coordinateSystems", None) or []
    axes = systems[0].axes if systems else metadata.axes
    return {
        "version": json.load(open(f"{folder}/zarr.json"))["attributes"]["ome"]["version"],
        "dims": list(first.dims),
        "scale": [float(first.scale[dim]) for dim in first.dims],
        "orientations": [getattr(axis, "orientation", None) for axis in axes],
        "shapes": [list(image.data.shape) for image in multiscales.images],
        "sums": [int(numpy.asarray(image.data).astype("u8").sum()) for image in multiscales.images],
    }


print(json.dumps([describe(folder) for folder in sys.argv[1:]]))
