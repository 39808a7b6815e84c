"""Writes test/fixtures/codecs/images.json: images by codecs of imagecodecs, and what imagecodecs reads of them.

    python3 -m venv venv && venv/bin/pip install imagecodecs numcodecs numpy rasterio tifffile
    venv/bin/python scripts/oracles/make_image_fixtures.py [FILE [COUNT [SEED [FORMAT]]]]

With COUNT, writes as many random images of each format in place of those of the fixtures, to compare more than
the repository holds: WAZARR_IMAGES=FILE npx vitest run --project node test/codecs/images/images.test.ts reads them.
"""

import base64
import io
import json
import sys
from pathlib import Path

import imagecodecs
import imagecodecs.numcodecs
import numpy as np
import rasterio
import tifffile
from numcodecs import get_codec

OUT = Path(__file__).parents[2] / "test/fixtures/codecs/images.json"
imagecodecs.numcodecs.register_codecs(verbose=False)


def text(data):
    return base64.b64encode(bytes(data)).decode()


def numbers(rng, shape, dtype, kind="smooth"):
    """An array of the data type. Smooth along the first two dimensions that are longest."""
    dtype = np.dtype(dtype)
    if kind == "constant":
        return np.full(shape, 7, dtype)
    if dtype.kind == "f":
        if kind == "noise":
            return rng.normal(0, 1e6, shape).astype(dtype)
        return np.cumsum(rng.normal(0, 1, shape), axis=-1).astype(dtype)
    limits = np.iinfo(dtype)
    if kind == "noise":
        return rng.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)
    span = min(limits.max, 60000) - max(limits.min, -60000)
    waves = np.sin(np.arange(np.prod(shape)).reshape(shape) / 7.0 + rng.random()) + rng.normal(0, 0.02, shape)
    return (np.clip(waves / 2.4 + 0.5, 0, 1) * span + max(limits.min, -60000)).astype(dtype)


def case(name, array, codec, **configuration):
    """As a chunk of an array that zarr-python writes with this codec."""
    encoder = get_codec({"id": codec, **configuration})
    image = encoder.encode(array)
    return decoded(name, image, array.shape, encoder)


def decoded(name, image, shape, codec):
    values = np.ascontiguousarray(codec.decode(bytes(image)))
    assert values.size == np.prod(shape), (name, values.shape, shape)
    return {
        "name": name,
        "codec": {key: value for key, value in codec.get_config().items() if value is not None},
        "shape": [int(each) for each in shape],
        "dtype": values.dtype.name,
        "image": text(image),
        "values": text(values.tobytes()),
    }


INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32"]


def lerc_masked(rng):
    array = numbers(rng, (9, 14), "float32")
    image = imagecodecs.lerc_encode(array, masks=rng.random((9, 14)) < 0.6)
    return decoded("lerc masked", image, array.shape, get_codec({"id": "imagecodecs_lerc"}))


def lerc(rng):
    for dtype in [*INTEGERS, "float32", "float64"]:
        yield case(f"lerc {dtype}", numbers(rng, (11, 17), dtype), "imagecodecs_lerc")
    for version in (2, 3, 4, 5, 6):
        yield case(f"lerc version {version}", numbers(rng, (8, 9), "int16"), "imagecodecs_lerc", version=version)
    yield case("lerc lossy", numbers(rng, (16, 20), "float32"), "imagecodecs_lerc", level=0.1)
    yield case("lerc samples", numbers(rng, (6, 7, 3), "uint8"), "imagecodecs_lerc")
    yield case("lerc bands", numbers(rng, (3, 6, 7), "uint16"), "imagecodecs_lerc", planar=True)
    yield case("lerc many bands", numbers(rng, (2, 5, 6, 7), "float32"), "imagecodecs_lerc")
    yield case("lerc squeezed", numbers(rng, (1, 6, 1, 7), "int16"), "imagecodecs_lerc")
    yield case("lerc one row", numbers(rng, (1, 1, 19), "int32"), "imagecodecs_lerc")
    yield case("lerc constant", numbers(rng, (12, 12), "uint8", "constant"), "imagecodecs_lerc")
    yield lerc_masked(rng)


# Whether random images have 8 KiB or more, which workers take.
IS_LARGE = len(sys.argv) > 5


def lengths(rng, least, greatest, count=2):
    """Of random images; greatest is none of them."""
    if IS_LARGE:
        least, greatest = [(92, 140), (21, 40)][count - 2]
    return [int(n) for n in rng.integers(least, greatest, count)]


