"""Writes test/fixtures/codecs/pcodec.json: data of pcodec's standalone format, and the numbers in it.

    python3 -m venv venv && venv/bin/pip install pcodec numpy
    venv/bin/python scripts/oracles/make_pcodec_fixtures.py [FILE [COUNT [SEED]]]

With COUNT, writes as many random cases in place of those of the fixtures.
"""

import base64
import json
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
from pcodec import ChunkConfig, DeltaSpec, ModeSpec, PagingSpec, standalone

OUT = Path(__file__).parents[2] / "test/fixtures/codecs/pcodec.json"
INTEGERS = [f"{kind}{8 << i}" for kind in ("uint", "int") for i in range(4)]
FLOATS = ["float16", "float32", "float64"]
KINDS = ["walk", "noise", "multiples", "few", "constant", "periodic", "bits", "smooth", "special"]


def numbers(rng, dtype, count, kind):
    """Numbers that some mode or delta encoding is for."""
    dtype = np.dtype(dtype)
    if kind == "bits":
        return rng.integers(0, 256, count * dtype.itemsize, dtype=np.uint8).view(dtype)
    if dtype.kind == "f":
        tenth = dtype.type(rng.choice([0.1, 0.01, 0.25, 1 / 3]))
        if kind == "walk":
            values = np.cumsum(rng.normal(0, 1, count))
        elif kind == "noise":
            values = rng.normal(0, 10.0 ** rng.integers(-3, 4), count)
        elif kind == "multiples":
            # Errors of a few last places, as sums have them.
            values = (rng.integers(-2000, 2000, count).astype(dtype) * tenth).view(f"u{dtype.itemsize}")
            values = (values + rng.integers(0, 2, count).astype(values.dtype)).view(dtype)
        elif kind == "few":
            values = rng.choice(rng.normal(0, 100, 7), count)
        elif kind == "constant":
            values = np.full(count, rng.normal())
        elif kind == "periodic":
            values = np.tile(rng.normal(0, 5, 37), count // 37 + 1)[:count] + rng.integers(0, 2, count)
        elif kind == "smooth":
            values = np.sin(np.arange(count) / rng.uniform(3, 90)) * rng.uniform(1, 1000)
        else:
            values = rng.choice([0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan, 1.0, -1.5, 6e-8, 65504.0], count)
        with np.errstate(over="ignore"):
            values = np.asarray(values).astype(dtype)
        if rng.random() < 0.3:
            # Low bits are zeros, as after a conversion from a smaller type.
            bits = values.view(f"u{dtype.itemsize}")
            values = (bits >> np.array(4, bits.dtype) << np.array(4, bits.dtype)).view(dtype)
        return values
    least, greatest = np.iinfo(dtype).min, np.iinfo(dtype).max
    spread = int(min(greatest, 10 ** int(rng.integers(1, 12))))
    base = int(rng.integers(0, spread, endpoint=True))
    if kind in ("walk", "smooth"):
        steps = rng.integers(-3, 4, count) if kind == "walk" else np.arange(count) // 7
        values = base + np.cumsum(steps)
    elif kind == "noise":
        values = rng.integers(0, spread, count)
    elif kind == "multiples":
        values = rng.integers(0, max(spread // 60, 2), count) * 60 + rng.choice([0, 0, 0, 1, 2], count)
    elif kind == "few":
        values = rng.choice(rng.integers(0, spread, 9), count)
    elif kind == "constant":
        values = np.full(count, base)
    elif kind == "periodic":
        values = np.tile(rng.integers(0, spread, 41), count // 41 + 1)[:count] + rng.integers(0, 2, count)
    else:
        values = rng.choice(np.array([least, greatest, 0, 1, greatest // 2], dtype=dtype), count)
    return values.astype(dtype)


def settings(rng, dtype, count):
    """A level, a mode, a delta encoding and pages that pcodec accepts for the type."""
    is_float = np.dtype(dtype).kind == "f"
    modes = [ModeSpec.auto(), ModeSpec.auto(), ModeSpec.classic(), ModeSpec.try_dict()]
    if is_float:
        precision = {2: 10, 4: 23, 8: 52}[np.dtype(dtype).itemsize]
        modes += [ModeSpec.try_float_mult(float(rng.choice([0.1, 0.01, 0.25, -3.0]))), ModeSpec.try_float_quant(int(rng.integers(1, precision + 1)))]
    else:
        modes += [ModeSpec.try_int_mult(int(rng.choice([2, 7, 60, 100]))), ModeSpec.try_int_mult(60)]
    deltas = [DeltaSpec.auto(), DeltaSpec.no_op(), DeltaSpec.try_lookback(), DeltaSpec.try_lookback()]
    deltas += [DeltaSpec.try_consecutive(int(order)) for order in (1, 2, rng.integers(3, 8))]
    pages = int(rng.choice([40, 300, 262144]))
    # pcodec panics at convolutions that are longer than a page.
    if np.dtype(dtype).itemsize < 8 and count > 40 and pages > 300:
        deltas += [DeltaSpec.try_conv1(int(order)) for order in (6, rng.integers(1, 33))]
    level = int(rng.integers(0, 13))
    mode, delta = modes[int(rng.integers(0, len(modes)))], deltas[int(rng.integers(0, len(deltas)))]
    return level, mode, delta, pages


def encoded(values, level, mode, delta, pages):
    config = ChunkConfig(
        compression_level=level,
        mode_spec=mode,
        delta_spec=delta,
        paging_spec=PagingSpec.equal_pages_up_to(pages),
        enable_8_bit=True,
    )
    data = standalone.simple_compress(values, config)
    back = standalone.simple_decompress(data)
    assert (np.zeros(0) if back is None else back).tobytes() == values.tobytes()
    return data


def case(rng, dtype, count, kind):
    values = numbers(rng, dtype, count, kind)
    while True:
        try:
            return values, encoded(values, *settings(rng, dtype, count))
        except BaseException as error:
            # pcodec 1.1 panics at convolutions of some lengths: 1025 numbers are one.
            if type(error).__name__ not in ("RuntimeError", "PanicException"):
                raise


def chosen(rng):
    """Each type with each kind of numbers, and each mode and delta encoding by name."""
    ways = {
        "classic": (ModeSpec.classic(), DeltaSpec.no_op(), "noise"),
        "int mult": (ModeSpec.try_int_mult(60), DeltaSpec.no_op(), "multiples"),
        "float mult": (ModeSpec.try_float_mult(0.1), DeltaSpec.no_op(), "multiples"),
        "negative float mult": (ModeSpec.try_float_mult(-0.25), DeltaSpec.no_op(), "special"),
        "float quant": (ModeSpec.try_float_quant(5), DeltaSpec.no_op(), "noise"),
        "dict": (ModeSpec.try_dict(), DeltaSpec.no_op(), "few"),
        "dict and deltas": (ModeSpec.try_dict(), DeltaSpec.try_consecutive(1), "few"),
        "dict and lookbacks": (ModeSpec.try_dict(), DeltaSpec.try_lookback(), "few"),
        "dict and a convolution": (ModeSpec.try_dict(), DeltaSpec.try_conv1(3), "few"),
        "deltas of order 1": (ModeSpec.classic(), DeltaSpec.try_consecutive(1), "walk"),
        "deltas of order 7": (ModeSpec.classic(), DeltaSpec.try_consecutive(7), "smooth"),
        "lookbacks": (ModeSpec.classic(), DeltaSpec.try_lookback(), "periodic"),
        "convolution of order 6": (ModeSpec.classic(), DeltaSpec.try_conv1(6), "smooth"),
        "convolution of order 32": (ModeSpec.classic(), DeltaSpec.try_conv1(32), "smooth"),
        "raw bits": (ModeSpec.classic(), DeltaSpec.no_op(), "bits"),
        "special numbers": (ModeSpec.auto(), DeltaSpec.auto(), "special"),
        "constant": (ModeSpec.auto(), DeltaSpec.auto(), "constant"),
    }
    for name, (mode, delta, kind) in ways.items():
        for dtype in INTEGERS + FLOATS:
            values = numbers(rng, dtype, COUNT, kind)
            try:
                yield f"{name}: {dtype}", values, encoded(values, 8, mode, delta, 262144)
            except RuntimeError:
                # Modes of floats for integers, and the other way round.
                continue
    for count in (0, 1, 2, 3, 5, 6, 255, 256, 257):
        values = numbers(rng, "int32", count, "walk")
        yield f"{count} numbers", values, encoded(values, 8, ModeSpec.auto(), DeltaSpec.try_consecutive(2), 262144)
    values = numbers(rng, "float64", 700, "multiples")
    yield "chunks of 100", values, encoded(values, 8, ModeSpec.auto(), DeltaSpec.auto(), 100)


def at_random(rng, count, least=1):
    """Of `least` numbers or more."""
    for i in range(count):
        dtype = (INTEGERS + FLOATS)[i % 11]
        kind = KINDS[int(rng.integers(0, len(KINDS)))]
        length = int(10 ** rng.uniform(np.log10(least), 4.3))
        values, data = case(rng, dtype, length, kind)
        yield f"{i}: {length} of {kind}", values, data


# One length for most, so that fuzzing can cross them.
COUNT = 270
out = Path(sys.argv[1]) if len(sys.argv) > 1 else OUT
generator = np.random.default_rng(int(sys.argv[3]) if len(sys.argv) > 3 else 40)
made = at_random(generator, *map(int, sys.argv[2:3] + sys.argv[4:])) if len(sys.argv) > 2 else chosen(generator)
lines = []
for name, values, data in made:
    text = [base64.b64encode(each).decode() for each in (data, values.tobytes())]
    lines.append(json.dumps({"name": name, "type": values.dtype.name, "data": text[0], "numbers": text[1]}))
cases = ",\n".join(lines)
out.write_text(f'{{"writer": "pcodec {version("pcodec")}", "cases": [\n{cases}\n]}}\n')
