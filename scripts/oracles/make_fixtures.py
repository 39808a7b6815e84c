"""
Writes test/fixtures/<implementation>.json: one store as {key: base64}, and what has to come out of every array of it.

    python make_fixtures.py zarr_python_3|zarr_python_2|tensorstore_oracle
"""

import gzip
import importlib
import json
import os
import sys
import tempfile
import types

import cases
import files

# Members of gzip carry the time of day: with a fixed one the same versions make the same fixtures again.
gzip.time = types.SimpleNamespace(time=lambda: 0)

FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "test", "fixtures")


def check(implementation, folder, case):
    """The writer itself must read back what the fixture claims, so that a failure points at the reader under test."""
    answer = implementation.read(folder, case["path"], case["zarr_format"])
    if answer["data"] != case["data"] or answer["shape"] != case["shape"]:
        raise SystemExit(f"{implementation.NAME} does not read back its own {case['path']}")


def lines(items):
    """One item a line: differences between two versions of a fixture can be read."""
    return ",\n".join(items)


def main():
    implementation = importlib.import_module(sys.argv[1])
    groups, arrays, excluded = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        if hasattr(implementation, "write_group"):
            for group in cases.groups(implementation.ZARR_FORMATS):
                implementation.write_group(group["path"], group["zarr_format"], group["attributes"], folder)
                groups.append(group)
        for case in cases.fixtures(implementation.ZARR_FORMATS):
            reason = implementation.exclusion(case)
            if reason is not None:
                excluded.append({"path": case["path"], "reason": reason})
                continue
            implementation.write(case, folder)
            check(implementation, folder, case)
            arrays.append(cases.expectation(case))
        store = files.encode(files.read_folder(folder))
    path = os.path.join(FIXTURES, implementation.NAME + ".json")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'{{"writer": {json.dumps(implementation.NAME)}, "versions": {json.dumps(implementation.VERSIONS)},\n')
        for name, items in [("excluded", excluded), ("groups", groups), ("arrays", arrays)]:
            file.write(f'"{name}": [\n{lines(json.dumps(item) for item in items)}\n],\n')
        file.write('"store": {\n' + lines(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in store.items()))
        file.write("\n}}\n")
    size = os.path.getsize(path)
    print(f"{implementation.NAME}: {len(arrays)} arrays, {len(groups)} groups, {len(excluded)} excluded, {size} bytes")


main()
