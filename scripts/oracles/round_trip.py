"""
Answers, as one process for a whole test file, requests to write and read small stores with one implementation.

    python round_trip.py zarr_python_3|zarr_python_2|tensorstore_oracle < requests.json > answers.json

requests: {"write": [case, ...], "read": [{"store": {key: base64}, "path", "zarr_format", "node_type"?}, ...]}
answers:  {"versions": {...}, "write": [{"store": {key: base64}} | {"error"}, ...], "read": [{...} | {"error"}, ...]}
"""

import importlib
import json
import sys
import tempfile
import traceback

import files


def answer_write(implementation, case):
    with tempfile.TemporaryDirectory() as folder:
        if "documents" in case:
            # An array as its metadata documents say, {key: JSON}, for layouts that cases do not know.
            documents = {key: json.dumps(document).encode() for key, document in case["documents"].items()}
            files.write_folder(folder, documents)
            implementation.fill(case, folder)
        else:
            implementation.write(case, folder)
        return {"store": files.encode(files.read_folder(folder))}


def answer_read(implementation, request):
    with tempfile.TemporaryDirectory() as folder:
        files.write_folder(folder, files.decode(request["store"]))
        read = implementation.read_group if request.get("node_type") == "group" else implementation.read
        return read(folder, request["path"], request["zarr_format"])


def guarded(answer, implementation, request):
    """One request that fails must not take the others' answers along."""
    try:
        return answer(implementation, request)
    except Exception:
        return {"error": traceback.format_exc()}


def main():
    implementation = importlib.import_module(sys.argv[1])
    requests = json.load(sys.stdin)
    answers = {
        "versions": implementation.VERSIONS,
        "write": [guarded(answer_write, implementation, case) for case in requests.get("write", [])],
        "read": [guarded(answer_read, implementation, request) for request in requests.get("read", [])],
    }
    json.dump(answers, sys.stdout)


main()
