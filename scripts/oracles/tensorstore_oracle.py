"""TensorStore as a writer and reader of cases (see cases.py for what a case is). It has no groups and, in v2, no attributes."""

import importlib.metadata
import json
import os

import tensorstore

from elements import from_hex, scalar_from_hex, scalar_to_json, stored_dtype, to_hex, written_regions

NAME = "tensorstore"
VERSIONS = {"tensorstore": importlib.metadata.version("tensorstore")}
ZARR_FORMATS = (2, 3)


def _spec(folder, path, zarr_format):
    return {
        "driver": "zarr" if zarr_format == 2 else "zarr3",
        "kvstore": {"driver": "file", "path": os.path.join(folder, path.strip("/"), "")},
    }


def _metadata_2(case):
    return {
        "shape": case["shape"],
        "chunks": case["chunk_shape"],
        "dtype": stored_dtype(case["data_type"], case["endian"]).str,
        "order": case["order"],
        "compressor": {"id": case["codecs"][0], "level": 5} if case["codecs"] else None,
        "filters": None,
        "fill_value": scalar_to_json(scalar_from_hex(case["data_type"], case["fill_value"])),
        "dimension_separator": case["separator"],
    }


def _metadata_3(case):
    codecs = [{"name": "transpose", "configuration": {"order": case["order"]}}] if case["order"] else []
    codecs.append({"name": "bytes", "configuration": {"endian": case["endian"]}})
    for name in case["codecs"]:
        codecs.append({"name": "gzip", "configuration": {"level": 5}} if name == "gzip" else {"name": name})
    metadata = {
        "shape": case["shape"],
        "data_type": case["data_type"],
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": case["chunk_shape"]}},
        "chunk_key_encoding": {
            "name": case["chunk_key_encoding"],
            "configuration": {"separator": case["separator"]},
        },
        "codecs": codecs,
        "fill_value": scalar_to_json(scalar_from_hex(case["data_type"], case["fill_value"])),
        "attributes": json.loads(case.get("attributes", "{}")),
    }
    if case.get("dimension_names") is not None:
        metadata["dimension_names"] = case["dimension_names"]
    return metadata


def exclusion(case):
    """Why a case stays out of the fixtures, or None."""
    if "attributes" in case:
        return "v2: writes no attributes" if case["zarr_format"] == 2 else "attributes cannot hold NaN"
    if case["order"] == "F" and len(case["shape"]) == 1:
        return "writes order C for one dimension"
    return None


def write(case, folder):
    metadata = _metadata_2(case) if case["zarr_format"] == 2 else _metadata_3(case)
    spec = {**_spec(folder, case["path"], case["zarr_format"]), "metadata": metadata, "create": True}
    array = tensorstore.open(spec).result()
    data = from_hex(case["data_type"], case["shape"], case["data"])
    for region in written_regions(case):
        array[region].write(data[region]).result()


def fill(case, folder):
    """Writes the elements of a case into the array that is there."""
    array = tensorstore.open({**_spec(folder, "/", case["zarr_format"]), "open": True}).result()
    data = from_hex(case["data_type"], case["shape"], case["data"])
    for region in written_regions(case):
        array[region].write(data[region]).result()


def read(folder, path, zarr_format):
    array = tensorstore.open({**_spec(folder, path, zarr_format), "open": True}).result()
    metadata = array.spec().to_json().get("metadata", {})
    return {
        "shape": list(array.shape),
        "chunk_shape": list(array.chunk_layout.read_chunk.shape or ()),
        "data_type": array.dtype.name,
        "data": to_hex(array.read().result()),
        "fill_value": None if array.fill_value is None else to_hex(array.fill_value),
        "attributes": json.dumps(metadata.get("attributes", {})),
        "dimension_names": None if zarr_format == 2 else metadata.get("dimension_names"),
    }
