"""Shared helpers: walk a directory tree of a store, zip it, describe it.

Only needs numpy and the standard library.
"""
import hashlib
import json
import math
import os
import zipfile

import numpy as np


def keys_of(root):
    out = []
    for dirpath, dirs, files in os.walk(root):
        dirs.sort()
        for f in files:
            p = os.path.join(dirpath, f)
            out.append(os.path.relpath(p, root).replace(os.sep, "/"))
    return sorted(out)


def read(root, key):
    with open(os.path.join(root, *key.split("/")), "rb") as f:
        return f.read()


def zip_tree(root, dest):
    """Deterministic zip: sorted keys, no directory entries, fixed date, deflate."""
    with zipfile.ZipFile(dest, "w", zipfile.ZIP_DEFLATED) as z:
        for k in keys_of(root):
            zi = zipfile.ZipInfo(k, date_time=(1980, 1, 1, 0, 0, 0))
            zi.compress_type = zipfile.ZIP_DEFLATED
            zi.external_attr = 0o644 << 16
            z.writestr(zi, read(root, k))


def key_table(root):
    return {k: {"bytes": len(read(root, k)), "sha256": hashlib.sha256(read(root, k)).hexdigest()[:16]}
            for k in keys_of(root)}


def scalar(v, kind):
    if kind == "b":
        return bool(v)
    if kind in "iu":
        return str(int(v))          # always strings: 64-bit safe
    if kind == "f":
        f = float(v)
        if math.isnan(f):
            return "NaN"
        if math.isinf(f):
            return "Infinity" if f > 0 else "-Infinity"
        return f
    raise TypeError(kind)


def values(arr):
    """Flat C-order list of values plus the C-order little-endian bytes in hex."""
    a = np.asarray(arr)
    kind = a.dtype.kind
    flat = a.reshape(-1)            # C order
    le = flat.astype(a.dtype.newbyteorder("<"))
    d = {"le_hex": le.tobytes().hex()}
    if kind in "biuf":
        d["flat"] = [scalar(v, kind) for v in flat]
    elif kind == "c":
        d["flat"] = [[scalar(v.real, "f"), scalar(v.imag, "f")] for v in flat]
    elif kind in "Mm":
        d["flat"] = [str(int(v)) for v in flat.view("i8" if a.dtype.byteorder != ">" else ">i8")]
        d["note"] = "int64 ticks"
    else:
        d["flat"] = [repr(v) for v in flat]
    return d


def write_manifest(path, m):
    with open(path, "w") as f:
        json.dump(m, f, indent=1, ensure_ascii=False, allow_nan=False)
        f.write("\n")
