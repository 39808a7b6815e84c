"""test/fixtures/icechunk.json: repositories that icechunk writes in formats 1 and 2, as keys and values in base64, and what zarr-python reads of
them at a branch, a tag and an earlier snapshot. icechunk 2 and zarr need an environment of their own (Python 3.12):

    python scripts/oracles/make_icechunk_fixtures.py test/fixtures/icechunk.json
"""

import base64
import json
import sys
import tempfile
from pathlib import Path

import icechunk
import numpy
import zarr

VIRTUAL = "http://files.test/"


def elements(group):
    found = {}
    for name, array in group.members(max_depth=None):
        if isinstance(array, zarr.Array) and name != "virtual":
            data = numpy.asarray(array[...])
            found[name] = {"shape": list(data.shape), "data": data.ravel().tolist()}
    return found


def repository(version):
    folder = Path(tempfile.mkdtemp())
    config = icechunk.RepositoryConfig.default()
    config.inline_chunk_threshold_bytes = 64
    container = icechunk.VirtualChunkContainer(VIRTUAL, icechunk.http_store())
    config.set_virtual_chunk_container(container)
    repo = icechunk.Repository.create(
        icechunk.local_filesystem_storage(str(folder)), config=config, spec_version=version
    )
    session = repo.writable_session("main")
    root = zarr.group(session.store, attributes={"title": "Icechunk"})
    generator = numpy.random.default_rng(version)
    field = root.create_array("field", shape=(5, 12, 9), chunks=(2, 5, 4), dtype="f4")
    field[:4] = generator.normal(size=(4, 12, 9))
    root.create_array("deep/small", data=numpy.arange(6, dtype="i2"))
    root.create_array("deep/scalar", data=numpy.array(7.5))
    root.create_array("c/2020", data=numpy.arange(40, dtype="u2").reshape(8, 5), chunks=(4, 5))
    root.create_array("shards", data=numpy.arange(256, dtype="i4").reshape(16, 16), chunks=(4, 4), shards=(8, 8))
    first = session.commit("first")
    repo.create_tag("v1", snapshot_id=first)
    before = elements(zarr.open_group(repo.readonly_session(snapshot_id=first).store, mode="r"))
    session = repo.writable_session("main")
    root = zarr.open_group(session.store)
    root["deep/small"][2:4] = -1
    root["field"][4] = 1
    virtual = root.create_array("virtual", shape=(6,), chunks=(3,), dtype="u1", compressors=None, filters=None)
    session.store.set_virtual_ref("virtual/c/0", VIRTUAL + "ten", offset=1, length=3, validate_container=False)
    session.store.set_virtual_ref("virtual/c/1", VIRTUAL + "ten", offset=6, length=3, validate_container=False)
    session.commit("second")
    repo.create_branch("other", snapshot_id=first)
    after = elements(zarr.open_group(repo.readonly_session("main").store, mode="r"))
    files = {f"/{path.relative_to(folder)}": path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    kept = {key: value for key, value in files.items() if not key.startswith(("/transactions", "/overwritten"))}
    return {
        "first": first,
        "before": before,
        "after": after,
        "values": {key: base64.b64encode(value).decode() for key, value in kept.items()},
    }


def main(target):
    fixtures = {"icechunk": icechunk.__version__, "repositories": {str(v): repository(v) for v in (1, 2)}}
    Path(target).write_text(json.dumps(fixtures) + "\n")


main(sys.argv[1])
