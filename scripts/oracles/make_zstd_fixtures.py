"""Writes test/fixtures/codecs/zstd.json: zstd values as numcodecs, zstandard (libzstd's streaming) and zstd(1) make them.

    python3 -m venv /tmp/zstd && /tmp/zstd/bin/pip install numcodecs==0.16.6 zstandard==0.25.0
    /tmp/zstd/bin/python scripts/oracles/make_zstd_fixtures.py      (zstd(1) is Debian's package zstd)
"""

import base64
import json
import subprocess
from pathlib import Path

import numcodecs
import zstandard
from recipes import make

OUT = Path(__file__).parents[2] / "test/fixtures/codecs/zstd.json"
cases = []


def add(name: str, recipe: str, length: int, encoded: bytes) -> None:
    cases.append({"name": name, "recipe": recipe, "length": length, "encoded": base64.b64encode(encoded).decode()})


def compress(data: bytes, **parameters) -> bytes:
    """With or without content size, checksum, window and strategy: see zstandard.ZstdCompressionParameters."""
    return zstandard.ZstdCompressor(
        compression_params=zstandard.ZstdCompressionParameters(**parameters)).compress(data)


def skippable(content: bytes, number: int = 0) -> bytes:
    return (0x184D2A50 + number).to_bytes(4, "little") + len(content).to_bytes(4, "little") + content


for level in [-100, -1, *range(23)]:
    for recipe, length in [("words", 2000), ("field", 1000)]:
        add(f"numcodecs level {level}", recipe, length, numcodecs.Zstd(level).encode(make(recipe, length)))
for length in [0, 1, 2, 3, 7, 63, 64, 255, 256, 257, 300]:
    for recipe in ["zeros", "noise", "words", "field"]:
        add("small", recipe, length, numcodecs.Zstd(3).encode(make(recipe, length)))
for checksum in [0, 1]:
    for size in [0, 1]:
        add(f"checksum {checksum}, content size {size}", "words", 1000,
            compress(make("words", 1000), write_checksum=checksum, write_content_size=size))
add("empty, no content size", "zeros", 0, compress(b"", write_content_size=0, write_checksum=1))
for strategy in range(1, 10):
    add(f"strategy {strategy}", "words", 2000, compress(make("words", 2000), strategy=strategy))
for name, recipe, length, level in [("several blocks of zeros", "zeros", 400003, 3), ("several blocks", "words", 150001, 19),
                                    ("matches at 3 KiB", "far", 200000, 19)]:
    add(name, recipe, length, numcodecs.Zstd(level).encode(make(recipe, length)))
add("a window of 1 KiB", "words", 20000, compress(make("words", 20000), window_log=10, write_content_size=0))
add("long distances", "far", 100000, compress(make("far", 100000), enable_ldm=1, window_log=20))
# Blocks alike: treeless literals and repeated tables.
for recipe, length, step in [("words", 5000, 700), ("field", 8000, 2000), ("noise", 900, 300)]:
    streaming = zstandard.ZstdCompressor(level=3).compressobj()
    data = make(recipe, length)
    add("flushed blocks", recipe, length, b"".join(
        part for i in range(0, length, step)
        for part in (streaming.compress(data[i:i + step]), streaming.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)))
        + streaming.flush())
words = make("words", 5000)
whole = numcodecs.Zstd(3)
add("three frames", "words", 5000, whole.encode(words[:2000]) + compress(words[2000:2500], write_checksum=1) + whole.encode(words[2500:]))
add("frames with an empty one", "words", 5000, whole.encode(words[:2000]) + whole.encode(b"") + whole.encode(words[2000:]))
add("skippable frames", "words", 5000,
    skippable(b"hello", 15) + whole.encode(words[:2500]) + skippable(b"") + whole.encode(words[2500:]) + skippable(bytes(100), 7))
add("only a skippable frame", "zeros", 0, skippable(b"nothing"))
for arguments in [["-1"], ["-19", "--no-check"], ["--ultra", "-22"], ["-3", "--no-content-size"], ["--fast=7"]]:
    add(f"zstd(1) {' '.join(arguments)}", "field", 2000,
        subprocess.run(["zstd", *arguments, "-c"], input=make("field", 2000), stdout=subprocess.PIPE, check=True).stdout)

for case in cases:
    reader = zstandard.ZstdDecompressor().stream_reader(base64.b64decode(case["encoded"]), read_across_frames=True)
    assert case["name"].startswith("only") or reader.read(1 << 22) == make(case["recipe"], case["length"]), case["name"]
OUT.parent.mkdir(parents=True, exist_ok=True)
lines = ",\n".join(json.dumps(case) for case in cases)
OUT.write_text(f'{{"writer": "numcodecs {numcodecs.__version__}, zstandard {zstandard.__version__}", "cases": [\n{lines}\n]}}\n')
