"""Whether xarray opens two stores as the same data set, for every pair of a list.

Usage: xarray_compare.py < JSON. A list of {"expected": FOLDER, "given": FOLDER}; with "variables", these alone are compared. To standard output: a
list of null or of what differs.
"""

import json
import sys
import warnings

import xarray as xr

warnings.simplefilter("ignore")


def opened(folder, **options):
    return xr.open_zarr(folder, chunks=None, **options).load()


def difference(expected, given, variables=None):
    try:
        left, right = opened(expected, decode_cf=variables is None), opened(given, decode_cf=variables is None)
        if variables is None:
            xr.testing.assert_identical(left, right)
            return None
        # One by one: xarray opens nothing of a data set with one variable that it does not decode.
        for name in variables:
            a, b = xr.decode_cf(left[[name]]).load(), xr.decode_cf(right[[name]]).load()
            xr.testing.assert_identical(a, b)
        return None
    except Exception as error:
        return f"{type(error).__name__}: {error}"


print(json.dumps([difference(**pair) for pair in json.load(sys.stdin)]))
