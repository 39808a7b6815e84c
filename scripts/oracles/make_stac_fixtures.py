"""Writes test/fixtures/stac: documents as public catalogues publish them, and what pystac reads in each.

    python -m venv /tmp/stac && /tmp/stac/bin/pip install pystac==1.15.2 jsonschema==4.26.0
    /tmp/stac/bin/python scripts/oracles/make_stac_fixtures.py test/fixtures/stac

The documents are short, and have what the catalogues' public documents say of assets: their keys, media types,
roles, addresses and fields of extensions. pystac checks each by the schema of STAC before it is written.
"""

import json
import sys
from importlib import metadata
from pathlib import Path

import pystac
from pystac.validation import JsonSchemaSTACValidator

EXTENSION = "https://stac-extensions.github.io/{}/schema.json"
TIME = "2026-09-01T10:05:59Z"
COG = "image/tiff; application=geotiff; profile=cloud-optimized"


def item(name, assets, properties=None, extensions=(), collection=None, links=(), version="1.1.0", **more):
    links = [*links]
    if collection:
        links.append({"rel": "collection", "href": "../", "type": "application/json"})
    document = {
        "type": "Feature",
        "stac_version": version,
        "stac_extensions": [EXTENSION.format(each) for each in extensions],
        "id": name,
        "bbox": [8, 45, 9, 46],
        "geometry": {"type": "Polygon", "coordinates": [[[8, 45], [9, 45], [9, 46], [8, 46], [8, 45]]]},
        "properties": {"datetime": TIME, **(properties or {})},
        "links": links,
        "assets": assets,
        **more,
    }
    if collection:
        document["collection"] = collection
    return document


def collection(name, assets, extensions=(), version="1.1.0", **more):
    return {
        "type": "Collection",
        "stac_version": version,
        "stac_extensions": [EXTENSION.format(each) for each in extensions],
        "id": name,
        "description": f"the collection {name}",
        "license": "other",
        "extent": {"spatial": {"bbox": [[-180, -90, 180, 90]]}, "temporal": {"interval": [[TIME, None]]}},
        "links": [{"rel": "items", "href": "./items", "type": "application/geo+json"}],
        "assets": assets,
        **more,
    }


def eopf():
    """The EOPF Sentinel Zarr samples service: a store of version 2, its groups and arrays, and a zip of it."""
    name = "S2B_MSIL2A_20260901T100559_N0511_R022_T32TMR_20260901T123456"
    store = f"https://objects.eodc.eu:443/e05ab01a9d56408d82ac32d69a5aae2a:202609-s02msil2a/01/products/cpm_v256/{name}.zarr"
    native = {"chunks": {}, "engine": "eopf-zarr", "op_mode": "native"}

    def resolution(meters):
        return {
            "href": f"{store}/measurements/reflectance/r{meters}m",
            "type": "application/vnd+zarr",
            "title": f"Surface Reflectance - {meters}m",
            "roles": ["data", "reflectance", "dataset"],
            "xarray:open_dataset_kwargs": native,
            "alternate": {"s3": {"href": f"s3://e05ab01a9d56408d82ac32d69a5aae2a/{name}.zarr/measurements/reflectance/r{meters}m"}},
            "storage:refs": ["eodc"],
        }

    assets = {f"SR_{meters}m": resolution(meters) for meters in (10, 20, 60)}
    assets["B04_10m"] = {
        "href": f"{store}/measurements/reflectance/r10m/b04",
        "type": "application/vnd+zarr",
        "title": "Red (band 4) - 10m",
        "roles": ["data", "reflectance"],
    }
    assets["product"] = {
        "href": store,
        "type": "application/vnd+zarr",
        "title": "EOPF Product",
        "roles": ["data", "metadata"],
        "xarray:open_datatree_kwargs": native,
    }
    assets["zipped_product"] = {
        "href": f"https://download.user.eopf.eodc.eu/zip/collections/sentinel-2-l2a/items/{name}",
        "type": "application/zip",
        "title": "Zipped EOPF Product",
        "roles": ["data", "metadata", "archive"],
    }
    assets["product_metadata"] = {
        "href": f"{store}/.zmetadata",
        "type": "application/json",
        "title": "Consolidated Metadata",
        "roles": ["metadata"],
    }
    assets["thumbnail"] = {"href": f"{store}/ql.jpg", "type": "image/jpeg", "roles": ["thumbnail"]}
    schemes = {"eodc": {"type": "custom-s3", "platform": "https://objects.eodc.eu/{bucket}", "region": "default"}}
    return item(
        name,
        assets,
        {"eopf:origin_datetime": TIME, "storage:schemes": schemes},
        ["xarray-assets/v1.0.0", "alternate-assets/v1.2.0", "storage/v2.0.0"],
        "sentinel-2-l2a",
    )


