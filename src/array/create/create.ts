/** Creates arrays and groups. */

import { untilAborted } from "../../base/abort.js";
import { at } from "../../base/at.js";
import { InvalidArgumentError, isZarrError, UnsupportedError } from "../../base/errors.js";
import { MAXIMUM_RANK } from "../../base/shape.js";
import { NOMINAL_ITEM_SIZE } from "../../core/codecs/array-stage.js";
import { checkWritable } from "../../core/stores/check-store.js";
import type { AbsolutePath, Store, StoreOptions, WritableStore } from "../../core/stores/store.js";
import type { DataType, ZarrFormat } from "../../data-types/data-type.js";
import type { CreatedType } from "../../data-types/names.js";
import { resolveDataType, withAllDataTypes } from "../../data-types/registry.js";
import { loadChunkKeyEncoding } from "../../metadata/chunk-key-encodings.js";
import type { DraftEntryPoint } from "../../metadata/draft.js";
import type { ArrayMetadata, ChunkGrid, GroupMetadata, NodeMetadata } from "../../metadata/model.js";
import { ancestorsOf, keyBelow } from "../../metadata/path.js";
import { namesOfRank } from "../../metadata/v2.js";
import { draftHierarchy } from "../hierarchy/draft-hierarchy.js";
import { eraseKeys, eraseReplaced, leftoversAt } from "../hierarchy/erase.js";
import { asTheyAreNow, whileLocked } from "../hierarchy/rewrite-documents.js";
import { Group, Location, toLocation, ZarrArray } from "../nodes/nodes.js";
import { nodeKind, openFinal } from "../open/open.js";
import { checkCodecsWrite } from "./codec-chain.js";
import { codecList } from "./codec-options.js";
import { checkGrid, checkInnerChunks, checkRegular, chunkGridOf, keyEncodingOf } from "./create-grid.js";
import {
  type CreateArrayOptions,
  type CreateGroupOptions,
  checkAttributes,
  checkCreateOptions,
  checkIsList,
  checkLengths,
  checkOptions,
  type DataTypeOption,
  type KnownDataType,
  type NamesElsewhere,
  withCurrentNames,
} from "./create-options.js";
import { automaticChunkShape, automaticShardShape } from "./create-shapes.js";
import {
  alreadyExists,
  belowArray,
  documentsOf,
  type NewNode,
  type NewNodeOptions,
  writeDocuments,
} from "./write-documents.js";

/**
 * Creates an array (with `shape` and `dtype`) or a group, and the missing groups above it. The draft needs no
 * groups above: there, only a missing entry point of the hierarchy is created.
 * @example
 * ```ts
 * const array = await create(root(store).resolve("t2m"), {
 *   shape: [365, 721, 1440],
 *   dtype: "float32",
 *   chunkShape: [1, 256, 256],
 *   dimensionNames: ["time", "latitude", "longitude"],
 * });
 * ```
 * @throws AlreadyExistsError without `overwrite`, InvalidArgumentError, InvalidMetadataError,
 * UnknownCodecError, UnsupportedError when the store or a codec cannot be written, StoreError
 */
export function create<S extends WritableStore, const D extends DataTypeOption>(
  location: Location<S> | S,
  options: CreateArrayOptions<D> & KnownDataType<D> & NamesElsewhere,
): Promise<ZarrArray<CreatedType<D>, S>>;
export function create<S extends WritableStore>(
  location: Location<S> | S,
  options?: CreateGroupOptions,
): Promise<Group<S>>;
export async function create(
  where: Location | Store,
  nodeOptions: CreateArrayOptions<DataTypeOption> | CreateGroupOptions = {},
): Promise<ZarrArray<unknown> | Group> {
  const options = withCurrentNames(nodeOptions);
  checkCreateOptions(options);
  return untilAborted(options.signal, async () => {
    const { store: readable, path, entryPoint: known } = toLocation(where);
    const store = checkWritable(readable, path);
    const location = new Location(store, path, known);
    checkOptions(options);
    const { zarrFormat = known === undefined ? 3 : "draft" } = options;
    if (options.shape === undefined) {
      const attributes = checkAttributes(options.attributes) ?? {};
      const metadata: GroupMetadata = { nodeType: "group", zarrFormat, attributes, extra: {} };
      const entryPoint = await writeNewNodes([{ location, metadata }], options);
      return new Group(store, path, metadata, entryPoint);
    }
    const metadata = await arrayMetadata(options, zarrFormat);
    // Unknown codecs and invalid configurations throw here, before anything is written.
    await new ZarrArray(store, path, metadata).prepare();
    await checkCodecsWrite(metadata);
    const entryPoint = await writeNewNodes([{ location, metadata }], options);
    return new ZarrArray<unknown>(store, path, metadata, entryPoint);
  });
}

