/** Reads documents that name files: references of kerchunk, items of STAC. */
import { StoreError } from "../../core/for-stores.js";
import { checkBytes } from "../../core/for-stores.js";
import type { AbsolutePath, Readable } from "../../core/for-stores.js";

/** Largest reference document in bytes: V8's strings hold no more. */
const LONGEST_DOCUMENT = 2 ** 29;

/**
 * Reads a document, and parses it as JSON alone.
 * @param place what messages call it
 * @throws StoreError if it is missing, too long (512 MiB unless `maximumBytes` says otherwise), or not JSON
 */
export async function readDocument(
  store: Readable,
  key: AbsolutePath,
  place: string,
  { what = "reference document", maximumBytes = LONGEST_DOCUMENT } = {},
): Promise<unknown> {
  const bytes = checkBytes(await store.get(key, { maximumBytes }), key);
  if (bytes === undefined) throw new StoreError(`no ${what} at ${place}`);
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new StoreError(`${what} at ${place}: expected JSON`, { cause });
  }
}
