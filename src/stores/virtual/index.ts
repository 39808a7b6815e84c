/**
 * Opens files of NetCDF, HDF5, GRIB and TIFF where they lie, as read-only stores.
 *
 * ```ts
 * import { get, open, root } from "wazarr";
 * import { openVirtual } from "wazarr/virtual";
 *
 * const store = await openVirtual("https://example.com/t2m.nc");
 * const array = await open(root(store).resolve("t2m"), { kind: "array" });
 * console.log(await get(array, [0, 0, 0]));
 * ```
 * @module
 */
export { type OpenVirtualOptions, openVirtual } from "./open-virtual.js";
export { references, writeReferences } from "./references.js";
export type { RangeSource, StoredFile, VirtualSource } from "./sources.js";
export type { VirtualStore } from "./virtual-store.js";
