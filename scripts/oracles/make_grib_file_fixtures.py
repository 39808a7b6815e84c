"""Writes test/fixtures/virtual/grib.json: GRIB files, and the data sets that cfgrib makes of them.

    python3 -m venv venv && venv/bin/pip install -r scripts/oracles/requirements-files.txt
    venv/bin/python scripts/oracles/make_grib_file_fixtures.py [FILE [COUNT [SEED]]]

With COUNT, writes as many random files in place of those of the fixtures.
"""

import base64
import json
import sys
import tempfile
import zlib
from importlib.metadata import version
from pathlib import Path

import cfgrib
import eccodes as ec
import numpy as np

OUT = Path(__file__).parents[2] / "test/fixtures/virtual/grib.json"
SAMPLES = {
    2: dict(regular_ll="regular_ll_sfc_grib2", reduced_gg="reduced_gg_pl_32_grib2", regular_gg="regular_gg_sfc_grib2", lambert="regular_ll_sfc_grib2", polar_stereographic="polar_stereographic_sfc_grib2", rotated_ll="regular_ll_sfc_grib2", mercator="regular_ll_sfc_grib2"),
    1: dict(regular_ll="regular_ll_sfc_grib1", reduced_gg="reduced_gg_pl_32_grib1", regular_gg="regular_gg_sfc_grib1", lambert="regular_ll_sfc_grib1", polar_stereographic="polar_stereographic_sfc_grib1", rotated_ll="regular_ll_sfc_grib1", mercator="regular_ll_sfc_grib1"),
}


def message(rng, edition=2, grid="regular_ll", ni=7, nj=5, keys=(), missing=0.0, scan=0, multi=None):
    h = ec.codes_grib_new_from_samples(SAMPLES[edition][grid])
    if grid == "regular_ll":
        first, last = (60.0, 58.0) if not scan & 64 else (58.0, 60.0)
        west, east = (10.0, 13.0) if not scan & 128 else (13.0, 10.0)
        for key, value in dict(Ni=ni, Nj=nj, latitudeOfFirstGridPointInDegrees=first, latitudeOfLastGridPointInDegrees=last, longitudeOfFirstGridPointInDegrees=west, longitudeOfLastGridPointInDegrees=east, iDirectionIncrementInDegrees=0.5, jDirectionIncrementInDegrees=0.5, iScansNegatively=int(scan & 128 > 0), jScansPositively=int(scan & 64 > 0)).items():
            ec.codes_set(h, key, value)
    elif grid == "lambert":
        ec.codes_set(h, "gridType", "lambert")
        for key, value in dict(Nx=ni, Ny=nj, latitudeOfFirstGridPointInDegrees=21.1, longitudeOfFirstGridPointInDegrees=237.3, LoVInDegrees=262.5, Latin1InDegrees=38.5, Latin2InDegrees=38.5, DxInMetres=30000, DyInMetres=30000, jScansPositively=1).items():
            ec.codes_set(h, key, value)
        if edition == 2:
            ec.codes_set(h, "LaDInDegrees", 38.5)
    elif grid in ("rotated_ll", "mercator"):
        ec.codes_set(h, "gridType", grid)
        corners = dict(Ni=ni, Nj=nj, latitudeOfFirstGridPointInDegrees=-2.0, longitudeOfFirstGridPointInDegrees=355.0, latitudeOfLastGridPointInDegrees=2.0, longitudeOfLastGridPointInDegrees=1.0, jScansPositively=1)
        own = dict(iDirectionIncrementInDegrees=1.0, jDirectionIncrementInDegrees=1.0, latitudeOfSouthernPoleInDegrees=-40.0, longitudeOfSouthernPoleInDegrees=10.0) if grid == "rotated_ll" else dict(LaDInDegrees=20.0, DiInMetres=100000, DjInMetres=100000)
        for key, value in (corners | own).items():
            ec.codes_set(h, key, value)
    for key, value in dict(keys).items():
        ec.codes_set(h, key, value)
    count = ni * nj if grid in ("regular_ll", "lambert", "rotated_ll", "mercator") else ec.codes_get(h, "numberOfDataPoints")
    values = np.round(273 + np.cumsum(rng.normal(0, 0.3, count)), 3)
    if missing:
        ec.codes_set(h, "bitmapPresent", 1)
        ec.codes_set(h, "missingValue", 1e20)
        values[rng.random(count) < missing] = 1e20
    ec.codes_set(h, "bitsPerValue", int(rng.choice([8, 12, 16])))
    ec.codes_set_values(h, values)
    data = ec.codes_get_message(h)
    ec.codes_release(h)
    return data


