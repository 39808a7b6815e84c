"""Writes test/fixtures/codecs/checksums.json: what numcodecs' checksum codecs make of the recipes.

    .oracles/python/bin/python scripts/oracles/make_checksum_fixtures.py
"""

import json
from pathlib import Path

import numcodecs
from numcodecs.checksum32 import CRC32C, Adler32, CRC32, JenkinsLookup3
from numcodecs.fletcher32 import Fletcher32
from recipes import make

OUT = Path(__file__).parents[2] / "test/fixtures/codecs/checksums.json"
# Around vector and table widths, the runs between reductions and the threshold of folding.
LENGTHS = [1, 2, 3, 11, 12, 13, 15, 16, 17, 719, 720, 721, 5551, 5552, 6688, 6689, 8193, 9601, 20011, 100003]
# numcodecs' fletcher32 fails on no bytes at all.
CASES = [
    ("crc32c", {}, CRC32C(), [0, *LENGTHS]),
    ("crc32c", {"location": "start"}, CRC32C(location="start"), [5]),
    ("crc32", {}, CRC32(), [0, *LENGTHS]),
    ("crc32", {"location": "end"}, CRC32(location="end"), [5]),
    ("adler32", {}, Adler32(), [0, *LENGTHS]),
    ("adler32", {"location": "end"}, Adler32(location="end"), [5]),
    ("fletcher32", {}, Fletcher32(), LENGTHS),
    ("jenkins_lookup3", {}, JenkinsLookup3(), [0, *LENGTHS]),
    ("jenkins_lookup3", {"initval": 3735928559}, JenkinsLookup3(initval=3735928559), [5, 24]),
    ("jenkins_lookup3", {"prefix": [1, 2, 255]}, JenkinsLookup3(prefix=bytes([1, 2, 255])), [0, 9, 30]),
]

cases = []
for name, configuration, codec, lengths in CASES:
    at_start = configuration.get("location", "start" if name in ("crc32", "adler32") else "end") == "start"
    for length in lengths:
        for recipe in ["zeros", "noise", "field"] if length > 10 else ["noise"]:
            encoded = bytes(codec.encode(make(recipe, length)))
            checksum = encoded[:4] if at_start else encoded[-4:]
            cases.append({"codec": name, "configuration": configuration, "recipe": recipe, "length": length,
                          "start": at_start, "checksum": checksum.hex()})
OUT.parent.mkdir(parents=True, exist_ok=True)
lines = ",\n".join(json.dumps(case) for case in cases)
OUT.write_text(f'{{"writer": "numcodecs {numcodecs.__version__}", "cases": [\n{lines}\n]}}\n')
