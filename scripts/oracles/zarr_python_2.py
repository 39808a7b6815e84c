"""zarr-python 2.13.6 (Debian's, format v2) as a writer and reader of cases (see cases.py for what a case is)."""

import json

import numcodecs
import zarr

from elements import from_hex, scalar_from_hex, stored_dtype, to_hex, written_regions

NAME = "zarr-python-2"
VERSIONS = {"zarr": zarr.__version__, "numcodecs": numcodecs.__version__}
ZARR_FORMATS = (2,)


def _compressor(name):
    return {"gzip": lambda: numcodecs.GZip(level=5), "zlib": lambda: numcodecs.Zlib(level=5)}[name]()


def exclusion(case):
    """Why a case stays out of the fixtures, or None."""
    return "writes a fill value of -0.0 as 0.0" if case["path"].endswith("minus-zero") else None


def write(case, folder):
    array = zarr.create(
        store=zarr.DirectoryStore(folder),
        path=case["path"].lstrip("/"),
        shape=case["shape"],
        chunks=case["chunk_shape"],
        dtype=stored_dtype(case["data_type"], case["endian"]),
        order=case["order"],
        filters=None,
        compressor=_compressor(case["codecs"][0]) if case["codecs"] else None,
        fill_value=scalar_from_hex(case["data_type"], case["fill_value"]),
        dimension_separator=case["separator"],
        write_empty_chunks=False,
    )
    data = from_hex(case["data_type"], case["shape"], case["data"])
    for region in written_regions(case):
        array[region] = data[region]
    attributes = json.loads(case.get("attributes", "{}"))
    if attributes:
        array.attrs.put(attributes)


def fill(case, folder):
    """Writes the elements of a case into the array that is there."""
    array = zarr.open_array(zarr.DirectoryStore(folder), mode="r+")
    array[...] = from_hex(case["data_type"], case["shape"], case["data"])


def write_group(path, zarr_format, attributes, folder):
    group = zarr.open_group(zarr.DirectoryStore(folder), path=path.lstrip("/"), mode="a")
    group.attrs.put(json.loads(attributes))


def read(folder, path, zarr_format):
    array = zarr.open_array(zarr.DirectoryStore(folder), path=path.lstrip("/"), mode="r")
    fill_value = array.fill_value
    return {
        "shape": list(array.shape),
        "chunk_shape": list(array.chunks),
        "data_type": array.dtype.newbyteorder("=").name,
        "data": to_hex(array[...]),
        "fill_value": None if fill_value is None else to_hex(array.dtype.type(fill_value)),
        "attributes": json.dumps(array.attrs.asdict()),
        "dimension_names": None,
    }


def read_group(folder, path, zarr_format):
    group = zarr.open_group(zarr.DirectoryStore(folder), path=path.lstrip("/"), mode="r")
    return {"attributes": json.dumps(group.attrs.asdict()), "members": sorted(group.keys())}
