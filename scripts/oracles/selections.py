"""
zarr-python's `oindex`, `vindex` and masks for round_trip.py: an array of integers whose attribute "selections" says what is to be read of it.
A selection is {"kind": "crossings" | "points" | "mask", "entries"}. A case is the documents of an array, and what is written to it: selections
with "value", a scalar or a flat list.
"""

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


def place(array, selection):
    """What `[...]` takes, and of which view of the array."""
    if selection["kind"] == "mask":
        return array.vindex, np.array(selection["entries"], dtype=bool).reshape(array.shape)
    entries = tuple(map(index, selection["entries"]))
    return (array.oindex if selection["kind"] == "crossings" else array.vindex), entries


def fill(case, folder):
    array = zarr.open_array(folder, mode="r+", zarr_format=case["zarr_format"])
    for selection in case["writes"]:
        view, entries = place(array, selection)
        value = selection["value"]
        view[entries] = np.reshape(value, selection["shape"]).astype(array.dtype) if isinstance(value, list) else value


def read(folder, path, zarr_format):
    array = zarr.open_array(folder, mode="r", zarr_format=zarr_format)
    results = [view[entries] for view, entries in (place(array, each) for each in array.attrs["selections"])]
    return {"data": json.dumps([{"shape": result.shape, "data": result.ravel().tolist()} for result in map(np.asarray, results)])}
