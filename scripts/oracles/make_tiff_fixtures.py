"""Writes test/fixtures/codecs/tiff.json: chunks that imagecodecs encodes as TIFF does.

    python3 -m venv venv && venv/bin/pip install imagecodecs numpy
    venv/bin/python scripts/oracles/make_tiff_fixtures.py [FILE [COUNT [SEED]]]

With COUNT, writes as many random cases of each codec in place of those of the fixtures.
"""

import base64
import json
import sys
from importlib.metadata import version
from pathlib import Path

import imagecodecs
import numpy as np

OUT = Path(__file__).parents[2] / "test/fixtures/codecs/tiff.json"
NUMBERS = ["uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float16", "float32", "float64"]


def content(rng, dtype, shape):
    count = int(np.prod(shape))
    kind = rng.choice(["noise", "walk", "few", "constant"])
    if kind == "noise":
        values = rng.integers(0, 256, count * np.dtype(dtype).itemsize, dtype=np.uint8).view(dtype)
    elif kind == "walk":
        values = np.cumsum(rng.integers(-2, 3, count)).astype(dtype)
    elif kind == "few":
        values = rng.integers(0, 3, count).astype(dtype)
    else:
        values = np.full(count, rng.integers(0, 100)).astype(dtype)
    return values.reshape(shape)


def case(rng, codec, shape, dtype):
    values = content(rng, dtype, shape)
    configuration = {}
    if codec == "lzw":
        encoded = imagecodecs.lzw_encode(values.tobytes())
        assert imagecodecs.lzw_decode(encoded) == values.tobytes()
    elif codec == "packbits":
        encoded = imagecodecs.packbits_encode(values.tobytes())
        assert imagecodecs.packbits_decode(encoded) == values.tobytes()
    else:
        dimensions = len(shape) if codec == "delta" else min(len(shape), 2)
        configuration = {"axis": -int(rng.integers(1, dimensions + 1)), "dist": 1}
        if codec == "delta":
            encoded = imagecodecs.delta_encode(values, **configuration)
            back = imagecodecs.delta_decode(encoded, **configuration)
        else:
            distances = [each for each in (1, 2, 4) if shape[configuration["axis"]] % each == 0]
            configuration["dist"] = int(rng.choice(distances))
            encoded = imagecodecs.floatpred_encode(values, **configuration)
            back = imagecodecs.floatpred_decode(encoded, **configuration)
        assert back.tobytes() == values.tobytes()
        encoded = encoded.tobytes()
    return dict(
        codec=codec,
        type=dtype,
        shape=list(shape),
        configuration=configuration,
        encoded=base64.b64encode(encoded).decode(),
        decoded=base64.b64encode(values.tobytes()).decode(),
    )


def main():
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else OUT
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    rng = np.random.default_rng(int(sys.argv[3]) if len(sys.argv) > 3 else 5)
    # Whether all chunks are almost the longest.
    is_long = len(sys.argv) > 4
    cases = []
    for codec in ["lzw", "packbits", "delta", "floatpred"]:
        types = [name for name in NUMBERS if name.startswith("float")] if codec == "floatpred" else NUMBERS
        for i in range(count or 6):
            rank = int(rng.integers(1, 4))
            # So that tables of LZW are cleared.
            longest = [9000, 90, 20][rank - 1] if count else [60, 8, 4][rank - 1]
            least = [8192, 91, 21][rank - 1] if is_long else 1
            longest += 10 * is_long
            shape = [int(n) for n in rng.integers(least, longest + 1, rank)] if count else [[60], [6, 10], [3, 5, 4]][i % 3]
            cases.append(case(rng, codec, shape, types[i % len(types)]))
    if not count:
        cases.append(case(rng, "lzw", [4500], "uint8"))
    lines = ",\n".join(json.dumps(each) for each in cases)
    out.write_text(f'{{"imagecodecs": "{version("imagecodecs")}", "cases": [\n{lines}\n]}}\n')


main()
