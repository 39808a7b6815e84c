/**
 * What scripts/oracles/install.sh found to compare with, as it recorded it; every member is null before it
 * has run.
 */
import { readFileSync } from "node:fs";

/** A Python interpreter and the versions of its modules (null: cannot be imported). */
export type PythonOracle = { readonly executable: string } & Readonly<Record<string, string | null>>;

export interface Oracles {
  /** Python >= 3.12 with zarr-python 3.4.2, TensorStore, numcodecs. */
  readonly python: PythonOracle | null;
  /** Python with ome-zarr-py, ngff-zarr and xarray. */
  readonly ngff?: PythonOracle | null;
  /** Python with eccodes, gribberish, imagecodecs and pcodec. */
  readonly codecs?: PythonOracle | null;
  /** Python with h5py, netCDF4, hdf5plugin and kerchunk. */
  readonly files?: PythonOracle | null;
  /** Python with healpy, healpix-geo, xdggs, anndata and spatialdata. */
  readonly conventions?: PythonOracle | null;
  /** Debian's Python with zarr 2.13.6 and GDAL. */
  readonly debian: PythonOracle | null;
  readonly chromium: Executable | null;
  readonly firefox?: Executable | null;
  /** The MiniBrowser of WebKitGTK. */
  readonly webkit?: Executable | null;
  /** redis-server. */
  readonly redis?: Executable | null;
  /** The program of test/rust. */
  readonly zarrs?: Executable | null;
  /** A server of S3's protocol. */
  readonly versitygw?: Executable | null;
  /** Azurite's server of blobs: a program for Node. */
  readonly azurite?: Executable | null;
  /** fake-gcs-server, a server of Google Cloud Storage's protocol. */
  readonly fakeGcs?: Executable | null;
  /** Python with moto, which answers as the services of AWS do. */
  readonly moto?: PythonOracle | null;
  readonly runtimes?: Readonly<Record<string, Executable>>;
  /** Those of scripts/oracles/bundlers.json in .oracles/bundlers, with their versions. */
  readonly bundlers?: Readonly<Record<string, string>> | null;
}

export interface Executable {
  readonly executable: string;
  readonly version: string;
}

const RECORD = new URL("../../.oracles/versions.json", import.meta.url);

export function readOracles(): Oracles {
  try {
    const oracles: Oracles = JSON.parse(readFileSync(RECORD, "utf8"));
    return oracles;
  } catch {
    return { python: null, debian: null, chromium: null };
  }
}

/** A block that nobody overlooks in a log. */
export function warnLoudly(...lines: string[]): void {
  const bar = "#".repeat(80);
  console.warn([bar, ...lines.map((line) => `#  ${line}`), bar].join("\n"));
}
