"""Writes test/fixtures/ome-zarr/bioformats2raw.json: what bioformats2raw writes of Bio-Formats' synthetic images, as JSON of keys
and values in base64.

    python make_bioformats2raw_fixtures.py BIOFORMATS2RAW TARGET

BIOFORMATS2RAW is the program, TARGET the file; the Python has zarr-python, which reads back what is expected. bioformats2raw
is in no registry of packages: docs/evidence.md says which version wrote the file.

`image` and `plate` are OME-Zarr 0.5, the image in shards; `old` is the image as 0.4. `expected` holds the sum of each level's
elements by its path.
"""

import base64
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy
import zarr

IMAGE = (
    "cells&sizeX=40&sizeY=32&sizeZ=2&sizeC=2&pixelType=uint16"
    "&physicalSizeX=0.5&physicalSizeY=0.5&physicalSizeZ=2&series=2.fake"
)
PLATE = "plate&sizeX=16&sizeY=16&pixelType=uint8&plates=1&plateRows=2&plateCols=2&fields=1&plateAcqs=1.fake"
TILES = ["--tile-width", "16", "--tile-height", "16"]
STORES = {
    "image": (IMAGE, ["--ngff-version", "0.5", "-c", "zstd", "-r", "2", "--shard-width", "32", "--shard-height", "32"]),
    "plate": (PLATE, ["--ngff-version", "0.5", "-c", "gzip", "-r", "1"]),
    "old": (IMAGE, ["--ngff-version", "0.4", "-c", "zlib", "-r", "2"]),
}


def main(program, target):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for name, (source, options) in STORES.items():
            (folder / source).touch()
            subprocess.run([program, source, name, *TILES, *options], cwd=folder, check=True)
            (folder / source).unlink()
        files = sorted(file for file in folder.rglob("*") if file.is_file())
        expected = {
            file.parent.relative_to(folder).as_posix(): int(numpy.sum(zarr.open_array(file.parent, mode="r")[:], dtype="int64"))
            for file in files
            if file.name == ".zarray"
            or (file.name == "zarr.json" and json.loads(file.read_text())["node_type"] == "array")
        }
        store = {f"/{file.relative_to(folder).as_posix()}": base64.b64encode(file.read_bytes()).decode() for file in files}
    Path(target).write_text(json.dumps({"expected": expected, "store": store}, indent=1) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
