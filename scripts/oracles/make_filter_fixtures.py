"""Writes test/fixtures/codecs/filters.json and compressed.json: what numcodecs' filters make of small arrays, and values of bz2 and lzma.

    .oracles/python/bin/python scripts/oracles/make_filter_fixtures.py

A case of filters.json: `configuration` with its id, `data_type` and `elements` before encoding, `encoded_type` and `encoded` as numcodecs
writes them, `decoded` as it reads them back; elements as little-endian hex, byte order in numpy's dtype.
"""

import base64
import itertools
import json
import warnings
from pathlib import Path

import numcodecs
import numpy
from recipes import make

warnings.simplefilter("ignore")
OUT = Path(__file__).parents[2] / "test/fixtures/codecs"
INTEGERS = ["u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8"]
FLOATS = ["f2", "f4", "f8"]
LENGTH = 21
random = numpy.random.default_rng(20261121)
cases = []


def hexadecimal(array):
    array = numpy.ascontiguousarray(array)
    return array.astype(array.dtype.newbyteorder("<")).tobytes().hex()


def add(configuration, elements):
    codec = numcodecs.get_codec(dict(configuration))
    try:
        encoded = codec.encode(elements.copy())
    except OverflowError:
        # A first element that `astype` does not hold, which numpy checks and differences it does not.
        return
    encoded = numpy.frombuffer(encoded, encoded.dtype) if isinstance(encoded, numpy.ndarray) else encoded
    decoded = codec.decode(encoded)
    if configuration["id"] == "delta" and "8" in codec.dtype.str[2:] + codec.astype.str[2:] and (decoded != elements).any():
        # numpy adds uint64 and signed integers as doubles, which loses digits: nothing to be compared with.
        return
    cases.append({
        "configuration": configuration, "data_type": elements.dtype.newbyteorder("=").name, "elements": hexadecimal(elements),
        "encoded_type": encoded.dtype.newbyteorder("=").name, "encoded": hexadecimal(encoded),
        "decoded": hexadecimal(numpy.asarray(decoded).view(elements.dtype)),
    })  # fmt: skip


def whole(code):
    """Every bit pattern there is."""
    return numpy.frombuffer(random.bytes(LENGTH * numpy.dtype(code).itemsize), code)


def small(code, low=0, high=100):
    """Integral values, in any type."""
    return random.integers(low, high, LENGTH).astype(code)


def fractions(code, scale=100):
    return (random.standard_normal(LENGTH) * scale).astype(code)


def text(code):
    return numpy.dtype(code).str


# Differences that wrap, in the same type or a wider one of either sign.
for code in INTEGERS:
    add({"id": "delta", "dtype": text(code)}, whole(code))
    for astype in INTEGERS:
        if numpy.dtype(astype).itemsize >= numpy.dtype(code).itemsize:
            add({"id": "delta", "dtype": text(code), "astype": text(astype)}, whole(code))
    add({"id": "delta", "dtype": text(code), "astype": "|i1"}, numpy.cumsum(random.integers(-3, 4, LENGTH)).astype(code))
for code in FLOATS:
    add({"id": "delta", "dtype": text(code)}, fractions(code))
    for astype in [*FLOATS, "i1", "i4"]:
        add({"id": "delta", "dtype": text(code), "astype": text(astype)}, small(code))
add({"id": "delta", "dtype": ">i4", "astype": ">i2"}, numpy.cumsum(random.integers(-300, 400, LENGTH)).astype(">i4"))
add({"id": "delta", "dtype": "<i8"}, whole("i8").view("<M8[ns]").view("i8"))

for code, astype in itertools.product([*FLOATS, "u1", "i2", "i4"], [*FLOATS, "u1", "i1", "u2", "i2", "u4", "i4", "i8"]):
    for scale, offset in [(10, 0), (0.5, 3), (1 / 3, -2.5)]:
        if code[0] != "f" and (offset < 0 or scale == 10):
            continue
        elements = fractions(code, 3) + numpy.dtype(code).type(5) if code[0] == "f" else small(code, 3, 11)
        if astype[0] == "u":
            elements = numpy.abs(elements) + numpy.asarray(max(offset, 0), code)
        add({"id": "fixedscaleoffset", "scale": scale, "offset": offset, "dtype": text(code), "astype": text(astype)}, elements.astype(code))
add({"id": "fixedscaleoffset", "scale": 1, "offset": 1_500_000_000_000_000_000, "dtype": "<i8", "astype": "<i4"}, small("i8") + 1_500_000_000_000_000_000)
# Ties go to even.
add({"id": "fixedscaleoffset", "scale": 1, "offset": 0, "dtype": "<f4", "astype": "|i1"}, (numpy.arange(LENGTH) / 2 - 9).astype("f4"))
add({"id": "fixedscaleoffset", "scale": 1, "offset": 0, "dtype": "<f8", "astype": "<f8"}, numpy.arange(LENGTH) / 2 - 9)

