"""The libraries of Python as rivals (bench/peers/python.ts): a JSON request a line on standard input, milliseconds on standard output.

A request is one turn: runs that do not count for `warmUp` milliseconds, then runs for `time`; the answer is their median. One core's worth
of work: one copy thread, one I/O thread, and the caller pins the process to one core. Files are not synced, since the others do not.
"""

import functools
import json
import statistics
import sys
import time
import warnings

import numpy as np

warnings.simplefilter("ignore")


def timed(work):
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


@functools.cache
def tensorstore_context():
    import tensorstore as ts

    return ts.Context(
        {
            "data_copy_concurrency": {"limit": 1},
            "file_io_concurrency": {"limit": 1},
            "file_io_sync": False,
            "cache_pool": {"total_bytes_limit": 0},
        }
    )


opened = {}


def array_of(store):
    import tensorstore as ts

    key = json.dumps(store)
    if key not in opened:
        spec = {"driver": "zarr3", "kvstore": store}
        opened[key] = ts.open(spec, context=tensorstore_context(), open=True).result()
    return opened[key]


def index_of(selection):
    return tuple(
        entry["index"] if "index" in entry else slice(entry.get("start"), entry.get("stop"), entry.get("step"))
        for entry in selection
    )


@functools.lru_cache(1)
def elements_of(path, data_type, shape):
    return np.fromfile(path, dtype=data_type).reshape(shape)


@functools.lru_cache(1)
def strings_of(path):
    with open(path) as file:
        return np.array(json.load(file), dtype=np.dtypes.StringDType())


def array_of_strings(texts):
    import zarr
    from zarr.storage import MemoryStore

    return zarr.create_array(MemoryStore(), shape=len(texts), chunks=len(texts), dtype="string", compressors=None)


@functools.lru_cache(1)
def written_strings(path):
    array = array_of_strings(strings_of(path))
    array[:] = strings_of(path)
    return array


# What can be asked, by `kind`: each gives a function that runs once and returns milliseconds of the part that
# counts.


def read(store, selection):
    array, index = array_of(store), index_of(selection)
    view = array[index] if index else array
    return lambda: timed(lambda: view.read().result())


def points(store, coordinates):
    array = array_of(store)
    lists = np.fromfile(coordinates, dtype="int32").astype("int64").reshape(array.rank, -1)
    return lambda: timed(lambda: array.vindex[tuple(lists)].read().result())


def write(store, metadata, data):
    import tensorstore as ts

    opened.pop(json.dumps(store), None)
    elements = elements_of(data, metadata["data_type"], tuple(metadata["shape"]))
    spec = {"driver": "zarr3", "kvstore": store, "metadata": metadata, "create": True, "delete_existing": True}

    def run():
        array = ts.open(spec, context=tensorstore_context()).result()
        return timed(lambda: array.write(elements).result())

    return run


def read_strings(texts):
    return lambda: timed(lambda: written_strings(texts)[:])


def write_strings(texts):
    def run():
        array, strings = array_of_strings(strings_of(texts)), strings_of(texts)
        return timed(lambda: array.__setitem__(slice(None), strings))

    return run


@functools.cache
def codec_of(configuration):
    import numcodecs
    from numcodecs import blosc

    blosc.set_nthreads(1)
    blosc.use_threads = False
    return numcodecs.get_codec(json.loads(configuration))


def encode(codec, dtype, data, encoded):
    """Also writes what it encodes to the file `encoded`."""
    native, elements = codec_of(json.dumps(codec)), np.fromfile(data, dtype)
    with open(encoded, "wb") as file:
        file.write(bytes(native.encode(elements)))
    return lambda: timed(lambda: native.encode(elements))


def decode(codec, dtype, data, encoded):
    native, out = codec_of(json.dumps(codec)), np.empty_like(np.fromfile(data, dtype))
    with open(encoded, "rb") as file:
        stored = file.read()
    return lambda: timed(lambda: native.decode(stored, out))


@functools.lru_cache(1)
def file_of(path):
    with open(path, "rb") as file:
        return file.read()


