"""
Sharded arrays for the fixtures, as metadata documents: every option of `sharding_indexed`, one or two at a time. A case is a dict of
  name, documents ({"/zarr.json": ...}), zarr_format, data_type, shape,
  fill_value, data: little-endian hex as in cases.py; written: the regions to write, one after the other.
"""

import cases

LITTLE = {"name": "bytes", "configuration": {"endian": "little"}}
BIG = {"name": "bytes", "configuration": {"endian": "big"}}
CRC = {"name": "crc32c"}
GZIP = {"name": "gzip", "configuration": {"level": 5}}
ZSTD = {"name": "zstd", "configuration": {"level": 3, "checksum": False}}
BLOSC = {
    "name": "blosc",
    "configuration": {"cname": "lz4", "clevel": 5, "shuffle": "shuffle", "typesize": 2, "blocksize": 0},
}
FILL = -7


def transpose(*order):
    return {"name": "transpose", "configuration": {"order": list(order)}}


def sharding(chunk_shape, codecs=(LITTLE,), index_codecs=(LITTLE, CRC), location="end"):
    configuration = {
        "chunk_shape": list(chunk_shape),
        "codecs": list(codecs),
        "index_codecs": list(index_codecs),
        "index_location": location,
    }
    return {"name": "sharding_indexed", "configuration": configuration}


def case(name, codecs, *, shape=(11, 13), chunk_shape=(6, 8), written=None):
    data = cases.smooth_data(shape)
    fill = FILL.to_bytes(2, "little", signed=True)
    if written is not None:
        data = cases.partly(data, "int16", shape, written, fill)
    metadata = {
        "zarr_format": 3,
        "node_type": "array",
        "shape": list(shape),
        "data_type": "int16",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": list(chunk_shape)}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "codecs": codecs,
        "fill_value": FILL,
        "attributes": {},
    }
    return {
        "name": name, "documents": {"/zarr.json": metadata}, "zarr_format": 3, "data_type": "int16",
        "shape": list(shape), "fill_value": fill.hex(), "data": data.hex(),
        **({} if written is None else {"written": written}),
    }  # fmt: skip


SCATTERED = [[[4, 5], [9, 13]], [[0, 2], [0, 3]], [[8, 11], [1, 2]], [[1, 9], [4, 6]], [[0, 1], [12, 13]]]
# Inner chunks that are written again grow old in the shards of writers that append.
AGAIN = [*SCATTERED, [[0, 3], [0, 4]], [[4, 6], [8, 12]], [[0, 2], [0, 3]]]

CASES = [
    case("index at the end", [sharding([3, 4])]),
    case("index at the start", [sharding([3, 4], location="start")]),
    case("index without a checksum", [sharding([3, 4], index_codecs=[LITTLE])]),
    case("index in big endian", [sharding([3, 4], index_codecs=[BIG, CRC])]),
    case("index in big endian at the start, no checksum", [sharding([3, 4], index_codecs=[BIG], location="start")]),
    case("elements in big endian", [sharding([3, 4], [BIG])]),
    case("gzip inside", [sharding([3, 4], [LITTLE, GZIP])]),
    case("zstd inside", [sharding([3, 4], [LITTLE, ZSTD], location="start")]),
    case("blosc inside", [sharding([3, 4], [LITTLE, BLOSC])]),
    case("crc32c inside", [sharding([3, 4], [LITTLE, CRC])]),
    case("zstd and crc32c inside", [sharding([3, 4], [BIG, ZSTD, CRC])]),
    case("transpose inside", [sharding([3, 4], [transpose(1, 0), LITTLE])]),
    case("transpose before", [transpose(1, 0), sharding([4, 3])]),
    # zarr-python wants inner chunks to divide the shard before the transpose, too.
    case("transpose before, shards of equal sides", [transpose(1, 0), sharding([3, 2])], chunk_shape=(6, 6)),
    case("transpose before and around, equal sides", [transpose(1, 0), sharding([3, 2]), GZIP, CRC], chunk_shape=(6, 6)),
    case(
        "transposes before and inside, of three dimensions",
        [transpose(2, 0, 1), sharding([2, 2, 3], [transpose(1, 2, 0), LITTLE, GZIP], location="start")],
        shape=(5, 7, 9), chunk_shape=(4, 6, 4),
    ),
    case("gzip around", [sharding([3, 4]), GZIP]),
    case("crc32c around", [sharding([3, 4], location="start"), CRC]),
    case("transpose before, gzip and crc32c around", [transpose(1, 0), sharding([4, 3]), GZIP, CRC]),
    case("shards in shards", [sharding([6, 4], [sharding([3, 2])])]),
    case(
        "shards in shards, index at the end of the inner and the start of the outer ones",
        [sharding([6, 4], [sharding([3, 2], [LITTLE, ZSTD], location="end")], location="start")],
    ),
    case("shards in shards in shards", [sharding([6, 4], [sharding([3, 4], [sharding([1, 2], location="start")])])]),
    case("crc32c around shards in shards", [sharding([6, 4], [sharding([3, 2]), CRC])]),
    case("one inner chunk a shard", [sharding([6, 8], [LITTLE, GZIP])]),
    case("inner chunks of one element", [sharding([1, 1])], shape=(5, 4), chunk_shape=(3, 2)),
    case("one dimension", [sharding([4], [LITTLE, ZSTD])], shape=(29,), chunk_shape=(12,)),
    case("missing shards and inner chunks", [sharding([3, 4])], written=[[[4, 8], [5, 10]]]),
    case("missing inner chunks, index at the start", [sharding([2, 2], [LITTLE, GZIP], location="start")], written=SCATTERED),
    case("nothing written", [sharding([3, 4])], written=[]),
    case("many writes", [sharding([2, 2], [LITTLE, CRC])], written=AGAIN),
    case("many writes, index at the start", [sharding([2, 2], [LITTLE, GZIP], location="start")], written=AGAIN),
    case("many writes to shards in shards", [sharding([6, 4], [sharding([2, 2])])], written=AGAIN),
    case("many writes, gzip around", [sharding([2, 2]), GZIP], written=AGAIN),
]  # fmt: skip
