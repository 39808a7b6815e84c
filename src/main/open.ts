/** What applications that only read use of the core, with all codecs and formats of the package. */
import { ZarrArray as CoreArray } from "../array/nodes/nodes.js";
import { open as openInCore } from "../array/open/open.js";
import { type CodecRegistry, registry as registryOfCore } from "../core/codecs/registry/registry.js";
import type { Store } from "../core/stores/store.js";
import type { DataTypeName } from "../data-types/names.js";
import { withCatalogue } from "./catalogue.js";

/**
 * Opens the array or group at a location. It looks for v3, then v2, then the 2020 draft, whose mark is the
 * `zarr.json` at the root of the store. At a location resolved from a v2 node it looks for v2 first, from a
 * draft node for the draft only. `format` sets another order; `open.v3`, `open.v2` and `open.draft` look for
 * one format only.
 * @example
 * ```ts
 * const array = await open(root(store).resolve("t2m"), { kind: "array" });
 * const node = await open(store); // whatever is there: node.kind says which
 * ```
 * @throws NotFoundError with the missing keys, or the node found instead of `kind` or `dtype`;
 * InvalidMetadataError, UnknownDataTypeError, StoreError
 */
export const open: typeof openInCore = /* @__PURE__ */ withCatalogue(openInCore);

/**
 * An array of a hierarchy.
 * @class
 */
export const ZarrArray: typeof CoreArray = /* @__PURE__ */ withCatalogue(CoreArray);
/**
 * An array of a hierarchy.
 * @typeParam D its data type: a name such as "float32", or a DataType
 */
export type ZarrArray<D = DataTypeName, S extends Store = Store> = CoreArray<D, S>;

/**
 * The codecs, by name: each with a function that loads it. `set` adds a codec of your own, or replaces one.
 */
export const registry: CodecRegistry = /* @__PURE__ */ withCatalogue(registryOfCore);
