"""Makes the climate data of the pages in this folder from files of the Met Office that iris-sample-data has
(Open Government Licence v3, Crown copyright):

    pip install iris-sample-data==2.5.2 icechunk==2.3.0 netCDF4 xarray zarr && python make-climate.py

seasons.zarr        surface temperature of the world, August 2011 to January 2012: one member of a GloSea4 forecast
century.icechunk    annual mean temperature of the world, a tag each: 1860, 2099 in the scenarios A1B and E1
north-america.nc    annual mean temperature of North America, 1860 to 2099, scenario A1B
north-america.zarr  the same and scenario E1, in chunks for series
"""

import shutil
import struct
from pathlib import Path

import icechunk
import iris_sample_data
import numpy as np
import xarray as xr
from zarr.codecs import BloscCodec

HERE = Path(__file__).parent
SOURCE = Path(iris_sample_data.path)
SHUFFLED = {"compressors": BloscCodec(cname="zstd", clevel=9, shuffle="shuffle")}
PACKED = {"dtype": "int16", "scale_factor": 0.1, "_FillValue": -32768}


def fields(name):
    """The fields of a file of PP that is not packed, from north to south and from 0 degrees eastward, in C."""
    content = (SOURCE / name).read_bytes()
    at = 0
    while at < len(content):
        header = np.frombuffer(content, ">i4", 45, at + 4)
        at += 256 + 8
        (length,) = struct.unpack(">i", content[at : at + 4])
        values = np.frombuffer(content, ">f4", length // 4, at + 4)
        at += length + 8
        yield values.reshape(header[17], header[18])[::-1].astype("f4") - 273.15


def world(**variables):
    latitude = np.linspace(90, -90, 145, dtype="f4")
    longitude = np.arange(192, dtype="f4") * 1.875
    return xr.Dataset(
        variables,
        {
            "latitude": ("latitude", latitude, {"units": "degrees_north", "standard_name": "latitude"}),
            "longitude": ("longitude", longitude, {"units": "degrees_east", "standard_name": "longitude"}),
        },
        {"source": "Met Office, Crown copyright, Open Government Licence v3.0"},
    )


def variable(dimensions, values, title):
    return (dimensions, values, {"long_name": title, "units": "degC"})


def make_seasons():
    values = np.stack(list(fields("GloSea4/ensemble_000.pp")))
    dataset = world(temperature=variable(("time", "latitude", "longitude"), values, "surface temperature"))
    dataset["time"] = ("time", np.arange("2011-08", "2012-02", dtype="datetime64[M]").astype("datetime64[ns]"))
    target = HERE / "seasons.zarr"
    shutil.rmtree(target, ignore_errors=True)
    dataset.to_zarr(target, encoding={"temperature": {**PACKED, **SHUFFLED, "chunks": (1, 145, 192)}}, consolidated=True)


def make_century():
    target = HERE / "century.icechunk"
    shutil.rmtree(target, ignore_errors=True)
    repository = icechunk.Repository.create(icechunk.local_filesystem_storage(str(target)))
    for tag, name in [("1860", "pre-industrial.pp"), ("2099-A1B", "A1B.2098.pp"), ("2099-E1", "E1.2098.pp")]:
        session = repository.writable_session("main")
        (values,) = fields(name)
        dataset = world(temperature=variable(("latitude", "longitude"), values, "mean temperature of the year"))
        dataset.to_zarr(
            session.store, encoding={"temperature": {**PACKED, **SHUFFLED, "chunks": (145, 192)}}, mode="w", consolidated=False
        )
        repository.create_tag(tag, snapshot_id=session.commit(f"{tag}: {name}"))


def make_north_america():
    def scenario(name):
        source = xr.open_dataset(SOURCE / f"{name}_north_america.nc", decode_times=False)
        return source.air_temperature.drop_vars([n for n in source.coords if n not in source.dims])[:, ::-1] - 273.15

    def dataset(**scenarios):
        made = xr.Dataset({
            name: variable(("year", "latitude", "longitude"), found.values, f"mean temperature, scenario {name}")
            for name, found in scenarios.items()
        })
        made["year"] = ("year", np.arange(1860, 2100, dtype="i2"))
        first = next(iter(scenarios.values()))
        for axis, units in [("latitude", "degrees_north"), ("longitude", "degrees_east")]:
            made[axis] = (axis, first[axis].values.astype("f4"), {"units": units, "standard_name": axis})
        made.attrs["source"] = "Met Office, Crown copyright, Open Government Licence v3.0"
        return made

    a1b, e1 = scenario("A1B"), scenario("E1")
    dataset(temperature=a1b).to_netcdf(
        HERE / "north-america.nc",
        encoding={"temperature": {**PACKED, "zlib": True, "shuffle": True, "complevel": 9, "chunksizes": (60, 37, 49)}},
    )
    target = HERE / "north-america.zarr"
    shutil.rmtree(target, ignore_errors=True)
    packed = {**PACKED, **SHUFFLED, "chunks": (240, 13, 13)}
    dataset(A1B=a1b, E1=e1).to_zarr(target, encoding={"A1B": packed, "E1": packed}, consolidated=True)


make_seasons()
make_century()
make_north_america()
