/** Copies the chunks of an array: as they are, or decoded and encoded again one box at a time. */

import { at } from "../../base/at.js";
import { product } from "../../base/shape.js";
import { innerChunkShape } from "../../core/codecs/sharding/document.js";
import { forEach } from "../../core/line/shared/concurrency.js";
import { HELD_FOR_COPY, requestsAtOnce } from "../../core/line/shared/held-bytes.js";
import type { OnProgress } from "../../core/line/shared/on-progress.js";
import { checkBytes, withFailuresAt } from "../../core/stores/check-store.js";
import type { StoreOptions, WritableStore } from "../../core/stores/store.js";
import { tellWritten } from "../../core/stores/watchers.js";
import type { DataTypeName } from "../../data-types/names.js";
import { boxShape } from "../../grid/box-planning.js";
import { type Box, boxesOfChunks, selectionOf } from "../../grid/boxes.js";
import { chunkRuns, chunksBetween, elementsInArray, longestChunks } from "../../grid/chunk-grid.js";
import type { ArrayMetadata } from "../../metadata/model.js";
import { chunkStore, type ZarrArray } from "../nodes/nodes.js";
import { get, getChunk } from "../read/get.js";
import type { GetOptions } from "../read/get-options.js";
import { checkConcurrency } from "../read/read-options.js";
import { set } from "../write/set.js";
import { chunkKeyOf, chunksInGrid, storedChunks } from "../write/stored-chunks.js";

export interface ChunkCopy {
  /** The number of chunks (inner chunks of shards) in the target's grid. */
  readonly chunks: number;
  /** @param done called with the numbers of target chunks and of bytes of their elements that are done */
  run(options: RunOptions, done: (chunks: number, bytes: number) => void): Promise<void>;
}

type RunOptions = Pick<GetOptions, "signal" | "concurrency" | "workers">;

/** Copies stored chunks without decoding them, so their codecs may be unknown to wazarr. */
export function copyBytes(source: ZarrArray, target: ZarrArray<DataTypeName, WritableStore>): ChunkCopy {
  const { shape, dataType } = source;
  const chunks = chunksInGrid(source);
  const inner = innerCount(target.metadata);
  const bytesIn = (chunk: readonly number[]): number =>
    elementsInArray(source.metadata, chunk) * dataType.itemSize;
  return {
    chunks: chunks * inner,
    async run({ concurrency, signal }, done) {
      const atOnce = concurrency ?? chunksAtOnce(source.metadata);
      let copied = 0;
      let bytesCopied = 0;
      await forEach(storedChunks(source, { signal }), atOnce, async (chunk) => {
        await copyChunk(source, target, chunk, { signal });
        copied++;
        bytesCopied += bytesIn(chunk);
        done(copied * inner, bytesCopied);
      });
      // Missing chunks count as done.
      done(chunks * inner, product(shape) * dataType.itemSize);
    },
  };
}

/**
 * Copies one stored chunk without decoding it.
 * @returns whether the chunk is stored
 */
export async function copyChunk(
  source: ZarrArray<unknown>,
  target: ZarrArray<unknown, WritableStore>,
  chunk: readonly number[],
  { signal }: StoreOptions,
): Promise<boolean> {
  signal?.throwIfAborted();
  const key = chunkKeyOf(source, chunk);
  const bytes = await withFailuresAt({ key }, signal, async () => {
    const from = await chunkStore(source);
    return checkBytes(await from.get(key, { signal }), key);
  });
  if (bytes === undefined) return false;
  const targetKey = chunkKeyOf(target, chunk);
  await withFailuresAt({ key: targetKey }, signal, () => target.store.set(targetKey, bytes, { signal }));
  tellWritten(target.store, targetKey);
  return true;
}

/**
 * Decodes and encodes elements one box at a time. All boxes use one buffer: unused buffers would stay until
 * garbage collection.
 */
export function copyElements(
  source: ZarrArray<unknown>,
  target: ZarrArray<unknown, WritableStore>,
): ChunkCopy {
  const { shape, dataType } = source;
  const { chunkGrid } = target.metadata;
  const runs = chunkRuns(chunkGrid);
  const longest = [chunkGrid, source.metadata.chunkGrid].map(longestChunks);
  const box = boxShape(shape, at(longest, 0), at(longest, 1), dataType.itemSize);
  const inner = innerCount(target.metadata);
  return {
    chunks: chunksInGrid(target) * inner,
    async run(options, done) {
      const counted = { chunks: 0, bytes: 0 };
      const memory = { bytes: new Uint8Array(0) };
      for (const each of boxesOfChunks(shape, runs, box)) {
        const byteLength = product(each.shape) * dataType.itemSize;
        const chunks =
          product(each.start.map((first, d) => chunksBetween(at(runs, d), first, at(each.shape, d)))) * inner;
        await copyBox(source, target, each, memory, options, (read, encoded) => {
          // Elements of variable length count no bytes: their `byteLength` is 0.
          const bytes = Math.floor(((read + encoded) / 2) * byteLength);
          done(counted.chunks + Math.floor(encoded * chunks), counted.bytes + bytes);
        });
        counted.chunks += chunks;
        counted.bytes += byteLength;
        done(counted.chunks, counted.bytes);
      }
    },
  };
}

/**
 * Copies the elements of one box.
 * @param memory the buffer for the elements; it is replaced if it is too small
 * @param part called with the fractions (0 to 1) of the box that have been read and encoded
 * @param check called after the box has been read and before it is written
 */
export async function copyBox(
  source: ZarrArray<unknown>,
  target: ZarrArray<unknown, WritableStore>,
  box: Box,
  memory: { bytes: Uint8Array },
  options: RunOptions,
  part: (read: number, encoded: number) => void = () => {},
  check?: () => Promise<void>,
): Promise<void> {
  const { dataType } = source;
  const { shape } = box;
  const selection = selectionOf(box);
  const byteLength = product(shape) * dataType.itemSize;
  const partOf: (progress: Parameters<OnProgress>[0]) => number =
    byteLength > 0
      ? ({ bytes }) => Math.min(1, bytes / byteLength)
      : ({ chunksDone, chunksTotal }) => Math.min(1, chunksDone / chunksTotal);
  const reading = {
    ...options,
    onProgress: (progress: Parameters<OnProgress>[0]) => part(partOf(progress), 0),
  };
  if (memory.bytes.length < byteLength) memory.bytes = new Uint8Array(byteLength);
  const out = byteLength > 0 ? dataType.view(memory.bytes.subarray(0, byteLength)) : undefined;
  // `get` would return a scalar for an array without dimensions, and a NaN would lose its payload.
  const elements =
    shape.length === 0
      ? await getChunk(source, [], reading)
      : await get(source, selection, { ...reading, out });
  await check?.();
  await set(target, selection, elements, {
    ...options,
    onProgress: (progress) => part(1, partOf(progress)),
  });
}

/** The number of inner chunks in a shard; 1 for an array without shards. */
function innerCount(metadata: ArrayMetadata): number {
  const inner = innerChunkShape(metadata);
  const lengths = longestChunks(metadata.chunkGrid);
  return inner === undefined ? 1 : product(lengths.map((length, d) => length / at(inner, d)));
}

export function chunksAtOnce({ chunkGrid, dataType }: ArrayMetadata, concurrency?: number): number {
  const chunkBytes = product(longestChunks(chunkGrid)) * Math.max(1, dataType.itemSize);
  const limit = { concurrency: checkConcurrency(concurrency), isDefault: concurrency === undefined };
  return requestsAtOnce(limit, chunkBytes, HELD_FOR_COPY);
}
