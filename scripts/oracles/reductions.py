"""Arrays and what numpy and xarray make of them: reductions.py FOLDER SEED prints JSON with the cases, whose arrays are in FOLDER."""

import json
import sys
import warnings

import numpy as np
import xarray as xr
import zarr

warnings.simplefilter("ignore")
folder, seed = sys.argv[1], int(sys.argv[2])
random = np.random.default_rng(seed)
BINS = 7


def numbers(values):
    """Exact, and JSON: text for what JSON does not have."""
    return [value if np.isfinite(value) else str(value) for value in values.ravel().tolist()]


def reduced(values, axes, skips):
    """Of doubles, as wazarr computes."""
    values = values.astype("float64")
    some = ~np.isnan(values) if skips else np.ones(values.shape, bool)
    names = ["nanmin", "nanmax", "nanmean", "nanvar"] if skips else ["min", "max", "mean", "var"]
    least, greatest, mean, variance = (getattr(np, name)(values, axis=axes) for name in names)
    kept = [d for d in range(values.ndim) if d not in axes]
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    # Not all values are in the range, and some of them are on edges.
    span = (low, high) if high > low else (low, low + 1)
    if values.size % 2:
        span = (low + (high - low) * 0.25, high) if high > low else span
    moved = np.moveaxis(values, kept, range(len(kept)))
    rows = moved.reshape([int(np.prod([values.shape[d] for d in kept])), -1])
    bins = np.array([np.histogram(row, bins=BINS, range=span)[0] for row in rows], "int64")
    return {
        "range": [span[0], span[1]],
        "shape": [values.shape[d] for d in kept],
        "count": numbers(np.asarray(some.sum(axis=axes))),
        "min": numbers(np.asarray(least)),
        "max": numbers(np.asarray(greatest)),
        "mean": numbers(np.asarray(mean)),
        "variance": numbers(np.asarray(variance)),
        "histogram": numbers(bins),
    }


def elements(dtype, shape):
    kind = np.dtype(dtype).kind
    if kind == "b":
        return random.random(shape) < 0.5
    if kind in "iu":
        info = np.iinfo(dtype)
        bound = min(info.max, 2**40)
        return random.integers(max(info.min, -bound), bound, shape, dtype="int64").astype(dtype)
    # Far from zero: variances of sums of squares would have no digit left.
    values = (random.normal(0, 3, shape) + (1e6 if dtype == "float64" else 20)).astype(dtype)
    values[random.random(shape) < 0.1] = np.nan
    return values


cases = []
for dtype in ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64"]:
    for n, (shape, chunks, shards, axes) in enumerate(
        [
            ((40, 12, 9), (7, 5, 4), None, (0, 1, 2)),
            ((40, 12, 9), (4, 6, 9), (8, 12, 9), (0,)),
            ((12, 40, 9), (6, 9, 4), None, (0, 2)),
            ((33, 21), (33, 4), None, (1,)),
        ]
    ):
        name = f"{dtype}-{n}"
        values = elements(dtype, shape)
        array = zarr.create_array(f"{folder}/{name}", shape=shape, dtype=dtype, chunks=chunks, shards=shards, fill_value=0)
        array[...] = values
        skips = n % 2 == 0 or dtype.startswith("i")
        cases.append({"name": name, "over": axes, "skipNaN": skips, "decode": False, **reduced(values, axes, skips)})

for zarr_format in (2, 3):
    for n, (stored, encoding) in enumerate(
        [
            ("int16", {"scale_factor": 0.01, "add_offset": 273.15, "_FillValue": -32768}),
            ("uint8", {"scale_factor": np.float32(0.5), "_FillValue": 255}),
            ("float32", {"_FillValue": np.float32(-999)}),
            ("int32", {"missing_value": -1}),
        ]
    ):
        name = f"packed-{zarr_format}-{n}"
        raw = random.integers(0, 200, (30, 8, 6)).astype(stored)
        fill = encoding.get("_FillValue", encoding.get("missing_value"))
        raw[random.random(raw.shape) < 0.2] = fill
        attributes = {key: np.dtype(stored).type(value) if value == fill else value for key, value in encoding.items()}
        data = xr.Dataset({"v": xr.Variable(("time", "y", "x"), raw, attributes)})
        data.to_zarr(f"{folder}/{name}", zarr_format=zarr_format, encoding={"v": {"chunks": (7, 4, 6)}}, consolidated=False)
        decoded = xr.open_zarr(f"{folder}/{name}", consolidated=False, chunks=None)["v"]
        for over in (["time"], ["y", "x"]):
            axes = tuple(decoded.dims.index(each) for each in over)
            expected = reduced(decoded.values, axes, True)
            # What numpy says is what xarray says.
            doubles = decoded.astype("float64")
            np.testing.assert_allclose(np.array([float(v) for v in expected["mean"]]), doubles.mean(over).values.ravel(), rtol=1e-12)
            np.testing.assert_array_equal(np.array(expected["count"]), decoded.count(over).values.ravel())
            cases.append({"name": f"{name}", "path": "v", "over": over, "skipNaN": True, "decode": True, **expected})

print(json.dumps({"cases": cases}))