def some_lerc(rng, i):
    shape = lengths(rng, 1, 40, int(rng.integers(2, 4)))
    dtype = str(rng.choice([*INTEGERS, "float32", "float64"]))
    keys = {"level": float(rng.choice([0, 0.5, 3]))} if rng.random() < 0.3 else {}
    kind = str(rng.choice(["smooth", "noise", "constant"]))
    return case(f"lerc {i}", numbers(rng, shape, dtype, kind), "imagecodecs_lerc", **keys)


JPEG2K, HTJ2K = "imagecodecs_jpeg2k", "imagecodecs_htj2k"
LOSSLESS = {"level": 0, "reversible": True}


def jpeg2000(rng):
    for dtype in ("uint8", "uint16", "int16"):
        yield case(f"jpeg2000 {dtype}", numbers(rng, (15, 19), dtype), JPEG2K, **LOSSLESS)
        yield case(f"htj2k {dtype}", numbers(rng, (15, 19), dtype), HTJ2K)
    for dtype in ("uint8", "int8", "uint16", "int16"):
        yield case(f"jpeg2000 rgb {dtype}", numbers(rng, (10, 12, 3), dtype), JPEG2K, **LOSSLESS)
        yield case(f"htj2k rgb {dtype}", numbers(rng, (10, 12, 3), dtype), HTJ2K)
    yield case("jpeg2000 planes", numbers(rng, (3, 9, 14), "uint16"), JPEG2K, planar=True, **LOSSLESS)
    yield case("htj2k planes", numbers(rng, (3, 9, 14), "uint8"), HTJ2K, planar=True)
    yield case("jpeg2000 codestream", numbers(rng, (8, 21), "uint8"), JPEG2K, codecformat="j2k", **LOSSLESS)
    twelve = numbers(rng, (13, 11), "uint16") >> 4
    yield case("jpeg2000 12 bits", twelve, JPEG2K, bitspersample=12, **LOSSLESS)
    yield case("htj2k tiles", numbers(rng, (40, 70), "uint8"), HTJ2K, tile=(32, 32))
    yield case("jpeg2000 squeezed", numbers(rng, (1, 8, 9, 1), "uint16"), JPEG2K, **LOSSLESS)
    yield case("jpeg2000 noise", numbers(rng, (17, 33), "uint16", "noise"), JPEG2K, **LOSSLESS)
    yield case("jpeg2000 lossy", numbers(rng, (24, 24, 3), "uint8"), JPEG2K, level=30)
    yield case("jpeg2000 lossy 16 bits", numbers(rng, (24, 24), "uint16"), JPEG2K, level=60)
    yield case("htj2k lossy", numbers(rng, (24, 24, 3), "uint8"), HTJ2K, level=0.02, reversible=False)


def some_jpeg2000(rng, i):
    samples = [3] if rng.random() < 0.4 else []
    shape = lengths(rng, 2, 80) + samples
    dtype = str(rng.choice(["uint8", "uint16", "int16", *(["int8"] if samples else [])]))
    kind = str(rng.choice(["smooth", "noise", "constant"]))
    if rng.random() < 0.4:
        return case(f"htj2k {i}", numbers(rng, shape, dtype, kind), HTJ2K)
    keys = {"resolutions": int(rng.integers(1, 6))} if rng.random() < 0.3 else {}
    if rng.random() < 0.3:
        return case(f"jpeg2000 lossy {i}", numbers(rng, shape, dtype, kind), JPEG2K, level=int(rng.integers(20, 90)))
    return case(f"jpeg2000 {i}", numbers(rng, shape, dtype, kind), JPEG2K, **LOSSLESS, **keys)


JPEG = "imagecodecs_jpeg"


def split_tables(image):
    """The tables of an image, as TIFF has them once for all tiles, and the image without them."""
    tables, rest, at = bytearray(b"\xff\xd8"), bytearray(b"\xff\xd8"), 2
    while image[at + 1] != 0xDA:
        end = at + 2 + int.from_bytes(image[at + 2 : at + 4], "big")
        (tables if image[at + 1] in (0xDB, 0xC4) else rest).extend(image[at:end])
        at = end
    return bytes(tables + b"\xff\xd9"), bytes(rest + image[at:])


def jpeg_of_tiff(rng, name, array, written, **read):
    tables, image = split_tables(get_codec({"id": JPEG, "level": 90, **written}).encode(array))
    return decoded(name, image, array.shape, get_codec({"id": JPEG, "tables": tables, **read}))


