/**
 * Files of other formats as read-only stores: `import { openVirtual } from "wazarr/virtual"`.
 *
 *     const store = await openVirtual("https://example.org/t2m.nc");
 *     const t2m = await open(root(store).resolve("t2m"), { kind: "array" });
 * @module
 */
export { type OpenVirtualOptions, openVirtual } from "./virtual/open-virtual.js";
export { references, writeReferences } from "./virtual/references.js";
export type { RangeSource, StoredFile, VirtualSource } from "./virtual/sources.js";
export type { VirtualStore } from "./virtual/virtual-store.js";
