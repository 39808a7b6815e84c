"""Writes test/fixtures/codecs/zfp.json: data of zfp with a header, and the numbers that zfpy reads of them.

    python3 -m venv venv && venv/bin/pip install zfpy numpy
    venv/bin/python scripts/oracles/make_zfp_fixtures.py [FILE [COUNT [SEED]]]

With COUNT, writes as many random cases in place of those of the fixtures.
"""

import base64
import json
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import zfpy

OUT = Path(__file__).parents[2] / "test/fixtures/codecs/zfp.json"
TYPES = ["int32", "int64", "float32", "float64"]
KINDS = ["smooth", "noise", "bits", "sparse", "special"]
MODES = ["reversible", "fixed_rate", "fixed_precision", "fixed_accuracy", "expert", "random"]


def numbers(rng, dtype, shape, kind):
    dtype, count = np.dtype(dtype), int(np.prod(shape))
    if kind == "bits":
        return rng.integers(0, 256, count * dtype.itemsize, dtype=np.uint8).view(dtype).reshape(shape)
    if kind == "special" and dtype.kind == "f":
        least = np.finfo(dtype).smallest_subnormal
        values = rng.choice([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.5, least, -9 * least, np.finfo(dtype).max], count)
        return values.astype(dtype).reshape(shape)
    values = np.add.reduce(np.meshgrid(*[np.sin(np.arange(n) / rng.uniform(1, 9)) for n in shape], indexing="ij"))
    if kind == "noise":
        values = values + rng.normal(0, 1, shape)
    if kind == "sparse":
        values[values < 0.5] = 0
    if dtype.kind == "i":
        return np.rint(values * 10.0 ** rng.integers(0, 9)).astype(dtype)
    return (values * 10.0 ** rng.integers(-30, 30)).astype(dtype)


def header(dtype, shape, minbits, maxbits, maxprec, minexp):
    """A header with the limits of the expert mode, and how many bits it has: zfpy has no such mode."""
    width = {1: 48, 2: 24, 3: 16, 4: 12}[len(shape)]
    bits, at = int.from_bytes(b"zfp\x05", "little"), 32
    fields = [(TYPES.index(dtype), 2), (len(shape) - 1, 2), *((n - 1, width) for n in reversed(shape))]
    for value, size in fields:
        bits |= value << at
        at += size
    at = 32 + 52
    for value, size in [(0xFFF, 12), (minbits - 1, 15), (maxbits - 1, 15), (maxprec - 1, 7), (minexp + 16495, 15)]:
        bits |= value << at
        at += size
    return bits, at


def case(rng, dtype, shape, kind, mode):
    dimensions = len(shape)
    values = numbers(rng, dtype, shape, kind)
    configuration = {"mode": mode}
    if mode == "fixed_rate":
        configuration["rate"] = round(float(rng.uniform(0.1, 20)), 2)
    elif mode == "fixed_precision":
        configuration["precision"] = int(rng.integers(1, 66))
    elif mode == "fixed_accuracy":
        configuration["tolerance"] = float(rng.choice([0, 1e-310, 0.25, 0.3, 1e-4, 1e4]))
    elif mode in ("expert", "random"):
        maxbits = int(rng.integers(20, 40 * 4**dimensions))
        limits = dict(
            minbits=int(rng.integers(1, maxbits + 1)),
            maxbits=maxbits,
            maxprec=int(rng.integers(1, 65)),
            minexp=int(rng.choice([-1075, -1074, -20, 0, 5])),
        )
        configuration = {"mode": "expert", **limits}
        bits, length = header(dtype, shape, **limits)
        # Whatever follows are blocks.
        blocks = int(np.prod([-(-n // 4) for n in shape]))
        body = int.from_bytes(rng.bytes(blocks * (maxbits // 8 + 2)), "little")
        if mode == "expert":
            body &= int.from_bytes(rng.bytes(blocks * (maxbits // 8 + 2)), "little")
        data = (bits | body << length).to_bytes((length + blocks * (maxbits // 8 + 2) * 8) // 64 * 8 + 8, "little")
    if mode not in ("expert", "random"):
        parameters = {name: value for name, value in configuration.items() if name != "mode"}
        data = zfpy.compress_numpy(values, write_header=True, **parameters)
    read = zfpy.decompress_numpy(data)
    assert read.shape == tuple(shape) and read.dtype == dtype
    if mode == "reversible":
        assert read.tobytes() == values.tobytes()
    return dict(
        name=f"{mode}, {kind}: {dtype} {list(shape)}",
        type=dtype,
        shape=list(shape),
        configuration=configuration,
        data=base64.b64encode(data).decode(),
        numbers=base64.b64encode(read.tobytes()).decode(),
    )


def random_case(rng, least):
    """Of `least` numbers or more."""
    dimensions = int(rng.integers(1, 5))
    longest = ([4000, 90, 20, 9] if least else [400, 30, 14, 9])[dimensions - 1]
    shape = [0]
    while np.prod(shape) < max(least, 1):
        shape = [int(n) for n in rng.integers(1, longest + 1, dimensions)]
    return case(rng, str(rng.choice(TYPES)), shape, str(rng.choice(KINDS)), str(rng.choice(MODES)))


def main():
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else OUT
    rng = np.random.default_rng(int(sys.argv[3]) if len(sys.argv) > 3 else 5)
    if len(sys.argv) > 2:
        least = int(sys.argv[4]) if len(sys.argv) > 4 else 0
        cases = [random_case(rng, least) for _ in range(int(sys.argv[2]))]
    else:
        shapes = [[30], [5, 6], [2, 3, 5], [1, 2, 3, 5]]
        ways = [(mode, KINDS[i % 5]) for i, mode in enumerate(MODES)]
        cases = [
            case(rng, dtype, shapes[(i + j) % 4], kind, mode)
            for i, (mode, kind) in enumerate(ways)
            for j, dtype in enumerate(TYPES)
        ]
    record = {"zfpy": version("zfpy"), "cases": cases}
    lines = ",\n".join(json.dumps(each) for each in record["cases"])
    out.write_text(f'{{"zfpy": "{record["zfpy"]}", "cases": [\n{lines}\n]}}\n')


main()
