"""
The arrays that every implementation writes into the fixtures. A case is a dict of
  path, zarr_format (2 or 3), data_type (v3 name), shape, chunk_shape, endian, separator,
  order: "C" or "F" (v2), a transpose permutation or None (v3),
  chunk_key_encoding: "default" or "v2" (v3),
  codecs: names among gzip, zlib, crc32c in encoding order (v2: at most one),
  fill_value: one element as little-endian hex, or None for null (v2),
  data: all elements, C order, little-endian, as hex; written: [[start, stop], ...] regions, absent when all is written,
  attributes: JSON text, dimension_names (v3).
"""

import itertools
import json
import random
import struct
import sys

SIZES = {
    "bool": 1, "int8": 1, "int16": 2, "int32": 4, "int64": 8, "uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8,
    "float16": 2, "float32": 4, "float64": 8,
}  # fmt: skip

ATTRIBUTES = """{"title": "höhe ⛰ \\ud83c\\udf0d", "nan": NaN, "infinity": Infinity, "minus": [-Infinity, -0.0, 1e300],
"big": [9007199254740993, 18446744073709551615, -9223372036854775807], "nested": {"a": [null, true, {"": ""}]}}"""

# float format -> one element as hex
FLOAT_CODES = {"float16": "<e", "float32": "<f", "float64": "<d"}
FILLS = [
    (data_type, label, struct.pack(code, value).hex())
    for data_type, code in FLOAT_CODES.items()
    for label, value in [("nan", float("nan")), ("inf", float("inf")), ("minus-inf", float("-inf")), ("minus-zero", -0.0), ("number", -1.5)]
] + [
    ("int64", "minimum", struct.pack("<q", -(2**63)).hex()),
    ("int64", "maximum", struct.pack("<q", 2**63 - 1).hex()),
    ("uint64", "maximum", struct.pack("<Q", 2**64 - 1).hex()),
    ("int8", "minimum", "80"),
    ("uint16", "maximum", "ffff"),
    ("int32", "number", struct.pack("<i", -123456789).hex()),
    ("bool", "true", "01"),
]  # fmt: skip


def count(shape):
    product = 1
    for length in shape:
        product *= length
    return product


def random_data(seed, data_type, shape):
    """Every bit pattern, NaNs with payloads among them: what is copied has to come out bit for bit."""
    data = random.Random(seed).randbytes(count(shape) * SIZES[data_type])
    return bytes(byte & 1 for byte in data) if data_type == "bool" else data


def smooth_data(shape):
    """int16 that compressors can shorten."""
    return b"".join(
        struct.pack("<h", sum((axis + 2) * position * position for axis, position in enumerate(index)) - 300)
        for index in itertools.product(*map(range, shape))
    )


def partly(data, data_type, shape, written, fill):
    """`data` inside the regions, the fill value elsewhere."""
    size = SIZES[data_type]
    elements = []
    for number, index in enumerate(itertools.product(*map(range, shape))):
        inside = any(all(start <= i < stop for i, (start, stop) in zip(index, region)) for region in written)
        elements.append(data[number * size : (number + 1) * size] if inside else fill)
    return b"".join(elements)


def case(path, data_type, shape, chunk_shape, *, zarr_format, fill="zero", data=None, written=None, **rest):
    if data is None:
        data = random_data(path, data_type, shape)
    zero = bytes(SIZES[data_type])
    if written is not None:
        data = partly(data, data_type, shape, written, zero if fill in (None, "zero") else bytes.fromhex(fill))
    defaults = (
        {"order": "C", "separator": "."}
        if zarr_format == 2
        else {"order": None, "separator": "/", "chunk_key_encoding": "default"}
    )
    return {
        "path": path, "zarr_format": zarr_format, "data_type": data_type,
        "shape": list(shape), "chunk_shape": list(chunk_shape), "endian": "little", "codecs": [],
        "fill_value": zero.hex() if fill == "zero" else fill, "data": data.hex(),
        **({} if written is None else {"written": written}), **defaults, **rest,
    }  # fmt: skip


def common(zarr_format):
    """What both formats can say."""
    root = f"/v{zarr_format}"

    def make(name, *arguments, **options):
        return case(f"{root}/{name}", *arguments, zarr_format=zarr_format, **options)

    for data_type, size in SIZES.items():
        for endian in ("little", "big") if size > 1 else ("little",):
            yield make(f"types/{data_type}-{endian}", data_type, (5, 7), (3, 4), endian=endian)
        yield make(f"scalars/{data_type}", data_type, (), ())
    for data_type, label, fill in FILLS:
        yield make(f"fills/{data_type}-{label}", data_type, (7,), (3,), fill=fill, written=[[[3, 6]]])
    yield make("fills/nothing-stored", "float32", (4, 3), (2, 2), fill="0000c07f", written=[])
    yield make("fills/scalar", "int64", (), (), fill="ffffffffffffff7f", written=[])
    yield make("shapes/empty", "int16", (0,), (3,))
    yield make("shapes/empty-middle", "float64", (3, 0, 2), (2, 2, 2))
    yield make("shapes/one-chunk", "uint8", (3, 4), (5, 6))
    yield make("shapes/one-element-chunks", "uint16", (3, 2), (1, 1))
    yield make("shapes/vector", "int32", (200,), (64,))
    yield make("shapes/five-dimensions", "int16", (2, 3, 2, 3, 2), (1, 2, 2, 2, 1), endian="big")
    yield make("attributes", "int8", (2,), (2,), attributes=ATTRIBUTES)


