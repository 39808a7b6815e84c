"""
zarr-python, 3.4.2 or 2.13.6, as a writer and reader of arrays of variable length, for round_trip.py. A case is
  path, zarr_format, data_type ("string", "bytes", "object"), object_codec (v2), shape, chunk_shape, shards (v3),
  order ("C" or "F"), compressed, fill_value, elements: C order.
Strings are JSON strings, byte strings base64, objects what they are. Elements of vlen-array are lists of numbers ("<i4"); with
array_dtype, base64 of their little-endian bytes.
"""

import base64
import json

import numcodecs
import numpy
import zarr

IS_3 = zarr.__version__.startswith("3.")
VERSIONS = {"zarr": zarr.__version__, "numcodecs": numcodecs.__version__}
OBJECT_CODECS = {
    "vlen-utf8": lambda case: numcodecs.VLenUTF8(),
    "vlen-bytes": lambda case: numcodecs.VLenBytes(),
    "vlen-array": lambda case: numcodecs.VLenArray(case.get("array_dtype", "<i4")),
    "json2": lambda case: numcodecs.JSON(),
    "msgpack2": lambda case: numcodecs.MsgPack(),
}


def from_json(case, value):
    if case["data_type"] == "bytes":
        return base64.b64decode(value)
    if case.get("object_codec") != "vlen-array":
        return value
    if "array_dtype" not in case:
        return numpy.array(value, "<i4")
    dtype = numpy.dtype(case["array_dtype"])
    return numpy.frombuffer(base64.b64decode(value), dtype.newbyteorder("<")).astype(dtype)


def to_json(value):
    if isinstance(value, (bytes, numpy.bytes_)):
        return base64.b64encode(value).decode()
    if isinstance(value, numpy.ndarray):
        return value.tolist() if value.dtype == numpy.dtype("<i4") else array_to_base64(value)
    return value


def array_to_base64(value):
    return base64.b64encode(value.astype(value.dtype.newbyteorder("<")).tobytes()).decode()


def elements_of(case):
    data = numpy.empty(len(case["elements"]), dtype=object)
    for i, value in enumerate(case["elements"]):
        data[i] = from_json(case, value)
    return data.reshape(case["shape"])


def write(case, folder):
    fill_value = case["fill_value"]
    if fill_value is not None:
        fill_value = from_json(case, fill_value)
    array = (write_3 if IS_3 else write_2)(case, folder, fill_value)
    array[...] = elements_of(case)


def write_2(case, folder, fill_value):
    return zarr.create(
        store=zarr.DirectoryStore(folder),
        path=case["path"].lstrip("/"),
        shape=case["shape"],
        chunks=case["chunk_shape"],
        dtype=object,
        object_codec=OBJECT_CODECS[case["object_codec"]](case),
        order=case["order"],
        compressor=numcodecs.Zlib(level=1) if case["compressed"] else None,
        fill_value=fill_value,
        write_empty_chunks=False,
    )


def write_3(case, folder, fill_value):
    from zarr.codecs import GzipCodec, TransposeCodec
    from zarr.core.dtype import VariableLengthBytes, VariableLengthUTF8

    dtype = {"string": VariableLengthUTF8, "bytes": VariableLengthBytes}[case["data_type"]]()
    common = {
        "name": case["path"].lstrip("/") or None,
        "shape": case["shape"],
        "chunks": case["chunk_shape"],
        "dtype": dtype,
        "fill_value": fill_value,
        "zarr_format": case["zarr_format"],
    }
    if case["zarr_format"] == 2:
        return zarr.create_array(
            folder, order=case["order"], compressors=numcodecs.Zlib(level=1) if case["compressed"] else None, **common
        )
    rank = len(case["shape"])
    return zarr.create_array(
        folder,
        shards=case.get("shards"),
        filters=[TransposeCodec(order=tuple(reversed(range(rank))))] if case["order"] == "F" else None,
        compressors=[GzipCodec(level=1)] if case["compressed"] else None,
        **common,
    )


def read(folder, path, zarr_format):
    if IS_3:
        array = zarr.open_array(folder, path=path.lstrip("/") or None, mode="r", zarr_format=zarr_format)
    else:
        array = zarr.open_array(zarr.DirectoryStore(folder), path=path.lstrip("/"), mode="r")
    data = numpy.asarray(array[...], dtype=object)
    return {"shape": list(array.shape), "data": json.dumps([to_json(value) for value in data.ravel()])}