def elements(array):
    array = np.asarray(array)
    if array.dtype.kind == "M":
        array = array.astype("datetime64[s]").astype("int64")
    if array.dtype.kind == "m":
        array = array.astype("timedelta64[s]").astype("int64") / 3600
    data = base64.b64encode(zlib.compress(np.ascontiguousarray(array).tobytes(), 9)).decode()
    return dict(shape=list(array.shape), type=str(array.dtype), data=data)


ATTRIBUTES = ["GRIB_paramId", "GRIB_shortName", "GRIB_name", "GRIB_units", "GRIB_typeOfLevel", "GRIB_stepType", "GRIB_gridType", "GRIB_numberOfPoints", "long_name", "units", "standard_name"]


def case(name, messages, **more):
    data = b"".join(messages)
    datasets = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file.grib"
        path.write_bytes(data)
        for dataset in cfgrib.open_datasets(str(path), backend_kwargs=dict(indexpath="")):
            variables = {}
            for key, variable in dataset.data_vars.items():
                attributes = {k: v if not hasattr(v, "item") else v.item() for k, v in variable.attrs.items() if k in ATTRIBUTES and v != "unknown"}
                variables[key] = dict(dims=list(variable.dims), attributes=attributes, coordinates=sorted(variable.coords), **elements(variable.values))
            coordinates = {key: dict(dims=list(value.dims), **elements(value.values)) for key, value in dataset.coords.items()}
            datasets.append(dict(variables=variables, coordinates=coordinates))
    return dict(name=name, file=base64.b64encode(data).decode(), datasets=datasets, **more)


def longitudes_of_first_row(data):
    h = ec.codes_new_from_message(data)
    longitudes = ec.codes_get_array(h, "longitudes")[: ec.codes_get(h, "Ni")]
    ec.codes_release(h)
    return longitudes


def level(kind, value):
    return dict(typeOfLevel=kind, level=value)


def fixtures():
    rng = np.random.default_rng(52)
    cases = []
    for edition in (2, 1):
        e = dict(edition=edition)
        levels = [(n, p, s) for n in ("t", "u") for p in (1000, 850, 500) for s in (0, 6, 12)]
        cases.append(case(f"levels and steps, edition {edition}", [message(rng, **e, keys=dict(level("isobaricInhPa", p), shortName=n, step=s)) for n, p, s in levels]))
        cases.append(case(f"dates, edition {edition}", [message(rng, **e, keys=dict(shortName="msl", dataDate=d, dataTime=t)) for d in (20260304, 20260305) for t in (0, 1200)]))
        for grid in ("reduced_gg", "regular_gg", "lambert", "polar_stereographic"):
            cases.append(case(f"{grid}, edition {edition}", [message(rng, **e, grid=grid, keys=dict(level("isobaricInhPa", 500), shortName="t"))]))
        cases.append(case(f"missing values, edition {edition}", [message(rng, **e, missing=0.3, keys=dict(shortName="2t"))]))
        for scan in (64, 128, 192):
            found = case(f"scanning mode {scan}, edition {edition}", [message(rng, **e, scan=scan, keys=dict(shortName="2t"))])
            if scan & 128:
                # cfgrib sorts longitudes, and leaves the values from east to west: eccodes has those of the points.
                longitude = found["datasets"][0]["coordinates"]["longitude"]
                longitude |= elements(longitudes_of_first_row(base64.b64decode(found["file"])))
            cases.append(found)
    cases.append(case("a level that is missing", [message(rng, keys=dict(level("isobaricInhPa", p), shortName="t", step=s)) for p, s in ((1000, 0), (850, 0), (500, 6))]))
    surface = [message(rng, keys=dict(shortName=n)) for n in ("2t", "10u", "10v", "msl", "sp", "tcc", "2d", "skt")]
    cases.append(case("surfaces", surface))
    rain = [message(rng, keys=dict(productDefinitionTemplateNumber=8, shortName="tp", stepRange=r)) for r in ("0-3", "0-6")]
    cases.append(case("accumulated", rain))
    members = [message(rng, keys=dict(productDefinitionTemplateNumber=1, shortName="2t", perturbationNumber=n, numberOfForecastsInEnsemble=3)) for n in (0, 1, 2)]
    cases.append(case("members", members))
    cases.append(case("soil", [message(rng, keys=dict(typeOfFirstFixedSurface=106, typeOfSecondFixedSurface=106, scaleFactorOfFirstFixedSurface=2, scaledValueOfFirstFixedSurface=a, scaleFactorOfSecondFixedSurface=2, scaledValueOfSecondFixedSurface=b, discipline=2, parameterCategory=3, parameterNumber=18)) for a, b in ((0, 10), (10, 40))]))
    cases.append(case("minutes", [message(rng, keys=dict(shortName="2t", indicatorOfUnitOfTimeRange=0, forecastTime=t)) for t in (15, 30)]))
    padded = [b"junk between messages" * 5 + each for each in surface[3:5]]
    cases.append(case("bytes between messages", [surface[0], *padded, b"\0" * 100]))
    # Numbers of their own, so that the cases after them stay as they are.
    other = np.random.default_rng(53)
    for edition in (2, 1):
        for grid in ("rotated_ll", "mercator"):
            cases.append(case(f"{grid}, edition {edition}", [message(other, edition, grid, keys=dict(shortName="2t"))]))
    cases.append(several(rng))
    return cases


