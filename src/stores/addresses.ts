/** What kind of data an address names. Node, Bun and Deno. */
import { stat } from "node:fs/promises";

/** Whether an address is an http(s) URL. */
export const isUrl = (address: string): boolean => /^https?:\/\//i.test(address);

/** Whether an address is of a bucket of S3, Google Cloud Storage or Azure. */
export const isBucket = (address: string): boolean => /^(?:s3|gs|gcs|az|abfss?):\/\//.test(address);

/** Whether an address is not a path of this machine. */
export const isRemote = (address: string): boolean =>
  isUrl(address) || isBucket(address) || address.startsWith("icechunk:");

/** Whether an address names a .zip or .ozx: one that is there, or one to be written. */
export async function isZip(address: string): Promise<boolean> {
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
