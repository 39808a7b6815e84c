#!/usr/bin/env bash
# Makes test/fixtures/draft-v3 anew. Needs Debian's python3-zarr and python3-gdal (../install.sh).
# gzip members carry a time, so zarr-python's bytes differ from run to run; values do not.
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for script in make_spec make_zarr_python make_gdal; do
  /usr/bin/python3 -B "$script.py" ../../../test/fixtures/draft-v3 "$work"
done
