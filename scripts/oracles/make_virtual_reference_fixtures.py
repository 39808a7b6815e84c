"""Where kerchunk and VirtualiZarr find the chunks of the fixtures of test/fixtures/virtual.

    make_virtual_reference_fixtures.py test/fixtures/virtual

writes references.json: {FILE: {"kerchunk" or "virtualizarr": {ARRAY: {CHUNK: [offset, length]}}}}, a chunk being
"0.1", or "" of an array without dimensions. Of TIFF and GRIB, whose arrays the libraries name and shape in other
ways, a CHUNK is a number in their order. What a library cannot read is left out, and said on standard error.
"""

import base64
import json
import pathlib
import sys
import tempfile
import warnings

warnings.simplefilter("ignore")


def by_kerchunk(path):
    from kerchunk.grib2 import scan_grib
    from kerchunk.hdf import SingleHdf5ToZarr
    from kerchunk.netCDF3 import NetCDF3ToZarr
    from kerchunk.tiff import tiff_to_zarr

    if path.suffix == ".tif":
        found = arrays_of(tiff_to_zarr(str(path)))
        return {"": dict(enumerate(place for chunks in found.values() for place in chunks.values()))}
    if path.suffix == ".grib":
        messages = [arrays_of(each["refs"]) for each in scan_grib(str(path), inline_threshold=0)]
        places = [place for arrays in messages for chunks in arrays.values() for place in chunks.values()]
        # Coordinates are made of the message, too.
        return {"": dict(enumerate(list(place) for place in dict.fromkeys(map(tuple, places))))}
    if path.read_bytes()[:3] == b"CDF":
        return arrays_of(NetCDF3ToZarr(str(path), inline_threshold=0).translate()["refs"])
    with open(path, "rb") as file:
        return arrays_of(SingleHdf5ToZarr(file, "file", inline_threshold=0).translate()["refs"])


def arrays_of(refs):
    found = {}
    for key, value in refs.items():
        if isinstance(value, list) and len(value) == 3:
            array, _, chunk = key.rpartition("/")
            array_meta = json.loads(refs[f"{array}/.zarray" if array else ".zarray"])
            chunk = "" if array_meta["shape"] == [] else chunk
            found.setdefault(array or "image", {})[chunk] = value[1:]
    return found


def by_virtualizarr(path):
    from obspec_utils.registry import ObjectStoreRegistry
    from obstore.store import LocalStore
    from virtualizarr.parsers import HDFParser, NetCDF3Parser

    registry = ObjectStoreRegistry({"file://": LocalStore()})
    parser = NetCDF3Parser() if path.read_bytes()[:3] == b"CDF" else HDFParser()
    store = parser(f"file://{path.resolve()}", registry=registry)
    found = {}

    def walk(group, prefix):
        for name, array in group.arrays.items():
            scalar = array.shape == ()
            chunks = {
                "" if scalar else key: [entry["offset"], entry["length"]]
                for key, entry in array.manifest.dict().items()
                if entry["path"] != "" and not entry["path"].startswith("__")
            }
            if chunks:
                found[f"{prefix}{name}"] = chunks
        for name, child in group.groups.items():
            walk(child, f"{prefix}{name}/")

    walk(store._group, "")
    return found


def main(folder):
    folder = pathlib.Path(folder)
    with tempfile.TemporaryDirectory() as temporary:
        paths = {path.name: path for pattern in ["*.h5", "*.nc"] for path in sorted(folder.glob(pattern))}
        # VirtualiZarr waits for itself at a type that it does not know.
        paths = {name: path for name, path in paths.items() if not name.startswith("data_types")}
        for format, suffix in [("tiff", "tif"), ("grib", "grib")]:
            cases = json.loads((folder / f"{format}.json").read_text())["cases"]
            # kerchunk takes a second a message, and reads the lengths of edition 2 alone.
            for case in cases if format == "tiff" else [case for case in cases[1:14:4] if "edition 1" not in case["name"]]:
                path = pathlib.Path(temporary) / f"{case['name'].replace('/', '_')}.{suffix}"
                path.write_bytes(base64.b64decode(case["file"]))
                paths[f"{format}: {case['name']}"] = path
        written = {}
        for name, path in paths.items():
            for library, find in [("kerchunk", by_kerchunk), ("virtualizarr", by_virtualizarr)]:
                if library == "virtualizarr" and path.suffix in (".tif", ".grib"):
                    continue
                try:
                    arrays = find(path)
                except Exception as error:
                    print(f"{library} cannot read {name}: {type(error).__name__}: {str(error)[:100]}", file=sys.stderr)
                    continue
                if arrays:
                    written.setdefault(name, {})[library] = arrays
        (folder / "references.json").write_text(json.dumps(written, separators=(",", ":"), sort_keys=True) + "\n")
        print(f"{len(written)} files")


main(sys.argv[1])
