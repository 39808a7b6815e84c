"""Writes test/fixtures/references-parquet.json: folders of references in Parquet as kerchunk and fsspec write them (base64, by path), the JSON
document that they were made of, and what fsspec reads of each folder, by key. It needs an environment of its own:

    pip install kerchunk fastparquet pyarrow
    python scripts/oracles/make_parquet_reference_fixtures.py test/fixtures/references-parquet.json
"""

import base64
import json
import sys
import tempfile
from pathlib import Path

import fastparquet
import fsspec
import kerchunk
import kerchunk.df
import pandas
from fsspec.implementations.reference import LazyReferenceMapper

HOST = "http://files.test"


def array(shape, chunks, **more):
    document = {"zarr_format": 2, "shape": shape, "chunks": chunks, "dtype": "|u1", "compressor": None}
    return json.dumps({**document, "filters": None, "fill_value": 255, "order": "C", **more})


def references():
    """Ranges of several files, whole files, inlined data, and chunks that are missing; records of 8."""
    refs = {".zgroup": json.dumps({"zarr_format": 2}), ".zattrs": json.dumps({"title": "Höhe"})}
    # 30 chunks in four records: one file, so that its name is a category. The third record is missing.
    refs["many/.zarray"] = array([6, 20], [1, 4])
    refs["many/.zattrs"] = json.dumps({"units": "m"})
    for i in range(30):
        if i // 8 != 2 and i not in (3, 9):
            refs[f"many/{i // 5}.{i % 5}"] = [f"{HOST}/many.bin", 16 * i, 4]
    # Each chunk in another way.
    refs["mixed/.zarray"] = array([24], [4])
    refs["mixed/0"] = [f"{HOST}/four.bin"]
    refs["mixed/1"] = "base64:" + base64.b64encode(bytes([200, 0, 201, 0])).decode()
    refs["mixed/2"] = "text"
    refs["mixed/4"] = [f"{HOST}/many.bin", 0, 4]
    refs["mixed/5"] = [f"{HOST}/other.bin", 2000, 4]
    refs["deep/.zgroup"] = json.dumps({"zarr_format": 2})
    refs["deep/scalar/.zarray"] = array([], [])
    refs["deep/scalar/0"] = [f"{HOST}/many.bin", 77, 1]
    return refs


def hostile():
    """What kerchunk would write, too."""
    refs = {"near/.zarray": array([12], [4]), "before/.zarray": array([4], [4]), "negative/.zarray": array([4], [4])}
    refs["near/0"] = ["http://localhost:9000/a", 0, 4]
    refs["near/1"] = ["file:///etc/passwd"]
    refs["near/2"] = ["http://[::ffff:127.0.0.1]/b"]
    refs["before/0"] = [f"{HOST}/many.bin", -4, 4]
    refs["negative/0"] = [f"{HOST}/many.bin", 4, -4]
    return refs


def files_of(root):
    files = {str(path.relative_to(root)): path for path in sorted(root.rglob("*")) if path.is_file()}
    return {name: base64.b64encode(path.read_bytes()).decode() for name, path in files.items()}


def read(root, keys):
    """The files of a folder, and what fsspec reads of it."""
    mapper = LazyReferenceMapper(str(root), engine=root.stem)
    values = {}
    for key in sorted(set(keys)):
        value = mapper.get(key)
        # fsspec makes NaN of a missing chunk if paths are categories.
        if value is None or not isinstance(value, (bytes, str)) and value[0] != value[0]:
            values[key] = None
        elif isinstance(value, bytes):
            values[key] = base64.b64encode(value).decode()
        else:
            values[key] = [part if isinstance(part, str) else int(part) for part in value]
    return {"files": files_of(root), "values": values}


def main(target):
    folder = Path(tempfile.mkdtemp())
    refs = references()
    kerchunk.df.refs_to_dataframe(refs, str(folder / "fastparquet.parq"), record_size=8, categorical_threshold=3)
    kerchunk.df.refs_to_dataframe(hostile(), str(folder / "hostile.parq"), record_size=8)
    frame = pandas.read_parquet(folder / "fastparquet.parq" / "mixed" / "refs.0.parq")
    compressed = {}
    for name in ("none", "snappy", "gzip"):
        fastparquet.write(str(folder / name), frame, compression=None if name == "none" else name.upper())
        compressed[name] = base64.b64encode((folder / name).read_bytes()).decode()
    out = LazyReferenceMapper.create(str(folder / "pyarrow.parq"), record_size=8, engine="pyarrow", categorical_threshold=3)
    for key in sorted(refs):
        out[key] = refs[key]
    out.flush()
    keys = [*refs, *(f"many/{i // 5}.{i % 5}" for i in range(30)), "mixed/3"]
    fixtures = {
        "kerchunk": kerchunk.__version__,
        "fsspec": fsspec.__version__,
        "document": {"version": 1, "refs": refs},
        "folders": {name: read(folder / f"{name}.parq", keys) for name in ("fastparquet", "pyarrow")},
        # mixed/refs.0.parq with other compressors.
        "compressed": compressed,
        "hostile": files_of(folder / "hostile.parq"),
    }
    Path(target).write_text(json.dumps(fixtures, indent=1, ensure_ascii=False) + "\n")


main(sys.argv[1])
