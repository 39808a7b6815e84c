/**
 * What copies, verification and jobs use of the core: documents as they are written, chunks as they are
 * stored, and arithmetic on boxes and grids.
 */

// Errors and their messages

export {
  DifferenceError,
  InvalidArgumentError,
  isZarrError,
  UnsupportedError,
  type ZarrError,
} from "../base/errors.js";

// Items, shapes, options, cancellation, code that is loaded late

export { untilAborted } from "../base/abort.js";
export { checkNames, type NamesOf } from "../base/option-names.js";

// What an element is

export type { DataTypeName } from "../data-types/names.js";

// Documents: JSON, members, paths and the model

export { isJsonObject, type Json, type JsonObject } from "../metadata/json.js";
export type { ArrayMetadata, GroupMetadata } from "../metadata/model.js";
export { keepSpellings } from "../metadata/number-spellings.js";
export { ancestorsOf, chunkPrefix, keyBelow, normalisePath } from "../metadata/path.js";

// Selections, boxes and the grid of chunks

export {
  boxesOf,
  clipped,
  type Growth,
  growBox,
  lastToFirst,
  leastCommonMultiple,
  lengthsOf,
} from "../grid/box-planning.js";
export {
  type Box,
  type Boxes,
  boxAt,
  boxGrid,
  coordinatesIn,
  countBoxes,
  longestBox,
} from "../grid/boxes.js";
export {
  type ChunkRuns,
  chunkAlong,
  chunkAt,
  chunkRuns,
  chunksBetween,
  elementsInArray,
  gridShapeOf,
  longestChunks,
  longestOf,
  runsOf,
} from "../grid/chunk-grid.js";
export { parseChunkKey } from "../grid/parse-chunk-key.js";
export { putOffsets } from "../grid/walk.js";

// Stores

export { canList } from "./stores/capabilities.js";
export { checkStore, checkWritable } from "./stores/check-store.js";
export { wayOf } from "./stores/faster-ways.js";
export { storageOf } from "./stores/storage-identity.js";
export type { AbsolutePath, Store, StoreOptions, WritableStore } from "./stores/store.js";
export { STORE_OPTIONS, storeOptionsOf } from "./stores/store-option-names.js";

// The engine: progress, concurrency, workers

export { type ChunkWorkers, checkWorkers } from "./line/shared/chunk-workers.js";
export { forEach } from "./line/shared/concurrency.js";
export type { OnProgress } from "./line/shared/on-progress.js";

// Nodes, and reads and writes of their documents and chunks

export { type Comparison, inOther, planComparison } from "../array/convert/compare.js";
export {
  type Conversion,
  convertArray,
  convertGroup,
  hasSameChunks,
  lostOrder,
} from "../array/convert/convert.js";
export {
  type ChunkCopy,
  chunksAtOnce,
  copyBox,
  copyBytes,
  copyChunk,
  copyElements,
} from "../array/convert/copy-chunks.js";
export { checkCodecsWrite } from "../array/create/codec-chain.js";
export { writeNewNodes } from "../array/create/create.js";
export { checkOptions } from "../array/create/create-options.js";
export { documentsOf, type NewNode } from "../array/create/write-documents.js";
export { consolidateMetadata } from "../array/hierarchy/consolidated.js";
export { staleEntries } from "../array/hierarchy/consolidated-check.js";
export { consolidatedKey, documentsIn } from "../array/hierarchy/consolidated-format.js";
export { eraseKeys, eraseNode, isDocumentKey, JOBS, zarrKeys } from "../array/hierarchy/erase.js";
export { members, nothingIn, openChildren } from "../array/hierarchy/hierarchy.js";
export { asTheyAreNow, nodeDocumentKey, whileLocked } from "../array/hierarchy/rewrite-documents.js";
export { type Location, type Node, toLocation, ZarrArray } from "../array/nodes/nodes.js";
export { draftNodes } from "../array/open/draft-nodes.js";
export { locate, open, openIfThere } from "../array/open/open.js";
export { documentBytes, readDocument } from "../array/open/read-document.js";
export { getStoredChunk } from "../array/read/get.js";
export { checkConcurrency } from "../array/read/read-options.js";
export { readRuns } from "../array/read/read-runs.js";
export { chunksInGrid, countStoredChunks, isStored, storedChunks } from "../array/write/stored-chunks.js";
