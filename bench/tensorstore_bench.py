"""TensorStore's side of the end-to-end benchmark: reads a JSON list of cases from stdin, prints median seconds of each.

One core's worth of work: one copy thread, one I/O thread, and the caller pins the process to one core.
"""

import json
import statistics
import sys
import time

import numpy as np
import tensorstore as ts

CONTEXT = {"data_copy_concurrency": {"limit": 1}, "file_io_concurrency": {"limit": 1}, "cache_pool": {"total_bytes_limit": 0}}


def open_array(directory):
    spec = {"driver": "zarr3", "kvstore": {"driver": "file", "path": directory}}
    return ts.open(spec, context=ts.Context(CONTEXT), open=True).result()


def write_array(directory, metadata, data):
    spec = {
        "driver": "zarr3",
        "kvstore": {"driver": "file", "path": directory},
        "metadata": metadata,
        "create": True,
        "delete_existing": True,
    }
    ts.open(spec, context=ts.Context(CONTEXT)).result().write(data).result()


def measure(run, repeats):
    run()
    samples = []
    for _ in range(repeats):
        began = time.perf_counter()
        run()
        samples.append(time.perf_counter() - began)
    return statistics.median(samples)


results = []
for case in json.load(sys.stdin):
    if case["kind"] == "read":
        array = open_array(case["directory"])
        index = tuple(
            entry["index"] if "index" in entry else slice(None, None, entry.get("step"))
            for entry in case["selection"]
        )
        view = array[index] if index else array
        results.append(measure(lambda: view.read().result(), case["repeats"]))
        continue
    metadata = case.get("metadata")
    if metadata is None:
        with open(case["like"] + "/zarr.json") as file:
            document = json.load(file)
        metadata = {key: document[key] for key in ("shape", "data_type", "chunk_grid", "codecs", "fill_value")}
    data = np.fromfile(case["data"], dtype="float32").reshape(metadata["shape"])
    if case["kind"] == "create":
        write_array(case["directory"], metadata, data)
    else:
        results.append(measure(lambda: write_array(case["directory"], metadata, data), case["repeats"]))
print(json.dumps({"version": getattr(ts, "__version__", "unknown"), "seconds": results}))
