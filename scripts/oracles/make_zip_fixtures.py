"""
Writes test/fixtures/zip.json: zip archives as Python's zipfile, zarr-python's ZipStore and Info-ZIP's zip(1) write them, with
the values that are in them.

    .oracles/python/bin/python scripts/oracles/make_zip_fixtures.py
"""

import base64
import io
import json
import os
import subprocess
import tempfile
import zipfile

import numpy
import zarr

TARGET = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "test", "fixtures", "zip.json")
VALUES = {
    "zarr.json": b'{"zarr_format": 3, "node_type": "group"}',
    "a/c/0/0": bytes(range(256)) * 2,
    "a/c/0/1": b"",
    "\u00fc/\u2603 x": b"snow" * 20,
}


class Pipe(io.RawIOBase):
    """Cannot seek, so that zipfile writes lengths behind the bytes."""

    def __init__(self):
        self.bytes = b""

    def writable(self):
        return True

    def write(self, data):
        self.bytes += bytes(data)
        return len(data)


def with_zipfile(target, compression, force_zip64=False, comment=b""):
    with zipfile.ZipFile(target, "w", compression) as archive:
        for name, value in VALUES.items():
            with archive.open(zipfile.ZipInfo(name), "w", force_zip64=force_zip64) as entry:
                entry.write(value)
        archive.comment = comment
    return target.bytes if isinstance(target, Pipe) else target.getvalue()


def with_deflate():
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in VALUES.items():
            archive.writestr(name, value)
    return target.getvalue()


def with_zarr(zarr_format):
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "store.zip")
        store = zarr.storage.ZipStore(path, mode="w")
        array = zarr.create_array(store, name="x", shape=(4, 6), chunks=(2, 3), dtype="<i4", zarr_format=zarr_format)
        array[...] = numpy.arange(24).reshape(4, 6)
        array.attrs["twice"] = "written, so that a name is in the archive twice"
        store.close()
        with open(path, "rb") as file:
            return file.read()


def with_info_zip():
    with tempfile.TemporaryDirectory() as directory:
        for name, value in VALUES.items():
            path = os.path.join(directory, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(value)
        subprocess.run(["zip", "-q", "-r", "store.zip", "."], cwd=directory, check=True)
        with open(os.path.join(directory, "store.zip"), "rb") as file:
            return file.read()


ARCHIVES = {
    "zipfile, stored, comment": lambda: with_zipfile(io.BytesIO(), zipfile.ZIP_STORED, comment=b"a comment"),
    "zipfile, streamed": lambda: with_zipfile(Pipe(), zipfile.ZIP_STORED),
    "zipfile, deflated": with_deflate,
    "zipfile, zip64 forced": lambda: with_zipfile(io.BytesIO(), zipfile.ZIP_STORED, force_zip64=True),
    "zarr-python ZipStore, v3": lambda: with_zarr(3),
    "zarr-python ZipStore, v2": lambda: with_zarr(2),
    "Info-ZIP": with_info_zip,
}


def values_of(archive):
    """What zipfile finds, with names right where Info-ZIP does not say that they are UTF-8."""
    with zipfile.ZipFile(io.BytesIO(archive)) as file:
        return {
            (entry.filename if entry.flag_bits & 0x800 else entry.filename.encode("cp437").decode()): base64.b64encode(
                file.read(entry.filename)
            ).decode()
            for entry in file.infolist()
            if not entry.is_dir()
        }


def main():
    fixtures = []
    for name, make in ARCHIVES.items():
        archive = make()
        fixtures.append({"name": name, "archive": base64.b64encode(archive).decode(), "values": values_of(archive)})
    with open(TARGET, "w") as file:
        json.dump(fixtures, file, indent=1)
        file.write("\n")


main()
