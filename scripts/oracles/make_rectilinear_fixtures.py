"""
Writes test/fixtures/rectilinear.json: arrays with a rectilinear chunk grid as zarr-python 3 and zarrs store them.

    .oracles/python/bin/python scripts/oracles/make_rectilinear_fixtures.py

Needs what install.sh installs. The same versions make the same bytes.
"""

import json
import os
import subprocess
import tempfile

import files
import numpy
import rectilinear
from elements import to_hex

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PATH = os.path.join(ROOT, "test", "fixtures", "rectilinear.json")

BYTES = {"name": "bytes", "configuration": {"endian": "little"}}
SHARDS = {
    "name": "sharding_indexed",
    "configuration": {
        "chunk_shape": [2, 2],
        "codecs": [BYTES],
        "index_codecs": [BYTES, {"name": "crc32c"}],
        "index_location": "end",
    },
}


def case(name, shape, chunks, shards=None, resized=None, chunk_shapes=None, written=None):
    """`chunk_shapes`: what zarrs is to make of the document's, which zarr-python's create_array does not write."""
    count = int(numpy.prod(shape))
    data = numpy.arange(1, count + 1, dtype="int16").reshape(shape)
    return {
        "name": name, "data_type": "int16", "shape": shape, "data": to_hex(data), "written": written,
        "chunks": chunks, "shards": shards, "resized": resized, "chunk_shapes": chunk_shapes,
    }  # fmt: skip


CASES = [
    case("lists", [6, 10], [[1, 2, 3], [4, 4, 1, 1]]),
    case("a list and a length", [7, 9], [[3, 1, 3], 4]),
    case("shards", [6, 10], [2, 2], shards=[[2, 4], [4, 2, 4]]),
    case("partly there", [8, 6], [[5, 3], [1, 4, 1]], written=[[[5, 8], [0, 1]], [[0, 2], [4, 6]]]),
    case("grown and shrunk", [5, 6], [[2, 3], [4, 2]], resized=[8, 3]),
    case("three dimensions", [3, 4, 5], [[1, 2], [2, 1, 1], [4, 1]]),
    case("one dimension", [12], [[1, 2, 3, 1, 2, 3]]),
    case("pairs and chunks beyond the end", [6, 10], None, chunk_shapes=[[[2, 2], 1, 5, 7], [[3, 4]]]),
    case("a length for all", [6, 5], None, chunk_shapes=[4, 2]),
]


def document(each):
    shards = each["shards"]
    chunk_shapes = each["chunk_shapes"] or shards or each["chunks"]
    return {
        "zarr_format": 3,
        "node_type": "array",
        "shape": each["shape"],
        "data_type": each["data_type"],
        "chunk_grid": {"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": chunk_shapes}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": 0,
        "codecs": [SHARDS if shards else BYTES],
        "attributes": {},
    }


def write_python(each, folder):
    if each["chunks"] is None:
        files.write_folder(folder, {"/zarr.json": json.dumps(document(each)).encode()})
        rectilinear.fill(each, folder)
    else:
        rectilinear.write(each, folder)
    return rectilinear.read(folder, "/", 3)


def write_zarrs(executable, each, folder):
    data = numpy.frombuffer(bytes.fromhex(each["data"]), "<i2").reshape(each["shape"])
    regions = each["written"] or [[[0, length] for length in each["shape"]]]
    specification = [
        {"path": "/", "metadata": document(each), "selection": region, "data": to_hex(data[tuple(slice(*r) for r in region)])}
        for region in regions
    ]
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(specification, file)
        file.flush()
        subprocess.run([executable, "write", file.name, folder], check=True)
    [answer] = json.loads(subprocess.run([executable, "read", folder, "/"], check=True, capture_output=True).stdout)
    return answer


def main():
    with open(os.path.join(ROOT, ".oracles", "versions.json"), encoding="utf-8") as file:
        zarrs = json.load(file)["zarrs"]
    writers = {
        "zarr-python": write_python,
        "zarrs": lambda each, folder: write_zarrs(zarrs["executable"], each, folder),
    }
    arrays = []
    for title, write in writers.items():
        for each in CASES:
            if title == "zarrs" and each["resized"] is not None:
                continue
            with tempfile.TemporaryDirectory() as folder:
                answer = write(each, folder)
                expected = {"shape": answer["shape"], "data": answer["data"]}
                if each["written"] is None and each["resized"] is None and expected["data"] != each["data"]:
                    raise ValueError(f"{title} does not read back its own: {each['name']}")
                arrays.append({"writer": title, "name": each["name"], **expected, "store": files.encode(files.read_folder(folder))})
    versions = {"zarr-python": rectilinear.VERSIONS, "zarrs": {"zarrs": zarrs["version"]}}
    with open(PATH, "w", encoding="utf-8") as file:
        file.write(json.dumps({"versions": versions})[:-1] + ',\n"arrays": [\n')
        file.write(",\n".join(json.dumps(array) for array in arrays) + "\n]}\n")
    print(f"{len(arrays)} arrays, {os.path.getsize(PATH)} bytes")


main()
