"""zarr-python's side of bench/strings.ts: reads and writes one chunk of strings in memory; a request a line, the seconds it took a line."""

import json
import sys
import time
import warnings

import numpy
import zarr
from zarr.storage import MemoryStore

warnings.simplefilter("ignore")
texts = numpy.array(json.loads(sys.stdin.readline()), dtype=numpy.dtypes.StringDType())


def empty_array():
    return zarr.create_array(MemoryStore(), shape=len(texts), chunks=len(texts), dtype="string", compressors=None)


written = empty_array()
written[:] = texts


def write():
    array = empty_array()
    began = time.perf_counter()
    array[:] = texts
    return time.perf_counter() - began


def read():
    began = time.perf_counter()
    written[:]
    return time.perf_counter() - began


for line in sys.stdin:
    print({"write": write, "read": read}[line.strip()](), flush=True)
