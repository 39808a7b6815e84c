"""Writes test/fixtures/virtual: small files of HDF5 and NetCDF with what they contain, as JSON.

Usage: python make_hdf5_fixtures.py FOLDER [SEED COUNT]
With a seed: COUNT random files instead of the fixed ones.
"""

import base64
import hashlib
import json
import os
import random
import sys

import h5py
import numpy as np

try:
    import hdf5plugin
except ImportError:
    hdf5plugin = None


def plain(array):
    """The bytes of an array, little-endian and without gaps, in C order."""
    array = np.asarray(array)
    if array.dtype.names:
        packed = np.dtype([(n, array.dtype[n].newbyteorder("<")) for n in array.dtype.names])
        return array.astype(packed)
    return np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<")))


def expected(dataset):
    """Shape and elements of a dataset, as another implementation reads them."""
    if h5py.check_string_dtype(dataset.dtype) and h5py.check_string_dtype(dataset.dtype).length is None:
        values = np.asarray(dataset.asstr()[()], dtype=object)
        return {"shape": list(values.shape), "text": [str(v) for v in values.ravel()]}
    values = np.asarray(dataset[()])
    data = plain(values).tobytes()
    # What is long is compared by its hash, which keeps the repository small.
    if len(data) > 240:
        return {"shape": list(values.shape), "sha256": hashlib.sha256(data).hexdigest()}
    return {"shape": list(values.shape), "bytes": base64.b64encode(data).decode()}


def describe(path, name):
    with h5py.File(path, "r") as file:
        found = {}

        def visit(key, item):
            if isinstance(item, h5py.Dataset):
                if item.shape is not None:
                    found[key] = expected(item)

        file.visititems(visit)
    with open(os.path.join(os.path.dirname(path), f"{name}.json"), "w") as out:
        json.dump(found, out)


def numbers(shape, dtype="<i4"):
    return np.arange(int(np.prod(shape)), dtype="i8").reshape(shape).astype(dtype)


class Writer:
    def __init__(self, folder):
        self.folder = folder
        self.names = []

    def file(self, name, fill, **options):
        path = os.path.join(self.folder, f"{name}.h5")
        with h5py.File(path, "w", **options) as file:
            fill(file)
        describe(path, name)
        self.names.append(name)


def every_index(file):
    file.create_dataset("single", data=numbers((5, 7)), chunks=(5, 7))
    file.create_dataset("single_gzip", data=numbers((5, 7)), chunks=(5, 7), compression="gzip")
    file.create_dataset("fixed", data=numbers((9, 7)), chunks=(2, 3))
    file.create_dataset("fixed_gzip", data=numbers((9, 7)), chunks=(2, 3), compression="gzip", shuffle=True)
    file.create_dataset("extensible", data=numbers((7, 50)), chunks=(3, 1), maxshape=(10, None))
    file.create_dataset("extensible_gzip", data=numbers((7, 50)), chunks=(3, 1), maxshape=(10, None), compression="gzip")
    file.create_dataset("tree", data=numbers((9, 7)), chunks=(2, 3), maxshape=(None, None))
    file.create_dataset("tree_gzip", data=numbers((9, 7)), chunks=(2, 3), maxshape=(None, None), compression="gzip")
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_chunk((2, 3))
    plist.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    space = h5py.h5s.create_simple((9, 7))
    implicit = h5py.h5d.create(file.id, b"implicit", h5py.h5t.STD_I32LE, space, plist)
    implicit.write(h5py.h5s.ALL, h5py.h5s.ALL, numbers((9, 7)))


