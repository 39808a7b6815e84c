"""Makes forecast.grib2, a made-up forecast of temperatures in 3-hourly steps, and forecast.json, the reference document that
kerchunk would write of it: which bytes of the file each chunk is, and the coordinates.

    python3 -m venv venv && venv/bin/pip install eccodes eccodeslib numpy
    venv/bin/python examples/forecast/make_forecast.py
"""

import base64
import json
from pathlib import Path

import eccodes
import numpy as np

HERE = Path(__file__).parent
COLUMNS, ROWS, STEPS = 144, 73, 8
longitude = np.arange(COLUMNS) * 2.5
latitude = 90 - np.arange(ROWS) * 2.5


def temperatures(hour):
    """Kelvin: warm at the equator, waves that move eastward, days and nights."""
    east, north = np.radians(longitude)[None, :], np.radians(latitude)[:, None]
    shown = 300 - 55 * np.sin(north) ** 2 + 4 * np.sin(north)
    for waves, speed, height in ((3, 4, 6), (5, 9, 8), (8, 14, 4)):
        phase = waves * east - np.radians(speed * hour) * waves / 5 + 2 * np.sin(3 * north + waves)
        shown = shown + height * np.cos(north) * np.sin(2 * north) ** 2 * np.sin(phase)
    sun = np.cos(east + np.radians(15 * (hour - 13)))
    return shown + 5 * np.cos(north) * sun


def message(hour):
    h = eccodes.codes_grib_new_from_samples("regular_ll_sfc_grib2")
    keys = {
        **{"dataDate": 20261126, "dataTime": 0, "stepRange": hour, "shortName": "2t"},
        **{"Ni": COLUMNS, "Nj": ROWS, "iDirectionIncrementInDegrees": 2.5, "jDirectionIncrementInDegrees": 2.5},
        **{"latitudeOfFirstGridPointInDegrees": 90, "latitudeOfLastGridPointInDegrees": -90},
        **{"longitudeOfFirstGridPointInDegrees": 0, "longitudeOfLastGridPointInDegrees": 357.5},
        **{"packingType": "grid_ccsds", "bitsPerValue": 10},
    }
    for key, value in keys.items():
        eccodes.codes_set(h, key, value)
    eccodes.codes_set_values(h, temperatures(hour).ravel())
    encoded = eccodes.codes_get_message(h)
    eccodes.codes_release(h)
    return encoded


def array(shape, chunks, dtype, **more):
    document = {"zarr_format": 2, "shape": shape, "chunks": chunks, "dtype": dtype, "order": "C", "fill_value": None}
    return json.dumps({**document, "compressor": None, "filters": None, **more})


refs = {".zgroup": '{"zarr_format": 2}', ".zattrs": '{"title": "A made-up forecast"}'}


def coordinate(name, values, **attributes):
    refs[f"{name}/.zarray"] = array([len(values)], [len(values)], values.dtype.str)
    refs[f"{name}/.zattrs"] = json.dumps({"_ARRAY_DIMENSIONS": [name], **attributes})
    refs[f"{name}/0"] = "base64:" + base64.b64encode(values.tobytes()).decode()


hours = np.arange(STEPS, dtype="<i8") * 3
coordinate("time", hours, units="hours since 2026-11-26", standard_name="time")
coordinate("latitude", latitude, units="degrees_north", standard_name="latitude")
coordinate("longitude", longitude, units="degrees_east", standard_name="longitude")
filters = [{"id": "grib", "var": "2t", "dtype": "float64"}]
refs["t2m/.zarray"] = array([STEPS, ROWS, COLUMNS], [1, ROWS, COLUMNS], "<f8", filters=filters)
attributes = {"units": "K", "long_name": "2 metre temperature", "standard_name": "air_temperature"}
refs["t2m/.zattrs"] = json.dumps({"_ARRAY_DIMENSIONS": ["time", "latitude", "longitude"], **attributes})
offset = 0
with open(HERE / "forecast.grib2", "wb") as file:
    for step, hour in enumerate(hours):
        encoded = message(int(hour))
        file.write(encoded)
        refs[f"t2m/{step}.0.0"] = ["forecast.grib2", offset, len(encoded)]
        offset += len(encoded)
with open(HERE / "forecast.json", "w") as file:
    json.dump({"version": 1, "refs": refs}, file, indent=1)
    file.write("\n")
