"""Writes test/fixtures/ome-zarr of versions 0.1, 0.2 and 0.3, with ome-zarr-py 0.8.3, which still writes them, as make_ome_zarr_fixtures.py does of newer ones.

In an environment of its own (Python 3.11): pip install "ome-zarr==0.8.3" "zarr<3" "numcodecs<0.16" "numpy<2". Run with the target folder.
"""

import base64
import json
import shutil
import sys
import tempfile
from pathlib import Path

import numpy
import zarr
from ome_zarr import format as formats
from ome_zarr.io import parse_url
from ome_zarr.reader import Reader
from ome_zarr.scale import Scaler
from ome_zarr.writer import write_image, write_labels, write_plate_metadata, write_well_metadata

SHAPE = (1, 2, 2, 12, 16)


def write_one(group, fmt, offset=0):
    data = (numpy.arange(numpy.prod(SHAPE), dtype="uint16") + offset).reshape(SHAPE)
    axes = ["t", "c", "z", "y", "x"] if fmt.version == "0.3" else None
    common = {"fmt": fmt, "axes": axes, "scaler": Scaler(max_layer=2, method="nearest")}
    write_image(data, group, **common)
    label_metadata = {
        "colors": [{"label-value": 1, "rgba": [255, 0, 0, 255]}, {"label-value": 2, "rgba": [0, 0, 255, 128]}],
        "properties": [{"label-value": 1, "area": 48, "class": "nucleus"}],
    }
    write_labels((data % 3).astype("uint8"), group, name="nuclei", label_metadata=label_metadata, **common)


def write_hierarchy(folder, fmt):
    store = parse_url(str(folder), mode="w", fmt=fmt).store
    root = zarr.group(store=store, overwrite=True)
    write_one(root.create_group("image"), fmt)
    plate = root.create_group("plate")
    acquisitions = [{"id": 1, "name": "first", "maximumfieldcount": 2, "starttime": 1343731272000}]
    write_plate_metadata(plate, ["A", "B"], ["1", "2"], ["A/1", "B/2"], fmt=fmt, acquisitions=acquisitions, name="screen", field_count=2)
    for path, fields in (("A/1", ["0", "1"]), ("B/2", ["0"])):
        well = plate.require_group(path)
        write_well_metadata(well, [{"path": each, "acquisition": 1} for each in fields], fmt=fmt)
        for i, each in enumerate(fields):
            write_one(well.create_group(each), fmt, offset=i)


def read_back(folder):
    """What ome-zarr-py's reader finds: the shapes and the sums of the levels."""
    [image] = [node for node in Reader(parse_url(str(folder / "image")))() if node.zarr.basename() == "image"][:1]
    return {
        "sums": [int(numpy.asarray(level).sum()) for level in image.data],
        "shapes": [list(level.shape) for level in image.data],
        "axes": [axis if isinstance(axis, str) else axis["name"] for axis in image.metadata["axes"]],
    }


def main(target):
    for fmt in (formats.FormatV01(), formats.FormatV02(), formats.FormatV03()):
        folder = Path(tempfile.mkdtemp()) / "hierarchy.zarr"
        write_hierarchy(folder, fmt)
        store = {
            f"/{file.relative_to(folder).as_posix()}": base64.b64encode(file.read_bytes()).decode()
            for file in sorted(folder.rglob("*"))
            if file.is_file()
        }
        document = {"writer": "ome-zarr-py 0.8.3", "expected": read_back(folder), "store": store}
        (target / f"{fmt.version}.json").write_text(json.dumps(document) + "\n")
        shutil.rmtree(folder.parent)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
