#!/usr/bin/env bash
# Makes test/fixtures anew. Needs what install.sh installs, and `npm ci` for zarrita.
set -euo pipefail
cd "$(dirname "$0")"
python=../../.oracles/python/bin/python
"$python" make_fixtures.py zarr_python_3
"$python" make_fixtures.py tensorstore_oracle
/usr/bin/python3 make_fixtures.py zarr_python_2
"$python" cases.py | node make_fixtures_zarrita.mjs
