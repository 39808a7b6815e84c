"""
Writes test/fixtures/shards.json: the arrays of shard_cases.py as zarr-python 3, TensorStore and zarrs store them.

    .oracles/python/bin/python scripts/oracles/make_shard_fixtures.py

Needs what install.sh installs. The same versions make the same bytes, but for the order in which zarrs appends inner chunks.
"""

import gzip
import json
import os
import re
import subprocess
import tempfile
import types

import cases
import files
import shard_cases
import tensorstore_oracle
import zarr_python_3

# Members of gzip carry the time of day: with a fixed one the same versions make the same fixtures again.
gzip.time = types.SimpleNamespace(time=lambda: 0)

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
FIXTURES = os.path.join(ROOT, "test", "fixtures")


class Python:
    def __init__(self, implementation):
        self.implementation = implementation
        self.versions = implementation.VERSIONS

    def write(self, case, folder):
        self.implementation.fill(case, folder)

    def read(self, folder):
        return self.implementation.read(folder, "/", 3)["data"]


class Zarrs:
    """The program of test/rust. With `partial`, zarrs appends to shards what changes in them, and leaves gaps."""

    def __init__(self, executable, partial):
        self.executable = executable
        self.partial = partial
        self.versions = {"zarrs": self.run("version").strip()}

    def run(self, *arguments):
        # One thread: several put inner chunks in another order every time.
        environment = {**os.environ, "RAYON_NUM_THREADS": "1"}
        command = [self.executable, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout

    def write(self, case, folder):
        data = bytes.fromhex(case["data"])
        regions = case.get("written", [[[0, length] for length in case["shape"]]])
        specification = [
            {
                "path": "/", "metadata": case["documents"]["/zarr.json"], "selection": region,
                "data": cut(data, case["shape"], region).hex(), "partial": self.partial,
            }
            for region in regions
        ]  # fmt: skip
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(specification, file)
            file.flush()
            self.run("write", file.name, folder)

    def read(self, folder):
        [answer] = json.loads(self.run("read", folder, "/"))
        return answer.get("data") or answer["error"]


def cut(data, shape, region):
    """The elements (two bytes each) of a region."""
    elements = [data[2 * i : 2 * i + 2] for i in range(cases.count(shape))]
    offsets = [0]
    for length, (start, stop) in zip(shape, region):
        offsets = [offset * length + i for offset in offsets for i in range(start, stop)]
    return b"".join(elements[offset] for offset in offsets)


def shorten(reason):
    """Without the names of temporary files, and the codecs that TensorStore repeats."""
    without = re.sub(r'Error reading local file "[^"]*": |\{"configuration".*?\} (?=is not|that)|\[\{.*?\}\] |\[tensorstore_spec.*', "", reason)
    return without[:200].strip()


def attempt(writer, case):
    """The store, or why this writer cannot make it."""
    with tempfile.TemporaryDirectory() as folder:
        documents = {key: json.dumps(document).encode() for key, document in case["documents"].items()}
        files.write_folder(folder, documents)
        try:
            writer.write(case, folder)
        except subprocess.CalledProcessError as error:
            return None, shorten(error.stderr.strip().splitlines()[-1])
        except Exception as error:  # whatever it is, it is written down
            return None, shorten(str(error))
        # The writer itself must read back what the fixture claims, so that a failure points at the reader
        # under test.
        answer = writer.read(folder)
        if answer != case["data"]:
            return None, f"does not read back its own: {answer[:60]}"
        return files.encode(files.read_folder(folder)), None


def main():
    with open(os.path.join(ROOT, ".oracles", "versions.json"), encoding="utf-8") as file:
        zarrs = json.load(file)["zarrs"]["executable"]
    writers = {
        "zarr-python": Python(zarr_python_3),
        "TensorStore": Python(tensorstore_oracle),
        "zarrs": Zarrs(zarrs, partial=False),
        "zarrs, partial encoding": Zarrs(zarrs, partial=True),
    }
    arrays, excluded = [], []
    for title, writer in writers.items():
        for case in shard_cases.CASES:
            if title.endswith("encoding") and not case["name"].startswith("many writes"):
                continue
            store, reason = attempt(writer, case)
            if store is None:
                excluded.append({"writer": title, "name": case["name"], "reason": reason})
                continue
            members = ("name", "shape", "fill_value", "data")
            arrays.append({"writer": title, **{member: case[member] for member in members}, "store": store})
    path = os.path.join(FIXTURES, "shards.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps({"versions": {title: writer.versions for title, writer in writers.items()}})[:-1] + ",\n")
        for name, items in [("excluded", excluded), ("arrays", arrays)]:
            file.write(f'"{name}": [\n' + ",\n".join(json.dumps(item) for item in items) + "\n]")
            file.write(",\n" if name == "excluded" else "}\n")
    print(f"{len(arrays)} arrays, {len(excluded)} excluded, {os.path.getsize(path)} bytes")
    for item in excluded:
        print(item)


main()
