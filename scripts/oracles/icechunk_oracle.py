"""Repositories that icechunk writes, with what zarr-python reads of them. icechunk and zarr (Python 3.12) are needed.

    python scripts/oracles/icechunk_oracle.py NAME FOLDER VERSION     (a repository in FOLDER/repository; JSON on stdout)
    python scripts/oracles/icechunk_oracle.py fixtures FILE           (test/fixtures/icechunk-more.json)
"""

import base64
import datetime
import json
import shutil
import sys
import time
from pathlib import Path

import icechunk
import numpy
import zarr

#: The folder of the fixtures' virtual files, which tests have in memory.
HOME = Path("/tmp/wazarr-icechunk")
#: Virtual files: chunk i is in file i % FILES. Each begins with three other bytes.
FILES = 250
HEADER = b"GRB"


def elements(group):
    found = {}
    for name, array in group.members(max_depth=None):
        if isinstance(array, zarr.Array):
            data = numpy.asarray(array[...])
            found[name] = {"shape": list(data.shape), "data": data.ravel().tolist()}
    return found


def create(folder, version, containers=(), splitting=None):
    config = icechunk.RepositoryConfig.default()
    config.inline_chunk_threshold_bytes = 0
    for container in containers:
        config.set_virtual_chunk_container(container)
    if splitting is not None:
        config.manifest = icechunk.ManifestConfig(splitting=splitting)
    storage = icechunk.local_filesystem_storage(str(folder / "repository"))
    access = {c.url_prefix: icechunk.credentials.LocalFileSystemAccess for c in containers if c.url_prefix.startswith("file:")}
    return icechunk.Repository.create(
        storage, config=config, spec_version=version,
        authorize_virtual_chunk_access=icechunk.containers_credentials(access),
    )


def file_of(i):
    return f"forecast-2026-11-{i % 28 + 1:02}T00Z/member-{i % FILES:03}/surface.f{i % FILES:05}.grib2"


def values_of(count):
    return (numpy.arange(2 * count, dtype="u8") * 7919 % 65521).astype("<u2")


