#!/usr/bin/env python3
"""Hand-made hierarchies that follow the 2020 draft's text literally (no Zarr library involved),
including what no real writer exercises.  usage: make_spec.py OUTDIR WORKDIR
"""
import gzip, io, json, os, shutil, struct, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import numpy as np
import common

OUT, WORK = sys.argv[1], sys.argv[2]
CORE = "https://purl.org/zarr/spec/protocol/core/3.0"
GZ = "https://purl.org/zarr/spec/codec/gzip/1.0"
GEN = "hand-made from the text of the draft (scripts/make_spec.py)"


class Tree:
    def __init__(self, name, suffix=".json", entry=None):
        self.name, self.suffix = name, suffix
        self.d = os.path.join(WORK, name); shutil.rmtree(self.d, ignore_errors=True)
        self.nodes = {}
        self.put("zarr.json", entry or {"zarr_format": CORE, "metadata_encoding": CORE, "metadata_key_suffix": suffix, "extensions": []})

    def put(self, key, v):
        if not isinstance(v, (bytes, bytearray)):
            v = json.dumps(v, indent=4, ensure_ascii=False).encode()
        p = os.path.join(self.d, *key.split("/")); os.makedirs(os.path.dirname(p), exist_ok=True)
        with open(p, "wb") as f:
            f.write(v)

    def group(self, path, attrs, **extra):
        self.put("meta/root" + (path if path != "/" else "") + ".group" + self.suffix, {"attributes": attrs, **extra})
        self.nodes[path] = {"type": "explicit_group", "attributes": attrs}

    def array(self, path, shape, data_type, chunk_shape, fill, data=None, dtype=None, chunks=None, sep="/", order="C", gz=None,
              attrs=None, drop=(), extra=None, expect="ok", notes=None, expected=None):
        grid = {"type": "regular", "chunk_shape": list(chunk_shape)}
        if sep is not None:
            grid["separator"] = sep
        m = {"shape": list(shape), "data_type": data_type, "chunk_grid": grid, "chunk_memory_layout": order,
             "fill_value": fill, "extensions": [], "attributes": attrs or {}}
        if gz is not None:
            m["compressor"] = {"codec": GZ, "configuration": {"level": gz}}
        m.update(extra or {})
        for k in drop:
            m.pop(k)
        self.put("meta/root" + (path if path != "/" else "") + ".array" + self.suffix, m)
        if data is not None:
            data = np.asarray(data, dtype=dtype)
            ncs = [-(-s // c) if c else 0 for s, c in zip(shape, chunk_shape)]
            for ix in np.ndindex(*ncs):
                if chunks is not None and tuple(ix) not in chunks:
                    continue
                block = np.zeros(chunk_shape, dtype=dtype)
                sl = tuple(slice(i * c, min((i + 1) * c, s)) for i, c, s in zip(ix, chunk_shape, shape))
                sub = data[sl]
                block[tuple(slice(0, n) for n in sub.shape)] = sub
                raw = block.tobytes(order=order)
                if gz is not None:
                    b = io.BytesIO()
                    with gzip.GzipFile(fileobj=b, mode="wb", compresslevel=gz, mtime=0) as f:
                        f.write(raw)
                    raw = b.getvalue()
                ident = "c" + (sep if sep is not None else "/").join(map(str, ix))
                self.put("data/root/" + (path[1:] + "/" if path != "/" else "") + ident, raw)
        n = {"type": "array", "expect": expect, "shape": m.get("shape"), "data_type": m.get("data_type"), "chunk_shape": list(chunk_shape), "separator": sep,
             "order": order, "fill_value": m.get("fill_value"), "compressor": m.get("compressor"), "attributes": attrs or {}}
        if expect != "error" and expected is not None:
            n["expected"] = expected
        elif expect != "error" and data is not None:
            n["expected"] = common.values(data)
        if notes:
            n["notes"] = notes
        self.nodes[path] = n

    def done(self, notes=None, expect="ok"):
        # implied groups
        for p in list(self.nodes):
            q = p
            while q not in ("/", ""):
                q = q.rsplit("/", 1)[0] or "/"
                self.nodes.setdefault(q, {"type": "implicit_group", "attributes": None})
        z = self.name + ".zip"
        common.zip_tree(self.d, os.path.join(OUT, z))
        m = {"generator": GEN, "zip": z, "expect_open": expect, "nodes": dict(sorted(self.nodes.items())), "keys": common.key_table(self.d)}
        if notes:
            m["notes"] = notes
        common.write_manifest(os.path.join(OUT, self.name + ".manifest.json"), m)


def store_ops():
    """the text's own listing examples, and what erasing should leave (recommended reading)"""
    m = {
        "list": [
            {"keys": ["a/b", "a/c/d", "e/f/g"], "list_prefix": {"a/": ["a/b", "a/c/d"]}, "source": "text"},
            {"keys": ["a/b", "a/c", "a/d/e", "a/f/g"], "list_dir": {"a/": {"keys": ["a/b", "a/c"], "prefixes": ["a/d/", "a/f/"]}, "b/": {"keys": [], "prefixes": []}}, "source": "text"},
            {"keys": ["meta/root/foo/bar.group.json", "meta/root/foo/baz/qux.array.json"],
             "list_dir": {"meta/root/foo/": {"keys": ["meta/root/foo/bar.group.json"], "prefixes": ["meta/root/foo/baz/"]}},
             "children": {"/foo": {"bar": "explicit_group", "baz": "implicit_group"}, "/": {"foo": "implicit_group"}, "/foo/baz": {"qux": "array"}, "/foo/bar": {}},
             "source": "text, with the key typo 'meta/root/foo/bar/baz/qux.array.json' put right"},
            {"keys": ["meta/root/g/x.array.json", "meta/root/g/x/y.array.json", "meta/root/g.group.json"],
             "children": {"/": {"g": "explicit_group"}, "/g": {"x": "array"}}, "source": "recommended: a document wins over the implied group of the same name"},
        ],
        "key_valid": {"a": True, "a/b.c-d_E9": True, "a/": False, "": False, "a b": False, "\u00e9": False, "a\\b": False},
        "erase": [
            {"before": ["zarr.json", "meta/root/foo.array.json", "meta/root/foobar.array.json", "data/root/foo/c0", "data/root/foobar/c0"], "erase": "/foo",
             "after": ["zarr.json", "meta/root/foobar.array.json", "data/root/foobar/c0"]},
            {"before": ["zarr.json", "meta/root/g.group.json", "meta/root/g/a.array.json", "meta/root/g/h/b.array.json", "data/root/g/a/c0", "data/root/g/h/b/c0", "meta/root/ga.group.json"],
             "erase": "/g", "after": ["zarr.json", "meta/root/ga.group.json"]},
            {"before": ["zarr.json", "meta/root/i/j/a.array.json", "data/root/i/j/a/c0"], "erase": "/i/j", "after": ["zarr.json"], "gone": ["/i", "/i/j"],
             "note": "the implied parent goes too, unless it is reified first"},
            {"before": ["zarr.json", "meta/root.group.json", "meta/root/a.array.json", "data/root/a/c0"], "erase": "/", "after": ["zarr.json"],
             "note": "root: the text's formula gives 'meta/root//'; use 'meta/root/' and 'data/root/'"},
            {"before": ["zarr.json", "meta/root.array.json", "data/root/c0"], "erase": "/", "after": ["zarr.json"]},
        ],
        "grid": {"index_to_identifier": [[[1, 23, 45], "/", "c1/23/45"], [[1, 23, 45], ".", "c1.23.45"], [[], "/", "c"], [[0], "/", "c0"]],
                 "element_to_chunk": {"shape": [10, 200, 3000], "chunk_shape": [5, 20, 400], "grid_shape": [2, 10, 8], "element": [7, 150, 900], "chunk": [1, 7, 2], "within": [2, 10, 100]}},
        "paths": {"array_meta": {"/foo/baz": "meta/root/foo/baz.array.json", "/": "meta/root.array.json"},
                  "group_meta": {"/foo/bar": "meta/root/foo/bar.group.json", "/": "meta/root.group.json"},
                  "data": [["/foo/baz", [0, 0], "data/root/foo/baz/c0/0"], ["/", [0, 0], "data/root/c0/0"]]},
    }
    common.write_manifest(os.path.join(OUT, "store-ops.json"), m)


def full(n, v, dt):
    return np.full(n, v, dtype=dt)


def main():
    t = Tree("spec-main")
    base = np.arange(35).reshape(7, 5) * 1000 - 7
    t.group("/", {"root": "explicit"})
    t.group("/foo", {"spam": "ham", "eggs": 42})
    t.group("/foo/empty", {})
    for dt in ("i1", "u1", "<i2", ">i2", "<i4", ">i4", "<i8", ">i8", "<u2", ">u2", "<u4", ">u4", "<u8", ">u8", "<f2", ">f2", "<f4", ">f4", "<f8", ">f8"):
        nm = {"<": "le_", ">": "be_"}.get(dt[0], "n_") + dt.strip("<>")
        b = (np.arange(35).reshape(7, 5) - 3) if dt in ("i1", "u1") else base
        t.array("/types/" + nm, (7, 5), dt, (3, 2), 0, data=b.astype(dt), dtype=dt)
    t.array("/types/bool", (5,), "bool", (2,), True, data=np.array([False, True, True, True, True]), dtype="bool", chunks={(0,)})
    # raw
    raw = bytes(range(1, 13))
    t.array("/raw/r24", (4,), "r24", (2,), None, data=np.frombuffer(raw, dtype="V3"), dtype="V3",
            expected={"flat": ["010203", "040506", "070809", "0a0b0c"], "le_hex": raw.hex(), "note": "elements as hex, stored order"})
    t.array("/raw/r8_hexfill", (2,), "r8", (1,), "0xfe", expected={"flat": ["fe", "fe"], "le_hex": "fefe"})
    t.array("/raw/r16_binfill", (2,), "r16", (1,), "0b0000000111111111", expected={"flat": ["01ff", "01ff"], "le_hex": "01ff01ff", "note": "raw bytes in the order of the digits"})
    # fill value spellings, no chunk stored
    qnan = struct.pack(">Q", 0x7FF8000000000001)[::-1]
    t.array("/fill/nan", (2,), "<f8", (2,), "NaN", expected=common.values(full(2, np.nan, "<f8")))
    t.array("/fill/posinf", (2,), "<f8", (2,), "+Infinity", expected=common.values(full(2, np.inf, "<f8")))
    t.array("/fill/neginf", (2,), ">f4", (2,), "-Infinity", expected=common.values(full(2, -np.inf, ">f4")))
    t.array("/fill/infinity_unsigned", (2,), "<f8", (2,), "Infinity", expected=common.values(full(2, np.inf, "<f8")),
            notes="not in the text, but what zarr-python and GDAL write for +inf")
    t.array("/fill/hex_nan_payload", (2,), "<f8", (2,), "0x7ff8000000000001", expected={"flat": ["NaN", "NaN"], "le_hex": (qnan * 2).hex()},
            notes="read as the number's bits, most significant digit first, whatever the byte order of data_type")
    t.array("/fill/hex_be", (2,), ">f4", (2,), "0x3fc00000", expected=common.values(full(2, 1.5, ">f4")), notes="1.5; same digits as for <f4")
    t.array("/fill/hex_le", (2,), "<f4", (2,), "0x3fc00000", expected=common.values(full(2, 1.5, "<f4")))
    t.array("/fill/bin_f2", (2,), "<f2", (2,), "0b0011111000000000", expected=common.values(full(2, 1.5, "<f2")))
    t.array("/fill/hex_u8", (2,), "<u8", (2,), "0xffffffffffffffff", expected=common.values(full(2, 2**64 - 1, "<u8")),
            notes="a number is the only form the text requires for integers; hex is allowed 'where decimal could be lossy'")
    t.array("/fill/num_u8", (2,), "<u8", (2,), 2**64 - 1, expected=common.values(full(2, 2**64 - 1, "<u8")), notes="JSON number beyond 2^53: JSON.parse alone loses it")
    t.array("/fill/str_u8_gdal", (2,), "<u8", (2,), "18446744073709551615", expected=common.values(full(2, 2**64 - 1, "<u8")), notes="not in the text; GDAL writes this")
    t.array("/fill/num_i8", (2,), "<i8", (2,), -2**63, expected=common.values(full(2, -2**63, "<i8")))
    t.array("/fill/num_2_53_1", (2,), "<i8", (2,), 2**53 + 1, expected=common.values(full(2, 2**53 + 1, "<i8")))
    t.array("/fill/null", (2,), "<i4", (2,), None, notes="undefined: any value may be returned")
    # bad fills: must be rejected
    for nm, dt, fv in (("bad_fraction", "<i4", 1.5), ("bad_range", "u1", 256), ("bad_negative_unsigned", "<u2", -1), ("bad_bool_number", "bool", 1),
                       ("bad_bool_string", "bool", "true"), ("bad_hex_short", "<f8", "0x7ff8"), ("bad_int_nan", "<i4", "NaN")):
        t.array("/bad/" + nm, (2,), dt, (2,), fv, expect="error")
    # layouts, shapes, keys
    t.array("/layout/f", (7, 5), "<i4", (3, 2), 0, data=base, dtype="<i4", order="F")
    t.array("/layout/f_be_gzip", (3, 4, 5), ">f4", (2, 3, 4), 0, data=np.arange(60).reshape(3, 4, 5), dtype=">f4", order="F", gz=1)
    t.array("/keys/no_separator", (3, 3), "u1", (2, 2), 0, data=np.arange(9).reshape(3, 3), dtype="u1", sep=None, notes="separator absent: default '/'")
    t.array("/keys/dot", (3, 3), "u1", (2, 2), 0, data=np.arange(9).reshape(3, 3), dtype="u1", sep=".")
    t.array("/keys/dash", (3, 3), "u1", (2, 2), 0, data=np.arange(9).reshape(3, 3), dtype="u1", sep="-", notes="any separator the key alphabet allows")
    t.array("/keys/spec_1_23_45", (2, 24, 46), "u1", (1, 1, 1), 0, data=np.arange(2 * 24 * 46).reshape(2, 24, 46) % 251, dtype="u1", chunks={(1, 23, 45)},
            expected={"at": {"index": [1, 23, 45], "value": str((2 * 24 * 46 - 1) % 251)}, "note": "identifier c1/23/45, only that chunk stored"})
    t.array("/shape/zero_d", (), "<f8", (), "NaN", data=np.array(42.5), dtype="<f8", notes="chunk key is data/root/shape/zero_d/c")
    t.array("/shape/zero_d_unset", (), ">i2", (), 7, expected=common.values(np.array(7, ">i2")))
    t.array("/shape/empty_dim_chunk0", (0, 3), "<i4", (0, 2), 0, expected={"flat": [], "le_hex": ""}, notes="a chunk length of 0 is allowed where the dimension is 0")
    t.array("/shape/chunk_larger", (3,), "u1", (8,), 0, data=[1, 2, 3], dtype="u1")
    # names
    for nm in ("A-Z_0.9", "..a", "foo.array", "zarr.json", "c0", "x" * 200):
        t.array("/names/" + nm, (2,), "u1", (2,), 0, data=[1, 2], dtype="u1")
    # extension points
    dt_ext = lambda fb=None: {"extension": "https://purl.org/zarr/spec/protocol/extensions/datetime-dtypes/1.0", "type": "<M8[ns]", **({"fallback": fb} if fb else {})}
    ticks = np.array([1602806400000000000, -1, 0], "<i8")
    t.array("/ext/datetime_fallback", (3,), dt_ext("<i8"), (2,), None, data=ticks, dtype="<i8", expect="fallback", notes="unknown extension, known fallback: may be read as <i8")
    t.array("/ext/unknown_fallback_raw", (2,), {"extension": "http://example.org/ext/foo", "type": {"any": "json"}, "fallback": "r24"}, (2,), None,
            data=np.frombuffer(raw[:6], "V3"), dtype="V3", expect="fallback", expected={"flat": ["010203", "040506"], "le_hex": raw[:6].hex()})
    t.array("/ext/unknown_no_fallback", (2,), {"extension": "http://example.org/ext/foo", "type": "foo"}, (2,), None, expect="error")
    t.array("/ext/ignorable", (2,), "u1", (2,), 0, data=[1, 2], dtype="u1",
            extra={"extensions": [{"extension": "http://example.org/zarr/extension/foo", "must_understand": False, "configuration": {"foo": "bar"}}]})
    t.array("/ext/must_understand", (2,), "u1", (2,), 0, expect="error",
            extra={"extensions": [{"extension": "http://example.org/zarr/extension/foo", "must_understand": True}]})
    t.array("/ext/grid", (2,), "u1", (2,), 0, expect="error", extra={"chunk_grid": {"extension": "http://example.org/grid", "type": "rectilinear"}})
    t.array("/ext/layout", (2,), "u1", (2,), 0, expect="error", extra={"chunk_memory_layout": {"extension": "http://example.org/layout", "type": "z-order"}})
    t.array("/ext/unknown_codec", (2,), "u1", (2,), 0, expect="error", extra={"compressor": {"codec": "http://example.org/codec/foo"}})
    t.array("/ext/unknown_member", (2,), "u1", (2,), 0, data=[1, 2], dtype="u1", extra={"dimension_separator": "/", "a_future_name": 1},
            notes="other names are reserved; 'may be ignored' for the same major version; zarr-python writes dimension_separator")
    t.array("/codec/gzip_plural_uri", (4,), "<i4", (4,), 0, data=[1, 2, 3, 4], dtype="<i4", gz=1,
            extra={"compressor": {"codec": "https://purl.org/zarr/spec/codecs/gzip/1.0", "configuration": {"level": 1}}},
            notes="the spec of 2021-05-27..06-14 spelled 'codecs'; GDAL and xtensor-zarr read both")
    t.array("/codec/gzip_no_config", (4,), "<i4", (4,), 0, data=[1, 2, 3, 4], dtype="<i4", gz=1, extra={"compressor": {"codec": GZ}},
            notes="configuration is optional ('may also contain')")
    t.array("/codec/null", (2,), "u1", (2,), 0, data=[1, 2], dtype="u1", extra={"compressor": None}, notes="not in the text (absent means none); be lenient")
    # what a strict reader must not misread: names outside the draft that change the chunks
    t.array("/compat/storage_transformers", (4,), "<i4", (2,), 0, data=[1, 2, 3, 4], dtype="<i4", expect="error",
            extra={"storage_transformers": [{"extension": "https://purl.org/zarr/spec/storage_transformers/sharding/1.0", "type": "indexed",
                                             "configuration": {"chunks_per_shard": [2]}}]},
            notes="zarr-python 2.14+ (ZARR_V3_SHARDING=1) and acquire write this member; stored objects are then shards, so reading on would give wrong data. "
                  "Here the data are plain chunks: only the refusal is tested")
    # metadata seen in the wild that the text does not allow, all readable without loss
    t.array("/compat/acquire_uint16", (2,), "uint16", (2,), 0, data=[1, 513], dtype="<u2", extra={"compressor": None}, expect="lenient",
            notes="acquire-driver-zarr/acquire-zarr (2024): final-v3 type name and compressor null; little-endian")
    t.array("/compat/acquire_u2", (2,), "u2", (2,), 0, data=[1, 513], dtype="<u2", expect="lenient", notes="acquire (2023): no byte order; little-endian")
    t.array("/compat/pipe_u1", (2,), "|u1", (2,), 0, data=[1, 2], dtype="u1", expect="lenient", notes="v2/NumPy spelling (arraylake's kerchunk import)")
    t.array("/compat/pipe_b1", (2,), "|b1", (2,), False, data=[True, False], dtype="bool", expect="lenient", notes="v2/NumPy spelling")
    t.array("/compat/fallback_null", (2,), {"extension": "http://example.org/ext/foo", "type": "foo", "fallback": None}, (2,), None, expect="error",
            notes="zarr-python writes 'fallback': null; same as no fallback")
    t.array("/compat/zero_d_c0", (), "<f8", (), "NaN", expect="lenient", expected=common.values(np.array(42.5)), notes="chunk under .../c0, as zarr-python and GDAL name it")
    t.put("data/root/compat/zero_d_c0/c0", np.array(42.5, "<f8").tobytes())
    t.put("meta/root/compat/group_attributes_null.group.json", {"extensions": [], "attributes": None})
    t.nodes["/compat/group_attributes_null"] = {"type": "explicit_group", "attributes": {}, "expect": "lenient", "notes": "zarrita writes null when no attributes are given"}
    t.put("meta/root/compat/group_must_understand.group.json", {"attributes": {}, "extensions": [{"extension": "http://example.org/x", "must_understand": True}]})
    t.nodes["/compat/group_must_understand"] = {"type": "explicit_group", "attributes": {}, "expect": "error",
                                                "notes": "groups have no extensions in the draft; refusing is the safe reading"}
    # missing mandatory names
    for k in ("shape", "data_type", "chunk_grid", "chunk_memory_layout", "fill_value", "extensions", "attributes"):
        t.array("/missing/" + k, (2,), "u1", (2,), 0, data=[1, 2], dtype="u1", drop=(k,),
                expect="error" if k in ("shape", "data_type", "chunk_grid", "chunk_memory_layout") else "lenient")
    # deep implicit groups and the spec's own listing example
    t.array("/listing/foo/baz/qux", (1,), "u1", (1,), 0)
    t.group("/listing/foo/bar", {})
    t.done()

    t = Tree("spec-root-array"); t.array("/", (3, 4), "<u2", (2, 3), 9, data=np.arange(12).reshape(3, 4), dtype="<u2", gz=1, attrs={"root": True}); t.done()
    t = Tree("spec-suffix", suffix=".zarrmeta"); t.group("/g", {"a": 1}); t.array("/g/a", (2,), "u1", (2,), 0, data=[1, 2], dtype="u1"); t.done("metadata_key_suffix '.zarrmeta'")
    t = Tree("spec-suffix-empty", suffix=""); t.group("/g", {"a": 1}); t.array("/g/a", (2,), "u1", (2,), 0, data=[1, 2], dtype="u1"); t.done("metadata_key_suffix ''")
    e = lambda **kw: {"zarr_format": CORE, "metadata_encoding": CORE, "metadata_key_suffix": ".json", "extensions": [], **kw}
    bad = [("entry-must-understand", e(extensions=[{"extension": "http://example.org/x", "must_understand": True}]), "error"),
           ("entry-ignorable", e(extensions=[{"extension": "http://example.org/zarr/extension/foo", "must_understand": False, "configuration": {"foo": "bar"}}]), "ok"),
           ("entry-minor-version", e(zarr_format="https://purl.org/zarr/spec/protocol/core/3.1", new_in_3_1=True), "ok"),
           ("entry-major-version", e(zarr_format="https://purl.org/zarr/spec/protocol/core/4.0"), "error"),
           ("entry-other-encoding", e(metadata_encoding="http://example.org/cbor"), "error"),
           ("entry-final-v3", {"zarr_format": 3, "node_type": "group", "attributes": {}}, "not-this-format")]
    for nm, entry, exp in bad:
        t = Tree("spec-" + nm, entry=entry); t.array("/a", (2,), "u1", (2,), 0, data=[1, 2], dtype="u1"); t.done(expect=exp)
    for nm, drop, exp in (("no-suffix", "metadata_key_suffix", "lenient"), ("no-extensions", "extensions", "lenient"), ("no-encoding", "metadata_encoding", "lenient")):
        x = e(); x.pop(drop)
        t = Tree("spec-entry-" + nm, entry=x); t.array("/a", (2,), "u1", (2,), 0, data=[1, 2], dtype="u1"); t.done(expect=exp)
    store_ops()


main()
