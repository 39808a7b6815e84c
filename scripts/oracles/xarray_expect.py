"""Whether xarray opens stores as the data sets that a list describes.

Usage: xarray_expect.py < JSON, a list of {folder, consolidated, attrs, variables: [{name, dims, shape, isCoordinate, attrs, kind, dtype, values}]}.
To standard output: a list of null or of what differs.
"""

import json
import sys
import warnings

import cftime
import numpy as np
import xarray as xr

warnings.simplefilter("ignore")


def data_of(kind, dtype, values, shape):
    if kind == "calendar":
        dates = cftime.num2date([int(each) for each in values], "microseconds since 1970-01-01", calendar=dtype)
        return np.array(dates, dtype=object).reshape(shape)
    if kind == "text":
        return np.array(values, dtype=object).reshape(shape)
    if kind == "number" and dtype.startswith("float"):
        return np.array([float(each) for each in values], dtype=dtype).reshape(shape)
    if kind == "bool":
        return np.array(values, dtype=bool).reshape(shape)
    # NaT as text; integers as text, which keeps every digit.
    return np.array([int(each) if each != "NaT" else np.iinfo("i8").min for each in values]).astype(dtype).reshape(shape)


def difference(folder, consolidated, attrs, variables):
    try:
        made = {v["name"]: (v["dims"], data_of(v["kind"], v["dtype"], v["values"], v["shape"]), v["attrs"]) for v in variables}
        coords = {v["name"]: made[v["name"]] for v in variables if v["isCoordinate"]}
        expected = xr.Dataset({name: each for name, each in made.items() if name not in coords}, coords, attrs)
        given = xr.open_zarr(folder, chunks=None, consolidated=consolidated).load()
        xr.testing.assert_identical(expected, given)
        types = {name: (str(each.dtype), str(given[name].dtype)) for name, each in expected.variables.items() if each.dtype != object}
        wrong = {name: both for name, both in types.items() if both[0] != both[1]}
        return f"data types: {wrong}" if wrong else None
    except Exception as error:
        return f"{type(error).__name__}: {error}"


print(json.dumps([difference(**each) for each in json.load(sys.stdin)]))
