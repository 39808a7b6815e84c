"""Writes test/fixtures/geozarr.json: rasters as rioxarray, ndpyramid and GDAL write them, and where these say that they lie.

Run with a Python that has rioxarray 0.19, ndpyramid 0.4 and zarr (`pip install rioxarray ndpyramid zarr netCDF4`), and the target file. Debian's
python3 has to have GDAL (3.6). Each case has `variable`, `levels` (bounds, shape, transform in rasterio's order, or null), `crs`, `geographic`, and `store`: keys with values in
base64.
"""

import base64
import json
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import ndpyramid
import numpy as np
import rioxarray  # noqa: F401
import xarray as xr

warnings.filterwarnings("ignore")

GDAL = """
import sys
import numpy as np
from osgeo import gdal, osr
folder, code, geotransform, path = sys.argv[1], int(sys.argv[2]), [float(each) for each in sys.argv[3].split(",")], sys.argv[4]
driver = gdal.GetDriverByName("Zarr")
raster = driver.Create(folder, 6, 4, 1, gdal.GDT_Int16, ["FORMAT=ZARR_V2"])
reference = osr.SpatialReference()
reference.ImportFromEPSG(code)
raster.SetProjection(reference.ExportToWkt())
raster.SetGeoTransform(geotransform)
raster.GetRasterBand(1).WriteArray(np.arange(24, dtype="i2").reshape(4, 6))
raster = None
print(list(gdal.Open(folder).GetGeoTransform()))
"""


def utm(step=10.0, origin=(500000.0, 5000000.0), shape=(12, 20)):
    """As rioxarray.open_rasterio makes it: centres of pixels, and the transform in the grid mapping."""
    rows, columns = shape
    x = origin[0] + step * (np.arange(columns) + 0.5)
    y = origin[1] - step * (np.arange(rows) + 0.5)
    band = xr.DataArray(np.zeros((1, rows, columns), "u2"), {"band": [1], "y": y, "x": x}, ("band", "y", "x"), name="b04")
    return band.rio.write_crs(32633).rio.write_transform()


def climate(longitudes):
    lat = np.linspace(-87.5, 87.5, 36)
    array = xr.DataArray(np.zeros((2, 36, len(longitudes)), "f4"), {"lat": lat, "lon": longitudes}, ("time", "lat", "lon"), name="tas")
    array.lat.attrs.update(units="degrees_north", standard_name="latitude")
    array.lon.attrs.update(units="degrees_east", standard_name="longitude")
    return array


def lambert():
    """Coordinates and a grid mapping of CF without a transform, and without WKT."""
    x, y = np.arange(6) * 3000.0 - 1500, np.arange(4) * 3000.0
    array = xr.DataArray(np.zeros((4, 6), "f4"), {"y": y, "x": x}, ("y", "x"), name="t")
    array.x.attrs.update(units="m", standard_name="projection_x_coordinate")
    array.y.attrs.update(units="m", standard_name="projection_y_coordinate")
    mapping = {"grid_mapping_name": "lambert_conformal_conic", "standard_parallel": [38.5, 38.5], "longitude_of_central_meridian": -97.5, "latitude_of_projection_origin": 38.5}
    return array.assign_coords(lambert=xr.DataArray(0, attrs=mapping)).assign_attrs(grid_mapping="lambert")


def place(array, **options):
    return {
        "bounds": list(array.rio.bounds(**options)),
        "transform": list(array.rio.transform(**options))[:6],
        "shape": [array.rio.height, array.rio.width],
    }


def files(folder):
    return {
        f"/{path.relative_to(folder).as_posix()}": base64.b64encode(path.read_bytes()).decode()
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file()
    }


def case(name, variable, levels, crs, geographic, folder):
    return {"name": name, "variable": variable, "levels": levels, "crs": crs, "geographic": geographic, "store": files(folder)}


def of_array(name, array, crs, geographic=False, zarr_format=3, **options):
    spatial = array.rio.set_spatial_dims("lon", "lat") if "lon" in array.dims else array
    with tempfile.TemporaryDirectory() as folder:
        array.to_dataset().to_zarr(folder, zarr_format=zarr_format, consolidated=zarr_format == 2)
        return case(name, array.name, [place(spatial, **options)], crs, geographic, folder)


def of_pyramid(name, pyramid, variable, crs, geographic):
    levels = [pyramid[str(i)].to_dataset()[variable].rio.write_crs(crs) for i in range(len(pyramid.children))]
    levels = [each.rio.set_spatial_dims("lon", "lat") if "lon" in each.dims else each for each in levels]
    with tempfile.TemporaryDirectory() as folder:
        pyramid.to_zarr(folder, zarr_format=2)
        # Coarser levels keep the transform of the finest: rioxarray has to calculate theirs.
        return case(name, variable, [place(each, recalc=True) for each in levels], crs, geographic, folder)


def of_gdal(name, code, geotransform, geographic):
    with tempfile.TemporaryDirectory() as folder:
        target = f"{folder}/raster.zarr"
        program = ["/usr/bin/python3", "-c", GDAL, target, str(code), ",".join(map(str, geotransform)), folder]
        c, a, b, f, d, e = json.loads(subprocess.run(program, check=True, capture_output=True, text=True).stdout)
        bounds = [c, f + 4 * e, c + 6 * a, f]
        level = {"bounds": bounds, "transform": [a, b, c, d, e, f], "shape": [4, 6]}
        return case(name, "raster", [level], f"EPSG:{code}", geographic, target)


def main(target):
    scene = utm()
    world = climate(np.arange(0, 360, 10.0))
    mapped = climate(np.arange(-175, 180, 10.0)).rio.set_spatial_dims("lon", "lat").rio.write_crs(4326)
    cases = [
        of_array("rioxarray, v3", scene, "EPSG:32633"),
        of_array("rioxarray, v2", scene, "EPSG:32633", zarr_format=2),
        of_array("rioxarray, a part with the transform of the whole", scene.isel(x=slice(5, 15), y=slice(3, 9)), "EPSG:32633", recalc=True),
        of_array("rioxarray, coarser with the transform of the finer", scene.coarsen(x=4, y=4).mean(), "EPSG:32633", recalc=True),
        of_array("xarray, 0 to 360, south first", world, "EPSG:4326", True),
        of_array("rioxarray, a grid mapping without a transform", mapped, "EPSG:4326", True),
        of_array("xarray, a projection by its parameters", lambert(), None),
        of_pyramid("ndpyramid, tiles of web maps", ndpyramid.pyramid_reproject(mapped.transpose("time", "lat", "lon").to_dataset().rename(lon="x", lat="y"), levels=3, pixels_per_tile=16), "tas", "EPSG:3857", False),
        of_pyramid("ndpyramid, coarsened", ndpyramid.pyramid_coarsen(mapped.to_dataset(), factors=[1, 2, 4], dims=["lat", "lon"]), "tas", "EPSG:4326", True),
        of_gdal("GDAL, metres", 32633, [500000, 10, 0, 5000000, 0, -10], False),
        of_gdal("GDAL, degrees", 4326, [-180, 60, 0, 90, 0, -45], True),
    ]
    Path(target).write_text(json.dumps(cases, indent=1) + "\n")


main(sys.argv[1])
