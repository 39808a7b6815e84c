/**
 * Reading a few elements of large chunks: their index, and of their data only what is asked for. For codecs whose data are stored as
 * they are, in stores that answer ranges.
 */
import type { Pipeline, RangeSource } from "../../codecs/codec.js";
import { located } from "../../codecs/located.js";
import { CodecError } from "../../errors.js";
import type { BasicSelection, DimensionSelection } from "../../indexing/selection.js";
import { type CoalesceOptions, type Extent, mergeExtents } from "../../stores/coalesce.js";
import type { AbsolutePath, Awaitable, Store } from "../../stores/store.js";
import { chunkBand, type ReadFew, type ResultWindow } from "../assembler.js";
import { planBands } from "../bands.js";
import { forEach } from "../for-each.js";
import { type PreparedArray, storeFailure, trackProgress } from "../prepared.js";
import type { ReadOptions } from "../read.js";
import { chunksOf } from "../shards/locate.js";
import type { Sink } from "./assembler.js";
import { indicesOf, placeInChunk, placeInResult, sizeOf } from "./boxes.js";

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
  const most = shape.reduce((product, length) => product * length, chunkCount * MOST);
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
      const whole = { shape: [sizeOf(box)], offset: 0, strides: [1] };
      kernels.begin(1 << 20);
      sink.put(column, whole, target, column.data, at);
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
  { signal = new AbortController().signal, concurrency, coalesce, onProgress }: ReadOptions,
): Promise<boolean> {
  const { metadata, store, pipeline } = array;
  const { bands, chunkCount } = planBands(selection.dimensions, metadata.shape, pipeline.shape, 0);
  const read = window.few?.(pipeline, selection.dimensions, chunkCount);
  if (read === undefined) return false;
  const done = trackProgress(onProgress, chunkCount, 0);
  await forEach(chunksOf(bands()), concurrency, async (chunk) => {
    const key = array.keyOf(chunk.chunk);
    const source = rangesOf(store, key, signal, coalesce);
    await read(source, chunk, window, { key, chunk: chunk.chunk });
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
  const data = new Uint8Array(chosen[indices.length] ?? 0);
  const parts = extents.length === 0 ? [] : await source.parts(extents);
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

function rangesOf(
  store: Store,
  key: AbsolutePath,
  signal: AbortSignal,
  coalesce: CoalesceOptions,
): RangeSource {
  const request = async (
    range: Extent | { readonly suffixLength: number },
  ): Promise<Uint8Array | undefined> => {
    signal.throwIfAborted();
    try {
      const value: Awaitable<Uint8Array | undefined> | undefined = store.getRange?.(key, range, { signal });
      return await value;
    } catch (error) {
      throw storeFailure(error, key, signal);
    }
  };
  return {
    edge: (location, length) =>
      request(location === "start" ? { offset: 0, length } : { suffixLength: length }),
    async parts(extents) {
      const { merged, place } = mergeExtents(extents, coalesce);
      const values = await Promise.all(merged.map(request));
      return extents.map(({ length }, i) => {
        const { request: which, start } = place[i] ?? { request: 0, start: 0 };
        return values[which]?.subarray(start, start + length) ?? new Uint8Array(0);
      });
    },
  };
}
