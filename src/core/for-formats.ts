/**
 * What the 2020 draft, and calculations on elements, use of the core: metadata documents, nodes, and elements
 * as numbers. The other formats use the entries of the package alone.
 */

// Errors and their messages

export {
  AlreadyExistsError,
  describe,
  type ErrorContext,
  InvalidArgumentError,
  InvalidMetadataError,
  isZarrError,
  NotFoundError,
  StoreError,
  UnknownDataTypeError,
  UnsupportedError,
} from "../base/errors.js";

// Items, shapes, options, cancellation, code that is loaded late

export { at, float64At, noItem, numberAt } from "../base/at.js";
export { product } from "../base/shape.js";

// What an element is

export type { DataType, Endian, ResolvedDataType } from "../data-types/data-type.js";
export { CONVERSION_SCRATCH, converter, isHeldByFloat32 } from "../data-types/drawn.js";
export {
  type BigInts,
  isBigInts,
  isNumbers,
  kernelTypeOf,
  NUMBER_CLASSES,
  type Numbers,
  type NumberType,
  numberTypeOf,
  roundHalfToEven,
} from "../data-types/numbers.js";
export { dataTypeFromV2, dataTypeFromV3, withAllDataTypes } from "../data-types/registry.js";
export { NAT } from "../data-types/time-units.js";
export { bytesOfView } from "../data-types/typed-array.js";

// Documents: JSON, members, paths and the model

export { type DraftEntryPoint, isDraftEntryPoint, PROTOCOL } from "../metadata/draft.js";
export { isJsonArray, isJsonObject, type Json, type JsonObject } from "../metadata/json.js";
export { stringifyJson } from "../metadata/json-text.js";
export { Member } from "../metadata/member.js";
export type {
  ArrayMetadata,
  ChunkGrid,
  CodecMetadata,
  GroupMetadata,
  NodeMetadata,
} from "../metadata/model.js";
export { keepSpellings } from "../metadata/number-spellings.js";
export {
  type AbsolutePath,
  ancestorsOf,
  chunkPrefix,
  invalidName,
  keyBelow,
  namesOf,
} from "../metadata/path.js";
export { NUMCODECS, parseNumcodecs, readArrayDimensions, transposeOf } from "../metadata/v2.js";
export { idOf, isFilter, splitOrder, withArrayDimensions, writeNumcodecs } from "../metadata/write.js";

// Selections, boxes and the grid of chunks

export { type Box, selectionOf } from "../grid/boxes.js";
export { gridCoordinates } from "../grid/walk.js";

// Kernels

export { planCopy } from "../kernels/copy-plan.js";
export type { Kernels, SwapUnit } from "../kernels/kernels.js";
export { loadKernels } from "../kernels/load.js";
export { loadPacked, type Packed } from "../kernels/packed.js";

// Codecs: interface, configuration, registry, failures of a decoder

export { lazyKernelModule } from "./codecs/modules/kernel-modules.js";

// Stores

export { canList, deleteKey, exists, listDir } from "./stores/capabilities.js";
export { describeStore, withFailuresAt } from "./stores/check-store.js";
export type { Store, StoreOptions, WritableStore } from "./stores/store.js";
export { storeOptionsOf } from "./stores/store-option-names.js";

// Nodes, and reads and writes of their documents and chunks

export {
  alreadyExists,
  belowArray,
  type NewNode,
  type NewNodeOptions,
  writeDocument,
} from "../array/create/write-documents.js";
export {
  canErase,
  checkErasable,
  eraseKeys,
  erasePrefix,
  eraseReplaced,
  leftoversAt,
} from "../array/hierarchy/erase.js";
export type { HierarchyLayout, OpenNode } from "../array/hierarchy/hierarchy-layout.js";
export { Group, Location, type Node, ZarrArray } from "../array/nodes/nodes.js";
export { locate, openIfThere } from "../array/open/open.js";
export type { NodeKind, OpenOptions } from "../array/open/open-options.js";
export { type Document, documentBytes, readDocument } from "../array/open/read-document.js";
export { alignedBoxes } from "../array/read/aligned-boxes.js";
export { get } from "../array/read/get.js";
export type { GetOptions } from "../array/read/get-options.js";
export { set } from "../array/write/set.js";
export type { BoolArray } from "../data-types/bool.js";
