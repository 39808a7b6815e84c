"""Checks groups with ome-zarr-models, whose models are those of 0.4, 0.5 and 0.6.

python ome_zarr_models_oracle.py FOLDER... prints a list of JSON objects, one for each folder.
"""

import json
import sys

import ome_zarr_models
import zarr


def describe(folder):
    model = ome_zarr_models.open_ome_zarr(zarr.open_group(folder, mode="r"))
    [multiscale] = model.ome_attributes.multiscales
    return {
        "model": type(model).__name__,
        "version": model.ome_zarr_version,
        "paths": [dataset.path for dataset in multiscale.datasets],
        "axes": [axis.name for axis in multiscale.coordinateSystems[0].axes],
    }


print(json.dumps([describe(folder) for folder in sys.argv[1:]]))
