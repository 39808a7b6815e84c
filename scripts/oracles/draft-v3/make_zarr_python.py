#!/usr/bin/python3
"""Writes small draft-v3 hierarchies with zarr-python 2.13.6 (Debian bookworm
python3-zarr), ZARR_V3_EXPERIMENTAL_API=1.   usage: make_zarr_python.py OUTDIR WORKDIR
"""
import json, os, shutil, sys, warnings
os.environ["ZARR_V3_EXPERIMENTAL_API"] = "1"
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import numpy as np
import numcodecs
import zarr
from zarr._storage.v3 import DirectoryStoreV3
import common

warnings.simplefilter("ignore")
OUT, WORK = sys.argv[1], sys.argv[2]
GEN = f"zarr-python {zarr.__version__} / numcodecs {numcodecs.__version__} / numpy {np.__version__}, ZARR_V3_EXPERIMENTAL_API=1"


def fresh(name):
    d = os.path.join(WORK, name)
    shutil.rmtree(d, ignore_errors=True)
    return d


def add(nodes, a, path, notes=None, data=None):
    """record an array as zarr-python itself reads it back"""
    v = a[...] if data is None else data
    meta = json.loads(a.store[a._key_prefix and "meta/root/" + a.path + ".array.json" or "meta/root.array.json"])
    nodes[path] = {
        "type": "array",
        "shape": meta["shape"], "data_type": meta["data_type"],
        "chunk_shape": meta["chunk_grid"]["chunk_shape"], "separator": meta["chunk_grid"]["separator"],
        "order": meta["chunk_memory_layout"], "fill_value": meta["fill_value"],
        "compressor": meta.get("compressor"), "attributes": meta["attributes"],
        "expected": common.values(v) if v.dtype.kind in "biufcMm" else None,
    }
    if nodes[path]["expected"] is None:
        nodes[path]["expected"] = {"flat": [x.decode() if isinstance(x, bytes) else (x if isinstance(x, str) else repr(x)) for x in v.reshape(-1)]}
    if notes:
        nodes[path]["notes"] = notes


