/** What an asset is, by its media type, its roles and the ending of its name. */
import { type Address, parseAddress } from "../addresses/addresses.js";

/** What `openStore` opens; "hierarchy" is Zarr. */
export type AssetForm = Exclude<Address["form"], "stac">;

/** What a document says of the form of an asset. */
export interface Described {
  /** Media type with parameters, as it is written. */
  readonly type: string | undefined;
  readonly roles: readonly string[];
  readonly href: string;
  /** `engine` of `xarray:open_kwargs`. */
  readonly engine: string | undefined;
}

/** Media types without their parameters, in lower case. Those of Zarr differ from catalogue to catalogue. */
const TYPES: ReadonlyMap<string, AssetForm> = new Map([
  ["application/vnd.zarr", "hierarchy"],
  ["application/vnd+zarr", "hierarchy"],
  ["application/x-zarr", "hierarchy"],
  ["application/zarr", "hierarchy"],
  ["application/vnd.zarr+zip", "zip"],
  ["application/vnd.zarr+icechunk", "icechunk"],
  ["application/vnd.icechunk", "icechunk"],
  ["application/x-icechunk", "icechunk"],
  ["application/vnd.zarr+kerchunk", "references"],
  ["application/vnd.kerchunk+json", "references"],
  ["application/zip", "zip"],
  ["image/tiff", "virtual"],
  ["image/vnd.stac.geotiff", "virtual"],
  ["image/x.geotiff", "virtual"],
  ["application/netcdf", "virtual"],
  ["application/x-netcdf", "virtual"],
  ["application/x-netcdf4", "virtual"],
  ["application/x-hdf5", "virtual"],
  ["application/x-hdf", "virtual"],
  ["application/wmo-grib2", "virtual"],
  ["application/x-grib", "virtual"],
  ["application/x-grib2", "virtual"],
]);
/** Those that say nothing. */
const BARE: readonly string[] = ["", "application/octet-stream", "binary/octet-stream", "application/zstd"];
const PARQUET: readonly string[] = ["application/vnd.apache.parquet", "application/x-parquet"];
/** Engines of xarray. */
const ENGINES: ReadonlyMap<string, AssetForm> = new Map([
  ["zarr", "hierarchy"],
  ["eopf-zarr", "hierarchy"],
  ["kerchunk", "references"],
  ["netcdf4", "virtual"],
  ["h5netcdf", "virtual"],
  ["rasterio", "virtual"],
  ["cfgrib", "virtual"],
]);
/** Roles of documents of kerchunk. Without one of them, JSON is metadata. */
const REFERENCES: readonly string[] = ["index", "references", "reference", "kerchunk"];

/** @returns undefined for what `openStore` does not open, such as pictures in PNG */
export function formOf({ type = "", roles, href, engine }: Described): AssetForm | undefined {
  const name = type.replace(/;.*/s, "").trim().toLowerCase();
  const isReference = roles.some((role) => REFERENCES.includes(role.toLowerCase()));
  const ending = endingOf(href);
  const form = TYPES.get(name);
  // A store of Zarr in a zip, or in a repository, has the type of Zarr in some catalogues.
  if (form === "hierarchy") return ending === "zip" || ending === "icechunk" ? ending : form;
  if (form !== undefined) return form;
  if (PARQUET.includes(name)) return isReference || engine === "kerchunk" ? "parquet" : undefined;
  if (isReference && (name === "application/json" || BARE.includes(name)))
    return ending === "parquet" ? "parquet" : "references";
  const opened = ENGINES.get(engine ?? "");
  if (opened !== undefined) return opened === "references" && ending === "parquet" ? "parquet" : opened;
  return BARE.includes(name) && (ending !== "references" || roles.includes("data")) ? ending : undefined;
}

/** What the ending of a name says; undefined for other names. */
function endingOf(href: string): AssetForm | undefined {
  const path = /^https?:/i.test(href) ? href.replace(/[?#].*/s, "") : href;
  if (/\.icechunk\/?$/i.test(path)) return "icechunk";
  if (/\.zarr(?:\/|$)/i.test(path) && !/\.zip$/i.test(path)) return "hierarchy";
  const [, name = ""] = /([^/\\|:]*)\/?$/.exec(path) ?? [];
  const { form } = parseAddress(`/${name}`);
  return form === "hierarchy" || form === "stac" ? undefined : form;
}
