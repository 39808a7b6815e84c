#!/usr/bin/python3
"""Writes small draft-v3 hierarchies with GDAL 3.6.2's Zarr driver, FORMAT=ZARR_V3
(Debian bookworm python3-gdal).   usage: make_gdal.py OUTDIR WORKDIR
"""
import json, os, shutil, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import numpy as np
from osgeo import gdal
import common

gdal.UseExceptions()
OUT, WORK = sys.argv[1], sys.argv[2]
GEN = f"GDAL {gdal.VersionInfo('RELEASE_NAME')} Zarr driver, FORMAT=ZARR_V3"
DT = gdal.ExtendedDataType.Create
CODE = {"u1": gdal.GDT_Byte, "i2": gdal.GDT_Int16, "u2": gdal.GDT_UInt16, "i4": gdal.GDT_Int32, "u4": gdal.GDT_UInt32,
        "i8": gdal.GDT_Int64, "u8": gdal.GDT_UInt64, "f4": gdal.GDT_Float32, "f8": gdal.GDT_Float64,
        "c8": gdal.GDT_CFloat32, "c16": gdal.GDT_CFloat64}


def fresh(name):
    d = os.path.join(WORK, name)
    shutil.rmtree(d, ignore_errors=True)
    return d


def main():
    d = fresh("gdal-main")
    drv = gdal.GetDriverByName("Zarr")
    ds = drv.CreateMultiDimensional(d, [], ["FORMAT=ZARR_V3"])
    rg = ds.GetRootGroup()
    exp = {}

    def dims(group, name, shape):
        return [group.CreateDimension(f"{name}_d{i}", None, None, n) for i, n in enumerate(shape)]

    def mk(group, path, shape, code, opts, fill=None, data=None, part=None, string_dt=None):
        name = path.rsplit("/", 1)[1]
        # GDAL dimensions are per group; reuse dimension objects that are not stored
        a = group.CreateMDArray(name, dims(rg_dims, name, shape), string_dt or DT(CODE[code]), opts)
        if fill is not None:
            (a.SetNoDataValueDouble if isinstance(fill, float) else a.SetNoDataValueRaw)(fill)
        if data is not None:
            if part:
                a.Write(np.ascontiguousarray(data), part, list(data.shape))
            else:
                a.Write(np.ascontiguousarray(data))
        exp[path] = a
        return a

    rg_dims = rg
    attr = rg.CreateAttribute("title", [], gdal.ExtendedDataType.CreateString()); attr.Write("root attrs")
    g = rg.CreateGroup("grp")
    at = g.CreateAttribute("n", [], DT(gdal.GDT_Int32)); at.Write(7)
    sub = g.CreateGroup("sub")
    base = np.arange(35, dtype="i4").reshape(7, 5) * 1000 - 7
    a = mk(g, "/grp/i4", (7, 5), "i4", ["BLOCKSIZE=3,2"], data=base)
    u = a.CreateAttribute("f64", [], DT(gdal.GDT_Float64)); u.Write(1.5)
    u = a.CreateAttribute("list", [3], DT(gdal.GDT_Int32)); u.Write([1, 2, 3])
    u = a.CreateAttribute("str", [], gdal.ExtendedDataType.CreateString()); u.Write("\u03b1")
    a.SetUnit("m"); a.SetScale(2.0); a.SetOffset(1.0)
    mk(sub, "/grp/sub/f_order", (7, 5), "i4", ["BLOCKSIZE=3,2", "CHUNK_MEMORY_LAYOUT=F"], data=base)
    # GDAL 3.6.2 does not make the parent folder of the chunk when the separator is not "/":
    # the first Write fails with "Cannot create tile"; with the folder there it works
    a = mk(g, "/grp/dot", (7, 5), "u2", ["BLOCKSIZE=4,5", "DIM_SEPARATOR=."])
    os.makedirs(os.path.join(d, "data/root/grp/dot"))
    a.Write(np.ascontiguousarray(base.astype("u2")))
    mk(g, "/grp/gzip", (7, 5), "i4", ["BLOCKSIZE=4,5", "COMPRESS=GZIP", "GZIP_LEVEL=1"], data=base)
    for c in ("ZLIB", "BLOSC", "LZMA", "ZSTD", "LZ4"):
        try:
            mk(g, "/grp/" + c.lower(), (7, 5), "i4", ["BLOCKSIZE=4,5", "COMPRESS=" + c], data=base)
        except Exception as e:
            print(c, e)
    a = mk(g, "/grp/f8_nan", (6,), "f8", ["BLOCKSIZE=2"], fill=float("nan"), data=np.array([1.5, -2.25]), part=[2])
    a = mk(g, "/grp/f8_posinf", (2,), "f8", ["BLOCKSIZE=2"], fill=float("inf"))
    a = mk(g, "/grp/f4_neginf", (2,), "f4", ["BLOCKSIZE=2"], fill=float("-inf"))
    a = mk(g, "/grp/f4_tenth", (2,), "f4", ["BLOCKSIZE=2"], fill=0.1)
    a = mk(g, "/grp/u8_max", (2,), "u8", ["BLOCKSIZE=1"])
    try:
        a.SetNoDataValueUInt64(2**64 - 1)
    except Exception as e:
        print("u8", e)
    a.Write(np.array([2**53 + 1], "u8"), [0], [1])
    a = mk(g, "/grp/i8_min", (2,), "i8", ["BLOCKSIZE=1"])
    try:
        a.SetNoDataValueInt64(-2**63)
    except Exception as e:
        print("i8", e)
    a = mk(g, "/grp/u1_nofill", (3,), "u1", ["BLOCKSIZE=2"], data=np.array([1, 255], "u1"), part=[0])
    a = mk(g, "/grp/all_fill_skipped", (4,), "i2", ["BLOCKSIZE=2"], fill=-1.0, data=np.array([-1, -1, 5, -1], "i2"))
    try:
        # metadata only: the Python binding has no 0-d Write, and GDAL 3.6.2 itself
        # crashes (SIGSEGV) when it reads a 0-d draft-v3 array
        a = mk(g, "/grp/zero_d", (), "f8", [], fill=float("nan"))
    except Exception as e:
        print("0-d", e)
    try:
        a = mk(g, "/grp/c16", (2,), "c16", ["BLOCKSIZE=2"], data=np.array([1 + 2j, -3.5j], "c16"))
    except Exception as e:
        print("c16", e)
    for nm, n in (("str_fixed", 4),):
        try:
            a = g.CreateMDArray(nm, dims(rg, nm, (2,)), gdal.ExtendedDataType.CreateString(n), ["BLOCKSIZE=2"])
            a.Write(["ab", "abcd"]); exp["/grp/" + nm] = a
        except Exception as e:
            print(nm, e)
    # implicit group: GDAL always writes .group.json for a group it creates
    del a, u, at, attr
    nodes = {}
    written = {}
    for p, arr in exp.items():
        try:
            written[p] = arr
        except Exception as e:
            print(p, e)
    exp.clear(); written.clear()
    del sub, g, rg, rg_dims, ds
    import gc; gc.collect()
    # read back with GDAL
    ds = gdal.OpenEx(d, gdal.OF_MULTIDIM_RASTER)
    rg = ds.GetRootGroup()
    for k in common.keys_of(d):
        if not k.startswith("meta/root") or not k.endswith(".json"):
            continue
        m = json.loads(common.read(d, k))
        if k.endswith(".group.json"):
            p = k[len("meta/root"):-len(".group.json")] or "/"
            nodes[p] = {"type": "explicit_group", "attributes": m["attributes"]}
        else:
            p = k[len("meta/root"):-len(".array.json")]
            node = {"type": "array", "shape": m["shape"], "data_type": m["data_type"], "chunk_shape": m["chunk_grid"]["chunk_shape"],
                    "separator": m["chunk_grid"].get("separator"), "order": m["chunk_memory_layout"], "fill_value": m["fill_value"],
                    "compressor": m.get("compressor"), "attributes": m["attributes"]}
            if p.endswith("/zero_d"):
                node["expected"] = {"flat": ["NaN"], "le_hex": "000000000000f87f"}
                node["notes"] = "no chunk stored; expected value from the spec, GDAL 3.6.2 crashes reading it"
                nodes[p] = node
                continue
            try:
                arr = rg.OpenMDArrayFromFullname(p)
                v = arr.Read() if arr.GetDataType().GetClass() == gdal.GEDTC_STRING else arr.ReadAsArray()
                node["expected"] = common.values(v) if isinstance(v, np.ndarray) else {"flat": list(v)}
            except Exception as e:
                node["gdal_error"] = str(e)
            nodes[p] = node
    del ds, rg
    common.zip_tree(d, os.path.join(OUT, "gdal-3.6.2-main.zip"))
    return d, {"generator": GEN, "zip": "gdal-3.6.2-main.zip", "nodes": dict(sorted(nodes.items())), "keys": common.key_table(d)}