async function arrayMetadata(
  options: CreateArrayOptions<DataTypeOption>,
  zarrFormat: ZarrFormat,
): Promise<ArrayMetadata> {
  const { shape } = options;
  checkIsList(shape, "shape");
  if (shape.length > MAXIMUM_RANK) {
    throw new UnsupportedError(`shape: expected at most ${MAXIMUM_RANK} dimensions, got ${shape.length}`);
  }
  checkLengths(shape, 0, shape.length, "shape");
  if (options.dtype === undefined)
    throw new InvalidArgumentError("dtype: expected a data type, got undefined");
  const { dataType: resolved, endian: stated } = await withAllDataTypes(() => resolveDataType(options.dtype));
  // Only a v2 struct may have a byte order for each field.
  const dataType = zarrFormat === 2 ? resolved : (resolved.uniform ?? resolved);
  const { chunkGrid, innerShape } = await chunkLayout(options, dataType.itemSize || NOMINAL_ITEM_SIZE);
  checkGrid(chunkGrid, zarrFormat);
  if (typeof options.chunkKeyEncoding === "object") await loadChunkKeyEncoding(options.chunkKeyEncoding.name);
  const names = options.dimensionNames;
  if (names !== undefined && names.length !== shape.length) {
    throw new InvalidArgumentError(`dimensionNames: expected ${shape.length} names, got ${names.length}`);
  }
  const endian = options.endian ?? stated ?? "little";
  const fill = options.fillValue;
  // v2 and the draft allow an undefined fill value. v3 does not: it gets the data type's zero, as in
  // zarr-python.
  const isUndefined = fill === null && zarrFormat !== 3;
  return {
    nodeType: "array",
    zarrFormat,
    shape: [...shape],
    dataType,
    chunkGrid,
    chunkKeyEncoding: keyEncodingOf(options, zarrFormat, shape.length),
    codecs: await codecList({ ...options, zarrFormat, rank: shape.length, innerShape }, dataType, endian),
    endian: zarrFormat !== 3 && dataType.needsEndian ? endian : undefined,
    fillValue: isUndefined ? undefined : fillScalarOf(fill, dataType),
    attributes: checkAttributes(options.attributes) ?? {},
    dimensionNames: namesOfRank(names, zarrFormat, shape.length),
    extra: {},
  };
}

/** @throws InvalidArgumentError with the option's name */
function fillScalarOf(fill: unknown, dataType: DataType): unknown {
  if (fill === undefined || fill === null) return dataType.defaultScalar;
  try {
    return dataType.cast(fill);
  } catch (error) {
    if (!isZarrError(error, "InvalidArgumentError")) throw error;
    throw new InvalidArgumentError(`fillValue: ${error.message}`, { cause: error });
  }
}

/** The grid of stored chunks (or shards) and, for shards, the inner chunk shape. */
async function chunkLayout(
  { shape, chunkShape = "auto", shards }: CreateArrayOptions<DataTypeOption>,
  itemSize: number,
): Promise<{ readonly chunkGrid: ChunkGrid; readonly innerShape: readonly number[] | undefined }> {
  const isSharded = shards !== undefined;
  const chunks = chunkShape === "auto" ? automaticChunkShape(shape, itemSize, isSharded) : chunkShape;
  const chunkGrid = await chunkGridOf(chunks, shape, "chunkShape");
  if (!isSharded) return { chunkGrid, innerShape: undefined };
  checkRegular(chunkGrid);
  const outer = shards === "auto" ? automaticShardShape(shape, chunkGrid.chunkShape, itemSize) : shards;
  const shardGrid = await chunkGridOf(outer, shape, "shards");
  checkInnerChunks(shardGrid, chunkGrid);
  return { chunkGrid: shardGrid, innerShape: chunkGrid.chunkShape };
}

/**
 * Makes room for nodes of one format, runs `fill`, which stores their chunks, and then writes their
 * documents, inner ones first, and those of missing groups above: whenever this ends, a node that opens is
 * whole. Other writers that take locks wait meanwhile for the documents of the first node.
 * @param nodes a node, and those below it
 * @returns the entry point of a draft hierarchy, otherwise undefined
 * @throws AlreadyExistsError without `overwrite`, InvalidArgumentError below an array, StoreError, and what
 * `fill` throws
 */