def main_tree():
    d = fresh("zarr-python-main")
    store = DirectoryStoreV3(d)
    nodes = {}
    root = zarr.group(store=store, path="", zarr_version=3) if False else None
    # explicit group with attributes, made through the group API
    g = zarr.group(store=store, path="explicit", zarr_version=3)
    g.attrs["title"] = "explicit group"
    g.attrs["nested"] = {"a": [1, 2.5, None, True], "unicode": "\u03b1\u00e9"}
    base = np.arange(35, dtype="i4").reshape(7, 5) * 1000 - 7

    def mk(path, data, **kw):
        kw.setdefault("compressor", None)
        kw.setdefault("fill_value", 0)
        a = zarr.create(data.shape, dtype=data.dtype, store=store, path=path, zarr_version=3, **kw)
        a[...] = data
        return a

    a = mk("explicit/i4_le", base.astype("<i4"), chunks=(3, 2))
    a.attrs["units"] = "m"; a.attrs["valid_range"] = [0, 34]
    add(nodes, a, "/explicit/i4_le")
    a = mk("explicit/i4_be", base.astype(">i4"), chunks=(3, 2)); add(nodes, a, "/explicit/i4_be")
    # array below groups that nobody created
    a = mk("implicit/deep/u2_be_dot", base.astype(">u2"), chunks=(4, 5), dimension_separator="."); add(nodes, a, "/implicit/deep/u2_be_dot")

    # NaN fill with chunks missing
    a = zarr.create((6,), chunks=(2,), dtype="<f8", fill_value=np.nan, compressor=None, store=store, path="fill/f8_nan", zarr_version=3)
    a[2:4] = [1.5, -2.25]; add(nodes, a, "/fill/f8_nan", "only chunk 1 stored")
    a = zarr.create((4,), chunks=(2,), dtype=">f8", fill_value=np.inf, compressor=None, store=store, path="fill/f8_be_posinf", zarr_version=3)
    a[0:1] = [0.1]; add(nodes, a, "/fill/f8_be_posinf", "chunk 0 stored, its second element is the fill value")
    a = zarr.create((4,), chunks=(2,), dtype="<f4", fill_value=-np.inf, compressor=None, store=store, path="fill/f4_neginf", zarr_version=3)
    add(nodes, a, "/fill/f4_neginf", "no chunk stored")
    a = zarr.create((4,), chunks=(2,), dtype="<f4", fill_value=0.1, compressor=None, store=store, path="fill/f4_tenth", zarr_version=3)
    add(nodes, a, "/fill/f4_tenth", "0.1 as float32 widened to double in JSON; no chunk stored")
    a = zarr.create((3,), chunks=(3,), dtype="<f2", fill_value=-1.5, compressor=None, store=store, path="fill/f2", zarr_version=3)
    add(nodes, a, "/fill/f2", "no chunk stored")
    a = zarr.create((2,), chunks=(1,), dtype="<u8", fill_value=2**64 - 1, compressor=None, store=store, path="fill/u8_max", zarr_version=3)
    a[0] = 2**53 + 1; add(nodes, a, "/fill/u8_max", "fill beyond 2^53")
    a = zarr.create((2,), chunks=(1,), dtype=">i8", fill_value=-2**63, compressor=None, store=store, path="fill/i8_min", zarr_version=3)
    a[1] = -(2**53 + 1); add(nodes, a, "/fill/i8_min")
    a = zarr.create((3,), chunks=(2,), dtype="i1", fill_value=None, compressor=None, store=store, path="fill/i1_null", zarr_version=3)
    a[0:2] = [-128, 127]; add(nodes, a, "/fill/i1_null", "fill_value null: last element is undefined by the spec",
                              data=np.array([-128, 127, 0], "i1"))
    a = zarr.create((5,), chunks=(2,), dtype="bool", fill_value=True, compressor=None, store=store, path="fill/bool", zarr_version=3)
    a[0:2] = [False, True]; add(nodes, a, "/fill/bool")

    # memory layout
    a = mk("layout/f_order", base.astype("<i4"), chunks=(3, 2), order="F"); add(nodes, a, "/layout/f_order")
    a = mk("layout/f_order_3d_gzip", np.arange(60, dtype=">f4").reshape(3, 4, 5), chunks=(2, 3, 4), order="F", compressor=numcodecs.GZip(level=5)); add(nodes, a, "/layout/f_order_3d_gzip")

    # compressors
    for name, c in {
        "gzip": numcodecs.GZip(level=1), "zlib": numcodecs.Zlib(level=1),
        "blosc_lz4": numcodecs.Blosc(cname="lz4", clevel=5, shuffle=numcodecs.Blosc.SHUFFLE),
        "blosc_zstd_bit": numcodecs.Blosc(cname="zstd", clevel=3, shuffle=numcodecs.Blosc.BITSHUFFLE),
        "bz2": numcodecs.BZ2(level=1), "lz4": numcodecs.LZ4(acceleration=1),
        "lzma": numcodecs.LZMA(preset=1), "zstd": numcodecs.Zstd(level=3),
    }.items():
        try:
            a = mk("codec/" + name, base.astype("<i4"), chunks=(4, 5), compressor=c)
            add(nodes, a, "/codec/" + name, data=base.astype("<i4"),
                notes=("URI 'https://purl.org/zarr/spec/codec/' names no codec: a zarr-python bug, it cannot read it back itself"
                       if name == "zstd" else None))
        except Exception as e:
            print("codec", name, type(e).__name__, e)
            nodes["/codec/" + name] = {"type": "array", "expect": "error", "shape": [7, 5], "notes":
                "zarr-python knows no URI for this codec and writes 'https://purl.org/zarr/spec/codec/' (no name): it cannot read its own array; no chunk stored"}

    # shapes
    a = zarr.create((), dtype="<f8", fill_value=np.nan, store=store, path="shape/zero_d", zarr_version=3)
    a[...] = 42.5; add(nodes, a, "/shape/zero_d", "zarr-python (2.12 to 2.18) stores the one chunk under .../c0; the draft says .../c")
    a = zarr.create((), dtype=">i2", fill_value=7, store=store, path="shape/zero_d_unset", zarr_version=3)
    add(nodes, a, "/shape/zero_d_unset", "no chunk stored")
    a = zarr.create((0, 3), chunks=(1, 2), dtype="<i4", fill_value=0, compressor=None, store=store, path="shape/empty_dim", zarr_version=3)
    add(nodes, a, "/shape/empty_dim")
    a = mk("shape/four_d", np.arange(16, dtype="u1").reshape(2, 2, 2, 2), chunks=(1, 2, 1, 2)); add(nodes, a, "/shape/four_d")

    # names
    a = mk("names/A-Z_0.9", np.array([1, 2], "u1"), chunks=(2,)); add(nodes, a, "/names/A-Z_0.9", "'.' in a node name")

    # extension data types as zarr-python spells them
    a = mk("ext/datetime", np.array(["2020-10-16", "NaT", "1970-01-01"], "<M8[ns]"), chunks=(2,), fill_value=None); add(nodes, a, "/ext/datetime")
    a = mk("ext/timedelta_be", np.array([1, -5, 7], ">m8[s]"), chunks=(3,), fill_value=None); add(nodes, a, "/ext/timedelta_be")
    a = mk("ext/complex", np.array([1 + 2j, -3.5j], "<c16"), chunks=(2,), fill_value=complex(0, 0)); add(nodes, a, "/ext/complex")
    a = mk("ext/complex8_be", np.array([1 + 2j, -3.5j], ">c8"), chunks=(2,), fill_value=None); add(nodes, a, "/ext/complex8_be")
    a = mk("ext/bytes_S4", np.array([b"ab", b"abcd", b""], "S4"), chunks=(2,), fill_value=b""); add(nodes, a, "/ext/bytes_S4")
    a = mk("ext/unicode_U3_be", np.array(["a", "\u03b1\u03b2", ""], ">U3"), chunks=(3,), fill_value=""); add(nodes, a, "/ext/unicode_U3_be")
    rec = np.array([(1, 2.5), (-3, 4.25)], dtype=[("x", ">i2"), ("y", "<f8")])
    try:
        a = mk("ext/struct", rec, chunks=(2,), fill_value=None)
        add(nodes, a, "/ext/struct")
        nodes["/ext/struct"]["expected"] = {"flat": [[1, 2.5], [-3, 4.25]]}
    except Exception as e:
        print("struct", type(e).__name__, e)
    try:
        a = zarr.create((3,), chunks=(2,), dtype=object, object_codec=numcodecs.VLenUTF8(), fill_value="", compressor=None, store=store, path="ext/vlen_utf8", zarr_version=3)
        a[...] = np.array(["", "hello", "\u03b1"], dtype=object); add(nodes, a, "/ext/vlen_utf8", "zarr-python hides the object codec in attributes.filters; item encoding is VLenUTF8")
    except Exception as e:
        print("vlen", type(e).__name__, e)
    try:
        a = zarr.create((4,), chunks=(2,), dtype="<i4", filters=[numcodecs.Delta(dtype="<i4")], fill_value=0, compressor=None, store=store, path="ext/delta_filter", zarr_version=3)
        a[...] = [10, 12, 15, 11]; add(nodes, a, "/ext/delta_filter", "zarr-python writes v2-style filters under attributes.filters (not in the draft); chunks are delta-encoded")
    except Exception as e:
        print("filter", type(e).__name__, e)

    # explicit and implicit groups as the store actually holds them
    ks = common.keys_of(d)
    groups = {}
    for k in ks:
        if k.startswith("meta/root/") or k.startswith("meta/root."):
            if k.endswith(".group.json"):
                p = k[len("meta/root"):-len(".group.json")] or "/"
                groups[p] = "explicit_group"
    for p in list(nodes) + list(groups):
        q = p
        while q not in ("/", ""):
            q = q.rsplit("/", 1)[0] or "/"
            groups.setdefault(q, "implicit_group")
    for p, t in groups.items():
        attrs = None
        if t == "explicit_group":
            attrs = json.loads(common.read(d, "meta/root" + (p if p != "/" else "") + ".group.json"))["attributes"]
        nodes[p] = {"type": t, "attributes": attrs}
    common.zip_tree(d, os.path.join(OUT, "zarr-python-2.13.6-main.zip"))
    return d, {"generator": GEN, "zip": "zarr-python-2.13.6-main.zip", "nodes": dict(sorted(nodes.items())), "keys": common.key_table(d)}


def root_array_tree():
    d = fresh("zarr-python-root-array")
    store = DirectoryStoreV3(d)
    nodes = {}
    out = {"generator": GEN, "zip": "zarr-python-2.13.6-root-array.zip"}
    try:
        a = zarr.create((3, 4), chunks=(2, 3), dtype="<u2", fill_value=9, compressor=numcodecs.GZip(level=1), store=store, path=None, zarr_version=3)
        a[0:2, :] = np.arange(8).reshape(2, 4)
        a.attrs["root"] = True
        add(nodes, a, "/")
        out["nodes"] = nodes
    except Exception as e:
        print("root array:", type(e).__name__, e)
        out["error"] = f"{type(e).__name__}: {e}"
    out["keys"] = common.key_table(d)
    common.zip_tree(d, os.path.join(OUT, out["zip"]))
    return d, out


if __name__ == "__main__":
    trees = [main_tree(), root_array_tree()]
    for d, m in trees:
        common.write_manifest(os.path.join(OUT, m["zip"].replace(".zip", ".manifest.json")), m)
