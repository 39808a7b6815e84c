/** Copying arrays and hierarchies, from any format, layout and codecs to any other. */

import { untilAborted } from "../abort.js";
import { innerChunkShape } from "../codecs/sharding/layout.js";
import type { DataTypeName } from "../data-types/names.js";
import { forEach } from "../engine/concurrency.js";
import { type ChunkWorkers, checkWorkers } from "../engine/prepared.js";
import type { OnProgress } from "../engine/progress.js";
import { InvalidArgumentError, isZarrError, UnsupportedError } from "../errors.js";
import { chunkRuns, chunksBetween, elementsInArray, gridShapeOf, longestChunks } from "../grid/chunk-grid.js";
import { slice } from "../grid/selection.js";
import { isJsonObject, type Json, type JsonObject, type NumberSpellings } from "../metadata/json.js";
import { keepSpellings } from "../metadata/json-text.js";
import type { ArrayMetadata, GroupMetadata } from "../metadata/model.js";
import { keyBelow } from "../metadata/path.js";
import { product } from "../shape.js";
import { tellWritten } from "../stores/changes.js";
import { checkBytes, checkWritable, storeFailure } from "../stores/check-store.js";
import { placeOf } from "../stores/storage-identity.js";
import type { AbsolutePath, Store, StoreOptions, WritableStore } from "../stores/store.js";
import { boxes, boxShape, chunkKeyOf, storedChunks } from "./chunk-walk.js";
import { checkCodecsWrite } from "./codec-options.js";
import { type Conversion, convertArray, convertGroup, hasSameChunks, lostOrder } from "./convert.js";
import { writeNewNode } from "./create.js";
import { checkOptions } from "./create-options.js";
import { readDocument } from "./documents.js";
import { checkConcurrency, get, getChunk } from "./get.js";
import { members } from "./hierarchy.js";
import { Location, toLocation } from "./location.js";
import { chunkStore, type Node, ZarrArray } from "./nodes.js";
import { open } from "./open.js";
import { asTheyAreNow, nodeDocumentKey } from "./rewrite.js";
import { set } from "./set.js";
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
  return untilAborted(options.signal, () => copy(source, target, options));
}