export async function writeNewNodes(
  nodes: readonly NewNode[],
  options: NewNodeOptions,
  fill?: () => Promise<void>,
): Promise<DraftEntryPoint | undefined> {
  const { location: outer, metadata } = at(nodes, 0);
  const { zarrFormat } = metadata;
  if (zarrFormat === "draft") {
    const { writeNewDraftNodes } = await draftHierarchy.load();
    // One lock for the whole hierarchy: any new node may write its entry point.
    return whileLocked(outer, "/zarr.json", options, () => writeNewDraftNodes(nodes, options, fill));
  }
  // Throws for metadata that the format cannot hold, before an existing node is deleted.
  for (const node of nodes) await documentsOf(node.location, node.metadata);
  const missing = await missingGroupsAbove(outer, options);
  await whileLocked(outer, [...missing, outer].flatMap(documentKeys), options, async () => {
    // Others may have created them before the lock was taken.
    const stillMissing = await onlyMissing(missing, options);
    for (const node of nodes) {
      const overwrite = node.location === outer && options.overwrite;
      await makeRoom(node.location, node.metadata, { ...options, overwrite });
    }
    if (fill !== undefined) {
      await fill();
      // Writers without locks do not wait.
      const found = await kindNow(outer, options);
      if (found !== undefined) throw alreadyExists(found, outer.path);
    }
    for (const parent of stillMissing) {
      const group = { nodeType: "group", zarrFormat, attributes: {}, extra: {} } as const;
      await writeDocuments({ location: parent, metadata: group }, options);
    }
    for (const node of nodes.toReversed()) await writeDocuments(node, options);
  });
  return undefined;
}

/**
 * The keys of all documents that a node of v2 or v3 may have: who creates a node locks those of the other
 * formats too.
 */
const documentKeys = ({ path }: Location): AbsolutePath[] =>
  ["zarr.json", ".zarray", ".zgroup", ".zattrs"].map((name) => keyBelow(path, name));

/**
 * The kind of the node that is stored now, if any: a cache in front of the store may not know what another
 * writer has stored.
 */
function kindNow(
  { store, path, entryPoint, zarrFormat }: Location<WritableStore>,
  options: StoreOptions,
): Promise<string | undefined> {
  return nodeKind(new Location(asTheyAreNow(store), path, entryPoint, zarrFormat), options, openFinal);
}

/**
 * The kind of an existing node, if any. With `overwrite`, a node with unreadable metadata counts as "node".
 */
async function nodeAt(
  location: Location<WritableStore>,
  options: NewNodeOptions,
): Promise<string | undefined> {
  try {
    return await kindNow(location, options);
  } catch (error) {
    if (options.overwrite === true && isZarrError(error, "InvalidMetadataError", "UnknownDataTypeError"))
      return "node";
    throw error;
  }
}

/**
 * Removes what `overwrite` replaces, and what an interrupted removal left if there is no node.
 * @throws AlreadyExistsError
 */
async function makeRoom(
  location: Location<WritableStore>,
  metadata: NodeMetadata,
  options: NewNodeOptions,
): Promise<void> {
  const { store, path } = location;
  const { overwrite, signal } = options;
  const found = await nodeAt(location, options);
  if (found !== undefined && overwrite !== true) throw alreadyExists(found, path);
  if (overwrite) await eraseReplaced(location, found !== undefined, { signal });
  const documents = (await documentsOf(location, metadata)).map(([key]) => key);
  const left = await leftoversAt(location, metadata, documents, { signal });
  if (left.length === 0) return;
  // Chunks are not leftovers if another process has created the node since.
  if ((await nodeAt(location, options)) !== undefined) return makeRoom(location, metadata, options);
  await eraseKeys(store, left, { signal });
}

async function missingGroupsAbove(
  { store, path }: Location<WritableStore>,
  options: StoreOptions,
): Promise<readonly Location<WritableStore>[]> {
  return onlyMissing(
    ancestorsOf(path).map((above) => new Location(store, above)),
    options,
  );
}

/** The locations that have no node. @throws InvalidArgumentError if one has an array */
async function onlyMissing(
  groups: readonly Location<WritableStore>[],
  options: StoreOptions,
): Promise<readonly Location<WritableStore>[]> {
  const missing: Location<WritableStore>[] = [];
  for (const group of groups) {
    const kind = await kindNow(group, options);
    if (kind === "array") throw belowArray(group.path);
    if (kind === undefined) missing.push(group);
  }
  return missing;
}
