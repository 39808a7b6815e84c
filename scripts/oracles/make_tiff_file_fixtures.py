"""Writes test/fixtures/virtual/tiff.json: TIFF files of tifffile and GDAL, and what both read of them.

    python3 -m venv venv && venv/bin/pip install -r scripts/oracles/requirements-files.txt
    venv/bin/python scripts/oracles/make_tiff_file_fixtures.py [FILE [COUNT [SEED]]]

With COUNT, writes as many random files in place of those of the fixtures. A case has the file and, for each array by
its path, the shape, the type and the elements (zlib) that tifffile or GDAL decodes: [row, column], or [band, row, column].
"""

import base64
import io
import json
import struct
import sys
import warnings
import zlib
from importlib.metadata import version
from pathlib import Path

import imagecodecs
import numpy as np
import rasterio
import rasterio.shutil
import rasterio.windows
import tifffile
from rasterio.io import MemoryFile

OUT = Path(__file__).parents[2] / "test/fixtures/virtual/tiff.json"
NUMBERS = ["uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]


def content(rng, dtype, shape, most=None):
    count = int(np.prod(shape))
    dtype = np.dtype(dtype)
    kind = rng.choice(["noise", "walk", "few"])
    if dtype.kind == "c":
        values = (rng.normal(0, 9, count) + 1j * rng.normal(0, 9, count)).astype(dtype)
    elif kind == "noise" and dtype.kind != "f":
        values = rng.integers(0, 256, count * dtype.itemsize, dtype=np.uint8).view(dtype)
    elif kind == "few":
        values = rng.integers(0, 3, count).astype(dtype)
    else:
        values = np.cumsum(rng.integers(-2, 3, count)).astype(dtype)
    if most is not None:
        values = values & dtype.type(most)
    return values.reshape(shape)


def elements(array):
    array = np.ascontiguousarray(array)
    data = array.astype(array.dtype.newbyteorder("<")).tobytes()
    return dict(shape=list(array.shape), type=str(array.dtype), data=base64.b64encode(zlib.compress(data, 9)).decode())


def as_bands(page):
    """[band, row, column] of a page, or [row, column]."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        array = page.asarray()
    if array.dtype == bool:
        array = array.astype("uint8")
    if page.samplesperpixel > 1 and page.planarconfig == 1:
        return np.moveaxis(array.reshape(page.imagelength, page.imagewidth, page.samplesperpixel), 2, 0)
    return array.reshape(*([page.samplesperpixel] if page.samplesperpixel > 1 else []), page.imagelength, page.imagewidth)


def case(name, data, arrays, **more):
    return dict(name=name, file=base64.b64encode(data).decode(), arrays={k: elements(v) for k, v in arrays.items()}, **more)


def of_tifffile(name, image, **options):
    """A page, as tifffile writes it and reads it back."""
    file = io.BytesIO()
    keys = {k: options.pop(k) for k in ("byteorder", "bigtiff") if k in options}
    with tifffile.TiffWriter(file, **keys) as writer:
        writer.write(image, metadata=None, **options)
    data = file.getvalue()
    with tifffile.TiffFile(io.BytesIO(data)) as tif:
        return case(name, data, {"image": as_bands(tif.pages[0])})


def random_files(rng, count, most):
    """Files that tifffile can write: it refuses some compressions of some types."""
    found = []
    while len(found) < count:
        try:
            found.append(random_file(rng, len(found), most))
        except (ValueError, TypeError, RuntimeError, KeyError, NotImplementedError):
            continue
    return found


def random_file(rng, i, most):
    samples = int(rng.choice([1, 1, 2, 3, 4]))
    planar = "separate" if samples > 1 and rng.random() < 0.5 else "contig"
    height, width = int(rng.integers(1, most)), int(rng.integers(1, most))
    compression = str(rng.choice(["none", "none", "zlib", "lzw", "packbits", "zstd", "lzma", "lerc", "png", "webp", "jpeg"]))
    dtype = str(rng.choice(NUMBERS + COMPLEX))
    options = dict(byteorder=str(rng.choice(["<", ">"])), bigtiff=bool(rng.random() < 0.4))
    if compression == "lerc":
        dtype = str(rng.choice(["uint8", "int16", "uint16", "int32", "float32", "float64"]))
        if rng.random() < 0.5:
            options["compressionargs"] = dict(compression=str(rng.choice(["zstd", "deflate"])))
    if compression == "png":
        dtype = str(rng.choice(["uint8", "uint16"]))
        height, width = height + 8, width + 8
        samples = 3 if samples == 2 else samples
    if compression == "webp":
        dtype, samples, planar = "uint8", int(rng.choice([3, 4])), "contig"
        options["compressionargs"] = dict(lossless=bool(rng.random() < 0.7))
    if compression == "jpeg":
        dtype, samples = "uint8", int(rng.choice([1, 3]))
        planar = "contig" if samples == 1 else planar
        if samples == 3 and planar == "contig":
            options["photometric"] = str(rng.choice(["rgb", "ycbcr"]))
    predictor = None
    if compression in ("zlib", "lzw", "zstd", "lzma") and rng.random() < 0.6 and dtype not in COMPLEX:
        predictor = 3 if dtype.startswith("float") and rng.random() < 0.6 else 2
    if dtype == "float16" and predictor == 2:
        predictor = 3
    if compression != "none":
        options["compression"] = compression
    if predictor:
        options["predictor"] = predictor
    if rng.random() < 0.5:
        options["tile"] = tuple(int(16 * rng.integers(1, 4)) for _ in range(2))
    elif rng.random() < 0.8:
        # Images of JPEG are multiples of 8 rows.
        options["rowsperstrip"] = int(8 * rng.integers(1, 5)) if compression == "jpeg" else int(rng.integers(1, height + 1))
    options.setdefault("photometric", "rgb" if samples >= 3 else "minisblack")
    if samples > 1:
        options["planarconfig"] = planar
    shape = [height, width] if samples == 1 else [samples, height, width] if planar == "separate" else [height, width, samples]
    image = content(rng, dtype, shape)
    if compression in ("webp", "jpeg"):
        image = (np.indices(shape).sum(0) * 3 % 256).astype("uint8")
    return of_tifffile(f"{i} {compression} {dtype} {shape} {options}", image, **options)


def packed(rng, bits, height, width, **options):
    """Samples of fewer bits, packed by hand as tifffile reads them."""
    dtype = "uint8" if bits <= 8 else "uint16" if bits <= 16 else "uint32"
    image = content(rng, dtype, [height, width], (1 << bits) - 1)
    rows = options.pop("rowsperstrip", height)
    strips = [imagecodecs.packints_encode(image[i : i + rows], bits, runlen=width) for i in range(0, height, rows)]
    if options.get("compression") == "zlib":
        strips = [imagecodecs.zlib_encode(each) for each in strips]
    elif options.get("fillorder") == 2:
        strips = [imagecodecs.bitorder_encode(each) for each in strips]
    order = "<" if options.get("little", True) else ">"
    data = by_hand(order, width, height, bits, rows, strips, 8 if options.get("compression") == "zlib" else 1, options.get("fillorder", 1))
    with tifffile.TiffFile(io.BytesIO(data)) as tif:
        found = as_bands(tif.pages[0])
        assert (found == image).all(), bits
        return case(f"{bits} bits {options}", data, {"image": image})


def by_hand(order, width, height, bits, rows, strips, compression, fillorder=1):
    """A classic file of one image with strips."""
    count = len(strips)
    entries = [(256, 4, 1, width), (257, 4, 1, height), (258, 3, 1, bits), (259, 3, 1, compression), (262, 3, 1, 1)]
    entries += [(266, 3, 1, fillorder), (273, 4, count, None), (277, 3, 1, 1), (278, 4, 1, rows), (279, 4, count, None)]
    directory = 8
    lists = directory + 2 + 12 * len(entries) + 4
    start = lists + 8 * count
    offsets = np.cumsum([start] + [len(each) for each in strips])[:-1]
    out = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(order + "I", directory)
    out += struct.pack(order + "H", len(entries))
    for tag, kind, number, value in entries:
        if value is None:
            value = (offsets[0] if count == 1 else lists) if tag == 273 else (len(strips[0]) if count == 1 else lists + 4 * count)
        field = struct.pack(order + "HH", value, 0) if kind == 3 else struct.pack(order + "I", int(value))
        out += struct.pack(order + "HHI", tag, kind, number) + field
    out += struct.pack(order + "I", 0)
    out += b"".join(struct.pack(order + "I", int(each)) for each in offsets)
    out += b"".join(struct.pack(order + "I", len(each)) for each in strips)
    return out + b"".join(bytes(each) for each in strips)


def of_gdal(rng, name, driver, dtype, shape, crs="EPSG:32633", transform=(10, 0, 500000, 0, -20, 5000000), bands=None, mask=False, **options):
    """A file of GDAL: elements of every resolution, and where they lie."""
    transform = rasterio.Affine(*transform)
    count, height, width = shape
    nodata = options.pop("nodata", None)
    holes = options.pop("holes", False)
    overviews = options.pop("overviews", None)
    image = content(rng, dtype, shape)
    if holes:
        image[:, :64, :64] = nodata or 0
    with MemoryFile() as memory:
        profile = dict(driver="GTiff", dtype=dtype, count=count, height=height, width=width, crs=crs, transform=transform, nodata=nodata)
        with memory.open(**profile, **(options if driver == "GTiff" else {})) as out:
            if not options.get("SPARSE_OK"):
                out.write(image)
            else:
                out.write(image[:, 64:, :], window=rasterio.windows.Window(0, 64, width, height - 64))
            if mask:
                out.write_mask((np.indices((height, width)).sum(0) % 7 > 0))
            for i, (scale, offset, unit, text) in enumerate(bands or []):
                out.scales = [*out.scales[:i], scale, *out.scales[i + 1 :]]
                out.offsets = [*out.offsets[:i], offset, *out.offsets[i + 1 :]]
                out.set_band_unit(i + 1, unit)
                out.set_band_description(i + 1, text)
            if overviews:
                out.build_overviews(overviews, rasterio.enums.Resampling.nearest)
        if driver == "COG":
            with MemoryFile() as target:
                rasterio.shutil.copy(memory.name, target.name, driver="COG", **options)
                data = bytes(target.getbuffer())
        else:
            data = bytes(memory.getbuffer())
    return gdal_case(name, data)


def gdal_case(name, data):
    arrays, places = {}, {}
    with MemoryFile(data) as memory:
        levels = len(memory.open().overviews(1))
        for level in range(levels + 1):
            folder = "" if level == 0 else f"overviews/{level}/"
            with memory.open(**({} if level == 0 else dict(overview_level=level - 1))) as src:
                values = src.read()
                arrays[folder + "image"] = values if src.count > 1 else values[0]
                places[folder + "image"] = list(src.transform)[:6]
                if rasterio.enums.MaskFlags.per_dataset in src.mask_flag_enums[0] and src.nodata is None:
                    arrays[folder + "mask"] = src.dataset_mask() // 255
                if level == 0:
                    crs = src.crs and src.crs.to_epsg()
                    more = dict(nodata=None if src.nodata is None else str(src.nodata), scales=src.scales, offsets=src.offsets)
                    more |= dict(units=src.units, descriptions=src.descriptions)
    return case(name, data, arrays, places=places, crs=crs and f"EPSG:{crs}", **more)


def fixtures():
    rng = np.random.default_rng(52)
    cases = random_files(rng, 48, 28)
    cases += [packed(rng, bits, 9, 13) for bits in (1, 2, 3, 4, 5, 6, 7, 9, 12, 14, 17, 24)]
    cases += [packed(rng, 1, 20, 21, rowsperstrip=8, compression="zlib"), packed(rng, 12, 9, 13, little=False)]
    cases += [packed(rng, 4, 9, 13, fillorder=2), packed(rng, 1, 9, 13, rowsperstrip=2)]
    for predictor in (1, 2):
        cases.append(of_gdal(rng, f"COG deflate {predictor}", "COG", "uint16", (3, 70, 100), BLOCKSIZE=32, COMPRESS="DEFLATE", PREDICTOR="YES" if predictor == 2 else "NO", OVERVIEW_RESAMPLING="NEAREST"))
    cases.append(of_gdal(rng, "COG of floats with missing tiles", "COG", "float32", (1, 150, 140), nodata=-9999.0, holes=True, BLOCKSIZE=64, COMPRESS="ZSTD", PREDICTOR="YES", SPARSE_OK="TRUE", OVERVIEW_RESAMPLING="NEAREST"))
    cases.append(of_gdal(rng, "COG with a mask", "COG", "uint8", (3, 60, 70), mask=True, BLOCKSIZE=32, COMPRESS="LZW", OVERVIEW_RESAMPLING="NEAREST"))
    cases.append(of_gdal(rng, "COG of degrees", "COG", "int16", (1, 40, 50), crs="EPSG:4326", transform=(0.5, 0, -10, 0, -0.25, 50), nodata=-32768, COMPRESS="DEFLATE"))
    cases.append(of_gdal(rng, "scale and offset", "GTiff", "int16", (2, 30, 20), bands=[(0.1, 5.0, "K", "one & two"), (0.1, 5.0, "K", "three")], tiled=False))
    cases.append(of_gdal(rng, "scales that differ", "GTiff", "int16", (2, 30, 20), bands=[(0.1, 5.0, "K", "one"), (0.2, 0.0, "m", "two")], interleave="band"))
    cases.append(of_gdal(rng, "sparse strips", "GTiff", "int16", (1, 130, 20), nodata=-7, SPARSE_OK=True))
    cases.append(of_gdal(rng, "rotated", "GTiff", "uint8", (1, 13, 20), transform=(10, 3, 500000, 2, -20, 5000000)))
    cases.append(of_gdal(rng, "1 bit", "GTiff", "uint8", (1, 13, 21), nbits=1))
    cases.append(of_gdal(rng, "12 bits, pixels", "GTiff", "uint16", (3, 13, 21), nbits=12, compress="deflate", blockysize=4))
    cases.append(of_gdal(rng, "overviews of GDAL", "GTiff", "uint8", (1, 90, 70), overviews=[2, 4], compress="packbits", tiled=True, blockxsize=16, blockysize=32))
    cases.append(of_gdal(rng, "big-endian BigTIFF", "GTiff", "float64", (2, 20, 30), endianness="big", bigtiff="yes", compress="lzw", predictor=3))
    cases.append(of_gdal(rng, "without a code", "GTiff", "uint8", (1, 13, 20), crs="+proj=lcc +lat_1=38.5 +lat_2=38.5 +lat_0=38.5 +lon_0=-97.5 +x_0=0 +y_0=0 +a=6371229 +b=6371229 +units=m"))
    cases.append(of_gdal(rng, "unsigned 64 bits", "GTiff", "uint64", (1, 13, 20), nodata=12345))
    cases.append(of_gdal(rng, "nan", "GTiff", "float32", (1, 13, 20), nodata=float("nan")))
    cases.append(of_gdal(rng, "points", "GTiff", "float32", (1, 13, 20), AREA_OR_POINT="Point"))
    cases.append(pages(rng))
    return cases


def pages(rng):
    """Pages of one size, one of another, and overviews in directories below the first."""
    file = io.BytesIO()
    arrays = {}
    with tifffile.TiffWriter(file) as writer:
        first = content(rng, "uint16", [40, 50])
        writer.write(first, metadata=None, subifds=1, tile=(16, 16))
        writer.write(first[::2, ::2], metadata=None, subfiletype=1, tile=(16, 16))
        arrays["image"], arrays["overviews/1/image"] = first, first[::2, ::2]
        for i, shape in enumerate([[40, 50], [7, 5]]):
            arrays[f"image_{i + 1}"] = content(rng, "uint16", shape)
            writer.write(arrays[f"image_{i + 1}"], metadata=None, contiguous=False)
    return case("pages", file.getvalue(), arrays)


if __name__ == "__main__":
    target, *numbers = sys.argv[1:] or [OUT]
    if numbers:
        rng = np.random.default_rng(int(numbers[1]) if len(numbers) > 1 else 0)
        cases = random_files(rng, int(numbers[0]), 90)
    else:
        cases = fixtures()
    versions = {name: version(name) for name in ("tifffile", "imagecodecs", "rasterio")} | dict(gdal=rasterio.__gdal_version__)
    Path(target).parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(each) for each in cases)
    Path(target).write_text(f'{{"versions": {json.dumps(versions)}, "cases": [\n{lines}\n]}}\n')
