#!/usr/bin/env bash
# Makes test/fixtures anew. Needs what install.sh installs, and `npm ci` for zarrita.
set -euo pipefail
cd "$(dirname "$0")"
python=../../.oracles/python/bin/python
"$python" make_fixtures.py zarr_python_3
"$python" make_fixtures.py tensorstore_oracle
/usr/bin/python3 make_fixtures.py zarr_python_2
"$python" cases.py | node make_fixtures_zarrita.mjs
(cd ../.. && node scripts/oracles/make_variable_length_fixtures.mjs)
(cd ../.. && node scripts/oracles/make_zarrs_fixtures.mjs)
"$python" -W ignore make_shard_fixtures.py
"$python" make_rectilinear_fixtures.py
"$python" make_checksum_fixtures.py
"$python" make_deflate_fixtures.py
"$python" make_filter_fixtures.py
"$python" -W ignore make_xarray_fixtures.py ../../test/fixtures/xarray
../../.oracles/ngff/bin/python -W ignore make_ome_zarr_fixtures.py ../../test/fixtures/ome-zarr
# `install.sh nightly` installs what these need.
../../.oracles/conventions/bin/python make_anndata_fixtures.py ../../test/fixtures/anndata.json
../../.oracles/conventions/bin/python make_healpix_fixtures.py ../../test/fixtures/healpix.json
# make_zstd_fixtures.py needs the package zstandard too: its head says how to run it.
# make_ome_zarr_old_fixtures.py needs an older ome-zarr-py: its head says which.
