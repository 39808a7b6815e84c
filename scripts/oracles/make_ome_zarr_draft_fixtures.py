"""Writes test/fixtures/ome-zarr/0.9.json: what ngff-zarr 0.50 writes as 0.9.dev1, as JSON of keys and values in base64.
Run with the Python of an environment that has ngff-zarr and scipy, and the target file.

`image` has the axes x, wavelength, y, lag, t in this order, `oriented` three oriented axes and a transformation by displacements,
whose field is `oriented/field`. `expected` holds the sum of each level's elements, and points with what scipy's map_coordinates
makes of them.
"""

import base64
import json
import sys
import tempfile
from pathlib import Path

import ngff_zarr
import numpy
from ngff_zarr.v06.zarr_metadata import CoordinateSystemIdentifier, Displacements
from scipy.ndimage import map_coordinates

VERSION = "0.9.dev1"
random = numpy.random.default_rng(9)


def write(path, data, dims, scale, types=None, units=None, orientation=None, factors=()):
    image = ngff_zarr.NgffImage(
        data=ngff_zarr.to_ngff_image(data, dims=["t", "c", "z", "y", "x"][-data.ndim :]).data,
        dims=dims,
        scale=scale,
        translation={dim: 0.0 for dim in dims},
        axes_types=types,
        axes_units=units,
    )
    multiscales = ngff_zarr.to_multiscales(
        image, scale_factors=list(factors), chunks=8, orientation=orientation, axis_order="preserve"
    )
    ngff_zarr.to_ngff_zarr(str(path), multiscales, version=VERSION, consolidate_metadata=False)


def main(target):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        group = {"zarr_format": 3, "node_type": "group"}
        (folder / "zarr.json").write_text(json.dumps(group))
        dims = ["x", "wavelength", "y", "lag", "t"]
        data = numpy.arange(6 * 3 * 4 * 2 * 2, dtype="uint16").reshape(6, 3, 4, 2, 2)
        write(
            folder / "image",
            data,
            dims,
            {"x": 0.5, "wavelength": 10.0, "y": 0.25, "lag": 1.0, "t": 2.0},
            types={"wavelength": "wavelength", "lag": "time"},
            units={"x": "micrometer", "wavelength": "nanometer"},
        )
        oriented = random.integers(0, 255, (5, 6, 7), dtype="uint8")
        write(folder / "oriented", oriented, ["z", "y", "x"], {"z": 1.0, "y": 0.5, "x": 0.5}, orientation="LPS")
        field = random.normal(size=(3, 4, 4, 5)).astype("float32")
        write(
            folder / "oriented/field",
            field,
            ["d", "z", "y", "x"],
            {"d": 1.0, "z": 2.0, "y": 1.5, "x": 1.25},
            types={"d": "displacement"},
        )
        document = folder / "oriented/zarr.json"
        attributes = json.loads(document.read_text())
        multiscale = attributes["attributes"]["ome"]["multiscales"][0]
        own = multiscale["coordinateSystems"][0]
        multiscale["coordinateSystems"].append({**own, "name": "warped"})
        step = Displacements(path="field", interpolation="linear")
        multiscale["coordinateTransformations"] = [
            {
                "type": step.type,
                "path": step.path,
                "interpolation": step.interpolation,
                "input": {"name": own["name"]},
                "output": {"name": "warped"},
            }
        ]
        document.write_text(json.dumps(attributes))
        points = random.uniform(0, 1, (50, 3)) * [6, 4.5, 5]
        vectors = [map_coordinates(field[i].astype("float64"), (points / [2, 1.5, 1.25]).T, order=1) for i in range(3)]
        warped = points + numpy.stack(vectors, axis=1)
        store = {
            f"/{path.relative_to(folder)}": base64.b64encode(path.read_bytes()).decode()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
        expected = {
            "sums": {"image": int(data.sum()), "oriented": int(oriented.sum())},
            "points": points.tolist(),
            "warped": warped.tolist(),
        }
        Path(target).write_text(json.dumps({"expected": expected, "store": store}, indent=1) + "\n")


main(sys.argv[1])
