"""Writes test/fixtures/codecs/grib.json: GRIB messages, and what eccodes reads of them.

    python3 -m venv venv && venv/bin/pip install eccodes eccodeslib gribberish numpy
    venv/bin/python scripts/oracles/make_grib_fixtures.py [FILE [COUNT [SEED]]]

With COUNT, writes as many random messages in place of those of the fixtures. eccodes encodes no missing values
inside complex packing and few widths of groups, and fails to write PNG: `complex_message` and `png_message` pack such
messages by hand, for eccodes to read. `grids` have the coordinates that eccodes and gribberish calculate.
"""

import base64
import json
import struct
import sys
import zlib
from pathlib import Path

import eccodes
import gribberish
import numpy as np

OUT = Path(__file__).parents[2] / "test/fixtures/codecs/grib.json"
MISSING = -1.25e300
def field(rng, count, kind):
    if kind == "smooth":
        return 273.15 + np.cumsum(rng.normal(0, 0.3, count))
    if kind == "noise":
        return rng.normal(0, 1e4, count)
    if kind == "sparse":
        return np.where(rng.random(count) < 0.9, 0.0, rng.exponential(3.0, count))
    return np.full(count, float(rng.integers(-50, 50)))


def encoded(rng, grid, ni, nj, packing, kind="smooth", missing=0.0, **keys):
    """A message that eccodes encodes."""
    is_reduced = grid == "reduced_gg"
    h = eccodes.codes_grib_new_from_samples("reduced_gg_pl_32_grib2" if is_reduced else "regular_ll_sfc_grib2")
    if not is_reduced:
        eccodes.codes_set(h, "gridType", grid)
        eccodes.codes_set(h, "Ni" if grid == "regular_ll" else "Nx", ni)
        eccodes.codes_set(h, "Nj" if grid == "regular_ll" else "Ny", nj)
    count = eccodes.codes_get(h, "numberOfDataPoints") if is_reduced else ni * nj
    values = field(rng, count, kind)
    eccodes.codes_set(h, "packingType", packing)
    if missing > 0:
        eccodes.codes_set(h, "bitmapPresent", 1)
        eccodes.codes_set(h, "missingValue", MISSING)
        values[rng.random(count) < missing] = MISSING
    for key, value in keys.items():
        eccodes.codes_set(h, key, value)
    eccodes.codes_set_values(h, values)
    message = eccodes.codes_get_message(h)
    eccodes.codes_release(h)
    return message


def first_edition(rng, ni, nj, kind="smooth", missing=0.0, reduced=False, **keys):
    """A message of edition 1 that eccodes encodes, in simple packing."""
    h = eccodes.codes_grib_new_from_samples("reduced_gg_pl_32_grib1" if reduced else "regular_ll_sfc_grib1")
    if not reduced:
        eccodes.codes_set(h, "Ni", ni)
        eccodes.codes_set(h, "Nj", nj)
    count = eccodes.codes_get(h, "numberOfDataPoints") if reduced else ni * nj
    values = field(rng, count, kind)
    if missing > 0:
        eccodes.codes_set(h, "bitmapPresent", 1)
        eccodes.codes_set(h, "missingValue", MISSING)
        values[rng.random(count) < missing] = MISSING
    for key, value in keys.items():
        eccodes.codes_set(h, key, value)
    eccodes.codes_set_values(h, values)
    message = eccodes.codes_get_message(h)
    eccodes.codes_release(h)
    return message


ROWS = np.sort(np.degrees(np.arcsin(np.polynomial.legendre.leggauss(8)[0])))[::-1]
REDUCED = {
    **{"N": 4, "Nj": 8, "pl": [20, 24, 28, 32, 32, 28, 24, 20]},
    "latitudeOfFirstGridPointInDegrees": float(ROWS[0]),
    "latitudeOfLastGridPointInDegrees": float(ROWS[-1]),
    "longitudeOfLastGridPointInDegrees": 360 - 360 / 32,
}


def second_order(rng, edition, ni, nj, packing="grid_second_order", kind="smooth", missing=0.0, reduced=False, **keys):
    """In second-order packing: eccodes packs values of simple packing again."""
    h = eccodes.codes_grib_new_from_samples(f"{'reduced_gg_pl_32' if reduced else 'regular_ll_sfc'}_grib{edition}")
    for key, value in REDUCED.items() if reduced else (("Ni", ni), ("Nj", nj)):
        (eccodes.codes_set_array if isinstance(value, list) else eccodes.codes_set)(h, key, value)
    count = sum(REDUCED["pl"]) if reduced else ni * nj
    values = field(rng, count, kind)
    if missing > 0:
        eccodes.codes_set(h, "bitmapPresent", 1)
        eccodes.codes_set(h, "missingValue", MISSING)
        values[rng.random(count) < missing] = MISSING
    for key, value in keys.items():
        eccodes.codes_set(h, key, value)
    eccodes.codes_set_values(h, values)
    eccodes.codes_set(h, "packingType", packing)
    assert "second_order" in eccodes.codes_get(h, "packingType"), packing
    message = eccodes.codes_get_message(h)
    eccodes.codes_release(h)
    return message


