/**
 * Reading a few elements of large chunks: their index, and of their data only what is asked for. For codecs whose data are stored as
 * they are, in stores that answer ranges.
 */

import { located } from "../../codecs/byte-stage.js";
import type { RangeSource } from "../../codecs/codec.js";
import type { Pipeline } from "../../codecs/pipeline.js";
import { CodecError } from "../../errors.js";
import type { BasicSelection, DimensionSelection } from "../../grid/selection.js";
import { product } from "../../shape.js";
import { coalescing } from "../../stores/keys-and-ranges.js";
import { chunkBand, type ReadFew, type ResultWindow } from "../assembler.js";
import { eachBand, planBands } from "../bands.js";
import { createLimiter, forEach } from "../concurrency.js";
import { indicesOf, inOneRow, sizeOf } from "../placement.js";
import type { PreparedArray, ReadOptions } from "../prepared.js";
import { trackProgress } from "../progress.js";
import { Lease } from "../shards/buffers.js";
import { ofOneVersion } from "../shards/one-version.js";
import { chunksOf, leased, memorySource } from "../shards/source.js";
import { placeInChunk, placeInResult, type Sink } from "./sinks.js";

/** Chunks of which more than this part is selected are read whole: a request less. */
const MOST = 1 / 4;

/** What reads single elements of a pipeline's chunks into a sink; undefined where its codecs do not allow that, or whole chunks are better. */
export function fewReader(
  { kernels }: PreparedArray,
  { shape, variable, wrapped, strides }: Pipeline,
  selection: readonly DimensionSelection[],
  chunkCount: number,
  sink: Sink,
): ReadFew | undefined {
  const { partial } = variable ?? {};
  const selected = selection.reduce((product, { count }) => product * count, 1);
  const most = product(shape, chunkCount * MOST);
  if (partial === undefined || wrapped || selected > most) return undefined;
  return async (source, chunk, window, at) => {
    const target = placeInResult(chunk, window);
    try {
      const found = source && (await partial.locate(source, kernels));
      if (source === undefined || found === undefined) {
        sink.fill(target);
        return;
      }
      const box = placeInChunk(chunk, selection, strides);
      const column = await elementsAt(source, found, indicesOf(box));
      kernels.begin(1 << 20);
      sink.put(column, inOneRow(sizeOf(box)), target, column.data, at);
    } catch (error) {
      throw error instanceof CodecError ? located(error, "zarrs.vlen", at) : error;
    }
  };
}

/** @returns false, and nothing done, where whole chunks are the better choice */
export async function readPartially(
  array: PreparedArray,
  selection: BasicSelection,
  window: ResultWindow,
  { signal = new AbortController().signal, priority, concurrency, coalesce, onProgress }: ReadOptions,
): Promise<boolean> {
  const { store, pipeline } = array;
  const plan = planBands(selection.dimensions, pipeline.shape, 0);
  const read = window.few?.(pipeline, selection.dimensions, plan.chunkCount);
  if (read === undefined) return false;
  const done = trackProgress(onProgress, plan.chunkCount, 0);
  const requests = {
    store,
    limiter: createLimiter(concurrency),
    signal,
    priority,
    coalesce: coalescing(coalesce),
    maximumBytes: pipeline.maximumEncodedByteLength,
  };
  await forEach(chunksOf(eachBand(plan)), concurrency, async (chunk) => {
    const at = array.locate(chunk.chunk);
    await ofOneVersion(at.key, requests, async (source, { isLast }) => {
      const lease = new Lease();
      try {
        const bytes = isLast ? await source.whole(lease) : undefined;
        const from = isLast ? bytes && memorySource(bytes) : source;
        await read(from && leased(from, lease), chunk, window, at);
      } finally {
        lease.release();
      }
    });
    done(chunkBand(chunk));
  });
  return true;
}

async function elementsAt(
  source: RangeSource,
  { offsets, dataStart }: { readonly offsets: Int32Array; readonly dataStart: number },
  indices: Int32Array,
): Promise<{ readonly offsets: Int32Array; readonly data: Uint8Array }> {
  const chosen = new Int32Array(indices.length + 1);
  const extents: { offset: number; length: number }[] = [];
  for (const [i, index] of indices.entries()) {
    const offset = dataStart + (offsets[index] ?? 0);
    const length = (offsets[index + 1] ?? 0) - (offsets[index] ?? 0);
    chosen[i + 1] = (chosen[i] ?? 0) + length;
    if (length === 0) continue;
    const last = extents.at(-1);
    if (last !== undefined && last.offset + last.length === offset) last.length += length;
    else extents.push({ offset, length });
  }
  const parts = extents.length === 0 ? [] : await source.parts(extents);
  const found = parts?.reduce((sum, { length }) => sum + length, 0) ?? 0;
  // Offsets may claim anything.
  const data = new Uint8Array(Math.min(chosen[indices.length] ?? 0, found));
  let at = 0;
  for (const [i, { offset, length }] of extents.entries()) {
    const part = parts?.[i];
    if (part?.length !== length) {
      throw new CodecError(
        `expected ${length} bytes at ${offset} of the chunk, got ${part?.length ?? 0}: it is truncated or changed`,
        { offset },
      );
    }
    data.set(part, at);
    at += length;
  }
  return { offsets: chosen, data };
}
