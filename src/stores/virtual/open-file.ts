/** Opens a file that is a value of a store as a hierarchy, whatever its format is. */
import { isZarrError, kindOf, UnsupportedError } from "../../core/for-stores.js";
import { FileBytes, type FilePlace } from "./file-bytes.js";
import { formatOf } from "./formats.js";
import type { VirtualFormatOptions } from "./port.js";
import { VirtualStore } from "./virtual-store.js";

/**
 * @throws StoreError for a missing or damaged file; UnsupportedError for another format, and for what of its
 * format is not read
 */
export async function openFile(place: FilePlace, options: VirtualFormatOptions = {}): Promise<VirtualStore> {
  const { store, name } = place;
  const file = await FileBytes.open(place, options);
  try {
    const format = await formatOf(file);
    return new VirtualStore(file, await format.open(file, options), kindOf(store));
  } catch (cause) {
    if (!isZarrError(cause, "UnsupportedError") || cause.message.includes(name)) throw cause;
    throw new UnsupportedError(`${name}: ${cause.message}`, { path: cause.path, cause });
  }
}
