"""TensorStore's side of the benchmarks (bench/tensorstore.ts): a JSON request a line on standard input, the seconds that each run took on standard output.

One core's worth of work: one copy thread, one I/O thread, and the caller pins the process to one core. Files are not synced, since the others do not.
"""

import json
import sys
import time

import numpy as np
import tensorstore as ts

CONTEXT = ts.Context(
    {
        "data_copy_concurrency": {"limit": 1},
        "file_io_concurrency": {"limit": 1},
        "file_io_sync": False,
        "cache_pool": {"total_bytes_limit": 0},
    }
)
opened = {}
loaded = {}


def array_of(store):
    key = json.dumps(store)
    if key not in opened:
        opened[key] = ts.open({"driver": "zarr3", "kvstore": store}, context=CONTEXT, open=True).result()
    return opened[key]


def index_of(selection):
    return tuple(
        entry["index"] if "index" in entry else slice(entry.get("start"), entry.get("stop"), entry.get("step"))
        for entry in selection
    )


def read(store, selection):
    array = array_of(store)
    index = index_of(selection)
    view = array[index] if index else array
    began = time.perf_counter()
    view.read().result()
    return time.perf_counter() - began


def reads(store, selections, budget):
    array = array_of(store)
    seconds = []
    for index in map(index_of, selections):
        if sum(seconds) * 1000 > budget:
            break
        began = time.perf_counter()
        array[index].read().result()
        seconds.append(time.perf_counter() - began)
    return seconds


def points(store, coordinates):
    array = array_of(store)
    lists = np.fromfile(coordinates, dtype="int32").astype("int64").reshape(array.rank, -1)
    began = time.perf_counter()
    array.vindex[tuple(lists)].read().result()
    return time.perf_counter() - began


def write(store, metadata, data):
    opened.pop(json.dumps(store), None)
    if data not in loaded:
        loaded.clear()
        loaded[data] = np.fromfile(data, dtype=metadata["data_type"])
    elements = loaded[data].reshape(metadata["shape"])
    spec = {"driver": "zarr3", "kvstore": store, "metadata": metadata, "create": True, "delete_existing": True}
    array = ts.open(spec, context=CONTEXT).result()
    began = time.perf_counter()
    array.write(elements).result()
    return time.perf_counter() - began


for line in sys.stdin:
    request = json.loads(line)
    run = {"read": read, "reads": reads, "points": points, "write": write}[request.pop("kind")]
    times = request.pop("times")
    try:
        seconds = [run(**request) for _ in range(times)]
        answer = {"seconds": seconds[0] if run is reads else seconds}
    except Exception as error:
        answer = {"error": str(error)}
    print(json.dumps(answer), flush=True)
