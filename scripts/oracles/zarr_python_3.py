"""zarr-python 3.4.2 as a writer and reader of cases (see cases.py for what a case is)."""

import json

import numcodecs
import zarr
from zarr.codecs import BytesCodec, Crc32cCodec, GzipCodec, TransposeCodec

from elements import from_hex, scalar_from_hex, stored_dtype, to_hex, written_regions

NAME = "zarr-python"
VERSIONS = {"zarr": zarr.__version__, "numcodecs": numcodecs.__version__}
ZARR_FORMATS = (2, 3)
# Fixtures are committed: no spaces in their metadata documents.
zarr.config.set({"json_indent": None})


def _codec(name):
    return {"gzip": lambda: GzipCodec(level=5), "crc32c": Crc32cCodec}[name]()


def _numcodec(name):
    return {"gzip": lambda: numcodecs.GZip(level=5), "zlib": lambda: numcodecs.Zlib(level=5)}[name]()


def _layout(case):
    """The arguments of create_array in which the formats differ."""
    if case["zarr_format"] == 2:
        return {
            "dtype": stored_dtype(case["data_type"], case["endian"]),
            "order": case["order"],
            "filters": None,
            "compressors": _numcodec(case["codecs"][0]) if case["codecs"] else None,
            "chunk_key_encoding": {"name": "v2", "separator": case["separator"]},
        }
    return {
        "dtype": case["data_type"],
        "filters": [TransposeCodec(order=case["order"])] if case["order"] else None,
        "serializer": BytesCodec(endian=case["endian"] if stored_dtype(case["data_type"]).itemsize > 1 else None),
        "compressors": [_codec(name) for name in case["codecs"]] or None,
        "chunk_key_encoding": {"name": case["chunk_key_encoding"], "separator": case["separator"]},
        "dimension_names": case.get("dimension_names"),
    }


def exclusion(case):
    """Why a case stays out of the fixtures: nothing does."""
    return None


def write(case, folder):
    array = zarr.create_array(
        folder,
        name=case["path"].lstrip("/") or None,
        shape=case["shape"],
        chunks=case["chunk_shape"],
        zarr_format=case["zarr_format"],
        fill_value=scalar_from_hex(case["data_type"], case["fill_value"]),
        attributes=json.loads(case.get("attributes", "{}")),
        **_layout(case),
    )
    data = from_hex(case["data_type"], case["shape"], case["data"])
    for region in written_regions(case):
        array[region] = data[region]


def fill(case, folder):
    """Writes the elements of a case into the array that is there."""
    array = zarr.open_array(folder, mode="r+", zarr_format=case["zarr_format"])
    data = from_hex(case["data_type"], case["shape"], case["data"])
    for region in written_regions(case):
        array[region] = data[region]


def write_group(path, zarr_format, attributes, folder):
    zarr.create_group(
        folder, path=path.lstrip("/") or None, zarr_format=zarr_format, attributes=json.loads(attributes)
    )


def read(folder, path, zarr_format):
    array = zarr.open_array(folder, path=path.lstrip("/") or None, mode="r", zarr_format=zarr_format)
    fill_value = array.fill_value
    return {
        "shape": list(array.shape),
        "chunk_shape": list(array.chunks),
        "data_type": array.dtype.newbyteorder("=").name,
        "data": to_hex(array[...]),
        "fill_value": None if fill_value is None else to_hex(array.dtype.type(fill_value)),
        "attributes": json.dumps(dict(array.attrs)),
        "dimension_names": None if zarr_format == 2 else array.metadata.to_dict().get("dimension_names"),
    }


def read_group(folder, path, zarr_format):
    group = zarr.open_group(folder, path=path.lstrip("/") or None, mode="r", zarr_format=zarr_format)
    return {"attributes": json.dumps(dict(group.attrs)), "members": sorted(group.keys())}
