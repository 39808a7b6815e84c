"""
zarr-python 3.4.2 with rectilinear chunk grids, which it has behind a flag, for round_trip.py. A case is
  data_type, shape, data, written (see cases.py), and either
  documents: an array as its zarr.json says, or
  chunks, shards (or null): what create_array takes; resized: a shape to resize the array to when it is written, or null.
"""

import zarr
import zarr_python_3
from elements import from_hex, to_hex, written_regions

VERSIONS = zarr_python_3.VERSIONS
zarr.config.set({"array.rectilinear_chunks": True})


def write(case, folder):
    array = zarr.create_array(
        folder,
        shape=case["shape"],
        chunks=case["chunks"],
        shards=case["shards"],
        dtype=case["data_type"],
        compressors=None,
        fill_value=0,
    )
    _fill(array, case)
    if case.get("resized") is not None:
        array.resize(tuple(case["resized"]))


def fill(case, folder):
    _fill(zarr.open_array(folder, mode="r+"), case)


def _fill(array, case):
    data = from_hex(case["data_type"], case["shape"], case["data"])
    for region in written_regions(case):
        array[region] = data[region]


def read(folder, path, zarr_format):
    array = zarr.open_array(folder, path=path.lstrip("/") or None, mode="r", zarr_format=zarr_format)
    return {
        "shape": list(array.shape),
        "chunk_shapes": array.metadata.to_dict()["chunk_grid"]["configuration"].get("chunk_shapes"),
        "write_chunk_sizes": [list(sizes) for sizes in array.write_chunk_sizes],
        "data": to_hex(array[...]),
    }
