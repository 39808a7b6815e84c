/**
 * What an address names, told by its spelling alone: the one table of addresses, which
 * docs/stores-addresses.md explains. Nothing is opened, so pages read addresses with it, too.
 */
import { describe, InvalidArgumentError } from "../../base/errors.js";
import type { Revision } from "../icechunk/references.js";

/** Whether an address is an http(s) URL. */
export const isUrl = (address: string): boolean => /^https?:\/\//i.test(address);

/** Schemes of addresses of S3, Google Cloud Storage and Azure. */
export const BUCKET_SCHEMES: readonly string[] = ["s3", "gs", "gcs", "az", "abfs", "abfss"];

/** Whether an address is of a bucket of one of these. */
export const isBucket = (address: string): boolean =>
  BUCKET_SCHEMES.some((scheme) => address.startsWith(`${scheme}://`));

/** What an address names: a path of this machine, or something that has a scheme. */
export type AddressKind = "path" | "url" | "bucket" | "icechunk" | "zip" | "virtual";

/** What an address of `openStore` names, by its scheme: nothing is opened. */
export function addressKind(address: string): AddressKind {
  const { prefix, rest } = splitPrefix(address);
  return prefix ?? placeOf(rest);
}

/** An address, taken apart. */
export interface Address {
  /** What is there. A path may be anything: its directory or file says. */
  readonly form: "hierarchy" | "zip" | "references" | "parquet" | "icechunk" | "virtual";
  /** Where it is. */
  readonly place: "path" | "url" | "bucket";
  /** Without prefix and revision, nor the name of a metadata document. */
  readonly address: string;
  /** Of Icechunk: branch, tag or snapshot. */
  readonly revision: Revision;
}

/** Takes off what an address says of the form of what is there. */
export function splitPrefix(address: string): {
  readonly prefix: "icechunk" | "zip" | "virtual" | undefined;
  readonly rest: string;
} {
  if (typeof address !== "string")
    throw new InvalidArgumentError(`expected an address, got ${describe(address)}`);
  for (const prefix of ["icechunk", "zip", "virtual"] as const)
    if (address.startsWith(`${prefix}:`)) return { prefix, rest: address.slice(prefix.length + 1) };
  return { prefix: undefined, rest: address };
}

/** Endings of names. "/zarr.json" is a metadata document of a hierarchy. */
const FORMS: readonly (readonly [Address["form"], RegExp])[] = [
  ["zip", /\.(?:zip|ozx)$/i],
  ["parquet", /\.parq(?:uet)?\/?$/i],
  ["references", /(?<!(?:^|\/)zarr)\.json$/i],
  // NetCDF, HDF5, GRIB and TIFF, which are files of one hierarchy each.
  ["virtual", /\.(?:nc4?|h5|hdf5|grib2?|grb2?|tiff?)$/i],
];
/** Names of metadata documents: who copied the address of one means the hierarchy. */
const DOCUMENT = /\/(?:zarr\.json|\.zarray|\.zgroup|\.zattrs|\.zmetadata)$/;

/** Takes an address of `openStore` apart. @throws InvalidArgumentError for anything but a string */
export function parseAddress(text: string): Address {
  const { prefix, rest: whole } = splitPrefix(text);
  const place = placeOf(whole);
  if (prefix === "icechunk") return { form: prefix, place, ...revisionOf(whole) };
  if (prefix !== undefined) return { form: prefix, place, address: whole, revision: {} };
  // "?" and "#" are parts of the names of files and objects.
  const [, name = whole, query = ""] = (place === "url" && /^([^?#]*)(.*)$/s.exec(whole)) || [];
  const form = FORMS.find(([, ending]) => ending.test(name))?.[0] ?? "hierarchy";
  const isDocument = place !== "path" && form === "hierarchy";
  return { form, place, address: isDocument ? name.replace(DOCUMENT, "") + query : whole, revision: {} };
}

function placeOf(address: string): Address["place"] {
  if (isUrl(address)) return "url";
  return isBucket(address) ? "bucket" : "path";
}

/**
 * What is after the last "@" of an address is a revision, unless it is in the host of a URL
 * (`abfs://CONTAINER@ACCOUNT...`).
 */
function revisionOf(whole: string): Pick<Address, "address" | "revision"> {
  const [, address, kind = "branch:", name] = /^([^?#]*)@(tag:|snapshot:)?([^@/?#]+)$/.exec(whole) ?? [];
  if (address === undefined || /^\w+:\/\/[^/]*$/.test(address)) return { address: whole, revision: {} };
  return { address, revision: { [kind.slice(0, -1)]: name } };
}
