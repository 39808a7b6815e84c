"""
Writes examples/data/jacksboro.zarr with zarr-python, and examples/data/known-values.json with numpy.

    .oracles/python/bin/python scripts/oracles/make_quickstart_data.py

The elevations come out of matplotlib's wheel, which is downloaded and not installed; examples/data/README.md says what they are.
"""

import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import types
import zipfile

import numpy
import zarr
from zarr.codecs import GzipCodec

MATPLOTLIB = "matplotlib==3.11.2"
MEMBER = "matplotlib/mpl-data/sample_data/jacksboro_fault_dem.npz"
MEMBER_SHA256 = "d493f50a33e82a4420494c54d1fca1539d177bdc27ab190bc5fe6e92f62fb637"
TARGET = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "data")
# Cells a degree: SRTM's three arc seconds.
RESOLUTION = 1200

# Members of gzip carry the time of day: with a fixed one the same versions make the same store again.
gzip.time = types.SimpleNamespace(time=lambda: 0)


def download():
    with tempfile.TemporaryDirectory() as folder:
        command = ["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "-d", folder]
        subprocess.run([sys.executable, *command, MATPLOTLIB], check=True, stdin=subprocess.DEVNULL)
        (name,) = os.listdir(folder)
        with zipfile.ZipFile(os.path.join(folder, name)) as wheel:
            content = wheel.read(MEMBER)
    digest = hashlib.sha256(content).hexdigest()
    if digest != MEMBER_SHA256:
        raise SystemExit(f"{MEMBER}: expected sha256 {MEMBER_SHA256}, got {digest}")
    return numpy.load(io.BytesIO(content))


def write_store(elevation, latitude, longitude):
    path = os.path.join(TARGET, "jacksboro.zarr")
    shutil.rmtree(path, ignore_errors=True)
    group = zarr.create_group(
        path,
        attributes={
            "title": "Elevation around the Jacksboro fault, Tennessee and Kentucky, USA",
            "source": "NASA/NGA/USGS Shuttle Radar Topography Mission, 3 arc seconds; sample data of " + MATPLOTLIB,
            "license": "public domain",
        },
    )

    def write(name, data, chunks, dimension_names, attributes):
        array = group.create_array(
            name,
            shape=data.shape,
            dtype=data.dtype,
            chunks=chunks,
            compressors=GzipCodec(level=9),
            dimension_names=dimension_names,
            attributes=attributes,
        )
        array[...] = data

    names = ("latitude", "longitude")
    write("elevation", elevation, (128, 128), names, {"long_name": "elevation above sea level", "units": "m"})
    write("latitude", latitude, latitude.shape, names[:1], {"units": "degrees_north"})
    write("longitude", longitude, longitude.shape, names[1:], {"units": "degrees_east"})


def known_values(elevation):
    cells = [(0, 0), (0, 402), (343, 0), (343, 402), (127, 128), (128, 127), (200, 300)]
    rows, columns = slice(126, 130), slice(254, 259)
    highest = numpy.unravel_index(elevation.argmax(), elevation.shape)
    lowest = numpy.unravel_index(elevation.argmin(), elevation.shape)
    return {
        "path": "/elevation",
        "shape": list(elevation.shape),
        "data_type": elevation.dtype.name,
        "minimum": {"value": int(elevation.min()), "index": [int(i) for i in lowest]},
        "maximum": {"value": int(elevation.max()), "index": [int(i) for i in highest]},
        "sum": int(elevation.sum(dtype="int64")),
        "cells": [{"index": list(index), "value": int(elevation[index])} for index in cells],
        "region": {
            "select": f"{rows.start}:{rows.stop},{columns.start}:{columns.stop}",
            "data": elevation[rows, columns].ravel().tolist(),
        },
        "sha256": hashlib.sha256(elevation.astype("<i2").tobytes()).hexdigest(),
    }


def main():
    source = download()
    elevation = source["elevation"]
    rows, columns = elevation.shape
    # The sample gives the outer edges, north edge as "ymin"; SRTM's cell centres are whole multiples of the
    # resolution.
    north = round(float(source["ymin"]) * RESOLUTION - 0.5)
    west = round(float(source["xmin"]) * RESOLUTION + 0.5)
    latitude = (north - numpy.arange(rows)) / RESOLUTION
    longitude = (west + numpy.arange(columns)) / RESOLUTION
    write_store(elevation, latitude, longitude)
    with open(os.path.join(TARGET, "known-values.json"), "w", encoding="utf-8") as file:
        json.dump(known_values(elevation), file, indent=2)
        file.write("\n")


main()