DAYMET = {
    "cube:dimensions": {
        "time": {"type": "temporal", "extent": ["1980-01-01T12:00:00Z", "2020-12-30T12:00:00Z"]},
        "x": {"type": "spatial", "axis": "x", "extent": [-5802250, -5519250], "step": 1000, "reference_system": 4326},
        "y": {"type": "spatial", "axis": "y", "extent": [-622000, -39000], "step": -1000, "reference_system": 4326},
    },
    "cube:variables": {
        "lat": {"type": "auxiliary", "dimensions": ["y", "x"], "unit": "degrees_north"},
        "prcp": {"type": "data", "dimensions": ["time", "y", "x"], "unit": "mm/day"},
        "tmax": {"type": "data", "dimensions": ["time", "y", "x"], "unit": "degrees C"},
    },
}


def planetary_computer():
    """Microsoft's Planetary Computer: one store of version 2 by two addresses."""
    path = "daymet-zarr/daily/hi.zarr"
    consolidated = {"consolidated": True}
    assets = {
        "thumbnail": {
            "href": "https://ai4edatasetspublicassets.blob.core.windows.net/assets/pc_thumbnails/daymet-daily-hi.png",
            "type": "image/png",
            "title": "Daymet daily Hawaii map thumbnail",
        },
        "zarr-abfs": {
            "href": f"abfs://{path}",
            "type": "application/vnd+zarr",
            "title": "Daily Hawaii Daymet Azure Blob File System Zarr root",
            "roles": ["data", "zarr", "abfs"],
            "xarray:open_kwargs": consolidated,
            "xarray:storage_options": {"account_name": "daymeteuwest"},
        },
        "zarr-https": {
            "href": f"https://daymeteuwest.blob.core.windows.net/{path}",
            "type": "application/vnd+zarr",
            "title": "Daily Hawaii Daymet HTTPS Zarr root",
            "roles": ["data", "zarr", "https"],
            "xarray:open_kwargs": consolidated,
        },
    }
    return collection(
        "daymet-daily-hi", assets, ["xarray-assets/v1.0.0", "datacube/v2.0.0"], version="1.0.0", **DAYMET
    )


def earth_search():
    """Earth Search of Element 84: bands as COGs in a public bucket, by https and by s3."""
    folder = "sentinel-cogs/sentinel-s2-l2a-cogs/32/T/MR/2026/9/S2B_32TMR_20260901_0_L2A"

    def band(file, title, roles):
        return {
            "href": f"https://sentinel-cogs.s3.us-west-2.amazonaws.com/{folder[14:]}/{file}.tif",
            "type": COG,
            "title": title,
            "roles": roles,
            "alternate": {
                "s3": {"href": f"s3://{folder}/{file}.tif", "alternate:name": "S3", "storage:refs": ["aws"]}
            },
        }

    assets = {
        "red": band("B04", "Red - 10m", ["data", "reflectance"]),
        "green": band("B03", "Green - 10m", ["data", "reflectance"]),
        "blue": band("B02", "Blue - 10m", ["data", "reflectance"]),
        "visual": band("TCI", "True color image", ["visual"]),
        "preview": {"href": "./L2A_PVI.tif", "type": COG, "roles": ["overview"]},
        "granule_metadata": {"href": "./granule_metadata.xml", "type": "application/xml", "roles": ["metadata"]},
        "thumbnail": {"href": "./thumbnail.jpg", "type": "image/jpeg", "roles": ["thumbnail"]},
    }
    schemes = {
        "aws": {
            "type": "aws-s3",
            "platform": "https://{bucket}.s3.{region}.amazonaws.com",
            "bucket": "sentinel-cogs",
            "region": "us-west-2",
            "requester_pays": False,
        }
    }
    renders = {
        "true-color": {"title": "True color", "assets": ["red", "green", "blue"], "rescale": [[0, 3000]] * 3},
        "ndvi": {
            "assets": ["red"],
            "rescale": [[-1, 1]],
            "colormap_name": "rdylgn",
            "nodata": "nan",
            "expression": "(nir-red)/(nir+red)",
        },
    }
    return item(
        "S2B_32TMR_20260901_0_L2A",
        assets,
        {"storage:schemes": schemes, "renders": renders},
        ["alternate-assets/v1.2.0", "storage/v2.0.0", "render/v2.0.0"],
        "sentinel-2-l2a",
    )