def many_chunks(file):
    """Pages of fixed and extensible arrays, several levels of B-trees; some chunks missing."""
    # Without pages of arrays, files of B-trees alone would be long.
    length = 300 if file.libver[0] == "earliest" else 3000
    for name, maximum in [("fixed", (length,)), ("extensible", (None,)), ("tree", (None, None))]:
        shape = (length,) if len(maximum) == 1 else (length // 50, 50)
        dataset = file.create_dataset(name, shape, "<u2", chunks=(1,) * len(shape), maxshape=maximum, fillvalue=7)
        if len(shape) == 1:
            dataset[: length * 2 // 5] = numbers((length * 2 // 5,), "u2")
            dataset[length - 10 :] = 9
        else:
            rows = shape[0] * 2 // 3
            dataset[:rows, 3:] = numbers((rows, 47), "u2")


def data_types(file):
    for order in "<>":
        for code in ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]:
            file.create_dataset(f"{'little' if order == '<' else 'big'}_{code}", data=numbers((4,), order + code))
    file["boolean"] = np.array([True, False, True])
    enum = h5py.enum_dtype({"RED": 0, "GREEN": 1, "BLUE": 42}, basetype="<i2")
    file.create_dataset("enumeration", data=np.array([0, 1, 42], "<i2"), dtype=enum)
    file["fixed_text"] = np.array([b"abc", b"de", b""], "S5")
    file.create_dataset("text", data=["one", "zwei", "três", ""], dtype=h5py.string_dtype())
    file.create_dataset(
        "text_chunked", data=["one", "zwei", "três", "x" * 300], chunks=(3,), compression="gzip", dtype=h5py.string_dtype()
    )
    file["compound"] = np.array([(1, 2.5, b"ab"), (3, 4.5, b"c")], [("a", "<i4"), ("b", "<f8"), ("c", "S4")])
    gaps = np.dtype({"names": ["a", "b"], "formats": ["<i2", "<f8"], "offsets": [2, 8], "itemsize": 24})
    values = np.zeros(3, gaps)
    values["a"], values["b"] = [1, 2, 3], [0.5, 1.5, 2.5]
    file["gaps"] = values
    mixed = np.zeros(3, [("a", "<i4"), ("b", ">f4")])
    mixed["a"], mixed["b"] = [1, 2, 3], [0.5, 1.5, 2.5]
    file["mixed"] = mixed
    file["opaque"] = np.array([b"\x00\x01\x02", b"\x03\x04\x05"], "V3")
    file.create_dataset("array", data=numbers((2, 3, 2)), dtype=np.dtype("<i4"), chunks=None)
    array = h5py.h5t.array_create(h5py.h5t.STD_I16LE, (2, 3))
    space = h5py.h5s.create_simple((4,))
    dataset = h5py.h5d.create(file.id, b"array_type", array, space)
    dataset.write(h5py.h5s.ALL, h5py.h5s.ALL, numbers((4, 2, 3), "<i2"), mtype=array)
    file["scalar"] = np.float64(1.5)
    file["nothing"] = numbers((0, 3))
    file.create_dataset("empty", data=h5py.Empty("f4"))


def layouts(file):
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_layout(h5py.h5d.COMPACT)
    space = h5py.h5s.create_simple((3, 4))
    compact = h5py.h5d.create(file.id, b"compact", h5py.h5t.STD_I32LE, space, plist)
    compact.write(h5py.h5s.ALL, h5py.h5s.ALL, numbers((3, 4)))
    file["contiguous"] = numbers((3, 4))
    file.create_dataset("unwritten", (3, 4), "<f4", fillvalue=2.5)
    file.create_dataset("unwritten_chunks", (3, 4), "<f4", chunks=(2, 2), fillvalue=np.nan)
    partial = file.create_dataset("partial", (5, 4), "<i8", chunks=(2, 2), fillvalue=-(2**60))
    partial[:2, :2] = 5


def filters(file):
    data = numbers((40, 30))
    file.create_dataset("gzip", data=data, chunks=(16, 16), compression="gzip")
    file.create_dataset("shuffle", data=data, chunks=(16, 16), shuffle=True)
    file.create_dataset("fletcher32", data=data, chunks=(16, 16), fletcher32=True)
    file.create_dataset("all", data=data, chunks=(16, 16), compression="gzip", shuffle=True, fletcher32=True)
    noise = np.random.default_rng(1).integers(0, 2**31, (40, 30), dtype="<i4")
    # lzf leaves chunks that it cannot make shorter, and notes that in their masks.
    mixed = noise.copy()
    mixed[:16] = 3
    file.create_dataset("lzf", data=data, chunks=(16, 16), compression="lzf")
    file.create_dataset("lzf_masked", data=mixed, chunks=(16, 16), compression="lzf", shuffle=True)
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_chunk((16, 16))
    plist.set_deflate(4)
    chunked = h5py.h5d.create(file.id, b"gzip_masked", h5py.h5t.STD_I32LE, h5py.h5s.create_simple((32, 16)), plist)
    chunked.write_direct_chunk((0, 0), numbers((16, 16)).tobytes(), 1)
    for name, dtype, factor in [("i4", "<i4", 0), ("i2", ">i2", 7), ("u1", "u1", 0), ("u8", "<u8", 0)]:
        values = numbers((40, 30), dtype) % 100
        file.create_dataset(f"scaleoffset_{name}", data=values.astype(dtype), chunks=(16, 16), scaleoffset=factor)
    for dtype in ["<f4", "<f8", ">f8"]:
        values = (numbers((40, 30), "f8") / 8).astype(dtype)
        file.create_dataset(f"scaleoffset_{dtype[1:]}{'' if dtype[0] == '<' else '_big'}", data=values, chunks=(16, 16), scaleoffset=3)
    filled = file.create_dataset("scaleoffset_fill", (40, 30), "<i4", chunks=(16, 16), scaleoffset=0, fillvalue=-1)
    filled[5:25] = numbers((20, 30)) % 50


def szip_and_nbit(file):
    for dtype in ["u1", "<i2", ">u2", "<i4", ">i4", "<f4", "<f8", ">i8"]:
        for coding, block, width in [("nn", 32, 16), ("ec", 8, 16), ("nn", 10, 27)]:
            data = (numbers((20, 54)) % 90).astype(dtype)
            name = f"szip_{dtype.strip('<>')}{'_big' if dtype[0] == '>' else ''}_{coding}_{block}"
            file.create_dataset(name, data=data, chunks=(16, width), compression="szip", compression_opts=(coding, block))
    for base, precision in [("STD_U8LE", 5), ("STD_U16BE", 11), ("STD_U32LE", 19), ("STD_U64LE", 40), ("STD_I32LE", 32)]:
        kind = getattr(h5py.h5t, base).copy()
        kind.set_precision(precision)
        plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        plist.set_chunk((7, 5))
        plist.set_filter(h5py.h5z.FILTER_NBIT)
        made = h5py.h5d.create(file.id, f"nbit_{precision}".encode(), kind, h5py.h5s.create_simple((20, 11)), plist)
        made.write(h5py.h5s.ALL, h5py.h5s.ALL, numbers((20, 11)) % 31)


def plugins(file):
    data = (numbers((40, 40), "f4") / 3).astype("<f4")
    for name, options in [
        ("blosc", hdf5plugin.Blosc(cname="lz4", shuffle=hdf5plugin.Blosc.SHUFFLE)),
        ("blosc_zstd", hdf5plugin.Blosc(cname="zstd", shuffle=hdf5plugin.Blosc.BITSHUFFLE)),
        ("zstd", hdf5plugin.Zstd()),
        ("lz4", hdf5plugin.LZ4()),
        ("lz4_blocks", hdf5plugin.LZ4(nbytes=1000)),
        ("bitshuffle", hdf5plugin.Bitshuffle(cname="none")),
        ("bitshuffle_lz4", hdf5plugin.Bitshuffle(cname="lz4")),
        ("bzip2", hdf5plugin.BZip2()),
    ]:
        file.create_dataset(name, data=data, chunks=(33, 25), **options)


def groups(file):
    for i in range(30):
        group = file.create_group(f"group{i}")
        group.attrs["number"] = i
        group["x"] = numbers((3,)) + i
    deep = file.create_group("a/b/c/d")
    deep["x"] = numbers((2,))
    file["soft"] = h5py.SoftLink("/a/b/c/d/x")
    file["relative"] = h5py.SoftLink("a/b")
    file["dangling"] = h5py.SoftLink("/nowhere")
    file["external"] = h5py.ExternalLink("other.h5", "/x")
    file["a/b/up"] = file["a"]
    file["type"] = np.dtype("<f4")


def attributes(file):
    x = file.create_dataset("x", data=numbers((3,)))
    for i in range(40):
        x.attrs[f"number{i}"] = i * 1.5
    file.attrs["text"] = "Temperatur in °C"
    file.attrs["bytes"] = np.bytes_("fixed")
    file.attrs["list"] = np.array([1, 2, 3], "<i2")
    file.attrs["big"] = np.array([1.5, 2.5], ">f8")
    file.attrs["long"] = np.int64(2**62)
    file.attrs["texts"] = ["a", "bc"]
    file.attrs["matrix"] = np.array([[1, 2], [3, 4]])
    file.attrs["nan"] = np.float32("nan")
    file.attrs["true"] = True
    file.attrs["one"] = np.array([7])
    file.attrs["large"] = "x" * 70000 if file.libver[0] != "earliest" else "x" * 1000


def dimensions(file):
    for name, size in [("lat", 4), ("lon", 5)]:
        file[name] = np.linspace(0, 1, size)
        file[name].make_scale(name)
    file["t"] = numbers((4, 5))
    file["t"].dims[0].attach_scale(file["lat"])
    file["t"].dims[1].attach_scale(file["lon"])


FILES = [every_index, many_chunks, data_types, layouts, filters, szip_and_nbit, groups, attributes, dimensions]


def fixed(folder):
    writer = Writer(folder)
    for libver in ["earliest", "latest"]:
        for fill in FILES + ([plugins] if hdf5plugin else []):
            writer.file(f"{fill.__name__}_{libver}", fill, libver=libver)
    writer.file("user_block", layouts, userblock_size=1024, libver="latest")
    writer.file("tracked_order", groups, track_order=True, libver="latest")
    return writer.names


def random_file(file, rng):
    for i in range(rng.randint(1, 4)):
        rank = rng.randint(0, 4)
        shape = tuple(rng.randint(1, 12) for _ in range(rank))
        code = rng.choice(["<i1", "<u1", "<i2", ">u2", "<i4", ">i4", "<u8", ">i8", "<f2", "<f4", ">f4", "<f8", ">f8"])
        options = {}
        if rank > 0 and rng.random() < 0.8:
            options["chunks"] = tuple(rng.randint(1, size) for size in shape)
            if rng.random() < 0.6:
                options["maxshape"] = tuple(rng.choice([None, size, size + 5]) for size in shape)
            if rng.random() < 0.5:
                options["compression"] = rng.choice(["gzip", "lzf"])
            options["shuffle"] = rng.random() < 0.4
            options["fletcher32"] = rng.random() < 0.3
        if rng.random() < 0.5:
            options["fillvalue"] = rng.randint(0, 100)
        group = file.require_group("/".join(rng.choices("ab", k=rng.randint(0, 3))) or "/")
        dataset = group.create_dataset(f"x{i}", shape, code, **options)
        if rng.random() < 0.9:
            values = np.random.default_rng(rng.randint(0, 2**31)).integers(0, rng.choice([3, 100]), shape)
            if rank > 0 and rng.random() < 0.4:
                dataset[: rng.randint(0, shape[0])] = values[0]
            else:
                dataset[...] = values
        if options.get("maxshape") and rng.random() < 0.4:
            dataset.resize([max(1, (m if m else s + 3) - rng.randint(0, 3)) for s, m in zip(shape, options["maxshape"])])
        for k in range(rng.choice([0, 1, 12])):
            dataset.attrs[f"a{k}"] = k


def at_random(folder, seed, count):
    writer = Writer(folder)
    for number in range(count):
        rng = random.Random(seed * 100003 + number)
        options = {"libver": rng.choice(["earliest", "latest", ("earliest", "v108"), ("v110", "v112")])}
        if rng.random() < 0.1:
            options["userblock_size"] = rng.choice([512, 2048])
        writer.file(f"random{number}", lambda file: random_file(file, rng), **options)
    return writer.names


if __name__ == "__main__":
    folder, *rest = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    names = at_random(folder, int(rest[0]), int(rest[1])) if rest else fixed(folder)
    print(json.dumps(names))
