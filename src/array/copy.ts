/** Copying arrays and hierarchies, from any format, layout and codecs to any other. */

import { untilAborted } from "../abort.js";
import type { DataTypeName } from "../data-types/names.js";
import { forEach } from "../engine/concurrency.js";
import { type OnProgress, storeFailure } from "../engine/prepared.js";
import type { ChunkWorkers } from "../engine/remote.js";
import { checkWorkers } from "../engine/remote.js";
import { InvalidArgumentError, isZarrError, UnsupportedError } from "../errors.js";
import { chunkRuns, chunksBetween, elementsInArray, gridShapeOf, longestChunks } from "../grid/chunk-grid.js";
import { slice } from "../grid/selection.js";
import type { ArrayMetadata, GroupMetadata } from "../metadata/model.js";
import { product } from "../shape.js";
import { checkBytes, checkWritable } from "../stores/check-store.js";
import { placeOf } from "../stores/storage-identity.js";
import type { AbsolutePath, Store, StoreOptions, WritableStore } from "../stores/store.js";
import { boxes, boxShape, chunkKeyOf, storedChunks } from "./chunk-walk.js";
import { checkCodecsWrite } from "./codec-options.js";
import { type Conversion, convertArray, convertGroup, hasSameChunks } from "./convert.js";
import { writeNewNode } from "./create.js";
import { checkOptions } from "./create-options.js";
import { documentsOf } from "./documents.js";
import { checkConcurrency, get, getChunk } from "./get.js";
import { members } from "./hierarchy.js";
import { Location, toLocation } from "./location.js";
import { chunkStore, type Node, ZarrArray } from "./nodes.js";
import { open } from "./open.js";
import { set } from "./set.js";

export interface CopyOptions extends Conversion, StoreOptions {
  /** Replace what is at the target, with everything below it; an error without it. */
  readonly overwrite?: boolean | undefined;
  /** Chunks under way at once; 32 unless given. */
  readonly concurrency?: number | undefined;
  /** A WorkerPool of `wazarr/workers`: chunks that change are decoded and encoded on other cores. */
  readonly workers?: ChunkWorkers | undefined;
  /** Told as chunks of the target are done: those of all arrays. */
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Copies an array, or a group with everything below it. Chunks whose bytes stay valid are copied as they are; others are
 * decoded and encoded again, in boxes of at most 32 MiB (or one chunk). Everything that can be checked is checked before
 * anything is written.
 * @throws NotFoundError, AlreadyExistsError without `overwrite`, UnsupportedError for what the target's format does not have or
 *   a group in a store that cannot be listed, InvalidArgumentError, InvalidMetadataError, UnknownCodecError, CodecError, StoreError
 */
export async function copyNode<S extends WritableStore>(
  source: Location | Store,
  target: Location<S> | S,
  options: CopyOptions = {},
): Promise<void> {
  await untilAborted(options.signal, () => copy(source, target, options));
}

async function copy<S extends WritableStore>(
  source: Location | Store,
  target: Location<S> | S,
  options: CopyOptions,
): Promise<void> {
  const concurrency = checkConcurrency(options.concurrency);
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
  for (const { location, metadata, copy } of plans) {
    const overwrite = location.path === to.path && options.overwrite;
    const at = new Location(location.store, location.path, entryPoint);
    entryPoint = await writeNewNode(at, metadata, { signal: options.signal, overwrite });
    await copy?.run({ concurrency, signal: options.signal, workers: options.workers }, (chunks, bytes) => {
      counted.chunksDone += chunks;
      counted.bytes += bytes;
      options.onProgress?.({ ...counted, chunksTotal });
    });
  }
}

interface Plan<S extends WritableStore> {
  readonly location: Location<S>;
  readonly metadata: ArrayMetadata | GroupMetadata;
  /** What is to be done for an array's chunks. */
  readonly copy?: ChunkCopy;
}

interface ChunkCopy {
  /** Chunks of the target's grid. */
  readonly chunks: number;
  /** @param done told of chunks of the target and bytes of their elements */
  run(options: RunOptions, done: (chunks: number, bytes: number) => void): Promise<void>;
}

interface RunOptions {
  readonly concurrency: number;
  readonly signal: AbortSignal | undefined;
  readonly workers: ChunkWorkers | undefined;
}

async function plan<S extends WritableStore>(
  node: Node,
  location: Location<S>,
  options: Conversion,
): Promise<Plan<S>> {
  if (node.kind === "group") {
    const metadata = convertGroup(node.metadata, options);
    await documentsOf(location, metadata);
    return { location, metadata };
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
    return { location, metadata, copy: isSame ? copyBytes(node, target) : copyElements(node, target) };
  } catch (error) {
    if (!isZarrError(error, "UnsupportedError") || error.path !== undefined) throw error;
    throw new UnsupportedError(error.message, { path: node.path, cause: error });
  }
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
  const bytesIn = (chunk: readonly number[]): number =>
    elementsInArray(source.metadata, chunk) * dataType.itemSize;
  return {
    chunks,
    async run({ concurrency, signal }, done) {
      let copied = 0;
      let bytesCopied = 0;
      const from = await chunkStore(source);
      await forEach(storedChunks(source, { signal }), concurrency, async (chunk) => {
        signal?.throwIfAborted();
        const bytes = await copyKey(chunkKeyOf(source, chunk), signal, async (key) =>
          checkBytes(await from.get(key, { signal }), key),
        );
        if (bytes !== undefined) {
          await copyKey(chunkKeyOf(target, chunk), signal, (key) => target.store.set(key, bytes, { signal }));
        }
        copied++;
        bytesCopied += bytesIn(chunk);
        done(1, bytesIn(chunk));
      });
      // Chunks that are not there need no work.
      done(chunks - copied, product(shape) * dataType.itemSize - bytesCopied);
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

/** Decodes and encodes, a box at a time. */
function copyElements(source: ZarrArray, target: ZarrArray<DataTypeName, WritableStore>): ChunkCopy {
  const { shape } = source;
  const { chunkGrid } = target.metadata;
  const runs = chunkRuns(chunkGrid);
  const longest = [chunkGrid, source.metadata.chunkGrid].map(longestChunks);
  const box = boxShape(shape, longest[0] ?? [], longest[1] ?? [], source.dataType.itemSize);
  return {
    chunks: product(gridShapeOf(target.metadata)),
    async run(options, done) {
      for (const { start, shape: extent } of boxes(shape, box, runs)) {
        const selection = start.map((at, d) => slice(at, at + (extent[d] ?? 0)));
        // `get` of an array without dimensions gives a scalar, in which a NaN loses its payload.
        const elements =
          shape.length === 0 ? await getChunk(source, [], options) : await get(source, selection, options);
        await set(target, selection, elements, options);
        const chunks = start.map((at, d) => chunksBetween(runs[d] ?? [], at, extent[d] ?? 0));
        done(product(chunks), product(extent) * source.dataType.itemSize);
      }
    },
  };
}
