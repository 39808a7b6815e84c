"""Rechunks with dask and zarr-python, or with rechunker: `rechunk_dask.py dask|rechunker SOURCE TARGET LENGTH SHARD CHUNK`.

Prints nothing. dask writes format 3 in shards; rechunker, whose newest release needs zarr-python 2, writes format 2 in chunks as large as the
shards, through an intermediate array, and may take 1 GB.
"""

import sys


def with_dask(source, target, length, shard, chunk):
    import dask
    import dask.array
    import zarr

    array = dask.array.from_zarr(source)
    shards = (array.shape[0], shard, shard)
    made = zarr.create_array(
        target, shape=array.shape, dtype=array.dtype, chunks=(length, chunk, chunk), shards=shards, compressors=zarr.codecs.ZstdCodec(level=3)
    )
    with dask.config.set(scheduler="threads", num_workers=2):
        dask.array.store(array.rechunk(shards), made, lock=False)


def with_rechunker(source, target, length, shard, chunk):
    import dask
    import zarr
    from numcodecs import Zstd
    from rechunker import rechunk

    array = zarr.open_array(source, mode="r")
    shards = (array.shape[0], shard, shard)
    options = {"compressor": Zstd(level=3)}
    plan = rechunk(array, shards, "1GB", target, temp_store=f"{target}.tmp", target_options=options)
    with dask.config.set(scheduler="threads", num_workers=2):
        plan.execute()


if __name__ == "__main__":
    library, source, target = sys.argv[1:4]
    {"dask": with_dask, "rechunker": with_rechunker}[library](source, target, *map(int, sys.argv[4:7]))
