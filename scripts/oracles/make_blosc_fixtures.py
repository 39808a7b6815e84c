"""Writes test/fixtures/codecs/blosc.json or blosc-snappy.json: blosc, lz4 and shuffle values as numcodecs makes them.

    .oracles/python/bin/python scripts/oracles/make_blosc_fixtures.py
    /usr/bin/python3 scripts/oracles/make_blosc_fixtures.py

The wheels of numcodecs have no snappy, Debian's has: under the latter, only snappy's values are written.
"""

import base64
import json
from pathlib import Path

import numcodecs
import numpy
from numcodecs import blosc
from recipes import make

HAS_SNAPPY = "snappy" in blosc.list_compressors()
OUT = Path(__file__).parents[2] / "test/fixtures/codecs" / ("blosc-snappy.json" if HAS_SNAPPY else "blosc.json")
NAMES = ["snappy"] if HAS_SNAPPY else ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]
SHUFFLES = ["noshuffle", "shuffle", "bitshuffle"]
TYPESIZES = [1, 2, 3, 4, 5, 7, 8, 12, 16, 255]
cases = []
# One thread: blocks are written in order, so the same bytes come out every time.
blosc.set_nthreads(1)
blosc.use_threads = False


def add(codec: str, configuration: dict, recipe: str, length: int, encoded: bytes) -> None:
    cases.append({"codec": codec, "configuration": configuration, "recipe": recipe, "length": length,
                  "encoded": base64.b64encode(encoded).decode()})


def add_blosc(name: str, shuffle: str, typesize: int, recipe: str, length: int, level: int = 5, blocksize: int = 0) -> None:
    data = make(recipe, length)
    encoded = blosc.compress(typed(data, typesize), name.encode(), level, SHUFFLES.index(shuffle), blocksize)
    add("blosc", {"cname": name, "clevel": level, "shuffle": shuffle, "typesize": typesize, "blocksize": blocksize},
        recipe, length, encoded)


def typed(data: bytes, typesize: int) -> numpy.ndarray:
    """An array with items of `typesize` bytes, which is how numcodecs learns the typesize."""
    return numpy.frombuffer(data, f"V{typesize}" if typesize not in (1, 2, 4, 8) else f"u{typesize}")


number = 0
for name in NAMES:
    for shuffle in SHUFFLES:
        for typesize in TYPESIZES:
            # Around the 8 elements of bitshuffle and the 16 of a vector, and enough for small types to be
            # split.
            elements = 136 + number % 5 if typesize <= 16 else 8 + number % 2
            recipe = "field" if typesize == 4 else "zeros" if number % 3 == 0 or typesize > 8 else "words"
            add_blosc(name, shuffle, typesize, recipe, elements * typesize, level=9)
            number += 1
    for shuffle in SHUFFLES:
        add_blosc(name, shuffle, 4, "words", 0)
        add_blosc(name, shuffle, 8, "noise", 8)
        add_blosc(name, shuffle, 4, "noise", 132)
        # What a block has beyond its last whole element, which is never shuffled.
        add_blosc(name, shuffle, 3, "zeros", 1002, blocksize=200)
        add_blosc(name, shuffle, 16, "words", 16 * 131)
        # Many blocks, the last one shorter; types of up to 16 bytes make blocks of at least 64 KiB.
        add_blosc(name, shuffle, 20, "words", 1100, blocksize=256)
        add_blosc(name, shuffle, 2, "zeros", 140_002, blocksize=512)
    # Matches beyond 8 KiB.
    add_blosc(name, "noshuffle", 1, "far", 9_000, level=9)
    for level in [0, 1, 3, 7, 9]:
        add_blosc(name, "shuffle", 4, "field", 600, level)
if not HAS_SNAPPY:
    for recipe in ["zeros", "noise", "words", "field", "far"]:
        for length in [1, 5, 12, 13, 14, 19, 20, 300, 3001]:
            if length < 300 or recipe != "noise":
                add("lz4", {"acceleration": 1}, recipe, length, numcodecs.LZ4().encode(make(recipe, length)))
    add("lz4", {"acceleration": 9}, "words", 2000, numcodecs.LZ4(9).encode(make("words", 2000)))
    add("lz4", {"acceleration": 1}, "zeros", 100_003, numcodecs.LZ4().encode(make("zeros", 100_003)))
    for elementsize in [1, 2, 3, 4, 5, 8, 12, 16, 17]:
        for elements in [0, 1, 15, 33]:
            data = make("noise", elements * elementsize)
            add("shuffle", {"elementsize": elementsize}, "noise", len(data),
                bytes(numcodecs.Shuffle(elementsize).encode(data)))

OUT.parent.mkdir(parents=True, exist_ok=True)
lines = ",\n".join(json.dumps(case) for case in cases)
OUT.write_text(f'{{"writer": "numcodecs {numcodecs.__version__}, c-blosc {blosc.VERSION_STRING}", "cases": [\n{lines}\n]}}\n')
