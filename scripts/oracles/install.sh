#!/usr/bin/env bash
# Makes the other implementations available that the tests compare with; safe to run again, quick when all is
# there.
#   .oracles/python/      Python >= 3.12 with zarr-python, TensorStore, numcodecs, xarray and cftime as
#                         pinned in requirements.txt
#   .oracles/ngff/        Python with ome-zarr-py, ngff-zarr and xarray as pinned in requirements-ngff.txt,
#                         apart as they bring seventy packages
#   .oracles/rust/        zarrs, as the program of test/rust, where there is a cargo
#   .oracles/go/          versitygw, a server of S3's protocol, where there is a go
#   .oracles/azurite/     Azurite, a server of Azure Blob Storage's protocol, from npm
#   .oracles/react-18/    the oldest React that packages/react supports, from npm
#   Debian's packages     python3-zarr (zarr 2.13.6, for the system's Python), GDAL, Chromium, Redis
# With the argument "nightly", for `npm run nightly`, also:
#   .oracles/go/          fake-gcs-server, a server of Google Cloud Storage's protocol (two minutes)
#   Debian's packages     Firefox, WebKit
#   .oracles/runtimes/    newer Nodes, Bun and Deno, from npm
#   .oracles/typescript/  an old TypeScript, from npm
#   .oracles/codecs/      Python with eccodes, gribberish and imagecodecs as pinned in requirements-codecs.txt
#   .oracles/conventions/ Python with healpy, healpix-geo, xdggs, anndata and spatialdata as pinned in
#                         requirements-conventions.txt
#   .oracles/files/       Python with h5py, netCDF4, hdf5plugin and kerchunk as pinned in requirements-files.txt
#   .oracles/jupyter/     Python with JupyterLab and anywidget as pinned in requirements-jupyter.txt
#   .oracles/moto/        Python with moto, a server of S3's protocol, as pinned in requirements-moto.txt
#   .oracles/bundlers/    webpack, Rspack, Parcel, workerd, React, Svelte and Vue, from npm
#   .oracles/package-managers/  pnpm and Yarn, from npm
#   .oracles/frameworks/  Next.js, SvelteKit and Astro, from npm
#   .oracles/duckdb/      duckdb-wasm, from npm
# .oracles/versions.json says each is and which version; null for what could not be had
# Exit status: 0 all there; 1 something is missing (said loudly; the tests that need it count as skipped).
set -uo pipefail
cd "$(dirname "$0")/../.."
here=scripts/oracles
lane=${1:-}
mkdir -p .oracles

find_python() {
  local candidate
  for candidate in "${WAZARR_PYTHON:-}" python3.12 "$HOME"/.pyenv/versions/3.12*/bin/python python3.13 python3.14 python3; do
    [ -n "$candidate" ] || continue
    # A pyenv shim exists on PATH even when its version is not selected: ask it to run before believing it.
    if "$candidate" -c 'import sys, ssl, venv; sys.exit(sys.version_info < (3, 12))' >/dev/null 2>&1; then
      command -v "$candidate"
      return 0
    fi
  done
  return 1
}

# @param $1 the folder in .oracles @param $2 the file of requirements beside this file @param $3 what it holds
install_python() {
  # The stamp is written last, so an interrupted installation starts over.
  if [ -x ".oracles/$1/bin/python" ] && cmp -s "$here/$2" ".oracles/$1/requirements.txt"; then
    return 0
  fi
  local python
  if ! python=$(find_python); then
    echo "No Python >= 3.12 found (tried WAZARR_PYTHON, python3.12 to 3.14, ~/.pyenv/versions, python3)." >&2
    return 1
  fi
  echo "oracles: a virtual environment with $("$python" --version) in .oracles/$1 ($3)"
  rm -rf ".oracles/$1"
  # A registry that does not answer must not hold up the tests.
  "$python" -m venv ".oracles/$1" &&
    timeout 1200 ".oracles/$1/bin/python" -m pip install --quiet --disable-pip-version-check --no-input -r "$here/$2" &&
    cp "$here/$2" ".oracles/$1/requirements.txt"
}

find_webkit() {
  compgen -G '/usr/lib/*/webkit2gtk-4.*/MiniBrowser' | tail -n1
}