async function copy<S extends WritableStore>(
  source: Location | Store,
  target: Location<S> | S,
  options: CopyOptions,
): Promise<CopyResult> {
  checkConcurrency(options.concurrency);
  if (options.workers) checkWorkers(options.workers);
  const from = await open(toLocation(source), { signal: options.signal });
  const to = toLocation(target);
  checkWritable(to.store, to.path);
  checkApart(from, to);
  const nodes: Node[] = [from];
  if (from.kind === "group") for await (const node of members(from, options)) nodes.push(node);
  checkOptions(options);
  checkRanks(nodes, options);
  const plans: Plan<S>[] = [];
  for (const node of nodes) {
    const location = to.resolve(node.path.slice(from.path.length).replace(/^\//, ""));
    // Attributes are given for the node that is copied, not for those below it.
    const conversion = node === from ? options : { ...options, attributes: undefined };
    plans.push(await plan(node, location, conversion));
  }
  const chunksTotal = plans.reduce((total, { copy }) => total + (copy?.chunks ?? 0), 0);
  const counted = { chunksDone: 0, bytes: 0 };
  let { entryPoint } = to;
  for (const { location, metadata, copy, spellings } of plans) {
    const overwrite = location.path === to.path && options.overwrite;
    const at = new Location(location.store, location.path, entryPoint);
    entryPoint = await writeNewNode(at, metadata, { signal: options.signal, overwrite, spellings });
    const before = { ...counted };
    const { concurrency, signal, workers } = options;
    await copy?.run({ concurrency, signal, workers }, (chunks, bytes) => {
      counted.chunksDone = before.chunksDone + chunks;
      counted.bytes = Math.max(counted.bytes, before.bytes + bytes);
      options.onProgress?.({ ...counted, chunksTotal });
    });
  }
  return { notes: plans.flatMap(({ note }) => note ?? []) };
}

interface Plan<S extends WritableStore> {
  readonly location: Location<S>;
  readonly metadata: ArrayMetadata | GroupMetadata;
  /** What is to be done for an array's chunks. */
  readonly copy?: ChunkCopy;
  readonly spellings: NewNodeOptions["spellings"];
  readonly note?: CopyNote | undefined;
}

interface ChunkCopy {
  /** Chunks of the target, inner chunks of shards. */
  readonly chunks: number;
  /** @param done told how many chunks of the target and bytes of their elements are done */
  run(options: RunOptions, done: (chunks: number, bytes: number) => void): Promise<void>;
}

interface RunOptions {
  /** Undefined: left open. */
  readonly concurrency: number | undefined;
  readonly signal: AbortSignal | undefined;
  readonly workers: ChunkWorkers | undefined;
}

async function plan<S extends WritableStore>(
  node: Node,
  location: Location<S>,
  options: Conversion & StoreOptions,
): Promise<Plan<S>> {
  const spellings = await numberSpellings(node, options);
  if (node.kind === "group") {
    const metadata = convertGroup(node.metadata, options);
    await documentsOf(location, metadata);
    return { location, metadata, spellings };
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
    const copy = isSame ? copyBytes(node, target) : copyElements(node, target);
    const order = options.order === undefined ? lostOrder(node.metadata, metadata) : undefined;
    const note = order && {
      path: node.path,
      message: `stored in order C: ${metadata.zarrFormat === 2 ? "v2" : "the draft"} has no order [${order.join(", ")}] of dimensions`,
    };
    return { location, metadata, copy, spellings, note };
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

/** Copies chunks as they are, codecs unknown to wazarr among them. */
function copyBytes(source: ZarrArray, target: ZarrArray<DataTypeName, WritableStore>): ChunkCopy {
  const { shape, dataType } = source;
  const chunks = product(gridShapeOf(source.metadata));
  const inner = innerCount(target.metadata);
  const bytesIn = (chunk: readonly number[]): number =>
    elementsInArray(source.metadata, chunk) * dataType.itemSize;
  return {
    chunks: chunks * inner,
    async run({ concurrency, signal }, done) {
      const atOnce = concurrency ?? chunksAtOnce(source.metadata);
      let copied = 0;
      let bytesCopied = 0;
      const from = await chunkStore(source);
      await forEach(storedChunks(source, { signal }), atOnce, async (chunk) => {
        signal?.throwIfAborted();
        const bytes = await copyKey(chunkKeyOf(source, chunk), signal, async (key) =>
          checkBytes(await from.get(key, { signal }), key),
        );
        if (bytes !== undefined) {
          await copyKey(chunkKeyOf(target, chunk), signal, async (key) => {
            await target.store.set(key, bytes, { signal });
            tellWritten(target.store, key);
          });
        }
        copied++;
        bytesCopied += bytesIn(chunk);
        done(copied * inner, bytesCopied);
      });
      // Chunks that are not there need no work.
      done(chunks * inner, product(shape) * dataType.itemSize);
    },
  };
}

async function copyKey<Result>(
  key: AbsolutePath,
  signal: AbortSignal | undefined,
  action: (key: AbsolutePath) => Result,
): Promise<Awaited<Result>> {
  try {
    return await action(key);
  } catch (error) {
    throw storeFailure(error, key, signal);
  }
}

/** Decodes and encodes, a box at a time. Boxes share their memory: what the garbage collector has not seen yet would come on top. */
function copyElements(source: ZarrArray<unknown>, target: ZarrArray<unknown, WritableStore>): ChunkCopy {
  const { shape, dataType } = source;
  const { chunkGrid } = target.metadata;
  const runs = chunkRuns(chunkGrid);
  const longest = [chunkGrid, source.metadata.chunkGrid].map(longestChunks);
  const box = boxShape(shape, longest[0] ?? [], longest[1] ?? [], dataType.itemSize);
  const inner = innerCount(target.metadata);
  return {
    chunks: product(gridShapeOf(target.metadata)) * inner,
    async run(options, done) {
      const counted = { chunks: 0, bytes: 0 };
      let memory = new Uint8Array(0);
      for (const { start, shape: extent } of boxes(shape, box, runs)) {
        const selection = start.map((at, d) => slice(at, at + (extent[d] ?? 0)));
        const byteLength = product(extent) * dataType.itemSize;
        const chunks =
          product(start.map((at, d) => chunksBetween(runs[d] ?? [], at, extent[d] ?? 0))) * inner;
        let read = 0;
        const tell = (encoded: number): void => {
          // Elements of variable length have no bytes that could be counted.
          const bytes = Math.floor(((read + encoded) / 2) * byteLength);
          done(counted.chunks + Math.floor(encoded * chunks), counted.bytes + bytes);
        };
        const partOf: (progress: Parameters<OnProgress>[0]) => number =
          byteLength > 0
            ? ({ bytes }) => bytes / byteLength
            : ({ chunksDone, chunksTotal }) => chunksDone / chunksTotal;
        const reading = {
          ...options,
          onProgress(progress: Parameters<OnProgress>[0]) {
            read = Math.min(1, partOf(progress));
            tell(0);
          },
        };
        if (memory.length < byteLength) memory = new Uint8Array(byteLength);
        const out = byteLength > 0 ? dataType.view(memory.subarray(0, byteLength)) : undefined;
        // `get` of an array without dimensions gives a scalar, in which a NaN loses its payload.
        const elements =
          shape.length === 0
            ? await getChunk(source, [], reading)
            : await get(source, selection, { ...reading, out });
        read = 1;
        await set(target, selection, elements, {
          ...options,
          onProgress: (progress) => tell(Math.min(1, partOf(progress))),
        });
        counted.chunks += chunks;
        counted.bytes += byteLength;
        done(counted.chunks, counted.bytes);
      }
    },
  };
}

/** Inner chunks of a shard; 1 where there are no shards. */
function innerCount(metadata: ArrayMetadata): number {
  const inner = innerChunkShape(metadata);
  const lengths = longestChunks(metadata.chunkGrid);
  return inner === undefined ? 1 : product(lengths.map((length, d) => length / (inner[d] ?? 1)));
}

/** Bytes of chunks that are copied as they are at once, were they stored without compression. */
const HELD_BYTES = 64 << 20;

function chunksAtOnce({ chunkGrid, dataType }: ArrayMetadata): number {
  const chunkBytes = product(longestChunks(chunkGrid)) * Math.max(1, dataType.itemSize);
  return Math.max(2, Math.min(checkConcurrency(), Math.floor(HELD_BYTES / chunkBytes)));
}
