/**
 * Has what a convention, a format of images, an adapter for another array library or a tool needs besides
 * `wazarr`.
 *
 * ```ts
 * import { open } from "wazarr";
 * import { Member, toLocation, untilAborted } from "wazarr/extend";
 *
 * export function factorsOf(where: string, { signal }: { signal?: AbortSignal } = {}) {
 *   return untilAborted(signal, async () => {
 *     const array = await open(toLocation(new Map()).resolve(where), { kind: "array" });
 *     const attributes = new Member(array.metadata.attributes, { path: array.path });
 *     return attributes.get("overview").integers(1, array.shape.length);
 *   });
 * }
 * ```
 *
 * The entries of this package for conventions are built with it: docs/extending.md.
 * @module
 */

export { codecsOfJson } from "./array/create/codec-text.js";
export type { Content } from "./array/hierarchy/consolidated.js";
export type { ConsolidatedCheck } from "./array/hierarchy/consolidated-check.js";
export type { AttributeChanges } from "./array/hierarchy/update-attributes.js";
export { isChunkLike } from "./array/nodes/chunk-like.js";
export { type ArrayLayout, layoutOf } from "./array/nodes/layout.js";
export { toLocation } from "./array/nodes/nodes.js";
export { alignedBoxes } from "./array/read/aligned-boxes.js";
// Work on arrays
export { type Addition, appendTogether } from "./array/write/append-together.js";
// Operations: options, nodes and selections, as the functions of `wazarr` take them.
export { untilAborted } from "./base/abort.js";
// Items of lists by indices that a program works out: one out of range is its mistake
export { at as itemAt, noItem } from "./base/at.js";
// Caches
export { BoundedCache, type CacheBounds } from "./base/bounded-cache.js";
export type { ErrorContext } from "./base/errors.js";
// Messages, and metadata documents
export { describe, didYouMean } from "./base/errors.js";
// Options: a misspelt name throws
export { checkNames, checkObject, type NamesOf } from "./base/option-names.js";
export { MAXIMUM_RANK, product } from "./base/shape.js";
export { forEach as forEachAtOnce } from "./core/line/shared/concurrency.js";
export { withoutSecrets } from "./core/stores/shown.js";
export { STORE_OPTIONS } from "./core/stores/store-option-names.js";
// The classes of elements that `get` returns, as `wazarr/data-types` has them
export { type ArrowElements, elementsOfArrow } from "./data-types/extra/arrow.js";
export { ComplexArray } from "./data-types/extra/complex.js";
export { DateTimeArray, TimeDeltaArray } from "./data-types/extra/datetime.js";
export { FixedBytesArray } from "./data-types/extra/fixed-bytes.js";
export { OptionalArray } from "./data-types/extra/optional.js";
export { StructArray } from "./data-types/extra/struct.js";
export { SubByteArray } from "./data-types/extra/sub-byte-integer.js";
export { FLOAT16 } from "./data-types/float-formats.js";
export {
  isBigInts,
  isNumbers,
  isNumberType,
  NUMBER_CLASSES,
  type Numbers,
  type NumberType,
  numberTypeOf,
  roundHalfToEven,
} from "./data-types/numbers.js";
export { SmallFloatArray } from "./data-types/small-float.js";
export { CategoricalArray, type Codes } from "./formats/elements/categorical.js";
export {
  checkMethod,
  type Downsample,
  type DownsamplingMethod,
  loadDownsampling,
} from "./formats/elements/downsample.js";
export { NullableArray, type Values } from "./formats/elements/nullable.js";
export { loadUnpacking, type Packing, type Unpack } from "./formats/elements/unpack.js";
export { writeCoarser, writeCoarserBox } from "./formats/elements/write-coarser.js";
export { type Box, selectionOf } from "./grid/boxes.js";
export type { ResultOf } from "./grid/result-type.js";
export { type DimensionSelection, normaliseSelection } from "./grid/selection.js";
export { setKernels, setWasm } from "./kernels/load.js";
export { checkConsolidated, codecsOfText, openIfThere } from "./main/nodes.js";
export { isJsonArray, isJsonObject, ownMember, parseJson } from "./metadata/json.js";
export { stringifyJson } from "./metadata/json-text.js";
export { Member } from "./metadata/member.js";
export {
  type Fill,
  fillAttribute,
  fillJson,
  fillNumber,
  fillValueMasks,
} from "./metadata/missing-value.js";
export type { ChunkKeyEncoding, ChunkLengths } from "./metadata/model.js";
export { keepSpellings, spellAsFloats } from "./metadata/number-spellings.js";
export type { ArrayDocument, GroupDocument } from "./metadata/v3.js";
// Stores
export { type Address, parseAddress, splitNode } from "./stores/addresses/addresses.js";
export { addressOfNode } from "./stores/addresses/pipelines.js";
export { CheckedStore } from "./stores/layers/checked-store.js";
