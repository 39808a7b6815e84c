/** What is at an address of this machine. Node, Bun and Deno. */
import { stat } from "node:fs/promises";
import { parseAddress } from "./addresses.js";

/** Whether an address of `openStore` names an archive: one that is there, or one to be written. */
export async function isZip(address: string): Promise<boolean> {
  const { form, place, isExplicit, address: file } = parseAddress(address);
  if (form !== "zip") return false;
  return place !== "path" || isExplicit || !((await statOf(file))?.isDirectory() ?? false);
}

/** The status of a file or directory; undefined if there is none. */
export async function statOf(file: string) {
  try {
    return await stat(file);
  } catch {
    return undefined;
  }
}