def encode_field(packing, keys, columns, data, encoded):
    """Writes a GRIB message of global latitudes and longitudes to the file `encoded`."""
    import eccodes

    values = np.fromfile(data, "<f8")
    h = eccodes.codes_grib_new_from_samples("regular_ll_sfc_grib2")
    for key, value in {"Ni": columns, "Nj": values.size // columns, "packingType": packing, **keys}.items():
        eccodes.codes_set(h, key, value)
    eccodes.codes_set_values(h, values)
    with open(encoded, "wb") as file:
        file.write(eccodes.codes_get_message(h))
    eccodes.codes_release(h)
    file_of.cache_clear()
    return lambda: 0


def decode_field(library, encoded):
    message = file_of(encoded)

    def with_eccodes():
        h = eccodes.codes_new_from_message(message)
        eccodes.codes_get_values(h)
        eccodes.codes_release(h)

    if library == "gribberish":
        import gribberish

        return lambda: timed(lambda: gribberish.parse_grib_array(message, 0))
    import eccodes

    return lambda: timed(with_eccodes)


def encode_numbers(dtype, data, encoded):
    from pcodec import ChunkConfig, standalone

    with open(encoded, "wb") as file:
        file.write(standalone.simple_compress(np.fromfile(data, dtype), ChunkConfig()))
    file_of.cache_clear()
    return lambda: 0


def decode_numbers(dtype, count, encoded):
    from pcodec import standalone

    stored, out = file_of(encoded), np.empty(count, dtype)
    return lambda: timed(lambda: standalone.simple_decompress_into(stored, out))


def encode_zfp(dtype, shape, options, data, encoded):
    import zfpy

    with open(encoded, "wb") as file:
        file.write(zfpy.compress_numpy(np.fromfile(data, dtype).reshape(shape), **options))
    file_of.cache_clear()
    return lambda: 0


def decode_zfp(encoded):
    import zfpy

    stored = file_of(encoded)
    return lambda: timed(lambda: zfpy.decompress_numpy(stored))


# By the number of TIFF's predictor: of what precedes a compressor, how it is made and unmade.
PREDICTORS = {2: "delta", 3: "floatpred"}


def lzw_encode(data):
    """As libtiff does it: imagecodecs clears its table two entries later, which geotiff.js 3.0.5 does not survive."""
    codes, table = [(256, 9)], {}
    width, prefix = 9, data[0]
    for byte in data[1:]:
        key = prefix << 8 | byte
        if key in table:
            prefix = table[key]
            continue
        codes.append((prefix, width))
        prefix = byte
        table[key] = 258 + len(table)
        if len(table) == 4094 - 258:
            codes.append((256, width))
            width = 9
            table.clear()
        elif 258 + len(table) == 1 << width:
            width += 1
    codes += [(prefix, width), (257, width + (259 + len(table) == 1 << width))]
    bits = "".join(f"{code:0{width}b}" for code, width in codes)
    length = -(-len(bits) // 8)
    return int(bits.ljust(8 * length, "0"), 2).to_bytes(length, "big")


def encode_tile(dtype, shape, predictor, compressor, data, encoded):
    """Writes a tile of rows, columns and samples as TIFF has it."""
    import imagecodecs

    tile = np.fromfile(data, dtype).reshape(shape)
    if predictor in PREDICTORS:
        tile = getattr(imagecodecs, PREDICTORS[predictor] + "_encode")(tile, axis=-2)
    compress = lzw_encode if compressor == "lzw" else imagecodecs.packbits_encode
    with open(encoded, "wb") as file:
        file.write(compress(tile.tobytes()))
    file_of.cache_clear()
    return lambda: 0


def decode_tile(dtype, shape, predictor, compressor, encoded):
    import imagecodecs

    stored, differences, out = file_of(encoded), np.empty(shape, dtype), np.empty(shape, dtype)
    into = differences.reshape(-1).view("u1")
    decompress = getattr(imagecodecs, compressor + "_decode")
    unpredict = getattr(imagecodecs, PREDICTORS[predictor] + "_decode") if predictor in PREDICTORS else None

    def run():
        decompress(stored, out=into)
        if unpredict:
            unpredict(differences, axis=-2, out=out)

    return lambda: timed(run)


KINDS = {
    "read": read,
    "points": points,
    "write": write,
    "readStrings": read_strings,
    "writeStrings": write_strings,
    "encode": encode,
    "decode": decode,
    "encodeField": encode_field,
    "decodeField": decode_field,
    "encodeNumbers": encode_numbers,
    "decodeNumbers": decode_numbers,
    "encodeZfp": encode_zfp,
    "decodeZfp": decode_zfp,
    "encodeTile": encode_tile,
    "decodeTile": decode_tile,
}


def runs(run, least, milliseconds):
    samples = []
    began = time.perf_counter()
    while len(samples) < least or 1000 * (time.perf_counter() - began) < milliseconds:
        samples.append(run())
    return samples


def turn(kind, warmUp, time, **request):
    run = KINDS[kind](**request)
    runs(run, 1 if warmUp > 0 else 0, warmUp)
    return [statistics.median(runs(run, 1, time))]


def reads(store, selections, budget):
    """Boxes one after the other; milliseconds of each."""
    array = array_of(store)
    samples = []
    for index in map(index_of, selections):
        if sum(samples) > budget:
            break
        samples.append(timed(lambda: array[index].read().result()))
    return samples


for line in sys.stdin:
    request = json.loads(line)
    try:
        if request["kind"] == "reads":
            request.pop("kind")
            answer = {"milliseconds": reads(**request)}
        else:
            answer = {"milliseconds": turn(**request)}
    except Exception as error:
        answer = {"error": str(error)}
    print(json.dumps(answer), flush=True)
