"""Reads arrays and groups of a 2020-draft hierarchy with zarr-python or GDAL.
usage: read_store.py zarr-python|gdal FOLDER   standard input: {"arrays": [path], "groups": [path]}
Prints JSON: {"version": ..., "arrays": {path: answer}, "groups": {path: answer}}. An answer is {"shape", "dtype", "le_hex" or "values",
"attributes"} or {"error"}. GDAL reads arrays without dimensions in a process of their own, as it crashes on them.
"""
import json
import os
import subprocess
import sys

import numpy as np

READER, FOLDER = sys.argv[1:3]


def plain(value):
    """Elements that have no bytes to compare, as JSON."""
    if isinstance(value, (bytes, np.bytes_)):
        return value.decode("latin1")
    if isinstance(value, np.void) and value.dtype.names:
        return [plain(item) for item in value.tolist()]
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value if isinstance(value, (str, int, float)) else str(value)


def elements(values):
    values = np.asarray(values)
    answer = {"shape": list(values.shape), "dtype": values.dtype.str}
    if values.dtype.kind in "biufcMm":
        little = values.astype(values.dtype.newbyteorder("<"))
        return {**answer, "le_hex": little.tobytes().hex()}
    return {**answer, "values": [plain(value) for value in values.reshape(-1)]}


def attempt(read):
    try:
        return read()
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:300]}


def zarr_python():
    os.environ["ZARR_V3_EXPERIMENTAL_API"] = "1"
    import zarr
    from zarr._storage.v3 import DirectoryStoreV3

    store = DirectoryStoreV3(FOLDER)

    def array(path):
        found = zarr.open_array(store=store, path=path, mode="r", zarr_version=3)
        return {**elements(found[...]), "attributes": found.attrs.asdict()}

    def group(path):
        found = zarr.open_group(store=store, path=path, mode="r", zarr_version=3)
        return {"attributes": found.attrs.asdict(), "members": sorted(found)}

    return zarr.__version__, array, group


def gdal():
    from osgeo import gdal

    def array(path):
        with open(f"{FOLDER}/meta/root{path}.array.json") as document:
            if json.load(document)["shape"]:
                return gdal_array(path)
        child = subprocess.run([sys.executable, __file__, "gdal-array", FOLDER], input=path, capture_output=True, text=True)
        if child.returncode < 0:
            return {"error": f"signal {-child.returncode}"}
        return json.loads(child.stdout)

    def group(path):
        dataset = gdal.OpenEx(FOLDER, gdal.OF_MULTIDIM_RASTER)
        found = dataset.GetRootGroup()
        for name in path.strip("/").split("/") if path != "/" else []:
            found = found.OpenGroup(name)
        attributes = {item.GetName(): item.Read() for item in found.GetAttributes()}
        return {"attributes": attributes, "members": sorted((found.GetMDArrayNames() or []) + (found.GetGroupNames() or []))}

    gdal.UseExceptions()
    return gdal.VersionInfo("RELEASE_NAME"), array, group


def gdal_array(path):
    from osgeo import gdal

    gdal.UseExceptions()
    dataset = gdal.OpenEx(FOLDER, gdal.OF_MULTIDIM_RASTER)
    array = dataset.GetRootGroup().OpenMDArrayFromFullname(path)
    attributes = {item.GetName(): item.Read() for item in array.GetAttributes()}
    return {**elements(array.ReadAsArray()), "attributes": attributes}


if READER == "gdal-array":
    print(json.dumps(attempt(lambda: gdal_array(sys.stdin.read()))))
else:
    request = json.load(sys.stdin)
    version, array, group = (zarr_python if READER == "zarr-python" else gdal)()
    print(json.dumps({
        "version": version,
        "arrays": {path: attempt(lambda: array(path)) for path in request["arrays"]},
        "groups": {path: attempt(lambda: group(path)) for path in request["groups"]},
    }))
