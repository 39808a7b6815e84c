"""Writes files of NetCDF-3 and NetCDF-4 to test/fixtures/virtual, with what they contain, as JSON.

Usage: python make_netcdf_fixtures.py FOLDER [SEED COUNT]
With a seed: COUNT random files instead of the fixed ones.
"""

import base64
import hashlib
import json
import os
import random
import sys

import netCDF4
import numpy as np

FORMATS = ["NETCDF3_CLASSIC", "NETCDF3_64BIT_OFFSET", "NETCDF3_64BIT_DATA", "NETCDF4", "NETCDF4_CLASSIC"]


def contents(group, prefix, found):
    group.set_auto_maskandscale(False)
    for name, variable in group.variables.items():
        values = np.asarray(variable[...])
        entry = {"shape": list(values.shape), "dimensions": list(variable.dimensions)}
        if variable.dtype is str:
            entry["text"] = [str(v) for v in values.ravel()]
        else:
            data = np.ascontiguousarray(values.astype(values.dtype.newbyteorder("<"))).tobytes()
            if len(data) > 240:
                entry["sha256"] = hashlib.sha256(data).hexdigest()
            else:
                entry["bytes"] = base64.b64encode(data).decode()
        found[prefix + name] = entry
    for name, below in group.groups.items():
        contents(below, f"{prefix}{name}/", found)


def write(folder, name, format, fill):
    path = os.path.join(folder, f"{name}.nc")
    with netCDF4.Dataset(path, "w", format=format) as file:
        fill(file)
    found = {}
    with netCDF4.Dataset(path) as file:
        contents(file, "", found)
    with open(os.path.join(folder, f"{name}.json"), "w") as out:
        json.dump(found, out)
    return name


def ranges_by_kerchunk(folder, name):
    """Where kerchunk finds the chunks of a file of NetCDF-4: NAME.kerchunk.json."""
    from kerchunk.hdf import SingleHdf5ToZarr

    path = os.path.join(folder, f"{name}.nc")
    with open(path, "rb") as file:
        refs = SingleHdf5ToZarr(file, "file.nc", inline_threshold=0).translate()["refs"]
    chunks = {key: value[1:] for key, value in refs.items() if isinstance(value, list) and len(value) == 3}
    with open(os.path.join(folder, f"{name}.kerchunk.json"), "w") as out:
        json.dump(chunks, out)


def weather(file):
    """A data set of the usual kind: records of two variables, packed values, coordinates, texts."""
    file.Conventions = "CF-1.8"
    file.title = "Wetter in °C"
    for name, size in [("time", None), ("lat", 5), ("lon", 7), ("letters", 3)]:
        file.createDimension(name, size)
    time = file.createVariable("time", "f8", ("time",))
    time.units = "hours since 2026-03-05"
    time.calendar = "standard"
    for name, size in [("lat", 5), ("lon", 7)]:
        file.createVariable(name, "f4", (name,))[:] = np.linspace(0, 60, size)
    is_new = file.data_model.startswith("NETCDF4")
    options = {"zlib": True, "chunksizes": (2, 3, 7)} if is_new else {}
    t2m = file.createVariable("t2m", "i2", ("time", "lat", "lon"), fill_value=-32768, **options)
    t2m.scale_factor, t2m.add_offset = 0.01, 273.15
    t2m.valid_range = np.array([-30000, 30000], "i2")
    odd = file.createVariable("odd", "i1", ("time", "letters"))
    names = file.createVariable("names", "S1", ("lat", "letters"))
    file.createVariable("scalar", "i4", ())[...] = 42
    time[:] = [0, 6, 12, 18]
    t2m.set_auto_maskandscale(False)
    t2m[:] = np.arange(4 * 5 * 7).reshape(4, 5, 7) - 70
    odd[:] = np.arange(12).reshape(4, 3)
    names[:] = np.array([list("abc"), list("de "), list("fgh"), list("ij "), list("klm")], "S1")
    if file.data_model == "NETCDF4":
        group = file.createGroup("run/member")
        group.createDimension("level", 2)
        group.createVariable("q", "f8", ("level", "lat"))[:] = np.arange(10).reshape(2, 5)
        group.createVariable("label", str, ("level",))[:] = np.array(["top", "ground"], dtype=object)
        group.createVariable("lat", "f4", ("level", "lat"))[:] = 3


def one_record_variable(file):
    """A single variable of records is not padded."""
    file.createDimension("time", None)
    file.createDimension("x", 3)
    file.createVariable("a", "i1", ("time", "x"))[:] = np.arange(15).reshape(5, 3)


def nothing(file):
    file.createDimension("time", None)
    file.createVariable("a", "f4", ("time",))


def fixed(folder):
    names = []
    for format in FORMATS:
        for fill in [weather, one_record_variable, nothing]:
            names.append(write(folder, f"{fill.__name__}_{format.lower()}", format, fill))
    ranges_by_kerchunk(folder, "weather_netcdf4")
    return names


def random_file(file, rng):
    is_64 = file.data_model in ("NETCDF3_64BIT_DATA", "NETCDF4")
    codes = ["i1", "i2", "i4", "f4", "f8"] + (["u1", "u2", "u4", "i8", "u8"] if is_64 else [])
    file.createDimension("time", None)
    sizes = {f"d{i}": rng.randint(1, 9) for i in range(4)}
    for name, size in sizes.items():
        file.createDimension(name, size)
    records = rng.randint(0, 5)
    for i in range(rng.randint(1, 5)):
        inner = rng.sample(sorted(sizes), rng.randint(0, 3))
        dimensions = (["time"] if rng.random() < 0.5 else []) + inner
        variable = file.createVariable(f"v{i}", rng.choice(codes), dimensions)
        shape = [records if name == "time" else sizes[name] for name in dimensions]
        variable.number = i
        if 0 not in shape:
            variable[...] = np.random.default_rng(rng.randint(0, 2**31)).integers(0, 100, shape)


def at_random(folder, seed, count):
    names = []
    for number in range(count):
        rng = random.Random(seed * 100003 + number)
        format = rng.choice(FORMATS)
        names.append(write(folder, f"netcdf{number}", format, lambda file: random_file(file, rng)))
    return names


if __name__ == "__main__":
    folder, *rest = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    print(json.dumps(at_random(folder, int(rest[0]), int(rest[1])) if rest else fixed(folder)))
