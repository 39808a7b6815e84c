/** Opens a file that is a value of a store as a hierarchy, whatever its format is. */
import { isZarrError, UnsupportedError } from "../errors.js";
import type { AbsolutePath, Readable } from "../stores/store.js";
import { kindOf } from "../stores/values.js";
import { FileBytes } from "./file-bytes.js";
import { formatOf } from "./formats.js";
import type { VirtualFormatOptions } from "./port.js";
import { VirtualStore } from "./virtual-store.js";

/**
 * @param name what messages call the file
 * @throws StoreError for a missing or damaged file; UnsupportedError for another format, and for what of its
 * format is not read
 */
export async function openFile(
  store: Readable,
  key: AbsolutePath,
  name: string,
  options: VirtualFormatOptions = {},
): Promise<VirtualStore> {
  const file = await FileBytes.open(store, key, name, options);
  try {
    const format = await formatOf(file);
    return new VirtualStore(file, await format.open(file, options), kindOf(store));
  } catch (cause) {
    if (!isZarrError(cause, "UnsupportedError") || cause.message.includes(name)) throw cause;
    throw new UnsupportedError(`${name}: ${cause.message}`, { path: cause.path, cause });
  }
}
