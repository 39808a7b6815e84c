/**
 * Files of other formats as read-only stores: `import { openVirtual } from "wazarr/virtual"`.
 *
 *     const store = await openVirtual("https://example.org/t2m.nc");
 *     const t2m = await open(root(store).resolve("t2m"), { kind: "array" });
 * @module
 */
export { type OpenVirtualOptions, openVirtual } from "./open-virtual.js";
export { references, writeReferences } from "./references.js";
export type { RangeSource, StoredFile, VirtualSource } from "./sources.js";
export type { VirtualStore } from "./virtual-store.js";
