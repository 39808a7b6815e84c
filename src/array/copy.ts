/** Copies arrays and hierarchies, from any format, layout and codecs to any other: first the plan of all nodes, then the nodes and their chunks. */

import { untilAborted } from "../abort.js";
import type { DataTypeName } from "../data-types/names.js";
import { type ChunkWorkers, checkWorkers, type OnProgress } from "../engine/prepared.js";
import { InvalidArgumentError, isZarrError, UnsupportedError } from "../errors.js";
import { isJsonObject, type Json, type JsonObject, type NumberSpellings } from "../metadata/json.js";
import { keepSpellings } from "../metadata/json-text.js";
import type { ArrayMetadata, GroupMetadata } from "../metadata/model.js";
import { keyBelow } from "../metadata/path.js";
import { checkWritable } from "../stores/check-store.js";
import { placeOf } from "../stores/storage-identity.js";
import type { AbsolutePath, Store, StoreOptions, WritableStore } from "../stores/store.js";
import { checkCodecsWrite } from "./codec-options.js";
import { type Conversion, convertArray, convertGroup, hasSameChunks, lostOrder } from "./convert.js";
import { type ChunkCopy, copyBytes, copyElements } from "./copy-chunks.js";
import { writeNewNode } from "./create.js";
import { checkOptions } from "./create-options.js";
import { checkConcurrency } from "./get.js";
import { members } from "./hierarchy.js";
import { Location, type Node, toLocation, ZarrArray } from "./nodes.js";
import { open, readDocument } from "./open.js";
import { asTheyAreNow, nodeDocumentKey } from "./rewrite.js";
import { documentsOf, type NewNodeOptions } from "./write-documents.js";

export interface CopyOptions extends Conversion, StoreOptions {
  /** Replace what is at the target, with everything below it; an error without it. */
  readonly overwrite?: boolean | undefined;
  /** Chunks under way at once; 32 unless given. */
  readonly concurrency?: number | undefined;
  /** A WorkerPool of `wazarr/workers`: chunks that change are decoded and encoded on other cores. */
  readonly workers?: ChunkWorkers | undefined;
  /**
   * Told as chunks of the target are done, inner chunks of shards: those of all arrays. Of `bytes` that are decoded and encoded again
   * half count when they are read, and half when they are encoded; it is called inside of shards and long bands of chunks, too.
   */
  readonly onProgress?: OnProgress | undefined;
}

/** A difference that nobody asked for: the format of the copy has no room for something. Elements are never different. */
export interface CopyNote {
  /** The node that was copied. */
  readonly path: AbsolutePath;
  readonly message: string;
}

export interface CopyResult {
  readonly notes: readonly CopyNote[];
}

/**
 * Copies an array, or a group with everything below it. Chunks whose bytes stay valid are copied as they are; others are
 * decoded and encoded again, in boxes of at most 32 MiB (or one chunk). Everything that can be checked is checked before
 * anything is written.
 * @returns notes of arrays that are stored in another order of dimensions, as v2 and the draft have C and F alone
 * @throws NotFoundError, AlreadyExistsError without `overwrite`, UnsupportedError for what the target's format does not have or
 *   a group in a store that cannot be listed, InvalidArgumentError, InvalidMetadataError, UnknownCodecError, CodecError, StoreError
 */
export async function copyNode<S extends WritableStore>(
  source: Location | Store,
  target: Location<S> | S,
  options: CopyOptions = {},
): Promise<CopyResult> {
  return untilAborted(options.signal, async () => {
    checkConcurrency(options.concurrency);
    if (options.workers) checkWorkers(options.workers);
    const from = await open(toLocation(source), { signal: options.signal });
    const to = toLocation(target);
    checkWritable(to.store, to.path);
    const nodes = await planNodes(from, to, options);
    const copies = new Map<NodePlan<S>, ChunkCopy>();
    for (const node of nodes) {
      const { source: array, target: copied, isSame } = node.arrays ?? {};
      if (array && copied) copies.set(node, (isSame ? copyBytes : copyElements)(array, copied));
    }
    const chunksTotal = [...copies.values()].reduce((total, { chunks }) => total + chunks, 0);
    const counted = { chunksDone: 0, bytes: 0 };
    let { entryPoint } = to;
    for (const node of nodes) {
      const { location, metadata, spellings } = node;
      const overwrite = location.path === to.path && options.overwrite;
      const at = new Location(location.store, location.path, entryPoint);
      entryPoint = await writeNewNode(at, metadata, { signal: options.signal, overwrite, spellings });
      const before = { ...counted };
      const { concurrency, signal, workers } = options;
      await copies.get(node)?.run({ concurrency, signal, workers }, (chunks, bytes) => {
        counted.chunksDone = before.chunksDone + chunks;
        counted.bytes = Math.max(counted.bytes, before.bytes + bytes);
        options.onProgress?.({ ...counted, chunksTotal });
      });
    }
    return { notes: nodes.flatMap(({ note }) => note ?? []) };
  });
}

/** A node of the copy. */
export interface NodePlan<S extends WritableStore> {
  readonly source: Node;
  readonly location: Location<S>;
  readonly metadata: ArrayMetadata | GroupMetadata;
  /** The arrays that chunks are copied between; groups have none. */
  readonly arrays?: ArrayPair<S>;
  readonly spellings: NewNodeOptions["spellings"];
  readonly note?: CopyNote | undefined;
}

export interface ArrayPair<S extends WritableStore = WritableStore> {
  readonly source: ZarrArray;
  readonly target: ZarrArray<DataTypeName, S>;
  /** Whether chunks of the source, byte for byte, are chunks of the target. Both arrays are prepared where they are not. */
  readonly isSame: boolean;
}