def virtual(folder, version, count):
    """An array of `count` chunks, two elements each, in FILES files."""
    values = values_of(count)
    for k in range(min(FILES, count)):
        path = folder / file_of(k)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(HEADER + b"".join(values[2 * i : 2 * i + 2].tobytes() for i in range(k, count, FILES)))
    prefix = f"file://{folder}/"
    repo = create(folder, version, [icechunk.VirtualChunkContainer(prefix, icechunk.local_filesystem_store(str(folder)))])
    session = repo.writable_session("main")
    root = zarr.group(session.store)
    root.create_array("virtual", shape=(2 * count,), chunks=(2,), dtype="<u2", compressors=None, filters=None)
    session.store.set_virtual_refs(
        "virtual",
        [
            icechunk.VirtualChunkSpec([i], prefix + file_of(i % FILES), len(HEADER) + 4 * (i // FILES), 4)
            for i in range(count)
        ],
        validate_containers=False,
    )
    session.commit("virtual")
    read = zarr.open_group(repo.readonly_session("main").store, mode="r")["virtual"]
    assert numpy.array_equal(read[...], values)
    return {"count": count}


def moved(folder, version):
    """Nodes that were moved and renamed, with all chunks; only format 2 can."""
    repo = create(folder, version)
    session = repo.writable_session("main")
    root = zarr.group(session.store)
    root.create_array("old/a", data=numpy.arange(10, dtype="i4"), chunks=(3,))
    root.create_array("old/deep/b", data=numpy.arange(12, dtype="i2").reshape(3, 4), chunks=(2, 2))
    root.create_array("kept", data=numpy.arange(4, dtype="f4"))
    before = session.commit("before")
    expected_before = elements(zarr.open_group(repo.readonly_session(snapshot_id=before).store, mode="r"))
    session = repo.rearrange_session("main")
    session.move("/old", "/new")
    session.move("/new/a", "/renamed")
    session.commit("moved")
    session = repo.writable_session("main")
    zarr.open_group(session.store)["renamed"][2:5] = -7
    session.commit("written after the move")
    after = elements(zarr.open_group(repo.readonly_session("main").store, mode="r"))
    return {"before": before, "expected_before": expected_before, "after": after}


def history(folder, version):
    """Commits, branches and tags, of which old ones expired."""
    repo = create(folder, version)
    commits, moments = [], []
    for i in range(6):
        session = repo.writable_session("main")
        root = zarr.open_group(session.store, mode="a")
        if i == 0:
            root.create_array("a", shape=(8,), chunks=(2,), dtype="i4")
        root["a"][:] = i
        commits.append(session.commit(f"commit {i}"))
        time.sleep(0.05)
        moments.append(datetime.datetime.now(datetime.UTC))
        time.sleep(0.05)
    repo.create_tag("v2", snapshot_id=commits[2])
    repo.create_tag("gone", snapshot_id=commits[3])
    repo.delete_tag("gone")
    repo.create_branch("side", snapshot_id=commits[4])
    expired = sorted(repo.expire_snapshots(moments[1]))
    found = {
        "commits": commits,
        "moments": [moment.isoformat() for moment in moments],
        "expired": expired,
        "branches": {name: repo.lookup_branch(name) for name in repo.list_branches()},
        "tags": {name: repo.lookup_tag(name) for name in repo.list_tags()},
        "history": [
            {"snapshot": each.id, "parent": each.parent_id, "message": each.message, "time": each.written_at.isoformat()}
            for each in repo.ancestry(branch="main")
        ],
        "as_of": [
            repo.readonly_session("main", as_of=moment).snapshot_id if moment >= moments[2] else None
            for moment in moments
        ],
    }
    return found


def containers(folder, version):
    """Addresses of every kind, and named containers; nothing of them is read here."""
    given = [
        icechunk.VirtualChunkContainer("http://files.test/archive/", icechunk.http_store(), name="archive"),
        icechunk.VirtualChunkContainer("s3://plain/", icechunk.s3_store(region="us-west-2", anonymous=True)),
        icechunk.VirtualChunkContainer("s3://dotted.name/", icechunk.s3_store(region="eu-central-1", anonymous=True)),
        icechunk.VirtualChunkContainer(
            "s3://other/", icechunk.ObjectStoreConfig.S3Compatible(icechunk.S3Options(
                region="anywhere", endpoint_url="https://objects.test", anonymous=True, force_path_style=True)), name="other"),
        icechunk.VirtualChunkContainer("gs://bucket/", icechunk.gcs_store()),
        icechunk.VirtualChunkContainer("az://container/", icechunk.ObjectStoreConfig.Azure({"account": "account"})),
    ]
    addresses = [
        "vcc://archive/2020/a%20b.nc", "vcc://nobody/x", "s3://plain/a%3Fb%23c", "s3://dotted.name/x", "vcc://other/x y",
        "gs://bucket/x", "gcs://bucket/x", "az://container/x", "azure://container/x",
        "abfs://container@account.dfs.core.windows.net/x", "https://files.test/x?y=1", "file:///etc/passwd",
        "s3://plain/../secret", "s3://unknown/x", "az://unknown/x", "ftp://files.test/x",
    ]
    repo = create(folder, version, given)
    session = repo.writable_session("main")
    root = zarr.group(session.store)
    root.create_array("a", shape=(len(addresses),), chunks=(1,), dtype="u1", compressors=None, filters=None)
    for i, address in enumerate(addresses):
        session.store.set_virtual_ref(f"a/c/{i}", address, offset=0, length=1, validate_container=False)
    session.commit("addresses")
    return {"addresses": addresses}


WRITTEN = datetime.datetime(2026, 11, 20, 12, 0, 0, tzinfo=datetime.UTC)


def checksums(folder, version):
    """Virtual files with what they were when the repository was written."""
    repo = create(folder, version, [icechunk.VirtualChunkContainer("http://files.test/", icechunk.http_store())])
    session = repo.writable_session("main")
    root = zarr.group(session.store)
    root.create_array("a", shape=(6,), chunks=(2,), dtype="u1", compressors=None, filters=None)
    for i, checksum in enumerate([None, "abc", WRITTEN]):
        session.store.set_virtual_ref(
            f"a/c/{i}", f"http://files.test/{i}", offset=1, length=2, checksum=checksum, validate_container=False)
    session.commit("checksums")
    return {"etag": "abc", "modified": WRITTEN.isoformat()}


def split(folder, version):
    """Manifests of four chunks of time each."""
    condition, axis = icechunk.ManifestSplitCondition.AnyArray(), icechunk.ManifestSplitDimCondition.Axis(0)
    repo = create(folder, version, splitting=icechunk.ManifestSplittingConfig.from_dict({condition: {axis: 4}}))
    session = repo.writable_session("main")
    root = zarr.group(session.store)
    root.create_array("a", data=numpy.arange(40 * 4, dtype="i4").reshape(40, 4), chunks=(1, 4))
    session.commit("split")
    return {"expected": elements(zarr.open_group(repo.readonly_session("main").store, mode="r"))}


CASES = {
    "virtual-1": lambda folder, version: virtual(folder, version, 1),
    "virtual-999": lambda folder, version: virtual(folder, version, 999),
    "virtual-1000": lambda folder, version: virtual(folder, version, 1000),
    "virtual-100000": lambda folder, version: virtual(folder, version, 100_000),
    "moved": moved,
    "history": history,
    "containers": containers,
    "checksums": checksums,
    "split": split,
}
FIXTURES = [
    ("virtual-1", 2), ("virtual-999", 2), ("virtual-1000", 2), ("moved", 2), ("history", 1), ("history", 2),
    ("containers", 1), ("containers", 2), ("checksums", 2), ("split", 2),
]


def values_in(folder):
    files = {f"/{path.relative_to(folder)}": path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    kept = {key: value for key, value in files.items() if not key.startswith(("/transactions", "/overwritten"))}
    return {key: base64.b64encode(value).decode() for key, value in kept.items()}


def main(name, target, *version):
    if name != "fixtures":
        print(json.dumps(CASES[name](Path(target), int(version[0]))))
        return
    made = {"icechunk": icechunk.__version__, "home": f"file://{HOME}/", "cases": {}}
    for case, number in FIXTURES:
        shutil.rmtree(HOME, ignore_errors=True)
        HOME.mkdir()
        told = CASES[case](HOME, number)
        made["cases"][f"{case} {number}"] = {**told, "values": values_in(HOME / "repository")}
    shutil.rmtree(HOME)
    Path(target).write_text(json.dumps(made) + "\n")


main(*sys.argv[1:])