def jpeg(rng):
    rgb = numbers(rng, (23, 29, 3), "uint8")
    yield case("jpeg gray", numbers(rng, (21, 35), "uint8"), JPEG, level=92)
    for subsampling in ("444", "422", "420", "440", "411"):
        yield case(f"jpeg {subsampling}", rgb, JPEG, level=85, subsampling=subsampling)
    yield case("jpeg squeezed", numbers(rng, (1, 16, 1, 18), "uint8"), JPEG, level=70)
    yield case("jpeg constant", numbers(rng, (8, 8, 3), "uint8", "constant"), JPEG)
    yield case("jpeg optimized", rgb, JPEG, level=60, optimize=True)
    yield jpeg_of_tiff(rng, "jpeg tables", rgb, {"subsampling": "420"})
    stored = {"colorspace_data": "RGB", "colorspace_jpeg": "RGB"}
    yield jpeg_of_tiff(rng, "jpeg stored as RGB", rgb, stored, **{key: 2 for key in stored})
    # Its markers say YCbCr: the configuration goes before them.
    yield jpeg_of_tiff(rng, "jpeg not converted", rgb, {}, **{key: 2 for key in stored})
    yield jpeg_of_tiff(rng, "jpeg converted", rgb, stored, colorspace_jpeg="YCBCR", colorspace_data="RGB")
    image = get_codec({"id": JPEG}).encode(rgb)
    header = bytes(image[: image.index(b"\xff\xda")])
    codec = get_codec({"id": JPEG, "header": header})
    yield decoded("jpeg header", image[len(header) : -2], rgb.shape, codec)


def some_jpeg(rng, i):
    samples = [3] if rng.random() < 0.7 else []
    shape = lengths(rng, 1, 90) + samples
    kind = str(rng.choice(["smooth", "noise", "constant"]))
    keys = {"level": int(rng.integers(20, 101)), "optimize": bool(rng.random() < 0.3)}
    if samples:
        keys["subsampling"] = str(rng.choice(["444", "422", "420", "440", "411"]))
    return case(f"jpeg {i}", numbers(rng, shape, "uint8", kind), JPEG, **keys)


PNG = "imagecodecs_png"


def png(rng):
    for dtype in ("uint8", "uint16"):
        for samples in ([], [2], [3], [4]):
            array = numbers(rng, [9, 13, *samples], dtype)
            yield case(f"png {dtype} {samples}", array, PNG)
    # Filters of libpng: none, sub, up, average, Paeth.
    for i in range(5):
        yield case(f"png filter {i}", numbers(rng, (14, 11, 3), "uint16"), PNG, filter=8 << i)
    yield case("png stored", numbers(rng, (14, 11), "uint8", "noise"), PNG, level=0)
    yield case("png squeezed", numbers(rng, (1, 8, 1, 9), "uint8"), PNG)
    yield case("png by spng", numbers(rng, (17, 9, 4), "uint8"), "imagecodecs_spng")


def some_png(rng, i):
    samples = [[], [2], [3], [4]][int(rng.integers(0, 4))]
    shape = lengths(rng, 1, 90) + samples
    dtype = str(rng.choice(["uint8", "uint16"]))
    kind = str(rng.choice(["smooth", "noise", "constant"]))
    keys = {"level": int(rng.integers(0, 10))}
    if rng.random() < 0.6:
        keys["filter"] = int(rng.choice([8, 16, 32, 64, 128, 248]))
    return case(f"png {i}", numbers(rng, shape, dtype, kind), PNG, **keys)


WEBP = "imagecodecs_webp"


def webp(rng):
    for samples in (3, 4):
        array = numbers(rng, (13, 17, samples), "uint8")
        yield case(f"webp lossless {samples}", array, WEBP, lossless=True)
        yield case(f"webp lossy {samples}", array, WEBP, level=80, lossless=False)
    yield case("webp noise", numbers(rng, (9, 8, 4), "uint8", "noise"), WEBP, lossless=True)
    opaque = numbers(rng, (9, 8, 4), "uint8")
    opaque[..., 3] = 255
    yield case("webp opaque", opaque, WEBP, lossless=True, hasalpha=True)
    image = get_codec({"id": WEBP, "lossless": True}).encode(opaque)
    yield decoded("webp without alpha", image, (9, 8, 3), get_codec({"id": WEBP, "hasalpha": False}))
    yield case("webp squeezed", numbers(rng, (1, 7, 8, 3), "uint8"), WEBP, lossless=True)
    yield case("webp methods", numbers(rng, (33, 31, 3), "uint8"), WEBP, level=30, method=6, lossless=False)


def some_webp(rng, i):
    shape = lengths(rng, 2, 90) + [int(rng.choice([3, 4]))]
    kind = str(rng.choice(["smooth", "noise", "constant"]))
    keys = {"lossless": bool(rng.random() < 0.5), "level": int(rng.integers(1, 101))}
    return case(f"webp {i}", numbers(rng, shape, "uint8", kind), WEBP, hasalpha=shape[2] == 4, **keys)