def spread_order(rng, ni, nj, order, edition, turned=False, bitmap=0.0, wide=False):
    """Groups of random widths and lengths with differences of an order that eccodes does not write: ECMWF's extension."""
    has = rng.random(ni * nj) >= bitmap
    values = int(has.sum()) if bitmap > 0 else ni * nj
    lengths = []
    while sum(lengths) < values - order:
        lengths.append(int(rng.integers(1, 60)))
    lengths[-1] -= sum(lengths) - (values - order)
    widths = [int(rng.integers(0, 32 if wide else 10)) for _ in lengths]
    references = [int(rng.integers(0, 1 << 11)) for _ in lengths]
    fields = "".join(
        format(int(number), f"0{width}b")
        for width, length in zip(widths, lengths)
        for number in (rng.integers(0, 1 << width, length) if width else [])
    )
    width_of_first = int(rng.integers(7, 20))
    first = "".join(format(int(rng.integers(0, 1 << width_of_first)), f"0{width_of_first}b") for _ in range(order))
    bias = format(int(rng.integers(0, 50)), f"0{width_of_first - 1}b")
    first = f"{first}{int(rng.integers(0, 2))}{bias}" if order else ""
    groups = packed_bits(widths, 5) + packed_bits(lengths, 6) + packed_bits(references, 11)
    return has, lengths, groups + bits_of(fields), bytes([width_of_first]) + bits_of(first) if order else b""


