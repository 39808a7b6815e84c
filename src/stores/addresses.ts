/** What kind of data an address names. Node, Bun and Deno. */
import { stat } from "node:fs/promises";
import { InvalidArgumentError } from "../errors.js";
import { shownName } from "./address-urls.js";
import { describeGiven, isReadable } from "./check-store.js";
import { pathOfFileUrl } from "./files/root.js";

/** Whether an address is an http(s) URL. */
export const isUrl = (address: string): boolean => /^https?:\/\//i.test(address);

/** Whether an address is of a bucket of S3, Google Cloud Storage or Azure. */
export const isBucket = (address: string): boolean => /^(?:s3|gs|gcs|az|abfss?):\/\//.test(address);

/** What an address may begin with, besides names of directories. */
const SCHEMES = ["https", "http", "s3", "gs", "gcs", "az", "abfs", "abfss", "file"];

/**
 * An address that `openStore` was given, as a string; `file:` URLs become paths.
 * @throws InvalidArgumentError for what is no address, or begins as none
 */
export function addressOf(given: unknown): string {
  const address = given instanceof URL ? given.href : given;
  if (typeof address !== "string" || address === "") {
    const got = isReadable(given) ? "a store: give it to open() itself" : describeGiven(given);
    throw new InvalidArgumentError(
      `openStore: expected an address, such as "data.zarr" or "https://example.com/data.zarr", got ${got}`,
    );
  }
  const [, prefix = "", named = ""] = /^(icechunk:|zip:)?(.*)$/s.exec(address) ?? [];
  if (named === "" || (prefix !== "" && /^\/\/[^/]/.test(named)))
    throw new InvalidArgumentError(
      `${shownName(address)}: expected an address after "${prefix}", as in ${prefix}data or ${prefix}s3://BUCKET/PREFIX`,
    );
  const [, scheme = "", slashes] = /^([a-z][a-z\d+.-]+):(\/\/)?/i.exec(named) ?? [];
  const isKnown = SCHEMES.includes(scheme) || /^(?:https?|file)$/i.test(scheme);
  if (isKnown && slashes === undefined)
    throw new InvalidArgumentError(`${shownName(address)}: two slashes are missing, ${scheme}://`);
  if (!isKnown && slashes !== undefined) {
    const names = SCHEMES.map((name) => `${name}://`).join(", ");
    throw new InvalidArgumentError(
      `${shownName(address)}: ${scheme}:// cannot be opened, only paths and ${names} (in lower case)`,
    );
  }
  return prefix + (/^file:/i.test(named) ? pathOfFileUrl(named) : named);
}

/** What an address names: a path of this machine, or something that has a scheme. */
export type AddressKind = "path" | "url" | "bucket" | "icechunk" | "zip";

/** What an address of `openStore` names, by its scheme: nothing is opened. */
export function addressKind(address: string): AddressKind {
  if (isUrl(address)) return "url";
  if (isBucket(address)) return "bucket";
  if (address.startsWith("icechunk:")) return "icechunk";
  return address.startsWith("zip:") ? "zip" : "path";
}

/**
 * Whether an address of `openStore` names an archive by its ending: one that is there, or one to be written.
 */
export async function isZip(address: string): Promise<boolean> {
  if (isUrl(address)) return /^[^?#]*\.(?:zip|ozx)(?:[?#]|$)/i.test(address);
  return (
    /\.(?:zip|ozx)$/i.test(address) &&
    (isBucket(address) || !((await statOf(address))?.isDirectory() ?? false))
  );
}

/** The status of a file or directory; undefined if there is none. */
export async function statOf(file: string) {
  try {
    return await stat(file);
  } catch {
    return undefined;
  }
}
