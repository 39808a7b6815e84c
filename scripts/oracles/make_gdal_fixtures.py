"""Writes test/fixtures/gdal.json: rasters as GDAL 3.13 writes them, with both of its conventions, and where it says that they lie.

Run with a Python that has GDAL 3.13 or newer (`apt install python3-gdal python3-numpy` in Debian sid), and the target file. Each case is as in make_geozarr_fixtures.py.
"""

import base64
import json
import sys
import tempfile
from pathlib import Path

import numpy as np
from osgeo import gdal, osr

gdal.UseExceptions()
COLUMNS, ROWS = 12, 8
UTM = (500000, 10, 0, 5000000, 0, -10)


def affine(geotransform):
    c, a, b, f, d, e = geotransform
    return [a, b, c, d, e, f]


def level(geotransform, columns, rows):
    (a, b, c, d, e, f), corners = affine(geotransform), [(0, 0), (columns, 0), (0, rows), (columns, rows)]
    x, y = [a * i + b * j + c for i, j in corners], [d * i + e * j + f for i, j in corners]
    return {"bounds": [min(x), min(y), max(x), max(y)], "transform": [a, b, c, d, e, f], "shape": [rows, columns]}


def case(name, options, geotransform=UTM, code=32633, bands=1, overviews=(), registration="Area"):
    raster = gdal.GetDriverByName("MEM").Create("", COLUMNS, ROWS, bands, gdal.GDT_Int16)
    if code is not None:
        reference = osr.SpatialReference()
        reference.ImportFromEPSG(code)
        reference.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
        raster.SetSpatialRef(reference)
    raster.SetGeoTransform(geotransform)
    raster.SetMetadataItem("AREA_OR_POINT", registration)
    for band in range(bands):
        raster.GetRasterBand(band + 1).WriteArray(np.arange(ROWS * COLUMNS, dtype="i2").reshape(ROWS, COLUMNS))
    with tempfile.TemporaryDirectory() as parent:
        folder = f"{parent}/raster.zarr"
        gdal.GetDriverByName("Zarr").CreateCopy(folder, raster, options=options).Close()
        levels = [level(geotransform, COLUMNS, ROWS)]
        if overviews:
            written = gdal.Open(folder, gdal.GA_Update)
            written.BuildOverviews("AVERAGE", list(overviews))
            written.Close()
            again = gdal.Open(folder)
            band = again.GetRasterBand(1)
            for i in range(band.GetOverviewCount()):
                factor, (x, dx, _, y, _, dy) = overviews[i], geotransform
                overview = band.GetOverview(i)
                levels.append(level((x, dx * factor, 0, y, 0, dy * factor), overview.XSize, overview.YSize))
        store = {
            f"/{path.relative_to(folder).as_posix()}": base64.b64encode(path.read_bytes()).decode()
            for path in sorted(Path(folder).rglob("*"))
            # Metadata of its own, which are not Zarr's.
            if path.is_file() and not path.name.startswith("pam.")
        }
    crs = None if code is None or bands > 1 else f"EPSG:{code}"
    return {"name": name, "variable": "raster", "levels": levels, "crs": crs, "geographic": None if crs is None else code == 4326, "store": store}


def main(target):
    cases = []
    for convention in ("GDAL", "SPATIAL_PROJ"):
        for format in ("V2", "V3"):
            name = f"GDAL {gdal.__version__}, {convention}, {format.lower()}"
            options = [f"FORMAT=ZARR_{format}", f"GEOREFERENCING_CONVENTION={convention}"]
            cases += [
                case(f"{name}, metres", options),
                case(f"{name}, degrees, south first", [*options, "COMPRESS=ZSTD"], (-180, 30, 0, -90, 0, 22.5), 4326),
                # Their CRS is not in Zarr's metadata.
                case(f"{name}, bands by pixel", [*options, "INTERLEAVE=PIXEL"], bands=3),
                case(f"{name}, registered at nodes", options, registration="Point"),
            ]
            if convention == "SPATIAL_PROJ":
                cases.append(case(f"{name}, turned", options, (500000, 8, 6, 5000000, 6, -8)))
            if format == "V3":
                cases.append(case(f"{name}, overviews", options, overviews=(2, 4)))
    Path(target).write_text(json.dumps(cases, indent=1) + "\n")


main(sys.argv[1])
