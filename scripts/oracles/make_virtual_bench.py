"""Writes the files of bench/sections/virtual.ts: make_virtual_bench.py FOLDER

weather.nc   two variables of 16 x 721 x 1440, shuffled and deflated: float32 with two decimals, and packed int16
many.nc      500 variables, whose metadata are at both ends
scene.tif    a COG of 4096 x 4096 uint16, deflated with predictor 2, tiles of 512, four overviews
"""

import sys
from pathlib import Path

import h5py
import netCDF4
import numpy as np
import rasterio
from rasterio.io import MemoryFile
from rasterio.shutil import copy
from rasterio.transform import from_origin

folder = Path(sys.argv[1])
random = np.random.default_rng(20261128)
y, x = np.mgrid[0:721, 0:1440]
compressed = {"compression": "gzip", "compression_opts": 4, "shuffle": True}

with h5py.File(folder / "weather.nc", "w") as file:
    floats = file.create_dataset("t2m", (16, 721, 1440), "<f4", chunks=(1, 721, 1440), **compressed)
    packed = file.create_dataset("packed", (16, 721, 1440), "<i2", chunks=(1, 361, 720), **compressed)
    for step in range(16):
        field = 280 + 20 * np.cos(y / 721 * 3 - 1.5) + 5 * np.sin(x / 50 + step / 3) * np.cos(y / 40)
        floats[step] = np.round(field + random.normal(0, 0.3, y.shape), 2)
        packed[step] = ((field - 280) * 100 + random.normal(0, 30, y.shape)).astype("i2")

with netCDF4.Dataset(folder / "many.nc", "w") as file:
    file.createDimension("time", None)
    file.createDimension("x", 500)
    for number in range(500):
        variable = file.createVariable(f"v{number:03}", "f4", ("time", "x"), zlib=True, chunksizes=(10, 500))
        variable.units = "K"
        variable.long_name = f"variable {number}"
        variable[:] = random.normal(size=(20, 500)).astype("f4")

rows, columns = np.mgrid[0:4096, 0:4096]
scene = (1200 + 700 * np.sin(rows / 410) * np.cos(columns / 290) + random.normal(0, 20, rows.shape)).astype("u2")
profile = {
    "driver": "GTiff", "height": 4096, "width": 4096, "count": 1, "dtype": "uint16", "crs": "EPSG:32632",
    "transform": from_origin(500000, 5000000, 10, 10), "nodata": 0,
}
with MemoryFile() as memory:
    with memory.open(**profile) as image:
        image.write(scene, 1)
    with memory.open() as image:
        copy(image, folder / "scene.tif", driver="COG", COMPRESS="DEFLATE", PREDICTOR="2", BLOCKSIZE="512")
