"""zarr-python's `oindex` for round_trip.py: an array of integers whose attribute "selections" says what is to be read of it."""

import json

import numpy as np
import zarr

VERSIONS = {"zarr": zarr.__version__}


def index(entry):
    if isinstance(entry, dict):
        return slice(entry["start"], entry["stop"], entry["step"])
    if isinstance(entry, list):
        # An empty list would be one of floats.
        return np.array(entry, dtype=bool if entry and isinstance(entry[0], bool) else int)
    return slice(None) if entry is None else entry


def read(folder, path, zarr_format):
    array = zarr.open_array(folder, mode="r", zarr_format=zarr_format)
    results = [array.oindex[tuple(map(index, selection))] for selection in array.attrs["selections"]]
    return {"data": json.dumps([{"shape": result.shape, "data": result.ravel().tolist()} for result in map(np.asarray, results)])}