/**
 * Plans of the node at a location and of all below it, each before those below it.
 * @throws as `copyNode`, before anything is written
 */
export async function planNodes<S extends WritableStore>(
  from: Node,
  to: Location<S>,
  options: Conversion & StoreOptions,
): Promise<readonly NodePlan<S>[]> {
  checkApart(from, to);
  const nodes: Node[] = [from];
  if (from.kind === "group") for await (const node of members(from, options)) nodes.push(node);
  checkOptions(options);
  checkRanks(nodes, options);
  const plans: NodePlan<S>[] = [];
  for (const node of nodes) {
    const location = to.resolve(node.path.slice(from.path.length).replace(/^\//, ""));
    // Attributes are given for the node that is copied, not for those below it.
    const conversion = node === from ? options : { ...options, attributes: undefined };
    plans.push(await planNode(node, location, conversion));
  }
  return plans;
}

async function planNode<S extends WritableStore>(
  node: Node,
  location: Location<S>,
  options: Conversion & StoreOptions,
): Promise<NodePlan<S>> {
  const spellings = await numberSpellings(node, options);
  if (node.kind === "group") {
    const metadata = convertGroup(node.metadata, options);
    await documentsOf(location, metadata);
    return { source: node, location, metadata, spellings };
  }
  try {
    const metadata = await convertArray(node.metadata, options);
    await documentsOf(location, metadata);
    const target = new ZarrArray<DataTypeName, S>(location.store, location.path, metadata);
    const isSame = await hasSameChunks(node.metadata, metadata);
    if (!isSame) {
      await Promise.all([node.prepare(), target.prepare()]);
      await checkCodecsWrite(metadata);
    }
    const order = options.order === undefined ? lostOrder(node.metadata, metadata) : undefined;
    const note = order && {
      path: node.path,
      message: `stored in order C: ${metadata.zarrFormat === 2 ? "v2" : "the draft"} has no order [${order.join(", ")}] of dimensions`,
    };
    return { source: node, location, metadata, arrays: { source: node, target, isSame }, spellings, note };
  } catch (error) {
    if (!isZarrError(error, "UnsupportedError") || error.path !== undefined) throw error;
    throw new UnsupportedError(error.message, { path: node.path, cause: error });
  }
}

/**
 * Has numbers of attributes and fill values spelt as they are in the source: 1.0 is not 1 in Python. Nothing is read where no number is
 * whole, or where all are of integers.
 */
async function numberSpellings(
  node: Node,
  { attributes, signal }: Conversion & StoreOptions,
): Promise<NewNodeOptions["spellings"]> {
  const isV2 = node.metadata.zarrFormat === 2;
  const spellings: NumberSpellings = new WeakMap();
  const read = async (key: AbsolutePath): Promise<JsonObject> => {
    const found = await readDocument(asTheyAreNow(node.store), key, { signal }, spellings);
    return isJsonObject(found?.json) ? found.json : {};
  };
  const keepsAttributes = attributes === undefined && hasWholeNumber(node.metadata.attributes);
  const keepsFill = hasWholeFloat(node);
  if (!keepsAttributes && !keepsFill) return undefined;
  const main = keepsFill || !isV2 ? await read(await nodeDocumentKey(node)) : {};
  const attributesBefore =
    keepsAttributes && isV2 ? await read(keyBelow(node.path, ".zattrs")) : main.attributes;
  return (key, document) => {
    if (key.endsWith(".zattrs")) {
      if (keepsAttributes) keepSpellings(spellings, document, attributesBefore);
      return spellings;
    }
    if (keepsAttributes) keepSpellings(spellings, document.attributes, attributesBefore);
    const known = spellings.get(main);
    if (keepsFill && known !== undefined) spellings.set(document, known);
    if (keepsFill) keepSpellings(spellings, document.fill_value, main.fill_value);
    return spellings;
  };
}

/** Whether the fill value is of floats and has a number that may be spelt with a fraction, or without. */
function hasWholeFloat(node: Node): boolean {
  if (node.kind === "group" || !/^(b?float|complex)/.test(node.dataType.name)) return false;
  const { fillValue } = node.metadata;
  return fillValue !== undefined && hasWholeNumber(node.dataType.scalarToJson(fillValue, 3));
}

function hasWholeNumber(json: Json): boolean {
  if (typeof json === "number") return Number.isInteger(json);
  return typeof json === "object" && json !== null && Object.values<Json>(json).some(hasWholeNumber);
}

/** Nothing would be left to read once the target has been made. */
function checkApart(from: Location, to: Location): void {
  const isWithin = (inner: string, outer: string): boolean =>
    outer === "/" || inner === outer || inner.startsWith(`${outer}/`);
  if (
    placeOf(from.store) !== placeOf(to.store) ||
    !(isWithin(from.path, to.path) || isWithin(to.path, from.path))
  )
    return;
  throw new InvalidArgumentError(`expected a target apart from the source ${from.path}, got ${to.path}`);
}

/** An option for arrays of one rank that fits none of them is a mistake. */
function checkRanks(nodes: readonly Node[], { chunkShape, shards, dimensionNames }: Conversion): void {
  const ranks = new Set(nodes.flatMap((node) => (node.kind === "array" ? [node.shape.length] : [])));
  for (const [name, option] of Object.entries({ chunkShape, shards, dimensionNames })) {
    if (option === undefined || ranks.has(option.length) || ranks.size === 0) continue;
    throw new InvalidArgumentError(
      `${name}: expected ${[...ranks].sort().join(" or ")} items, one for each dimension, got ${option.length}`,
    );
  }
}
