"""Writes test/fixtures/codecs/deflate.json: gzip and zlib values as zlib, numcodecs and gzip(1) make them.

    .oracles/python/bin/python scripts/oracles/make_deflate_fixtures.py
"""

import base64
import gzip
import io
import json
import subprocess
import zlib
from pathlib import Path

import numcodecs
from recipes import make

OUT = Path(__file__).parents[2] / "test/fixtures/codecs/deflate.json"
cases = []


def add(codec: str, name: str, recipe: str, length: int, encoded: bytes) -> None:
    cases.append({"codec": codec, "name": name, "recipe": recipe, "length": length,
                  "encoded": base64.b64encode(encoded).decode()})


def deflate(data: bytes, wbits: int, level: int = 6, memory: int = 8, strategy: int = zlib.Z_DEFAULT_STRATEGY) -> bytes:
    compressor = zlib.compressobj(level, zlib.DEFLATED, wbits, memory, strategy)
    return compressor.compress(data) + compressor.flush()


def members(flags: int, extra: bytes, data: bytes, header_crc: bool = False) -> bytes:
    header = bytes([0x1F, 0x8B, 8, flags | (2 if header_crc else 0), 1, 2, 3, 4, 2, 3]) + extra
    if header_crc:
        header += (zlib.crc32(header) & 0xFFFF).to_bytes(2, "little")
    return header + deflate(data, -15) + zlib.crc32(data).to_bytes(4, "little") + len(data).to_bytes(4, "little")


for level in range(10):
    for recipe, length in [("words", 3000), ("field", 2500), ("noise", 300)]:
        data = make(recipe, length)
        add("gzip", f"numcodecs level {level}", recipe, length, numcodecs.GZip(level).encode(data))
        if level in (0, 1, 6):
            add("zlib", f"numcodecs level {level}", recipe, length, numcodecs.Zlib(level).encode(data))
for length in [0, 1, 2, 3, 257, 258, 259, 260]:
    for recipe in ["zeros", "noise", "words"]:
        data = make(recipe, length)
        add("gzip", "small", recipe, length, gzip.compress(data, mtime=0))
        add("zlib", "small", recipe, length, zlib.compress(data))
for name, strategy in [("Huffman only", zlib.Z_HUFFMAN_ONLY), ("run lengths", zlib.Z_RLE), ("fixed", zlib.Z_FIXED),
                       ("filtered", zlib.Z_FILTERED)]:
    for recipe in ["words", "field", "zeros"]:
        add("zlib", name, recipe, 2000, deflate(make(recipe, 2000), 15, strategy=strategy))
for wbits in [9, 12]:
    add("zlib", f"window of 2^{wbits}", "far", 9000, deflate(make("far", 9000), wbits))
add("zlib", "many blocks", "words", 20000, deflate(make("words", 20000), 15, memory=1))
add("zlib", "long zeros", "zeros", 1000003, zlib.compress(make("zeros", 1000003), 9))
add("zlib", "matches at 3 KiB", "far", 100000, zlib.compress(make("far", 100000), 9))
words = make("words", 1000)
add("gzip", "flushed", "words", 1000, (lambda c: c.compress(words[:100]) + c.flush(zlib.Z_SYNC_FLUSH) + c.compress(words[100:500])
                                       + c.flush(zlib.Z_FULL_FLUSH) + c.compress(words[500:]) + c.flush())(zlib.compressobj(6, 8, 31)))
add("gzip", "three members", "words", 1000, gzip.compress(words[:400]) + gzip.compress(b"") + gzip.compress(words[400:]))
add("gzip", "two members and zeros", "words", 1000, gzip.compress(words[:999]) + gzip.compress(words[999:]) + bytes(513))
add("gzip", "extra field", "words", 1000, members(4, b"\x05\x00hello", words))
add("gzip", "name and comment", "words", 1000, members(24, b"name\x00comment\x00", words))
add("gzip", "all fields", "words", 1000, members(31 - 2, b"\x02\x00hi" + b"name\x00comment\x00", words, header_crc=True))
buffer = io.BytesIO()
with gzip.GzipFile("file.bin", "wb", fileobj=buffer) as file:
    file.write(words)
add("gzip", "GzipFile with a name", "words", 1000, buffer.getvalue())
for level in ["-1", "-9"]:
    add("gzip", f"gzip(1) {level}", "field", 3000,
        subprocess.run(["gzip", level, "-c"], input=make("field", 3000), stdout=subprocess.PIPE, check=True).stdout)

OUT.parent.mkdir(parents=True, exist_ok=True)
lines = ",\n".join(json.dumps(case) for case in cases)
OUT.write_text(f'{{"writer": "numcodecs {numcodecs.__version__}, zlib {zlib.ZLIB_VERSION}", "cases": [\n{lines}\n]}}\n')