def ceda():
    """CEDA: a file of NetCDF, and references of kerchunk to it, whose media type is that of their packing."""
    name = "CMIP6.ScenarioMIP.THU.CIESM.ssp585.r1i1p1f1.Amon.rsus.gr.v20200806"
    place = "https://dap.ceda.ac.uk/badc/cmip6"
    assets = {
        "reference_file": {
            "href": f"{place}/metadata/kerchunk/pipeline1/ScenarioMIP/THU/CIESM/kr1.0/{name.replace('.', '_')}_kr1.0.json",
            "type": "application/zstd",
            "roles": ["reference", "data"],
            "open_zarr_kwargs": {"decode_times": True},
        },
        "data0001": {
            "href": f"{place}/data/CMIP6/ScenarioMIP/THU/CIESM/ssp585/r1i1p1f1/Amon/rsus/gr/v20200806/rsus_Amon_CIESM_ssp585_r1i1p1f1_gr_402901-411412.nc",
            "type": "application/netcdf",
            "roles": ["data"],
        },
    }
    return item(name, assets, {"cmip6:variable_id": "rsus"}, collection="cmip6")


def cmr():
    """NASA's CMR: bands without media types, behind a login, and the same by s3 inside of Amazon."""
    name = "HLS.L30.T32TMR.2026244T101112.v2.0"
    place = f"https://data.lpdaac.earthdatacloud.nasa.gov/lp-prod-protected/HLSL30.020/{name}/{name}"
    bucket = f"s3://lp-prod-protected/HLSL30.020/{name}/{name}"
    assets = {
        band: {
            "href": f"{place}.{band}.tif",
            "title": f"Download {name}.{band}.tif",
            "roles": ["data"],
            "alternate": {"s3": {"href": f"{bucket}.{band}.tif"}},
        }
        for band in ("B04", "B05", "Fmask")
    }
    assets["browse"] = {"href": f"{place}.jpg", "type": "image/jpeg", "roles": ["browse"]}
    assets["metadata"] = {"href": "https://cmr.earthdata.nasa.gov/search/concepts/G1.xml", "type": "application/xml", "roles": ["metadata"]}
    return item(name, assets, {}, ["alternate-assets/v1.2.0"], "HLSL30_2.0", version="1.0.0")


def source_cooperative():
    """Source Cooperative: a forecast as a store of version 3, and as a repository of Icechunk beside it."""
    place = "https://data.source.coop/dynamical/noaa-gfs-forecast"
    assets = {
        "zarr": {
            "href": f"{place}/v0.2.7.zarr",
            "type": "application/vnd.zarr; version=3",
            "roles": ["data"],
            "zarr:consolidated": True,
            "zarr:node_type": "group",
            "zarr:zarr_format": 3,
        },
        "icechunk": {
            "href": "s3://dynamical-noaa-gfs/noaa-gfs-forecast/v0.2.7.icechunk/",
            "type": "application/vnd.zarr+icechunk",
            "roles": ["data"],
            "storage:refs": ["aws"],
        },
    }
    schemes = {
        "aws": {
            "type": "aws-s3",
            "platform": "https://{bucket}.s3.{region}.amazonaws.com",
            "bucket": "dynamical-noaa-gfs",
            "region": "us-west-2",
            "anonymous": True,
        }
    }
    return collection(
        "noaa-gfs-forecast", assets, ["zarr/v1.1.0", "storage/v2.0.0"], **{"storage:schemes": schemes}
    )