def bits_of(text):
    text += "0" * (-len(text) % 8)
    return int(text or "0", 2).to_bytes(len(text) // 8, "big")


def extended_message(rng, ni, nj, order, turned=False, bitmap=0.0, wide=False):
    """Edition 2, templates 5.50001 (without the flag of turned rows) and 5.50002."""
    base = encoded(rng, "regular_ll", ni, nj, "grid_simple", "constant")
    has, lengths, data, first = spread_order(rng, ni, nj, order, 2, turned, bitmap, wide)
    count = int(has.sum()) if bitmap > 0 else ni * nj
    template = 50001 if turned is None else 50002
    representation = struct.pack(">IH", count, template) + struct.pack(">f", float(rng.normal(0, 300)))
    representation += signed(int(rng.integers(-12, 5)), 2) + signed(int(rng.integers(-2, 5)), 2)
    representation += struct.pack(">BBIIBB", 12, 11, len(lengths), count, 5, 6)
    representation += (b"" if turned is None else bytes([128 if turned else 0])) + bytes([order]) + first
    replaced = {5: section(5, representation), 7: section(7, data)}
    if bitmap > 0:
        replaced[6] = section(6, b"\0" + np.packbits(has).tobytes())
    body = b"".join(replaced.get(number, whole) for number, whole in sections_of(base))
    return base[:8] + struct.pack(">Q", 16 + len(body) + 4) + body + b"7777"


def first_edition_groups(rng, ni, nj, form, turned=False, bitmap=0.0, order=0):
    """Edition 1 with groups by rows, with a second bitmap ("general", "constant"), or extended."""
    base = first_edition(rng, ni, nj, "constant", missing=bitmap)
    at = 8 + int.from_bytes(base[8:11], "big")
    at += int.from_bytes(base[at : at + 3], "big")
    has = np.ones(ni * nj, bool)
    if bitmap > 0:
        has = np.unpackbits(np.frombuffer(base[at + 6 : at + 6 + -(-ni * nj // 8)], "u1"))[: ni * nj].astype(bool)
        at += int.from_bytes(base[at : at + 3], "big")
    values = int(has.sum())
    flags = {"rows": 0x10, "general": 0x30, "constant": 0x20, "extended": 0x18}[form] | (4 if turned else 0) | order
    if form == "extended":
        _, lengths, data, first = spread_order(rng, values, 1, order, 1)
        body = bytes([5, 6]) + b"\0\0" + first + data
    else:
        lengths = [int(row.sum()) for row in has.reshape(nj, ni)] if form == "rows" else []
        while form != "rows" and sum(lengths) < values:
            lengths.append(min(int(rng.integers(1, 30)), values - sum(lengths)))
        one = int(rng.integers(0, 9))
        widths = [one if form == "constant" else int(rng.integers(0, 12)) for _ in lengths]
        second = "".join("1" + "0" * (length - 1) for length in lengths) if form != "rows" else ""
        references = packed_bits([int(rng.integers(0, 1 << 9)) for _ in lengths], 9)
        fields = "".join(
            format(int(number), f"0{width}b")
            for width, length in zip(widths, lengths)
            for number in (rng.integers(0, 1 << width, length) if width else [])
        )
        body = (bytes([one]) if form == "constant" else bytes(widths)) + bits_of(second) * bool(second) + references
        body += bits_of(fields) if fields else b""
    width_of_first = 11 if form == "extended" else 9
    data = signed(int(rng.integers(-9, 4)), 2) + bytes([0x42, int(rng.integers(0, 256)), 7, 9, width_of_first, 0, 0, flags])
    data += b"\0\0" + struct.pack(">HHB", len(lengths), values, 0) + body
    data += b"\0" * ((len(data) + 4) % 2)
    part = (len(data) + 4).to_bytes(3, "big") + bytes([0x40]) + data
    length = at + len(part) + 4
    return base[:4] + length.to_bytes(3, "big") + base[7:at] + part + b"7777"


def packed_bits(values, width):
    text = "".join(format(int(value), f"0{width}b") for value in values) if width else ""
    text += "0" * (-len(text) % 8)
    return int(text or "0", 2).to_bytes(len(text) // 8, "big")


def section(number, body):
    return struct.pack(">IB", len(body) + 5, number) + body


def signed(value, length):
    return (abs(value) | ((1 << (8 * length - 1)) if value < 0 else 0)).to_bytes(length, "big")


def sections_of(message):
    at, found = 16, []
    while message[at : at + 4] != b"7777":
        length, number = struct.unpack(">IB", message[at : at + 5])
        found.append((number, message[at : at + length]))
        at += length
    return found


def complex_message(rng, ni, nj, order, management, bitmap=0.0, wide=False):
    """A message in complex packing, with groups of random widths and lengths. `management`: kinds of missing values."""
    base = encoded(rng, "regular_ll", ni, nj, "grid_simple", "constant")
    count = ni * nj
    has = rng.random(count) >= bitmap
    values = int(has.sum()) if bitmap > 0 else count
    lengths, widths = [], []
    while sum(lengths) < values:
        lengths.append(int(rng.integers(1, 40)))
    if sum(lengths) > values:
        lengths[-1] -= sum(lengths) - values
    # eccodes takes no greatest value of 32 bits for a missing one.
    greatest = 31 if wide else 9
    widths = [int(rng.integers(0, greatest + 1)) for _ in lengths]
    reference_bits = int(rng.integers(0 if order else 1, 32 if wide else 14))
    references = [int(rng.integers(0, 1 << reference_bits)) for _ in lengths]
    if management:
        for i in range(0, len(references), 5):
            references[i] = (1 << reference_bits) - 1 - int(rng.integers(0, management))
            references[i] = max(references[i], 0)
            widths[i] = 0
    groups = []
    for width, length in zip(widths, lengths):
        numbers = rng.integers(0, 1 << width, length) if width else np.zeros(length, int)
        if management and width:
            numbers = np.where(rng.random(length) < 0.1, (1 << width) - 1, numbers)
        groups += [format(int(number), f"0{width}b") for number in numbers] if width else []
    least_width = min(widths, default=0)
    width_bits = max((max(widths, default=0) - least_width).bit_length(), int(rng.integers(0, 4)))
    least_length, increment = 1, 1
    length_bits = 6
    text = "".join(groups)
    text += "0" * (-len(text) % 8)
    descriptors = b""
    length = int(rng.integers(1, 4)) if order else 0
    for _ in range(order):
        descriptors += int(rng.integers(0, 1 << (8 * length - 1))).to_bytes(length, "big")
    if order:
        descriptors += signed(int(rng.integers(-20, 20)), length)
    data = (
        descriptors
        + packed_bits(references, reference_bits)
        + packed_bits([width - least_width for width in widths], width_bits)
        + packed_bits([length - least_length for length in lengths[:-1]] + [0], length_bits)
        + int(text or "0", 2).to_bytes(len(text) // 8, "big")
    )
    representation = (
        struct.pack(">IH", values, 3 if order else 2)
        + struct.pack(">f", float(rng.normal(0, 300)))
        + signed(int(rng.integers(-12, 5)), 2)
        + signed(int(rng.integers(-2, 5)), 2)
        + struct.pack(">BBBB", reference_bits, 0, 1, management)
        + struct.pack(">ffIBB", 9999.0, 9998.0, len(lengths), least_width, width_bits)
        + struct.pack(">IBIB", least_length, increment, lengths[-1] if lengths else 0, length_bits)
        + (struct.pack(">BB", order, length) if order else b"")
    )
    replaced = {5: section(5, representation), 7: section(7, data)}
    if bitmap > 0:
        replaced[6] = section(6, b"\0" + np.packbits(has).tobytes())
    body = b"".join(replaced.get(number, whole) for number, whole in sections_of(base))
    return base[:8] + struct.pack(">Q", 16 + len(body) + 4) + body + b"7777"


def png(width, height, depth, colours, rows):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, depth, colours, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + row for row in rows))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def png_message(rng, ni, nj, bits, bitmap=0.0):
    """A message whose values are a PNG of 8, 16, 24 (RGB) or 32 bits (RGBA)."""
    base = encoded(rng, "regular_ll", ni, nj, "grid_simple", "constant")
    has = rng.random(ni * nj) >= bitmap
    count = int(has.sum())
    width, height = (ni, nj) if bitmap == 0 else (count, 1)
    numbers = rng.integers(0, 1 << bits, (height, width))
    depth, colours = {8: (8, 0), 16: (16, 0), 24: (8, 2), 32: (8, 6)}[bits]
    rows = [b"".join(int(number).to_bytes(bits // 8, "big") for number in row) for row in numbers]
    representation = struct.pack(">IH", count, 41) + struct.pack(">f", float(rng.normal(0, 300)))
    representation += signed(int(rng.integers(-12, 5)), 2) + signed(int(rng.integers(-2, 5)), 2) + bytes([bits, 0])
    replaced = {5: section(5, representation), 7: section(7, png(width, height, depth, colours, rows))}
    if bitmap > 0:
        replaced[6] = section(6, b"\0" + np.packbits(has).tobytes())
    body = b"".join(replaced.get(number, whole) for number, whole in sections_of(base))
    return base[:8] + struct.pack(">Q", 16 + len(body) + 4) + body + b"7777"


def grid(sample, **keys):
    h = eccodes.codes_grib_new_from_samples(sample)
    for key, value in keys.items():
        if isinstance(value, list):
            eccodes.codes_set_array(h, key, value)
        else:
            eccodes.codes_set(h, key, value)
    eccodes.codes_set(h, "bitsPerValue", 0)
    columns, rows = (keys[name[0]] if name[0] in keys else keys.get(name[1], 1) for name in (("Ni", "Nx"), ("Nj", "Ny")))
    eccodes.codes_set_values(h, np.full(sum(keys["pl"]) if "pl" in keys else columns * rows, 7.0))
    message = eccodes.codes_get_message(h)
    eccodes.codes_release(h)
    return message


def regular(ni, nj, north, south, west, east, northward=0, westward=0):
    ends = (south, north) if northward else (north, south)
    return grid(
        "regular_ll_sfc_grib2",
        Ni=ni,
        Nj=nj,
        latitudeOfFirstGridPointInDegrees=ends[0],
        latitudeOfLastGridPointInDegrees=ends[1],
        longitudeOfFirstGridPointInDegrees=west,
        longitudeOfLastGridPointInDegrees=east,
        iDirectionIncrementInDegrees=((west - east if westward else east - west) % 360 or 360) / (ni - 1),
        jDirectionIncrementInDegrees=(north - south) / (nj - 1),
        jScansPositively=northward,
        iScansNegatively=westward,
    )


def gaussian(n, ni, first, nj, northward=0):
    latitudes = np.sort(np.degrees(np.arcsin(np.polynomial.legendre.leggauss(2 * n)[0])))[::-1]
    rows = latitudes[first : first + nj]
    rows = rows[::-1] if northward else rows
    return grid(
        "regular_gg_sfc_grib2",
        N=n,
        Ni=ni,
        Nj=nj,
        latitudeOfFirstGridPointInDegrees=float(rows[0]),
        latitudeOfLastGridPointInDegrees=float(rows[-1]),
        longitudeOfFirstGridPointInDegrees=0,
        longitudeOfLastGridPointInDegrees=360 - 360 / ni,
        iDirectionIncrementInDegrees=360 / ni,
        jScansPositively=northward,
    )


def on_plane(kind, nx, ny, shape=6, **keys):
    return grid(
        "regular_ll_sfc_grib2",
        gridType=kind,
        shapeOfTheEarth=shape,
        Nx=nx,
        Ny=ny,
        jScansPositively=1,
        **{name + "InDegrees": value for name, value in keys.items() if name not in ("Dx", "Dy", "flag")},
        **({"projectionCentreFlag": keys["flag"]} if "flag" in keys else {}),
        DxInMetres=keys.get("Dx", 13000),
        DyInMetres=keys.get("Dy", 13000),
    )


def scanned(message, flags):
    """The message with other flags of scanning."""
    message = bytearray(message)
    message[16 + 21 + 71] = flags
    return bytes(message)


def first_grid(sample, **keys):
    h = eccodes.codes_grib_new_from_samples(sample)
    for key, value in keys.items():
        eccodes.codes_set(h, key, value)
    eccodes.codes_set(h, "bitsPerValue", 0)
    eccodes.codes_set_values(h, np.full(eccodes.codes_get(h, "numberOfDataPoints"), 7.0))
    message = eccodes.codes_get_message(h)
    eccodes.codes_release(h)
    return message


def rotated(ni, nj, pole, **keys):
    return grid(
        "regular_ll_sfc_grib2",
        gridType="rotated_ll",
        Ni=ni,
        Nj=nj,
        latitudeOfFirstGridPointInDegrees=10,
        latitudeOfLastGridPointInDegrees=-10,
        longitudeOfFirstGridPointInDegrees=350,
        longitudeOfLastGridPointInDegrees=12,
        iDirectionIncrementInDegrees=22 / (ni - 1),
        jDirectionIncrementInDegrees=20 / (nj - 1),
        latitudeOfSouthernPoleInDegrees=pole[0],
        longitudeOfSouthernPoleInDegrees=pole[1],
        **keys,
    )


FIRST_ENDS = {
    **{"latitudeOfFirstGridPointInDegrees": 60, "latitudeOfLastGridPointInDegrees": 30},
    **{"longitudeOfFirstGridPointInDegrees": 350, "longitudeOfLastGridPointInDegrees": 14},
    **{"iDirectionIncrementInDegrees": 3, "jDirectionIncrementInDegrees": 6},
}


def other_grids():
    """Mercator, rotated, of edition 1, and with points in another order."""
    corner = {"latitudeOfFirstGridPointInDegrees": -20, "longitudeOfFirstGridPointInDegrees": 195}
    for name, shape in (("mercator", 6), ("mercator, ellipsoid", 5)):
        keys = {"latitudeOfLastGridPointInDegrees": 30, "longitudeOfLastGridPointInDegrees": 260, "LaDInDegrees": 20}
        keys |= {**corner, "DiInMetres": 700000, "DjInMetres": 800000, "shapeOfTheEarth": shape}
        yield name, grid("regular_ll_sfc_grib2", gridType="mercator", Ni=9, Nj=6, jScansPositively=1, **keys)
    yield "rotated", rotated(12, 6, (-39.25, 18))
    yield "rotated far", rotated(9, 5, (-30, 165))
    yield "columns", scanned(regular(9, 5, 50, 40, 350, 10), 0x20)
    yield "columns northward", scanned(regular(9, 7, 60, 30, 0, 320, northward=1), 0x60)
    yield "first latitudes", first_grid("regular_ll_sfc_grib1", Ni=9, Nj=6, **FIRST_ENDS)
    ends = {**FIRST_ENDS, "latitudeOfFirstGridPointInDegrees": 30, "latitudeOfLastGridPointInDegrees": 60}
    yield "first northward", first_grid("regular_ll_sfc_grib1", Ni=9, Nj=6, **ends, jScansPositively=1)
    yield "first rotated", first_grid(
        "regular_ll_sfc_grib1",
        **{"gridType": "rotated_ll", "Ni": 9, "Nj": 6, **FIRST_ENDS},
        **{"latitudeOfSouthernPoleInDegrees": -35, "longitudeOfSouthernPoleInDegrees": 10},
    )
    ends = {key: value for key, value in REDUCED.items() if key not in ("pl", "longitudeOfLastGridPointInDegrees")}
    ends |= {"Ni": 10, "longitudeOfLastGridPointInDegrees": 324, "iDirectionIncrementInDegrees": 36}
    yield "first gaussian", first_grid("regular_gg_sfc_grib1", **ends)
    yield "first reduced", grid("reduced_gg_pl_32_grib1", **REDUCED)
    cone = {"latitudeOfFirstGridPointInDegrees": 20, "longitudeOfFirstGridPointInDegrees": 230, "jScansPositively": 1}
    cone |= {"Nx": 9, "Ny": 6, "DxInMetres": 500000, "DyInMetres": 400000}
    yield "first polar", first_grid("polar_stereographic_sfc_grib1", **cone, orientationOfTheGridInDegrees=249)
    keys = {"gridType": "lambert", **cone, "LoVInDegrees": 262.5, "Latin1InDegrees": 33, "Latin2InDegrees": 45}
    yield "first lambert", first_grid("regular_ll_sfc_grib1", **keys)
    keys = {"gridType": "mercator", "Ni": 9, "Nj": 6, **corner, "DiInMetres": 700000, "DjInMetres": 800000}
    keys |= {"LaDInDegrees": 20, "latitudeOfLastGridPointInDegrees": 30, "longitudeOfLastGridPointInDegrees": 260}
    yield "first mercator", first_grid("regular_ll_sfc_grib1", **keys, jScansPositively=1)


def grids():
    yield "global", regular(9, 5, 90, -90, 0, 320)
    yield "northward", regular(9, 7, 60, 30, 0, 320, northward=1)
    yield "westward", regular(7, 4, 60, 30, 30, 350, westward=1)
    yield "across the meridian", regular(9, 5, 50, 40, 350, 10)
    yield "from 180", regular(8, 5, 80, -80, 180, 135)
    yield "thirds", regular(10, 4, 11, 10, 0, 3)
    yield "the first longitude twice", regular(9, 5, 90, -90, 0, 360)
    yield "gaussian", gaussian(8, 6, 0, 16)
    yield "gaussian northward", gaussian(8, 6, 0, 16, northward=1)
    yield "a part of a gaussian", gaussian(48, 4, 20, 9)
    lengths = [20, 24, 28, 32, 32, 28, 24, 20]
    rows = np.sort(np.degrees(np.arcsin(np.polynomial.legendre.leggauss(8)[0])))[::-1]
    ends = {
        "latitudeOfFirstGridPointInDegrees": float(rows[0]),
        "latitudeOfLastGridPointInDegrees": float(rows[-1]),
        "longitudeOfLastGridPointInDegrees": 360 - 360 / 32,
    }
    yield "reduced gaussian", grid("reduced_gg_pl_32_grib2", N=4, Nj=8, pl=lengths, **ends)
    hrrr = dict(latitudeOfFirstGridPoint=21.138123, longitudeOfFirstGridPoint=237.280472, LaD=38.5, LoV=262.5)
    yield "lambert", on_plane("lambert", 9, 6, Latin1=38.5, Latin2=38.5, Dx=600000, Dy=600000, **hrrr)
    yield "lambert, two parallels", on_plane("lambert", 9, 6, Latin1=33, Latin2=45, Dx=600000, Dy=500000, **hrrr)
    yield "lambert, ellipsoid", on_plane("lambert", 9, 6, 5, Latin1=33, Latin2=45, Dx=600000, Dy=500000, **hrrr)
    south = dict(latitudeOfFirstGridPoint=-50, longitudeOfFirstGridPoint=120, LaD=-40, LoV=140)
    yield "lambert, south", on_plane("lambert", 7, 5, Latin1=-30, Latin2=-45, Dx=400000, Dy=400000, **south)
    polar = dict(latitudeOfFirstGridPoint=20, longitudeOfFirstGridPoint=210, LaD=60, orientationOfTheGrid=249)
    yield "polar", on_plane("polar_stereographic", 8, 7, Dx=900000, Dy=900000, **polar)
    polar = dict(latitudeOfFirstGridPoint=-40, longitudeOfFirstGridPoint=300, LaD=-70, orientationOfTheGrid=0, flag=128)
    yield "polar, south", on_plane("polar_stereographic", 8, 7, Dx=700000, Dy=700000, **polar)


def text_of(numbers):
    return base64.b64encode(np.asarray(numbers, "<f8").tobytes()).decode()


def coordinates(name, message):
    h = eccodes.codes_new_from_message(message)
    of_eccodes = [eccodes.codes_get_array(h, key) for key in ("latitudes", "longitudes")]
    eccodes.codes_release(h)
    case = {"name": name, "message": base64.b64encode(message).decode(), "eccodes": [text_of(a) for a in of_eccodes]}
    # gribberish takes columns for rows, and of edition 1 the latitudes of Gaussian rows as they are rounded.
    if name.startswith(("columns", "first")):
        return case
    try:
        metadata = gribberish.parse_grib_message_metadata(message, 0)
        case["gribberish"] = [
            [text_of(axis) for axis in metadata.latlng(west, north)] for west, north in ((False, False), (True, True))
        ]
    except TypeError:
        pass  # gribberish has no such grid.
    return case


def read(message):
    h = eccodes.codes_new_from_message(message)
    eccodes.codes_set(h, "missingValue", MISSING)
    values = np.asarray(eccodes.codes_get_values(h), dtype="<f8")
    eccodes.codes_release(h)
    values[values == MISSING] = np.nan
    return values


def unreadable(message):
    """Why eccodes does not read a random message that was packed by hand."""
    try:
        read(message)
    except eccodes.GribInternalError as error:
        return repr(error)


def chosen(rng):
    yield from (
        (f"simple {bits} bits", encoded(rng, "regular_ll", 9, 5, "grid_simple", "noise", bitsPerValue=bits))
        for bits in range(1, 33)
    )
    yield "simple constant", encoded(rng, "regular_ll", 9, 5, "grid_simple", "constant")
    yield "simple decimal", encoded(rng, "regular_ll", 7, 6, "grid_simple", decimalPrecision=2)
    yield "simple bitmap", encoded(rng, "regular_ll", 13, 5, "grid_simple", missing=0.3, bitsPerValue=11)
    yield "simple all missing", encoded(rng, "regular_ll", 9, 5, "grid_simple", missing=1.0, bitsPerValue=11)
    yield "simple lambert", encoded(rng, "lambert", 11, 8, "grid_simple", bitsPerValue=16)
    yield "simple polar", encoded(rng, "polar_stereographic", 6, 8, "grid_simple", bitsPerValue=24)
    yield "ieee 32", encoded(rng, "regular_ll", 9, 5, "grid_ieee", "noise", precision=1)
    yield "ieee 64", encoded(rng, "regular_ll", 9, 5, "grid_ieee", "noise", precision=2)
    yield "ieee bitmap", encoded(rng, "regular_ll", 9, 5, "grid_ieee", missing=0.4, precision=1)
    yield "complex all missing", encoded(rng, "regular_ll", 3, 2, "grid_complex", missing=1.0)
    yield "complex", encoded(rng, "regular_ll", 13, 7, "grid_complex", bitsPerValue=12)
    for order in (1, 2):
        keys = {"bitsPerValue": 14, "orderOfSpatialDifferencing": order}
        name = "grid_complex_spatial_differencing"
        yield f"differences {order}", encoded(rng, "regular_ll", 13, 7, name, **keys)
    for order in (0, 1, 2):
        for management in (0, 1, 2):
            yield f"groups {order} {management}", complex_message(rng, 14, 6, order, management)
        yield f"groups {order} bitmap", complex_message(rng, 14, 6, order, 1, bitmap=0.2)
    yield "groups wide", complex_message(rng, 14, 6, 0, 1, wide=True)
    for bits in (1, 2, 7, 8, 12, 16, 17, 24, 31):
        yield f"ccsds {bits} bits", encoded(rng, "regular_ll", 11, 9, "grid_ccsds", bitsPerValue=bits)
    yield "ccsds constant", encoded(rng, "regular_ll", 11, 9, "grid_ccsds", "constant")
    yield "ccsds sparse", encoded(rng, "regular_ll", 40, 30, "grid_ccsds", "sparse", bitsPerValue=10)
    yield "ccsds noise", encoded(rng, "regular_ll", 11, 9, "grid_ccsds", "noise", bitsPerValue=16)
    yield "ccsds bitmap", encoded(rng, "regular_ll", 11, 9, "grid_ccsds", missing=0.3, bitsPerValue=12)
    keys = {"ccsdsBlockSize": 8, "ccsdsRsi": 4}
    yield "ccsds small blocks", encoded(rng, "regular_ll", 20, 9, "grid_ccsds", bitsPerValue=13, **keys)
    yield "edition 1", first_edition(rng, 9, 5, bitsPerValue=12)
    yield "edition 1 noise", first_edition(rng, 9, 5, "noise", bitsPerValue=24)
    yield "edition 1 decimal", first_edition(rng, 9, 5, decimalPrecision=2)
    yield "edition 1 constant", first_edition(rng, 9, 5, "constant")
    yield "edition 1 bitmap", first_edition(rng, 9, 5, missing=0.3, bitsPerValue=9)
    for bits in (2, 8, 9, 12, 16):
        yield f"jpeg {bits} bits", encoded(rng, "regular_ll", 9, 5, "grid_jpeg", bitsPerValue=bits)
    yield "jpeg constant", encoded(rng, "regular_ll", 9, 5, "grid_jpeg", "constant")
    yield "jpeg bitmap", encoded(rng, "regular_ll", 13, 5, "grid_jpeg", missing=0.3, bitsPerValue=12)
    for bits in (8, 16, 24, 32):
        yield f"png {bits} bits", png_message(rng, 9, 5, bits)
    yield "png bitmap", png_message(rng, 13, 5, 16, bitmap=0.3)


def at_random(rng, count, least=0):
    """Of `least` columns and rows or more."""
    kinds = ["smooth", "noise", "sparse", "constant"]
    for i in range(count):
        ni, nj = int(rng.integers(max(1, least), 60)), int(rng.integers(max(1, least), 40))
        kind = kinds[int(rng.integers(0, 4))]
        missing = float(rng.choice([0, 0, 0.1, 0.7]))
        bits = int(rng.integers(1, 33))
        grid = "regular_ll" if rng.random() < 0.7 else str(rng.choice(["lambert", "polar_stereographic"]))
        if rng.random() < 0.03:
            grid = "reduced_gg"
        way = i % 13
        if way == 6:
            keys = {"bitsPerValue": bits} if rng.random() < 0.7 else {"decimalPrecision": int(rng.integers(-2, 5))}
            yield f"edition 1 {i}", first_edition(rng, ni, nj, kind, missing, grid == "reduced_gg", **keys)
            continue
        if way == 7:
            bits = min(bits, 28)
            yield f"jpeg {i}", encoded(rng, grid, ni, nj, "grid_jpeg", kind, missing, bitsPerValue=bits)
        elif way == 8:
            yield f"png {i}", png_message(rng, ni, nj, int(rng.choice([8, 16, 24, 32])), missing)
        elif way == 0:
            keys = {"bitsPerValue": bits} if rng.random() < 0.7 else {"decimalPrecision": int(rng.integers(-2, 5))}
            yield f"simple {i}", encoded(rng, grid, ni, nj, "grid_simple", kind, missing, **keys)
        elif way == 1:
            keys = {"precision": int(rng.integers(1, 3))}
            yield f"ieee {i}", encoded(rng, grid, ni, nj, "grid_ieee", kind, missing, **keys)
        elif way == 2:
            name = str(rng.choice(["grid_complex", "grid_complex_spatial_differencing"]))
            keys = {"bitsPerValue": min(bits, 24)}
            if name != "grid_complex":
                keys["orderOfSpatialDifferencing"] = int(rng.integers(1, 3))
            yield f"{name} {i}", encoded(rng, grid, ni, nj, name, "smooth", missing, **keys)
        elif way in (3, 4):
            order, management = int(rng.integers(0, 3)), int(rng.integers(0, 3))
            wide = order == 0 and rng.random() < 0.2
            yield f"groups {i}", complex_message(rng, ni, nj, order, management, missing, wide)
        elif way == 9:
            edition, name = (1, str(rng.choice(["grid_second_order", "grid_second_order_boustrophedonic"])))
            if rng.random() < 0.5:
                edition, name = (2, "grid_second_order")
            keys = {"bitsPerValue": min(bits, 24)}
            try:
                message = second_order(rng, edition, ni + 5, nj + 5, name, kind, missing, **keys)
            except (AssertionError, eccodes.GribInternalError) as error:
                # eccodes does not pack all fields so, such as constant ones.
                print(f"second order of eccodes {i}", repr(error))
                continue
            yield f"second order of eccodes {edition} {i}", message
        elif way == 10:
            keys = {"bitsPerValue": min(bits, 24)}
            yield f"logarithms {i}", encoded(rng, grid, ni, nj, "grid_simple_log_preprocessing", kind, missing, **keys)
        elif way == 11:
            order, turned = int(rng.integers(0, 4)), [True, False, None][int(rng.integers(0, 3))]
            # Third differences of more values add up beyond 2^53, to which eccodes counts in integers.
            ni, nj = min(ni + 5, 30), min(nj + 5, 20)
            yield f"second order {i}", extended_message(rng, ni, nj, order, turned, missing, rng.random() < 0.2)
        elif way == 12:
            form = str(rng.choice(["rows", "general", "constant", "extended"]))
            order = int(rng.integers(0, 4)) if form == "extended" else 0
            ni, nj = min(ni + 5, 30), min(nj + 5, 20)
            yield f"first {form} {i}", first_edition_groups(rng, ni, nj, form, bitmap=0.0 if form == "extended" else missing, order=order)
        else:
            keys = {"bitsPerValue": bits, "ccsdsBlockSize": int(rng.choice([8, 16, 32, 64]))}
            keys["ccsdsRsi"] = int(rng.choice([1, 4, 64, 128, 129]))
            yield f"ccsds {i}", encoded(rng, grid, ni, nj, "grid_ccsds", kind, missing, **keys)


def other_packings(rng):
    for bits in (17, 20, 24, 26, 28):
        yield f"wide jpeg {bits} bits", encoded(rng, "regular_ll", 9, 5, "grid_jpeg", "noise", bitsPerValue=bits)
    yield "wide jpeg large", encoded(rng, "regular_ll", 83, 9, "grid_jpeg", bitsPerValue=18)
    yield "wide jpeg bitmap", encoded(rng, "regular_ll", 12, 7, "grid_jpeg", missing=0.3, bitsPerValue=19)
    for bits in (8, 16, 24):
        yield f"logarithms {bits} bits", encoded(rng, "regular_ll", 9, 5, "grid_simple_log_preprocessing", "sparse", bitsPerValue=bits)
    yield "logarithms bitmap", encoded(rng, "regular_ll", 12, 7, "grid_simple_log_preprocessing", missing=0.2, bitsPerValue=12)
    for name in ("grid_second_order", "grid_second_order_boustrophedonic"):
        for missing in (0.0, 0.2):
            yield f"first {name} {missing}", second_order(rng, 1, 24, 15, name, missing=missing, bitsPerValue=11)
    yield "first grid_second_order reduced", second_order(rng, 1, 0, 0, reduced=True, bitsPerValue=6)
    yield "second order of eccodes", second_order(rng, 2, 24, 15, bitsPerValue=11)
    for order in range(4):
        yield f"second order {order}", extended_message(rng, 11, 9, order)
        yield f"second order {order} wide", extended_message(rng, 11, 9, order, wide=True)
        yield f"second order {order} turned bitmap", extended_message(rng, 11, 9, order, turned=True, bitmap=0.2)
        yield f"second order {order} without flags", extended_message(rng, 11, 9, order, turned=None)
        yield f"first extended {order}", first_edition_groups(rng, 11, 9, "extended", turned=order > 1, order=order)
    for form in ("rows", "general", "constant"):
        yield f"first {form}", first_edition_groups(rng, 9, 11, form)
        yield f"first {form} bitmap", first_edition_groups(rng, 9, 11, form, bitmap=0.3)
    # eccodes does not read turned rows with a second bitmap of "general" packing.
    yield "first constant turned", first_edition_groups(rng, 9, 11, "constant", turned=True)


out = Path(sys.argv[1]) if len(sys.argv) > 1 else OUT
generator = np.random.default_rng(int(sys.argv[3]) if len(sys.argv) > 3 else 40)
made = at_random(generator, *map(int, sys.argv[2:3] + sys.argv[4:])) if len(sys.argv) > 2 else chosen(generator)
cases = []
for name, message in made:
    if len(sys.argv) > 2 and (reason := unreadable(message)):
        print(name, reason)
        continue
    values = read(message)
    text = base64.b64encode(values.tobytes()).decode()
    cases.append({"name": name, "message": base64.b64encode(message).decode(), "values": text})
if len(sys.argv) <= 2:
    more = np.random.default_rng(61)
    for name, message in other_packings(more):
        try:
            values = read(message)
        except Exception as error:
            print(name, repr(error))
            continue
        text = base64.b64encode(values.tobytes()).decode()
        cases.append({"name": name, "message": base64.b64encode(message).decode(), "values": text})
lines = ",\n".join(json.dumps(case) for case in cases)
written = ",\n".join(json.dumps(coordinates(*each)) for each in [*grids(), *other_grids()])
writer = f"eccodes {eccodes.codes_get_api_version()}"
out.write_text(f'{{"writer": "{writer}", "cases": [\n{lines}\n], "grids": [\n{written}\n]}}\n')
