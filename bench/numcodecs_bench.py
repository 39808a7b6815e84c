"""Native numcodecs (C) for bench/codecs.ts, on one thread.

Reads a JSON list of {"codec": configuration, "dtype": numpy dtype, "data": path of raw bytes} from standard input, writes
{"encoded": path, "decode": median seconds, "encode": median seconds} for each. Encoded files lie beside the raw ones.
"""

import json
import statistics
import sys
import time

import numcodecs
import numpy
from numcodecs import blosc

blosc.set_nthreads(1)
blosc.use_threads = False


def median_seconds(run) -> float:
    start = time.perf_counter()
    run()
    samples = [time.perf_counter() - start]
    # The first call warms up, unless calls take so long that there is only one.
    while len(samples) < 10 and time.perf_counter() - start < 0.6:
        began = time.perf_counter()
        calls = 0
        while time.perf_counter() - began < 0.02:
            run()
            calls += 1
        samples.append((time.perf_counter() - began) / calls)
    return statistics.median(samples[1:] or samples)


answers = []
for number, case in enumerate(json.load(sys.stdin)):
    codec = numcodecs.get_codec(case["codec"])
    data = numpy.fromfile(case["data"], case["dtype"])
    encoded = bytes(codec.encode(data))
    path = f"{case['data']}.{number}"
    with open(path, "wb") as file:
        file.write(encoded)
    out = numpy.empty_like(data)
    answers.append({"encoded": path, "decode": median_seconds(lambda: codec.decode(encoded, out)),
                    "encode": median_seconds(lambda: codec.encode(data))})
json.dump(answers, sys.stdout)
