"""Writes AnnData and SpatialData as anndata and spatialdata write them, and what anndata reads of them, as JSON.

    python make_anndata_fixtures.py FILE [SEED COUNT | CLONE]

With a seed, COUNT random annotated matrices; with a clone of anndata's repository, those that its earlier
releases wrote; otherwise those of test/fixtures/anndata.json. NaN and missing values are null. Needs anndata, spatialdata and zarr as pinned in requirements-conventions.txt.
"""

import base64
import json
import math
import pathlib
import sys
import tempfile
import warnings
import zipfile

import anndata
import numpy as np
import pandas as pd
import scipy.sparse

warnings.filterwarnings("ignore")
anndata.settings.allow_write_nullable_strings = True
TEXTS = ["a", "", "Zürich", "日本", "x" * 40, "a b", "é", "😀"]


def column(random, rows):
    kind = random.integers(0, 9)
    missing = random.random(rows) < 0.3
    if kind == 0:
        return random.normal(size=rows).astype(random.choice(["float32", "float64"]))
    if kind == 1:
        return random.integers(0, 100, rows).astype(random.choice(["int8", "uint16", "int32", "int64", "uint64"]))
    if kind == 2:
        return random.random(rows) < 0.5
    if kind == 3:
        return random.choice(TEXTS, rows).astype(object)
    if kind == 4:
        dtype = str(random.choice(["Int8", "UInt32", "Int64"]))
        values = pd.array(random.integers(0 if dtype == "UInt32" else -5, 9, rows), dtype=dtype)
        values[missing] = pd.NA
        return values
    if kind == 5:
        values = pd.array(random.random(rows) < 0.5, dtype="boolean")
        values[missing] = pd.NA
        return values
    if kind == 6:
        values = pd.array(random.choice(TEXTS, rows), dtype="string")
        values[missing] = pd.NA
        return values
    categories = TEXTS if kind == 7 else [1, 3, 5, 7]
    codes = random.integers(0, len(categories), rows)
    return pd.Categorical.from_codes(np.where(missing, -1, codes), categories, ordered=bool(kind == 8))


def table(random, rows, columns, prefix):
    data = {f"{prefix}{i} ü": column(random, rows) for i in range(columns)}
    frame = pd.DataFrame(data, index=[f"{prefix}-{i}" for i in range(rows)])
    if random.random() < 0.3:
        frame.index.name = "named"
    return frame


def matrix(random, rows, columns):
    kind = random.integers(0, 3)
    dtype = random.choice(["float32", "float64", "int32", "int64", "uint8"])
    values = np.where(random.random((rows, columns)) < 0.3, random.integers(1, 100, (rows, columns)), 0).astype(dtype)
    return values if kind == 0 else (scipy.sparse.csr_matrix if kind == 1 else scipy.sparse.csc_matrix)(values)


def annotated(random, rows, columns):
    data = anndata.AnnData(
        matrix(random, rows, columns), obs=table(random, rows, 6, "obs"), var=table(random, columns, 3, "var")
    )
    data.layers["counts"] = matrix(random, rows, columns)
    data.layers["more"] = matrix(random, rows, columns)
    data.obsm["X_umap"] = random.normal(size=(rows, 2))
    data.obsp["distances"] = matrix(random, rows, rows)
    data.uns["title"] = "random"
    return data


def plain(value):
    """As JSON has it."""
    if value is pd.NA or value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    return value.item() if isinstance(value, np.generic) else value


def expected_table(frame):
    return {
        "index": [str(each) for each in frame.index],
        "columns": {
            name: [plain(value) for value in frame[name].astype(object)] for name in frame.columns
        },
        "ordered": {
            name: bool(frame[name].cat.ordered)
            for name in frame.columns
            if isinstance(frame[name].dtype, pd.CategoricalDtype)
        },
    }


def expected_matrix(values):
    kind = "dense"
    if scipy.sparse.issparse(values):
        kind = values.format
        values = values.toarray()
    return {"kind": kind, "shape": list(values.shape), "values": values.ravel().tolist()}


def expected(data):
    matrices = {"X": data.X, **{f"layers/{name}": value for name, value in data.layers.items()}}
    matrices |= {f"obsm/{name}": value for name, value in data.obsm.items() if not isinstance(value, pd.DataFrame)}
    matrices |= {f"obsp/{name}": value for name, value in data.obsp.items()}
    return {
        "obs": expected_table(data.obs),
        "var": expected_table(data.var),
        "matrices": {path: expected_matrix(value) for path, value in matrices.items() if value is not None},
    }


def files(folder, skip=()):
    found = [path for path in pathlib.Path(folder).rglob("*") if path.is_file()]
    keys = {each: f"/{each.relative_to(folder)}" for each in sorted(found)}
    return {
        key: base64.b64encode(path.read_bytes()).decode()
        for path, key in keys.items()
        if not any(part in key for part in skip)
    }


def stored(data, zarr_format, **options):
    with tempfile.TemporaryDirectory() as folder:
        anndata.settings.zarr_write_format = zarr_format
        data.write_zarr(folder, **options)
        return {"files": files(folder), "expected": expected(anndata.read_zarr(folder))}


def spatial():
    import spatialdata
    from spatialdata.datasets import blobs

    with tempfile.TemporaryDirectory() as folder:
        sample = blobs(length=16, n_points=5)
        sample.write(f"{folder}/blobs.zarr")
        table = spatialdata.read_zarr(f"{folder}/blobs.zarr").tables["table"]
        names = {kind: sorted(getattr(sample, kind)) for kind in ["images", "labels", "points", "shapes", "tables"]}
        # Of pyramids one level will do, and files of Parquet are not read.
        return {
            "files": files(f"{folder}/blobs.zarr", skip=("/s1/", "/s2/", ".parquet")),
            "expected": expected(table),
            "names": names,
            "attributes": table.uns["spatialdata_attrs"],
        }


def fixtures():
    random = np.random.default_rng(55)
    return {
        "v3": stored(annotated(random, 9, 5), 3),
        "v2": stored(annotated(random, 7, 6), 2),
        "chunked": stored(annotated(random, 20, 11), 3, chunks=(4, 3)),
        "empty": stored(anndata.AnnData(np.zeros((0, 3), "float32")), 3),
        "spatial": spatial(),
    }


def archives(clone):
    """The stores of Zarr that anndata keeps of its earlier releases."""
    made = {}
    for archive in sorted(pathlib.Path(clone).glob("tests/data/archives/*/adata.zarr.zip")):
        with tempfile.TemporaryDirectory() as folder:
            zipfile.ZipFile(archive).extractall(folder)
            made[archive.parent.name] = {"files": files(folder), "expected": expected(anndata.read_zarr(folder))}
    return made


file, *rest = sys.argv[1:]
if len(rest) == 1:
    made = archives(rest[0])
elif rest:
    seed, count = map(int, rest)
    random = np.random.default_rng(seed)
    made = {
        f"random {seed} {i}": stored(
            annotated(random, int(random.integers(1, 40)), int(random.integers(1, 30))), int(random.choice([2, 3]))
        )
        for i in range(count)
    }
else:
    made = fixtures()
pathlib.Path(file).write_text(json.dumps(made, separators=(",", ":"), ensure_ascii=False) + "\n")