def version_2():
    yield from common(2)

    def make(name, *arguments, **options):
        return case(f"/v2/{name}", *arguments, zarr_format=2, **options)

    for rank, shape, chunk_shape in [(1, (5,), (2,)), (2, (4, 5), (3, 2)), (3, (3, 4, 5), (2, 3, 4)), (4, (2, 3, 4, 3), (2, 2, 3, 2))]:  # fmt: skip
        for data_type, endian in [("uint8", "little"), ("float32", "little"), ("int64", "big")]:
            yield make(f"order-f/{rank}-{data_type}-{endian}", data_type, shape, chunk_shape, order="F", endian=endian)
    for order in "CF":
        yield make(f"separators/slash-{order}", "int16", (3, 4), (2, 2), separator="/", order=order)
        for codec in ("gzip", "zlib"):
            for endian in ("little", "big"):
                yield make(f"codecs/{codec}-{order}-{endian}", "int16", (20, 30), (16, 16), data=smooth_data((20, 30)), codecs=[codec], order=order, endian=endian)  # fmt: skip
    yield make("fills/null", "float32", (7,), (3,), fill=None)
    yield make("fills/null-bool", "bool", (3,), (3,), fill=None)


def version_3():
    yield from common(3)

    def make(name, *arguments, **options):
        return case(f"/v3/{name}", *arguments, zarr_format=3, **options)

    styles = itertools.cycle(
        [("uint8", "little"), ("int16", "big"), ("float32", "little"), ("float64", "big"), ("int16", "little")]
    )
    for order in [*itertools.permutations(range(3)), (1, 2, 3, 0), (3, 0, 1, 2), (2, 0, 3, 1), (1, 0), (0,)]:
        data_type, endian = next(styles)
        shape, chunk_shape = (3, 4, 5, 2)[: len(order)], (2, 3, 4, 2)[: len(order)]
        name = "-".join(map(str, order))
        yield make(f"transpose/{name}", data_type, shape, chunk_shape, order=list(order), endian=endian)
    for encoding in ("default", "v2"):
        for label, separator in [("slash", "/"), ("dot", ".")]:
            yield make(f"keys/{encoding}-{label}", "int16", (3, 4), (2, 2), chunk_key_encoding=encoding, separator=separator)  # fmt: skip
            yield make(f"keys/{encoding}-{label}-scalar", "int16", (), (), chunk_key_encoding=encoding, separator=separator)  # fmt: skip
    for codecs in [["gzip"], ["crc32c"], ["gzip", "crc32c"], ["crc32c", "gzip"]]:
        data = smooth_data((20, 30))
        yield make(f"codecs/{'-'.join(codecs)}", "int16", (20, 30), (16, 16), data=data, codecs=codecs)
    yield make("codecs/all", "int16", (20, 30), (16, 16), data=smooth_data((20, 30)), codecs=["gzip", "crc32c"], order=[1, 0], endian="big")  # fmt: skip
    yield make("names/all", "int8", (2, 3), (2, 3), dimension_names=["y", "x"])
    yield make("names/some", "int8", (2, 3), (2, 3), dimension_names=[None, "x"])


def fixtures(zarr_formats):
    """All cases of the formats that an implementation writes."""
    return [*(version_2() if 2 in zarr_formats else ()), *(version_3() if 3 in zarr_formats else ())]


def groups(zarr_formats):
    return [
        {"path": f"/v{zarr_format}{name}", "zarr_format": zarr_format, "attributes": attributes}
        for zarr_format in zarr_formats
        for name, attributes in [("", ATTRIBUTES), ("/types", "{}"), ("/fills", "{}")]
    ]


def expectation(case):
    """What a reader must report; how the writer was asked for it stays out."""
    members = ("path", "zarr_format", "data_type", "shape", "chunk_shape", "fill_value", "data")
    expected = {member: case[member] for member in members}
    expected["attributes"] = case.get("attributes", "{}")
    if case["zarr_format"] == 3:
        expected["dimension_names"] = case.get("dimension_names")
    return expected


if __name__ == "__main__":
    # For writers that are not Python.
    json.dump([{"case": case, "expectation": expectation(case)} for case in fixtures([3])], sys.stdout)
