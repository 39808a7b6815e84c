"""Writes test/fixtures/codecs/long.json: chunks of 8 KiB and more, which workers take.

    python3 -m venv venv && venv/bin/pip install eccodes imagecodecs numpy
    venv/bin/python scripts/oracles/make_long_fixtures.py
"""

import base64
import json
from importlib.metadata import version
from pathlib import Path

import eccodes
import imagecodecs
import numpy as np

OUT = Path(__file__).parents[2] / "test/fixtures/codecs/long.json"
ROWS, COLUMNS = 32, 33


def message(packing, **keys):
    h = eccodes.codes_grib_new_from_samples("regular_ll_sfc_grib2")
    for key, value in {"Ni": COLUMNS, "Nj": ROWS, "packingType": packing, **keys}.items():
        eccodes.codes_set(h, key, value)
    eccodes.codes_set_values(h, np.arange(ROWS * COLUMNS) % 50 / 4.0)
    values = eccodes.codes_get_values(h)
    return {"name": packing, "message": text(eccodes.codes_get_message(h)), "values": text(values.tobytes())}


def text(encoded):
    return base64.b64encode(bytes(encoded)).decode()


ramp = np.arange(2048, dtype="float32").reshape(32, 64)
waves = (np.arange(8192) % 100).astype("uint8")
pictures = np.arange(96 * 96, dtype="uint8").reshape(96, 96) // 2
steps = np.arange(4096, dtype="uint16")
names = {"name": "ramp", "type": "float32", "numbers": text(ramp.tobytes())}


def tile(codec, encoded, values, **configuration):
    return {
        **{"codec": codec, "type": str(values.dtype), "shape": [values.size], "configuration": configuration},
        **{"encoded": text(encoded), "decoded": text(values.tobytes())},
    }


def image(codec, encoded):
    return {
        **{"name": codec, "codec": {"id": f"imagecodecs_{codec}"}, "shape": [96, 96], "dtype": "uint8"},
        **{"image": text(encoded), "values": text(pictures.tobytes())},
    }


PREDICTOR = {"axis": -1, "dist": 1}
record = {
    "eccodes": version("eccodes"),
    "imagecodecs": version("imagecodecs"),
    "messages": [
        message("grid_simple", bitsPerValue=8),
        message("grid_complex_spatial_differencing", bitsPerValue=8, orderOfSpatialDifferencing=1),
        message("grid_ccsds", bitsPerValue=8),
    ],
    "pcodec": [{**names, "data": text(imagecodecs.pcodec_encode(ramp))}],
    "zfp": [{**names, "shape": [32, 64], "data": text(imagecodecs.zfp_encode(ramp))}],
    "tiff": [
        tile("lzw", imagecodecs.lzw_encode(waves.tobytes()), waves),
        tile("packbits", imagecodecs.packbits_encode(waves.tobytes()), waves),
        tile("delta", imagecodecs.delta_encode(steps, **PREDICTOR).tobytes(), steps, **PREDICTOR),
        tile("floatpred", imagecodecs.floatpred_encode(ramp.ravel(), **PREDICTOR).tobytes(), ramp.ravel(), **PREDICTOR),
    ],
    "images": [image("png", imagecodecs.png_encode(pictures)), image("lerc", imagecodecs.lerc_encode(pictures))],
}
OUT.write_text(json.dumps(record, indent=1) + "\n")
