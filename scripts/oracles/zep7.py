"""
Chunks as ZEP 7 lays them out, written with numpy as the ZEP's own code does, or of the buffers of pyarrow's arrays, and read with
pyarrow, for round_trip.py. A case is
  path, data_type, shape, chunk_shape, endian, builder ("numpy" or "pyarrow", little-endian), fill_value, elements as base64 in C order.
"""

import base64
import itertools
import json
import math
import os

import numpy
import pyarrow

VERSIONS = {"pyarrow": pyarrow.__version__, "numpy": numpy.__version__}
TYPES = {
    "string": (pyarrow.string(), numpy.int32),
    "binary": (pyarrow.binary(), numpy.int32),
    "large_string": (pyarrow.large_string(), numpy.int64),
    "large_binary": (pyarrow.large_binary(), numpy.int64),
}


def round_up_to_multiple(x, base=64):
    n, rem = divmod(x, base)
    return (n + (rem > 0)) * base


def chunks(shape, chunk_shape):
    return itertools.product(*(range(math.ceil(length / chunk)) for length, chunk in zip(shape, chunk_shape)))


def indices(chunk, chunk_shape):
    """Of every element of a chunk, in C order, those beyond the array's edge included."""
    return itertools.product(*(range(c * length, (c + 1) * length) for c, length in zip(chunk, chunk_shape)))


def buffers_of_numpy(array, name, dtype):
    # The ZEP's code counts characters of strings, which is wrong for all but ASCII; these are bytes already.
    offsets = numpy.zeros(len(array) + 1, dtype=dtype)
    offsets[1:] = numpy.cumsum([len(x) for x in array])
    return offsets.view(numpy.uint8), numpy.frombuffer(b"".join(array), dtype=numpy.uint8)


def buffers_of_pyarrow(array, name, dtype):
    values = [x.decode() for x in array] if "string" in name else array
    _, offsets, data = pyarrow.array(values, TYPES[name][0]).buffers()
    offset_buffer = numpy.frombuffer(offsets, dtype=numpy.uint8)[: (len(array) + 1) * dtype.itemsize]
    end = offset_buffer.view(dtype)[-1]
    return offset_buffer, numpy.frombuffer(data or b"", dtype=numpy.uint8)[:end]


def write(case, folder):
    shape, chunk_shape = case["shape"], case["chunk_shape"]
    name = case["data_type"]
    dtype = numpy.dtype(TYPES[name][1]).newbyteorder(">" if case["endian"] == "big" else "<")
    elements = numpy.empty(len(case["elements"]), dtype=object)
    for i, value in enumerate(case["elements"]):
        elements[i] = base64.b64decode(value)
    elements = elements.reshape(shape)
    fill = base64.b64decode(case["fill_value"])
    os.makedirs(folder, exist_ok=True)
    document = {
        "zarr_format": 3,
        "node_type": "array",
        "shape": shape,
        "data_type": {"name": name},
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunk_shape}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": fill.decode() if "string" in name else case["fill_value"],
        "codecs": [{"name": "bytes", "configuration": {"endian": case["endian"]}}],
    }
    with open(os.path.join(folder, "zarr.json"), "w", encoding="utf-8") as file:
        json.dump(document, file)
    for chunk in chunks(shape, chunk_shape):
        array = [
            elements[index] if all(i < n for i, n in zip(index, shape)) else fill
            for index in indices(chunk, chunk_shape)
        ]
        build = buffers_of_pyarrow if case.get("builder") == "pyarrow" else buffers_of_numpy
        offset_buffer, data_buffer = build(array, name, dtype)
        data_start_idx = round_up_to_multiple(len(offset_buffer))
        chunk_buffer = numpy.zeros(data_start_idx + len(data_buffer), dtype=numpy.uint8)
        chunk_buffer[: len(offset_buffer)] = offset_buffer
        chunk_buffer[data_start_idx:] = data_buffer
        path = os.path.join(folder, "c", *map(str, chunk))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(chunk_buffer.tobytes())


def read(folder, path, zarr_format):
    with open(os.path.join(folder, "zarr.json"), encoding="utf-8") as file:
        document = json.load(file)
    name = document["data_type"] if isinstance(document["data_type"], str) else document["data_type"]["name"]
    type_, offset_type = TYPES[name]
    shape = document["shape"]
    chunk_shape = document["chunk_grid"]["configuration"]["chunk_shape"]
    fill = document["fill_value"].encode() if "string" in name else base64.b64decode(document["fill_value"])
    result = numpy.full(shape, fill, dtype=object)
    chunk_size = math.prod(chunk_shape)
    for chunk in chunks(shape, chunk_shape):
        file_name = os.path.join(folder, "c", *map(str, chunk))
        if not os.path.exists(file_name):
            continue
        with open(file_name, "rb") as file:
            chunk_buffer = memoryview(file.read())
        offset_end_idx = (chunk_size + 1) * numpy.dtype(offset_type).itemsize
        data_start_idx = round_up_to_multiple(offset_end_idx)
        offset_buffer = chunk_buffer[:offset_end_idx]
        if document["codecs"][0]["configuration"].get("endian") == "big":
            swapped = numpy.frombuffer(offset_buffer, numpy.dtype(offset_type).newbyteorder(">")).astype(offset_type)
            offset_buffer = memoryview(swapped.tobytes())
        array = pyarrow.Array.from_buffers(
            type_,
            chunk_size,
            [None, pyarrow.py_buffer(offset_buffer), pyarrow.py_buffer(chunk_buffer[data_start_idx:])],
        )
        array.validate(full=True)
        for index, value in zip(indices(chunk, chunk_shape), array.to_pylist()):
            if all(i < n for i, n in zip(index, shape)):
                result[index] = value.encode() if isinstance(value, str) else value
    return {"shape": shape, "data": json.dumps([base64.b64encode(value).decode() for value in result.ravel()])}
