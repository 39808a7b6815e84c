"""Writes test/fixtures/url-pipelines.json: addresses, and what TensorStore and zarr-python make of them.

zarr-python's parser is that of pull request 4192, which no release has: with a clone of its branch first in
PYTHONPATH its segments are written anew, otherwise those in the file are kept.
"""

import json
from importlib import metadata
from pathlib import Path

import tensorstore

try:
    from zarr.storage import parse_pipeline
except ImportError:
    parse_pipeline = None

PLACES = ["file:///tmp/a", "s3://bucket/a", "gs://bucket/a", "https://example.com/a", "http://[::1]:80/a"]
ADDRESSES = [
    *[f"{place}|zarr3:" for place in PLACES],
    *[f"{place}.zip|zip:b/|zarr2:c" for place in PLACES],
    "s3://bucket/d.zip|zip:path/|zarr3:",
    "file:///tmp/a.zip|zip",
    "file:///tmp/a.zip|zip:",
    "file:///tmp/a.zip|zip:x",
    "file:///tmp/a.zip|zip:/x",
    "file:///tmp/a.zip|zip:x/y/",
    "file:///tmp/a.zip|zip|zarr3",
    "file:///tmp/a.zip|zip:b.zip|zip:c/|zarr3:d",
    "s3://bucket/a.zip|zip:b.zip|zip:c.zip|zip:|zarr3:",
    "file:///tmp/a.zip|zip:b|zarr3:c/d",
    "file:///tmp/a.zip|zip:b%20c/|zarr3:d%7Ce",
    "file:///tmp/a|zarr2:x/y",
    "file:///tmp/a|zarr3:x/",
    "file:///tmp/a|zarr3:/x",
    "file:///tmp/a|zarr3:x//y/",
    "file:///tmp/a|zarr3:x%2Fy",
    "file:///tmp/a|zarr3:%C3%A9",
    "file:///tmp/a|auto:",
    "file:///tmp/a%7Cb|zarr3:",
    "https://example.com/a%20b.zip|zip:|zarr3:",
    "https://example.com|zarr3:a",
    "https://example.com/a|zip:|zarr3:a/",
    "gs://bucket/r|icechunk://branch.main/|zarr3:a",
    "gs://bucket/r|icechunk:@tag.v5/|zarr3:a",
    "gs://bucket/r|icechunk://4N0217AZA4VNPYD0HR0G/|zarr3:",
    "gs://bucket/r|icechunk:|zarr3:",
    "file:///tmp/a|zarr:x",
    "file:///tmp/a|ZARR3:",
    "file:///tmp/a.zip|ZIP:",
    "https://example.com/refs.json|kerchunk:",
    "file:///tmp/a|ocdbt:x/|zarr3:",
    "file:///tmp/a|n5:",
    "file:///tmp/a|foo:",
    "file:///tmp/a|",
    "file:///tmp/a||zarr3:",
    "|zip:",
    "zip:a",
    "zarr3:",
    "icechunk:a",
    "file:///tmp/a|zip://p",
    "file:///tmp/a|zarr3://b",
    "file:///tmp/a|zarr3:|zarr3:b",
    "file:///tmp/a|zarr3:|zip:",
    "file:///tmp/a|zip:x?y",
    "file:///tmp/a|zarr3:x#y",
    "file:///tmp/a|zip:a%",
    "file:///tmp/a|s3://bucket/x",
    "file:///tmp/a|file:///b",
    "file:///tmp/a| zarr3:",
    "file:///tmp/a|3zarr:",
    "file:///tmp/a|zarr3:../b",
    "a.zarr|zarr3:",
    "/tmp/a.zip|zip:",
]


def with_tensorstore(address):
    """The places and paths from the outermost in, and the driver; or that it is refused."""
    try:
        spec = tensorstore.Spec(address).to_json()
    except ValueError:
        return None
    paths, store = [], spec["kvstore"]
    while store is not None:
        paths.insert(0, store.get("path", ""))
        store = store.get("base")
    return {"driver": spec["driver"], "paths": paths}


def with_zarr_python(address, before):
    if parse_pipeline is None:
        return before
    try:
        return [[segment.scheme, segment.body] for segment in parse_pipeline(address)]
    except ValueError:
        return None


path = Path(__file__).parents[2] / "test/fixtures/url-pipelines.json"
known = json.loads(path.read_text()) if path.exists() else {"addresses": {}}
addresses = {
    address: {
        "tensorstore": with_tensorstore(address),
        "zarrPython": with_zarr_python(address, known["addresses"].get(address, {}).get("zarrPython")),
    }
    for address in ADDRESSES
}
version = metadata.version("tensorstore")
document = {"tensorstore": version, "zarrPython": "pull request 4192", "addresses": addresses}
path.write_text(json.dumps(document, indent=1) + "\n")
print(len(addresses), "addresses")
