"""Random cells of HEALPix as healpy and healpix-geo have them, as JSON for test/interop/live-healpix.test.ts.

    healpix_cells.py COUNT LEVEL...

For each level COUNT cells by their nested index, with the ring index, the middle and the corners; COUNT points
with the cells they are in; and for 100 of them zuniq, and the middles on WGS84. Needs healpy, and healpix-geo
for the last two (null without it).
"""

import json
import sys

import healpy
import numpy as np

try:
    import healpix_geo
except ImportError:
    healpix_geo = None

count, *levels = map(int, sys.argv[1:])
random = np.random.default_rng(55)


def of_geo(level, cells):
    if healpix_geo is None:
        return None
    longitudes, latitudes = healpix_geo.nested.healpix_to_lonlat(cells, level, "WGS84")
    back = healpix_geo.nested.lonlat_to_healpix(longitudes, latitudes, level, "WGS84")
    return {
        "zuniq": [str(each) for each in healpix_geo.nested.to_zuniq(cells, level)],
        "longitudes": longitudes.tolist(),
        "latitudes": latitudes.tolist(),
        "back": [str(each) for each in back],
    }


def level_of(level):
    nside = 2**level
    cells = random.integers(0, 12 * nside**2, count, "int64")
    longitudes, latitudes = healpy.pix2ang(nside, cells, nest=True, lonlat=True)
    corners = healpy.boundaries(nside, cells, step=1, nest=True)  # x, y and z of north, west, south and east
    points = [random.uniform(-360, 720, count), np.degrees(np.arcsin(random.uniform(-1, 1, count)))]
    found = healpy.ang2pix(nside, *points, nest=True, lonlat=True)
    return {
        "level": level,
        "nested": [str(each) for each in cells],
        "ring": [str(each) for each in healpy.nest2ring(nside, cells)],
        "longitudes": longitudes.tolist(),
        "latitudes": latitudes.tolist(),
        "corners": np.moveaxis(corners, 1, 2).tolist(),
        "points": [each.tolist() for each in points],
        "found": [str(each) for each in found],
        "geo": of_geo(level, cells[:100].astype("uint64")),
    }


print(json.dumps([level_of(level) for level in levels]))