def raster():
    """the classic raster API: gdal_translate -of Zarr -co FORMAT=ZARR_V3"""
    d = fresh("gdal-raster.zr3")
    src = gdal.GetDriverByName("MEM").Create("", 5, 3, 2, gdal.GDT_Int16)
    src.SetGeoTransform([100, 10, 0, 200, 0, -10])
    data = np.arange(30, dtype="i2").reshape(2, 3, 5)
    for b in (1, 2):
        src.GetRasterBand(b).WriteArray(data[b - 1]); src.GetRasterBand(b).SetNoDataValue(-9999)
    gdal.Translate(d, src, format="Zarr", creationOptions=["FORMAT=ZARR_V3", "COMPRESS=GZIP", "ARRAY_NAME=img", "BLOCKSIZE=2,4"])
    src = None
    nodes = {}
    ds = gdal.OpenEx(d, gdal.OF_MULTIDIM_RASTER); rg = ds.GetRootGroup()
    for k in common.keys_of(d):
        if k.startswith("meta/root") and k.endswith(".array.json"):
            m = json.loads(common.read(d, k)); p = k[len("meta/root"):-len(".array.json")]
            arr = rg.OpenMDArrayFromFullname(p)
            nodes[p] = {"type": "array", "shape": m["shape"], "data_type": m["data_type"], "chunk_shape": m["chunk_grid"]["chunk_shape"],
                        "separator": m["chunk_grid"].get("separator"), "order": m["chunk_memory_layout"], "fill_value": m["fill_value"],
                        "compressor": m.get("compressor"), "attributes": m["attributes"], "expected": common.values(arr.ReadAsArray())}
            del arr
        elif k.startswith("meta/root") and k.endswith(".group.json"):
            p = k[len("meta/root"):-len(".group.json")] or "/"
            nodes[p] = {"type": "explicit_group", "attributes": json.loads(common.read(d, k))["attributes"]}
    del rg, ds
    common.zip_tree(d, os.path.join(OUT, "gdal-3.6.2-raster.zip"))
    return d, {"generator": GEN, "zip": "gdal-3.6.2-raster.zip", "nodes": dict(sorted(nodes.items())), "keys": common.key_table(d)}


if __name__ == "__main__":
    trees = [main(), raster()]
    for d, m in trees:
        common.write_manifest(os.path.join(OUT, m["zip"].replace(".zip", ".manifest.json")), m)
