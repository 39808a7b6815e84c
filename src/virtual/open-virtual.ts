/** `openVirtual`. */
import { UnsupportedError } from "../errors.js";
import { checkNames, type NamesOf } from "../option-names.js";
import { openFile } from "./open-file.js";
import { fileOf, openAddress, type VirtualSource } from "./sources.js";
import { VirtualStore } from "./virtual-store.js";

/** Options of `openVirtual`. */
export interface OpenVirtualOptions {
  /** Aborts the requests; the promise rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

const OPTIONS: NamesOf<OpenVirtualOptions> = { signal: true };

/**
 * Opens a file of HDF5, NetCDF-4 or NetCDF-3 as a store, which `open` and `openDataset` take. What a file is
 * is decided by its first bytes, not by its name. Nothing is copied: the chunks are ranges of the file, and of
 * a local file of 2 GB only those are read that are asked for.
 * @param source an address, a Blob or File, a value of a store, or anything with a size that reads ranges
 * @throws InvalidArgumentError; StoreError for a missing or damaged file; UnsupportedError for another format
 */
export async function openVirtual(
  source: VirtualSource,
  options: OpenVirtualOptions = {},
): Promise<VirtualStore> {
  checkNames(options, "openVirtual", OPTIONS);
  const file = fileOf(source);
  if (file !== undefined) return openFile(file.store, file.key, file.name, options);
  const opened = await openAddress(String(source));
  if (opened instanceof VirtualStore) return opened;
  throw new UnsupportedError("internal error: openStore did not open a file");
}