def several(rng):
    """A message of several fields, which share a bitmap."""
    first = message(rng, keys=dict(shortName="10u"), missing=0.3)
    second = message(rng, keys=dict(shortName="10v"), missing=0.3)
    sections = lambda data: [data[at : at + size] for at, size in walk(data)]
    one, other = sections(first), sections(second)
    repeated = other[:]
    body = one[0] + one[1] + b"".join(one[2:]) + b"".join(other[2:])
    data = first[:8] + (16 + len(body) + 4).to_bytes(8, "big") + body + b"7777"
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        ec.codes_grib_multi_support_on()
        found = case("several fields in a message", [first, second])
    found["file"] = base64.b64encode(data).decode()
    return found


def walk(data):
    at = 16
    while data[at : at + 4] != b"7777":
        size = int.from_bytes(data[at : at + 4], "big")
        yield at, size
        at += size


def random_case(rng, i):
    edition = int(rng.choice([1, 2]))
    grid = str(rng.choice(["regular_ll", "regular_ll", "regular_gg", "reduced_gg", "lambert", "polar_stereographic"]))
    size = dict(ni=int(rng.integers(2, 12)), nj=int(rng.integers(2, 12))) if grid == "lambert" else {}
    names = [str(each) for each in rng.choice(["t", "u", "v", "z", "q", "r", "gh", "w"], int(rng.integers(1, 4)), replace=False)]
    pressures = [int(each) for each in rng.choice([1000, 925, 850, 700, 500, 300, 100, 10], int(rng.integers(1, 4)), replace=False)]
    steps = [int(each) for each in rng.choice([0, 3, 6, 12, 24, 120], int(rng.integers(1, 3)), replace=False)]
    dates = [20260301 + int(each) for each in rng.choice(20, int(rng.integers(1, 3)), replace=False)]
    keys = [dict(level("isobaricInhPa", p), shortName=n, step=s, dataDate=d) for n in names for p in pressures for s in steps for d in dates]
    rng.shuffle(keys)
    missing = float(rng.choice([0, 0, 0.3]))
    return case(f"{i} edition {edition} {grid} {names} {pressures} {steps} {dates}", [message(rng, edition, grid, keys=each, missing=missing, **size) for each in keys])


if __name__ == "__main__":
    target, *numbers = sys.argv[1:] or [OUT]
    rng = np.random.default_rng(int(numbers[1]) if len(numbers) > 1 else 0)
    cases = [random_case(rng, i) for i in range(int(numbers[0]))] if numbers else fixtures()
    versions = {name: version(name) for name in ("eccodes", "cfgrib")}
    Path(target).parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(each) for each in cases)
    Path(target).write_text(f'{{"versions": {json.dumps(versions)}, "cases": [\n{lines}\n]}}\n')
