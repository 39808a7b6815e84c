"""Writes test/fixtures/ome-zarr: what ome-zarr-py 0.21 writes in versions 0.4 and 0.5 (it no longer writes older ones), 
as JSON of keys and values in base64. Run with .oracles/ngff/bin/python -W ignore, and the target folder.

Each hierarchy has `image` (with labels) and `plate` of two wells, the first with two fields and labels. Level 0 of an image is
arange; `expected` in the same file holds the sums of the levels' elements as ome-zarr-py and zarr-python read them.
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
from ome_zarr.writer import write_image, write_labels, write_plate_metadata, write_well_metadata

AXES = ["t", "c", "z", "y", "x"]
SHAPE = (1, 2, 2, 12, 16)


def write_one(group, fmt, offset=0):
    version = fmt.version
    data = (numpy.arange(numpy.prod(SHAPE), dtype="uint16") + offset).reshape(SHAPE)
    steps = [{"y": 2**i, "x": 2**i} for i in (1, 2)]
    scale = {"t": 2.0, "c": 1.0, "z": 0.5, "y": 0.25, "x": 0.25}
    units = {"t": "second", "z": "micrometer", "y": "micrometer", "x": "micrometer"}
    common = {"fmt": fmt, "axes": AXES, "scale_factors": steps, "scale": scale, "axes_units": units}
    write_image(data, group, name="cells", **common)
    label_metadata = {
        "colors": [{"label-value": 1, "rgba": [255, 0, 0, 255]}, {"label-value": 2, "rgba": [0, 0, 255, 128]}],
        "properties": [{"label-value": 1, "area": 48, "class": "nucleus"}],
    }
    write_labels((data % 3).astype("uint8"), group, name="nuclei", label_metadata=label_metadata, **common)
    channels = [
        {"label": "DAPI", "color": "0000FF", "active": True, "window": {"min": 0, "max": 65535, "start": 0, "end": 500}},
        {"label": "GFP", "color": "00FF00", "active": False, "window": {"min": 0, "max": 65535, "start": 10, "end": 900}},
    ]
    omero = {"channels": channels, "rdefs": {"defaultT": 0, "defaultZ": 1, "model": "color"}}
    if version >= "0.5":
        group.attrs["ome"] = {**group.attrs["ome"], "omero": omero}
    else:
        group.attrs["omero"] = {**omero, "version": version}


def write_hierarchy(folder, fmt):
    zarr_format = 3 if fmt.version >= "0.5" else 2
    root = zarr.open_group(str(folder), mode="w", zarr_format=zarr_format)
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
    """What ome-zarr-py's reader finds: name, axes, transformations, and the sums of the levels."""
    from ome_zarr.reader import Reader

    [image] = [node for node in Reader(parse_url(str(folder / "image")))() if node.zarr.basename() == "image"][:1]
    return {
        "sums": [int(numpy.asarray(level).sum()) for level in image.data],
        "shapes": [list(level.shape) for level in image.data],
        "transformations": image.metadata.get("coordinateTransformations"),
        "axes": [axis if isinstance(axis, str) else axis["name"] for axis in image.metadata["axes"]],
    }


def main(target):
    target.mkdir(parents=True, exist_ok=True)
    for fmt in (formats.FormatV04(), formats.FormatV05()):
        folder = Path(tempfile.mkdtemp()) / "hierarchy.zarr"
        write_hierarchy(folder, fmt)
        store = {
            f"/{file.relative_to(folder).as_posix()}": base64.b64encode(file.read_bytes()).decode()
            for file in sorted(folder.rglob("*"))
            if file.is_file()
        }
        document = {"writer": "ome-zarr-py", "expected": read_back(folder), "store": store}
        (target / f"{fmt.version}.json").write_text(json.dumps(document) + "\n")
        shutil.rmtree(folder.parent)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