def nldas():
    """NASA's NLDAS-3, as the example of xpystac has it: chunks of NetCDF through a repository of Icechunk."""
    assets = {
        "netcdf": {
            "href": "s3://nasa-waterinsight/NLDAS3/forcing/daily/",
            "roles": ["data"],
            "storage:refs": ["nasa"],
        },
        "virtual": {
            "href": "s3://nasa-waterinsight/virtual-zarr-store/NLDAS-3-icechunk/",
            "type": "application/vnd.zarr+icechunk",
            "roles": ["data", "references", "virtual", "latest-version"],
            "version": "YTNGFY4WY9189GEH1FNG",
            "storage:refs": ["nasa"],
            "vrt:hrefs": [{"key": "netcdf", "href": "#/assets/netcdf"}],
        },
    }
    scheme = {
        "type": "aws-s3",
        "platform": "https://{bucket}.s3.{region}.amazonaws.com",
        "bucket": "nasa-waterinsight",
        "region": "us-west-2",
        "anonymous": True,
    }
    return collection("nldas-3", assets, ["storage/v2.0.0"], **{"storage:schemes": {"nasa": scheme}})


def veda():
    """NASA's VEDA: one COG, and how it is drawn, with the names of the first version of the extension."""
    assets = {"cog_default": {"href": "s3://veda-data-store/no2-monthly/OMI_trno2.tif", "type": COG, "roles": ["data", "layer"]}}
    renders = {
        "dashboard": {
            "title": "VEDA Dashboard render parameters",
            "assets": ["cog_default"],
            "resampling": "bilinear",
            "colormap_name": "viridis",
            "rescale": [[0, 15000000000000000]],
        }
    }
    return item("OMI_trno2", assets, {"renders": renders}, ["render/v1.0.0"], "no2-monthly", version="1.0.0")


# Where each is: relative addresses count from there.
DOCUMENTS = {
    "eopf": ("https://stac.core.eopf.eodc.eu/collections/sentinel-2-l2a/items/S2B", eopf),
    "planetary-computer": ("https://planetarycomputer.microsoft.com/api/stac/v1/collections/daymet-daily-hi", planetary_computer),
    "earth-search": ("https://earth-search.aws.element84.com/v1/collections/sentinel-2-l2a/items/S2B", earth_search),
    "ceda": ("https://api.stac.ceda.ac.uk/collections/cmip6/items/CMIP6", ceda),
    "cmr": ("https://cmr.earthdata.nasa.gov/stac/LPCLOUD/collections/HLSL30_2.0/items/HLS", cmr),
    "source-cooperative": ("https://data.source.coop/dynamical/noaa-gfs-forecast/collection.json", source_cooperative),
    "nldas": ("https://example.com/nldas-3/collection.json", nldas),
    "veda": ("https://openveda.cloud/api/stac/collections/no2-monthly/items/OMI_trno2", veda),
}


def read(document, address):
    """What pystac makes of a document at an address."""
    found = pystac.read_dict(document, href=address)
    found.set_self_href(address)
    # Relative addresses were set right for the new address: those of the document are asked for.
    for key, asset in found.assets.items():
        asset.href = document["assets"][key]["href"]
    return {
        "kind": found.STAC_OBJECT_TYPE.name.lower(),
        "id": found.id,
        "assets": {
            key: {
                "href": asset.get_absolute_href(),
                "type": asset.media_type,
                "roles": asset.roles or [],
                "title": asset.title,
            }
            for key, asset in found.assets.items()
        },
    }


def main(folder):
    validator = JsonSchemaSTACValidator()
    expected = {}
    for name, (address, make) in DOCUMENTS.items():
        document = make()
        kind = pystac.STACObjectType.ITEM if document["type"] == "Feature" else pystac.STACObjectType.COLLECTION
        # pystac has the schema of its own version, to which it brings older documents.
        current = pystac.read_dict(json.loads(json.dumps(document)), href=address).to_dict(transform_hrefs=False)
        validator.validate_core(current, kind, current["stac_version"], address)
        (folder / f"{name}.json").write_text(json.dumps(document, indent=1) + "\n")
        expected[name] = {"address": address, **read(document, address)}
    answers = {"pystac": metadata.version("pystac"), "documents": expected}
    (folder / "expected.json").write_text(json.dumps(answers, indent=1) + "\n")


main(Path(sys.argv[1]))
