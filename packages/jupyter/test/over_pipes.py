"""Answers a viewer over pipes, without a notebook: a line of JSON, and the buffers that it counts.

Beside the messages of a viewer, `{"kind": "open", "object": "v3"}` says what is shown from now on.
"""

import json
import pathlib
import sys
import types

import numpy as np
import zarr

# The widget needs anywidget, which its answers do not.
package = types.ModuleType("wazarr")
package.__path__ = [str(pathlib.Path(__file__).parent.parent / "python" / "wazarr")]
sys.modules["wazarr"] = package

from wazarr.answers import Answers  # noqa: E402
from wazarr.sources import shown_of  # noqa: E402

SHAPE = (3, 700, 600)
VALUES = (np.arange(np.prod(SHAPE)) % 251).astype("int16").reshape(SHAPE)


def stored(**options):
    group = zarr.create_group(zarr.storage.MemoryStore(), zarr_format=options.pop("zarr_format", 3))
    group.create_array("values", data=VALUES, **options)
    return group


def dataset():
    import xarray

    coords = {"time": np.array(["2026-03-05", "2026-03-06", "2026-03-07"], "datetime64[ns]")}
    values = xarray.DataArray(VALUES, dims=("time", "y", "x"), coords=coords, attrs={"units": "m", "n": np.int16(3)})
    return xarray.Dataset({"values": values, "small": ("y", np.arange(700))})


def reopened():
    """Remembers the codecs of the file of v2 that it was read from."""
    import xarray

    store = zarr.storage.MemoryStore()
    dataset().to_zarr(store, zarr_format=2, consolidated=False)
    return xarray.open_zarr(store, chunks=None, consolidated=False)


def session():
    import icechunk

    repository = icechunk.Repository.create(icechunk.in_memory_storage())
    writable = repository.writable_session("main")
    zarr.create_group(writable.store).create_array("values", data=VALUES, chunks=(1, 256, 256))
    writable.commit("values")
    return repository.readonly_session("main")


class Failing(zarr.storage.MemoryStore):
    async def get(self, key, prototype=None, byte_range=None):
        if "/c/" in key:
            raise OSError("the disk is gone")
        return await super().get(key, prototype, byte_range)


def failing():
    store = Failing()
    zarr.create_group(store).create_array("values", data=VALUES, chunks=(1, 256, 256))
    return store


OBJECTS = {
    "v3": lambda: stored(chunks=(1, 256, 256)),
    "v2": lambda: stored(chunks=(1, 256, 256), zarr_format=2),
    "shards": lambda: stored(chunks=(1, 64, 64), shards=(1, 256, 256)),
    "array": lambda: stored(chunks=(1, 256, 256))["values"],
    "dataset": dataset,
    "variable": lambda: dataset()["values"],
    "reopened": reopened,
    "session": session,
    "failing": failing,
    # One chunk of 10 MiB, in parts.
    "large": lambda: zarr.create_array(
        zarr.storage.MemoryStore(), data=np.arange(10 << 18, dtype="int32"), chunks=(10 << 18,), compressors=None
    ),
}


def send(message, buffers):
    header = json.dumps({"message": message, "sizes": [len(each) for each in buffers]})
    sys.stdout.buffer.write(b"".join([header.encode(), b"\n", *buffers]))
    sys.stdout.buffer.flush()


answers = None
for line in sys.stdin:
    message = json.loads(line)
    if message["kind"] == "open":
        shown = shown_of(OBJECTS[message["object"]]())
        answers = Answers(shown.source, send)
        send({"kind": "opened", "path": shown.path, "variables": shown.variables}, [])
    else:
        answers.receive(message)
