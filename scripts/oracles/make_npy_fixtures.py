"""
Writes test/fixtures/npy.json with numpy: npy files of every kind of data type, and the elements as `wazarr get --out x.json` prints them.

    .oracles/python/bin/python scripts/oracles/make_npy_fixtures.py
"""

import base64
import io
import json
import math
import os
import warnings

import numpy
from numpy.lib import format as npy

TARGET = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "test", "fixtures", "npy.json")


def integers(dtype, shape):
    info = numpy.iinfo(dtype)
    return numpy.resize(numpy.array([0, 1, info.min, info.max, 42], dtype), shape).astype(dtype)


def floats(dtype, shape):
    info = numpy.finfo(dtype)
    values = [0, -0.0, 1.5, info.max, info.tiny, numpy.inf, -numpy.inf, numpy.nan]
    return numpy.resize(numpy.array(values, dtype), shape).astype(dtype)


def arrays():
    for order in "<>":
        for code in ["i2", "i4", "i8", "u2", "u4", "u8"]:
            yield f"{order}{code}", integers(numpy.dtype(order + code), (3, 4))
        for code in ["f2", "f4", "f8"]:
            yield f"{order}{code}", floats(numpy.dtype(order + code), (2, 3, 4))
        for code in ["c8", "c16"]:
            values = [1 - 2j, complex(math.nan, -0.0), complex(math.inf, -math.inf)]
            yield f"{order}{code}", numpy.array(values, order + code)
        yield f"{order}U4", numpy.array([["", "äöü"], ["𝄞a", "four"]], order + "U4")
        for unit in ["M8[ns]", "M8[25s]", "m8[D]", "m8[us]"]:
            ticks = numpy.array([0, -1, 2**62, -(2**63)], "i8")
            yield f"{order}{unit}", ticks.astype(order + "i8").view(order + unit)
        yield f"{order}struct", struct(order)
    yield "|i1", integers(numpy.dtype("i1"), (5,))
    yield "|u1", integers(numpy.dtype("u1"), (5,))
    yield "|b1", numpy.array([[True, False, True]])
    yield "|S3", numpy.array([b"", b"ab", b"\x00c\x00", b"xyz"])
    yield "|V5", numpy.frombuffer(bytes(range(15)), "V5")
    yield "order F", numpy.asfortranarray(numpy.arange(24, dtype=">i2").reshape(2, 3, 4))
    yield "order F, struct", numpy.asfortranarray(struct(">").reshape(2, 1))
    yield "no dimensions", numpy.array(7.5)
    yield "no elements", numpy.zeros((3, 0, 2), "<i4")
    yield "aligned struct", aligned()
    yield "field names beyond Latin-1", numpy.array([(1,), (2,)], [("Größe ℓ", "<i4")])
    yield "field names with quotes", numpy.array([(1, 2)], [("it's \\ \"quoted\"", "<i4"), ("tab\t", "u1")])


def struct(order):
    dtype = [("flag", "?"), ("position", order + "f4", (2,)), ("inner", [("a", order + "i8"), ("b", "S2")]), ("other", "<u2")]
    return numpy.array([(True, (1.5, math.nan), (-1, b"hi"), 7), (False, (0, -math.inf), (2**60, b""), 65535)], dtype)


def aligned():
    dtype = numpy.dtype([("a", "i1"), ("b", ">f8"), ("c", "i2", (3,))], align=True)
    return numpy.array([(1, 2.5, (1, 2, 3)), (-1, -2.5, (4, 5, 6))], dtype)


def number(value):
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def element(value, dtype):
    if dtype.subdtype is not None:
        base, _ = dtype.subdtype
        return nested(numpy.asarray(value), base)
    if dtype.names is not None:
        return {name: element(value[name], dtype[name]) for name in dtype.names}
    if dtype.kind == "c":
        return [number(float(value.real)), number(float(value.imag))]
    if dtype.kind == "f":
        return number(float(value))
    if dtype.kind in "Mm":
        return str(int(numpy.asarray(value, dtype).astype(dtype.newbyteorder("=")).view("i8")))
    if dtype.kind in "iu":
        return str(int(value)) if dtype.itemsize == 8 else int(value)
    if dtype.kind == "b":
        return bool(value)
    if dtype.kind == "U":
        return str(value)
    return base64.b64encode(bytes(value)).decode()


def nested(values, dtype):
    return [nested(value, dtype) if numpy.ndim(value) else element(value, dtype) for value in values]


def write(array, version=None):
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        npy.write_array(file, array, version=version, allow_pickle=False)
    return file.getvalue()


def case(name, array, version=None):
    return {
        "name": name,
        "npy": base64.b64encode(write(array, version)).decode(),
        "shape": list(array.shape),
        "elements": [element(value, array.dtype) for value in array.reshape(-1)],
    }


def main():
    cases = [case(name, array) for name, array in arrays()]
    cases += [case(f"version {major}.0", numpy.arange(3, dtype="<i4"), (major, 0)) for major in (1, 2, 3)]
    with open(TARGET, "w", encoding="utf-8") as file:
        json.dump({"writer": "numpy", "version": numpy.__version__, "cases": cases}, file, indent=1, allow_nan=False)
        file.write("\n")


main()