for code, astype, digits in itertools.product(FLOATS, FLOATS, [-2, 0, 1, 3]):
    add({"id": "quantize", "digits": digits, "dtype": text(code), "astype": text(astype)}, fractions(code, 3))
for digits in [7, 20, -8]:
    add({"id": "quantize", "digits": digits, "dtype": "<f8"}, fractions("f8", 1e6))

for code, bits in [("f2", 10), ("f4", 23), ("f8", 52)]:
    for keepbits in [0, 1, bits // 2, bits - 1, bits]:
        add({"id": "bitround", "keepbits": keepbits}, fractions(code))
        elements = whole(code).copy()
        elements[numpy.isnan(elements)] = numpy.inf
        add({"id": "bitround", "keepbits": keepbits}, elements)

for length in [1, 7, 8, 9, 40, 41]:
    add({"id": "packbits"}, random.integers(0, 2, length).astype(bool))

for decode, encode in itertools.product([*INTEGERS, *FLOATS, "?"], repeat=2):
    add({"id": "astype", "encode_dtype": text(encode), "decode_dtype": text(decode)}, small(decode, 0, 2 if "?" in (encode, decode) else 100))
add({"id": "astype", "encode_dtype": "<f4", "decode_dtype": "<f8"}, fractions("f8"))
add({"id": "astype", "encode_dtype": "<f2", "decode_dtype": "<f8"}, fractions("f8", 3e4))
add({"id": "astype", "encode_dtype": "<i2", "decode_dtype": "<f8"}, fractions("f8"))
add({"id": "astype", "encode_dtype": "<f4", "decode_dtype": "<f2"}, whole("f2"))
add({"id": "astype", "encode_dtype": "|u1", "decode_dtype": "|i1"}, whole("i1"))
add({"id": "astype", "encode_dtype": "<i8", "decode_dtype": "<u8"}, whole("u8"))

labels = ["male", "female", "ünïcode ⛰", "\U0001f30d"]
for astype in ["u1", "i2", "u8"]:
    strings = numpy.array([labels[i % 4] if i % 5 else "" for i in range(LENGTH)], dtype="<U9")
    add({"id": "categorize", "labels": labels, "dtype": "<U9", "astype": text(astype)}, strings)

lines = ",\n".join(json.dumps(case) for case in cases)
OUT.mkdir(parents=True, exist_ok=True)
(OUT / "filters.json").write_text(f'{{"writer": "numcodecs {numcodecs.__version__}, numpy {numpy.__version__}", "cases": [\n{lines}\n]}}\n')

LZMA1, LZMA2, DELTA = 0x4000000000000001, 0x21, 3
COMPRESSORS = [
    *({"id": "bz2", "level": level} for level in (1, 5, 9)),
    *({"id": "lzma", "format": 1, "check": check, "preset": preset} for check, preset in [(-1, None), (0, 0), (1, 6), (4, 9), (10, 3)]),
    {"id": "lzma", "format": 2, "check": -1, "preset": 6},
    {"id": "lzma", "format": 1, "check": -1, "filters": [{"id": DELTA, "dist": 4}, {"id": LZMA2, "preset": 1}]},
    {"id": "lzma", "format": 1, "check": -1, "filters": [{"id": DELTA, "dist": 256}, {"id": DELTA, "dist": 1}, {"id": LZMA2, "lc": 0, "lp": 4, "pb": 0}]},
    {"id": "lzma", "format": 3, "check": -1, "filters": [{"id": LZMA2, "preset": 6}]},
    {"id": "lzma", "format": 3, "check": -1, "filters": [{"id": DELTA, "dist": 2}, {"id": LZMA1, "lc": 2, "lp": 1, "pb": 1}]},
]  # fmt: skip
compressed = [
    {"configuration": configuration, "recipe": recipe, "length": length,
     "encoded": base64.b64encode(bytes(numcodecs.get_codec(dict(configuration)).encode(make(recipe, length)))).decode()}
    for configuration in COMPRESSORS
    for recipe, length in [("words", 0), ("noise", 1), ("words", 700), ("noise", 300), ("zeros", 100_003), ("field", 2000), ("far", 9000)]
    if not (recipe == "far" and configuration.get("level", 0) == 5)
]  # fmt: skip
lines = ",\n".join(json.dumps(case) for case in compressed)
(OUT / "compressed.json").write_text(f'{{"writer": "numcodecs {numcodecs.__version__} with Python\'s bz2 and lzma", "cases": [\n{lines}\n]}}\n')
