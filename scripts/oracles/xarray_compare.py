"""Whether xarray opens two stores as the same data set, for every pair of a list.

Usage: xarray_compare.py < JSON. A list of {"expected": FOLDER, "given": FOLDER}; with "variables", these alone are compared. To standard output: a
list of null or of what differs.
"""

import functools
import json
import sys
import warnings

import xarray as xr

warnings.simplefilter("ignore")


def opened(folder, **options):
    return xr.open_zarr(folder, chunks=None, **options).load()


# Each expected data set stands in many pairs.
@functools.cache
def expected_variable(folder, name):
    return xr.decode_cf(expected_set(folder, False)[[name]]).load()


@functools.cache
def expected_set(folder, decode_cf):
    return opened(folder, decode_cf=decode_cf)


def difference(expected, given, variables=None):
    try:
        left = expected_set(expected, variables is None)
        right = opened(given, decode_cf=variables is None)
        if variables is None:
            xr.testing.assert_identical(left, right)
            return None
        # One by one: xarray opens nothing of a data set with one variable that it does not decode.
        for name in variables:
            b = xr.decode_cf(right[[name]]).load()
            xr.testing.assert_identical(expected_variable(expected, name), b)
        return None
    except Exception as error:
        return f"{type(error).__name__}: {error}"


print(json.dumps([difference(**pair) for pair in json.load(sys.stdin)]))