def refused(name, codec, array, **configuration):
    """An image of a kind that wazarr does not read."""
    image = get_codec({"id": codec, **configuration}).encode(array)
    shape = [int(each) for each in array.shape]
    return {"name": name, "codec": {"id": codec}, "shape": shape, "dtype": array.dtype.name, "image": text(image)}


def refusals(rng):
    byte, word = numbers(rng, (8, 9), "uint8"), numbers(rng, (8, 9), "uint16")
    rgba = numbers(rng, (8, 9, 4), "uint8")
    yield refused("got 4", JPEG2K, rgba, **LOSSLESS)
    yield refused("signed", JPEG2K, numbers(rng, (8, 9), "int8"), **LOSSLESS)
    yield refused("got 32", HTJ2K, numbers(rng, (8, 9), "uint32"))
    yield refused("got 4", JPEG, rgba)
    yield refused("12 bits", JPEG, word >> 4, bitspersample=12)
    yield refused("lossy samples", JPEG, byte, lossless=True)


def compressed_lerc(rng):
    """Compressed once more, as in TIFF files."""
    for compression in ("zstd", "deflate"):
        keys = {"compression": compression}
        yield case(f"lerc {compression}", numbers(rng, (9, 14), "float32"), "imagecodecs_lerc", **keys)
        yield case(f"lerc {compression} noise", numbers(rng, (9, 14), "uint8", "noise"), "imagecodecs_lerc", **keys)
        yield case(f"lerc {compression} bands", numbers(rng, (3, 6, 7), "uint16"), "imagecodecs_lerc", planar=True, **keys)
    masks = rng.random((9, 14)) < 0.6
    image = imagecodecs.lerc_encode(numbers(rng, (9, 14), "float64"), masks=masks, compression="zstd")
    yield decoded("lerc zstd masked", image, (9, 14), get_codec({"id": "imagecodecs_lerc"}))


def jpeg_planes(rng):
    """RGB in planes as GDAL writes it, which imagecodecs refuses: GDAL reads the values."""
    values = np.moveaxis(numbers(rng, (16, 32, 3), "uint8"), -1, 0)
    layout = {"width": 32, "height": 16, "count": 3, "dtype": "uint8", "interleave": "BAND", "tiled": True}
    with rasterio.MemoryFile() as file:
        options = {**layout, "blockxsize": 16, "blockysize": 16, "compress": "JPEG", "photometric": "RGB"}
        with file.open(driver="GTiff", **options) as writer:
            writer.write(values)
        with file.open() as reader:
            read = reader.read()
        data = bytes(file.getbuffer())
    with tifffile.TiffFile(io.BytesIO(data)) as tiff:
        page = tiff.pages[0]
        tables = page.tags["JPEGTables"].value
        tiles = list(zip(page.dataoffsets, page.databytecounts))
    # As tifffile refers to it: 2 is RGB, 1 gray.
    codec = {"id": JPEG, "tables": text(tables), "colorspace_jpeg": 2, "colorspace_data": 1}
    for i, (offset, length) in enumerate(tiles):
        band, column = divmod(i, 2)
        part = np.ascontiguousarray(read[band, :, 16 * column : 16 * column + 16])
        yield {
            **{"name": f"jpeg plane {i}", "codec": codec, "shape": [1, 16, 16], "dtype": "uint8"},
            **{"image": text(data[offset : offset + length]), "values": text(part.tobytes())},
        }


FORMATS = {
    "lerc": (lerc, some_lerc),
    "jpeg2000": (jpeg2000, some_jpeg2000),
    "jpeg": (jpeg, some_jpeg),
    "png": (png, some_png),
    "webp": (webp, some_webp),
}

if __name__ == "__main__":
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else OUT
    generator = np.random.default_rng(int(sys.argv[3]) if len(sys.argv) > 3 else 41)
    wanted = [FORMATS[sys.argv[4]]] if len(sys.argv) > 4 else FORMATS.values()
    cases = []
    for chosen, at_random in wanted:
        if len(sys.argv) > 2:
            cases += [at_random(generator, i) for i in range(int(sys.argv[2]))]
        else:
            cases += chosen(generator)
    if len(sys.argv) <= 2:
        cases += [*refusals(generator), *compressed_lerc(generator), *jpeg_planes(generator)]
    lines = ",\n".join(json.dumps(each) for each in cases)
    out.write_text(f'{{"writer": "imagecodecs {imagecodecs.__version__}", "cases": [\n{lines}\n]}}\n')
