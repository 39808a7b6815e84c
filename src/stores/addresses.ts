/** What kind of data an address names. Node, Bun and Deno. */
import { stat } from "node:fs/promises";

/** Whether an address is an http(s) URL. */
export const isUrl = (address: string): boolean => /^https?:\/\//i.test(address);

/** Whether an address is of a bucket of S3, Google Cloud Storage or Azure. */
export const isBucket = (address: string): boolean => /^(?:s3|gs|gcs|az|abfss?):\/\//.test(address);

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