install_debian_packages() {
  local packages=()
  command -v chromium >/dev/null || packages+=(chromium)
  command -v redis-server >/dev/null || packages+=(redis-server)
  /usr/bin/python3 -c 'import zarr' 2>/dev/null || packages+=(python3-zarr)
  # Without it Debian's numcodecs has no msgpack2.
  /usr/bin/python3 -c 'import msgpack' 2>/dev/null || packages+=(python3-msgpack)
  command -v gdalinfo >/dev/null || packages+=(gdal-bin)
  /usr/bin/python3 -c 'from osgeo import gdal' 2>/dev/null || packages+=(python3-gdal)
  if [ "$lane" = nightly ]; then
    command -v firefox-esr >/dev/null || packages+=(firefox-esr)
    # MiniBrowser, and a screen that nobody sees.
    [ -n "$(find_webkit)" ] || packages+=(webkit2gtk-driver)
    command -v Xvfb >/dev/null || packages+=(xvfb)
  fi
  [ ${#packages[@]} -gt 0 ] || return 0
  command -v apt-get >/dev/null || { echo "No apt-get to install ${packages[*]} with." >&2; return 1; }
  echo "oracles: apt-get install ${packages[*]}"
  local sudo=()
  [ "$(id -u)" = 0 ] || sudo=(sudo -n)
  "${sudo[@]}" apt-get update -qq &&
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
}

# zarrs, as the small program of test/rust; five minutes the first time on two cores.
install_zarrs() {
  command -v cargo >/dev/null || { echo "No cargo to build zarrs with." >&2; return 1; }
  [ -x .oracles/rust/release/zarrs-oracle ] || echo "oracles: building zarrs in .oracles/rust"
  cargo build --quiet --locked --release -j2 --manifest-path test/rust/Cargo.toml --target-dir .oracles/rust
}

# A server of S3's protocol that checks signatures; two minutes the first time.
install_versitygw() {
  command -v go >/dev/null || { echo "No go to build versitygw with." >&2; return 1; }
  [ "$(versitygw_version)" != "$VERSITYGW" ] || return 0
  echo "oracles: building versitygw in .oracles/go"
  GOBIN=$PWD/.oracles/go go install -p 2 -ldflags '-s -w' "github.com/versity/versitygw/cmd/versitygw@$VERSITYGW"
}

# A server of Google Cloud Storage's protocol. It checks no signatures.
install_fake_gcs() {
  [ "$(fake_gcs_version)" != "$FAKE_GCS" ] || return 0
  echo "oracles: building fake-gcs-server in .oracles/go"
  GOBIN=$PWD/.oracles/go go install -p 2 -ldflags '-s -w' "github.com/fsouza/fake-gcs-server@$FAKE_GCS"
}

FAKE_GCS=v1.56.1
fake_gcs_version() {
  go version -m .oracles/go/fake-gcs-server 2>/dev/null | awk '$1 == "mod" { print $3 }'
}

VERSITYGW=v1.8.0
versitygw_version() {
  go version -m .oracles/go/versitygw 2>/dev/null | awk '$1 == "mod" { print $3 }'
}

# @param $1 the folder in .oracles, and the package.json beside this file, of what is to be there
install_from_npm() {
  cmp -s "$here/$1.json" ".oracles/$1/package.json" && return 0
  echo "oracles: $2 in .oracles/$1"
  rm -rf ".oracles/$1" ".oracles/$1.new"
  mkdir ".oracles/$1.new"
  cp "$here/$1.json" ".oracles/$1.new/package.json"
  npm install --prefix ".oracles/$1.new" --silent --no-audit --no-fund --no-package-lock && mv ".oracles/$1.new" ".oracles/$1"
}

install_runtimes() {
  # What is pinned has programs for this platform alone.
  [ "$(uname -sm)" = "Linux x86_64" ] || { echo "No runtimes for $(uname -sm)." >&2; return 1; }
  install_from_npm runtimes "newer Nodes, Bun and Deno"
}

# What is downloaded, beside what is compiled.
{
  install_debian_packages
  install_python python requirements.txt "zarr-python, TensorStore, numcodecs, icechunk"
  install_python ngff requirements-ngff.txt "ome-zarr-py, ngff-zarr, xarray"
  install_from_npm azurite "Azurite"
  install_from_npm react-18 "React 18"
  if [ "$lane" = nightly ]; then
    install_from_npm typescript "an old TypeScript"
    install_runtimes
    install_python codecs requirements-codecs.txt "eccodes, gribberish, imagecodecs"
    install_python files requirements-files.txt "h5py, netCDF4, hdf5plugin, kerchunk"
    install_python conventions requirements-conventions.txt "healpy, xdggs, anndata, spatialdata"
    install_python moto requirements-moto.txt "moto"
    install_python jupyter requirements-jupyter.txt "JupyterLab, anywidget"
    install_from_npm bundlers "webpack, Rspack, Parcel, workerd, React, Svelte and Vue"
    install_from_npm package-managers "pnpm and Yarn"
    install_from_npm frameworks "Next.js, SvelteKit and Astro"
    install_from_npm duckdb "duckdb-wasm"
  fi
} </dev/null &
install_zarrs </dev/null
install_versitygw </dev/null
[ "$lane" != nightly ] || install_fake_gcs </dev/null
wait

# Whatever is there now is recorded, so that one missing oracle does not take the others along.
python_versions=$(.oracles/python/bin/python "$here/versions.py" zarr tensorstore numcodecs numpy ml_dtypes pyarrow xarray cftime icechunk pcodec zfpy imagecodecs 2>/dev/null) || python_versions=null
ngff_versions=$(.oracles/ngff/bin/python "$here/versions.py" zarr ome_zarr ngff_zarr xarray 2>/dev/null) || ngff_versions=null
codecs_versions=$(.oracles/codecs/bin/python "$here/versions.py" eccodes gribberish imagecodecs numcodecs pcodec numpy 2>/dev/null) || codecs_versions=null
files_versions=$(.oracles/files/bin/python "$here/versions.py" h5py tifffile imagecodecs rasterio eccodes cfgrib netCDF4 hdf5plugin kerchunk 2>/dev/null) || files_versions=null
conventions_versions=$(.oracles/conventions/bin/python "$here/versions.py" healpy healpix_geo xdggs anndata spatialdata 2>/dev/null) || conventions_versions=null
moto_versions=$(.oracles/moto/bin/python "$here/versions.py" moto 2>/dev/null) || moto_versions=null
debian_versions=$(/usr/bin/python3 "$here/versions.py" zarr numcodecs numpy osgeo.gdal 2>/dev/null) || debian_versions=null
chromium_version=$(chromium --version 2>/dev/null) || chromium_version=
chromium_json=null
[ -z "$chromium_version" ] || chromium_json="{\"executable\": \"$(command -v chromium)\", \"version\": \"${chromium_version%% built on*}\"}"
firefox_version=$(firefox-esr --version 2>/dev/null) || firefox_version=
firefox_json=null
[ -z "$firefox_version" ] || firefox_json="{\"executable\": \"$(command -v firefox-esr)\", \"version\": \"$firefox_version\"}"
webkit=$(find_webkit)
webkit_json=null
[ -z "$webkit" ] || webkit_json="{\"executable\": \"$webkit\", \"version\": \"WebKitGTK $(dpkg-query -Wf '${Version}' webkit2gtk-driver)\"}"
redis_version=$(redis-server --version 2>/dev/null | grep -om1 'v=[0-9.]*') || redis_version=
redis_json=null
[ -z "$redis_version" ] || redis_json="{\"executable\": \"$(command -v redis-server)\", \"version\": \"${redis_version#v=}\"}"
zarrs_version=$(.oracles/rust/release/zarrs-oracle version 2>/dev/null) || zarrs_version=
zarrs_json=null
[ -z "$zarrs_version" ] || zarrs_json="{\"executable\": \"$PWD/.oracles/rust/release/zarrs-oracle\", \"version\": \"$zarrs_version\"}"
versitygw_found=$(versitygw_version)
versitygw_json=null
[ -z "$versitygw_found" ] || versitygw_json="{\"executable\": \"$PWD/.oracles/go/versitygw\", \"version\": \"$versitygw_found\"}"
fake_gcs_found=$(fake_gcs_version)
fake_gcs_json=null
[ -z "$fake_gcs_found" ] || fake_gcs_json="{\"executable\": \"$PWD/.oracles/go/fake-gcs-server\", \"version\": \"$fake_gcs_found\"}"
azurite=$PWD/.oracles/azurite/node_modules/azurite
azurite_version=$(node -p 'require(process.argv[1]).version' "$azurite/package.json" 2>/dev/null) || azurite_version=
azurite_json=null
[ -z "$azurite_version" ] || azurite_json="{\"executable\": \"$azurite/dist/src/blob/main.js\", \"version\": \"$azurite_version\"}"
runtimes=(node-22 node-24 bun deno)
# Each as it says of itself: {"bun": {"executable": ..., "version": ...}, ...}
runtimes_json=
for runtime in "${runtimes[@]}"; do
  executable=$PWD/.oracles/runtimes/node_modules/$runtime
  for place in bin/node bin/bun deno; do [ ! -f "$executable/$place" ] || executable=$executable/$place; done
  version=$("$executable" --version 2>/dev/null | grep -om1 '[0-9.]*[0-9]' | head -n1) || continue
  runtimes_json+="${runtimes_json:+, }\"$runtime\": {\"executable\": \"$executable\", \"version\": \"$version\"}"
done
# {"webpack": ..., ...}, as each package.json says.
bundlers_json=$(cd .oracles/bundlers 2>/dev/null && node -p 'JSON.stringify(Object.fromEntries(Object.keys(require("./package.json").dependencies).map((name) => [name, require(`./node_modules/${name}/package.json`).version])))' 2>/dev/null) || bundlers_json=null
printf '{\n  "python": %s,\n  "ngff": %s,\n  "codecs": %s,\n  "files": %s,\n  "conventions": %s,\n  "debian": %s,\n  "chromium": %s,\n  "firefox": %s,\n  "webkit": %s,\n  "redis": %s,\n  "zarrs": %s,\n  "versitygw": %s,\n  "azurite": %s,\n  "fakeGcs": %s,\n  "moto": %s,\n  "runtimes": {%s},\n  "bundlers": %s\n}\n' \
  "$python_versions" "$ngff_versions" "$codecs_versions" "$files_versions" "$conventions_versions" "$debian_versions" "$chromium_json" "$firefox_json" "$webkit_json" "$redis_json" "$zarrs_json" "$versitygw_json" "$azurite_json" "$fake_gcs_json" "$moto_versions" "$runtimes_json" "$bundlers_json" >.oracles/versions.json
cat .oracles/versions.json

missing=()
[[ $python_versions != *null* ]] || missing+=("Python >= 3.12 with zarr-python, TensorStore, numcodecs, xarray, cftime, icechunk, pcodec, zfpy, imagecodecs")
[[ $ngff_versions != *null* ]] || missing+=("ome-zarr-py, ngff-zarr, xarray")
[[ $debian_versions != *null* ]] || missing+=("Debian's python3-zarr, python3-gdal")
[ "$chromium_json" != null ] || missing+=("Debian's chromium")
[ "$redis_json" != null ] || missing+=("Debian's redis-server")
[ "$zarrs_json" != null ] || missing+=("zarrs (a Rust with cargo builds it)")
[ "$versitygw_json" != null ] || missing+=("versitygw (a Go builds it)")
[ "$azurite_json" != null ] || missing+=("Azurite, from npm")
[ -d .oracles/react-18 ] || missing+=("React 18, from npm")
if [ "$lane" = nightly ]; then
  [ "$firefox_json" != null ] || missing+=("Debian's firefox-esr")
  [ "$webkit_json" != null ] || missing+=("Debian's webkit2gtk-driver, for its MiniBrowser")
  [ -d .oracles/typescript ] || missing+=("TypeScript 5.0, from npm")
  for runtime in "${runtimes[@]}"; do
    [[ $runtimes_json == *"\"$runtime\""* ]] || missing+=("$runtime, from npm")
  done
  [[ $codecs_versions != *null* ]] || missing+=("eccodes, gribberish, imagecodecs")
  [ -d .oracles/duckdb ] || missing+=("duckdb-wasm, from npm")
  [ "$bundlers_json" != null ] || missing+=("webpack, Rspack, Parcel, workerd, React, Svelte and Vue, from npm")
  [ -d .oracles/package-managers ] || missing+=("pnpm and Yarn, from npm")
  [ -d .oracles/frameworks ] || missing+=("Next.js, SvelteKit and Astro, from npm")
  [ "$fake_gcs_json" != null ] || missing+=("fake-gcs-server (a Go builds it)")
  [[ $files_versions != *null* ]] || missing+=("h5py, netCDF4, hdf5plugin, kerchunk")
  [[ $conventions_versions != *null* ]] || missing+=("healpy, healpix-geo, xdggs, anndata, spatialdata")
  [[ $moto_versions != *null* ]] || missing+=("moto")
  [ -x .oracles/jupyter/bin/jupyter-lab ] || missing+=("JupyterLab, anywidget")
fi
[ ${#missing[@]} -eq 0 ] && exit 0
{
  echo "############################################################"
  echo "#  WARNING: not everything to compare with could be had:"
  printf '#    - %s\n' "${missing[@]}"
  echo "#  The tests that need it will be SKIPPED and counted so."
  echo "############################################################"
} >&2
exit 1
