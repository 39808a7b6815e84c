/**
 * Reads few elements of large chunks: the offsets of a chunk, and of its data only the selected elements.
 * This is for codecs that store data uncompressed, in stores that answer ranges.
 */
import { noItem } from "../../base/at.js";
import { CodecError } from "../../base/errors.js";
import { located } from "../../core/codecs/byte-stage.js";
import type { RangeSource } from "../../core/codecs/codec.js";
import type { Pipeline } from "../../core/codecs/pipeline.js";
import { coalescing } from "../../core/stores/merged-requests.js";
import type { BasicSelection, DimensionSelection } from "../../grid/selection.js";
import { assembleBand, type ReadSparse, type ResultWindow } from "../assembler.js";
import { chunkBand, eachChunk, planBands } from "../bands.js";
import { withLease } from "../buffers.js";
import { createLimiter, forEach } from "../concurrency.js";
import type { ReadOptions } from "../options.js";
import { indicesOf, inOneRow, sizeOf } from "../placement.js";
import type { PreparedArray } from "../prepared.js";
import { trackProgress } from "../progress.js";
import { readsElements } from "../whole-or-ranges.js";
import { placeInChunk, placeInResult } from "./places.js";
import { type Sink, sinkAssembler } from "./sinks.js";

/**
 * Returns a reader of single elements into a sink; undefined if the codecs cannot do that, or whole chunks
 * take less time.
 */
export function sparseReader(
  { kernels, fillPattern }: PreparedArray,
  pipeline: Pipeline,
  selection: readonly DimensionSelection[],
  chunkCount: number,
  sink: Sink,
): ReadSparse | undefined {
  const { partial } = pipeline.variable ?? {};
  if (partial === undefined || !readsElements(pipeline, selection, chunkCount)) return undefined;
  return async (source, chunk, window, at) => {
    try {
      const found = source && (await partial.locate(source, kernels));
      if (source === undefined || found === undefined) {
        const assembler = sinkAssembler(sink)({ kernels, pipeline, fillPattern }, selection, window);
        assembleBand(assembler, kernels, chunkBand(chunk), [undefined], () => at);
        return;
      }
      const box = placeInChunk(chunk, selection, pipeline.strides);
      const column = await elementsAt(source, found, indicesOf(box));
      sink.put(column, inOneRow(sizeOf(box)), placeInResult(chunk, window), column.data, at);
    } catch (error) {
      throw error instanceof CodecError ? located(error, partial.codec, at) : error;
    }
  };
}

/** @returns false, without reading anything, if whole chunks should be read */
export async function readPartially(
  array: PreparedArray,
  selection: BasicSelection,
  window: ResultWindow,
  { signal = new AbortController().signal, priority, concurrency, coalesce, onProgress }: ReadOptions,
): Promise<boolean> {
  const { values, pipeline } = array;
  const plan = planBands(selection.dimensions, pipeline.shape, 0);
  const read = window.sparse?.(pipeline, selection.dimensions, plan.chunkCount);
  if (read === undefined) return false;
  const [{ leased, memorySource }, { ofOneVersion }] = await Promise.all([
    import("../shards/source.js"),
    import("../shards/one-version.js"),
  ]);
  const done = trackProgress(onProgress, plan.chunkCount, 0);
  const requests = {
    values,
    limiter: createLimiter(concurrency),
    signal,
    priority,
    coalesce: coalescing(coalesce),
    maximumBytes: pipeline.maximumEncodedByteLength,
  };
  await forEach(eachChunk(plan), concurrency, async (chunk) => {
    const at = array.locate(chunk.chunk);
    await ofOneVersion(at.key, requests, (source, { isLast }) =>
      withLease(async (lease) => {
        const bytes = isLast ? await source.whole(lease) : undefined;
        const from = isLast ? bytes && memorySource(bytes) : source;
        await read(from && leased(from, lease), chunk, window, at);
      }),
    );
    done(chunkBand(chunk));
  });
  return true;
}

async function elementsAt(
  source: RangeSource,
  { offsets, dataStart }: { readonly offsets: Int32Array; readonly dataStart: number },
  indices: Int32Array,
): Promise<{ readonly offsets: Int32Array; readonly data: Uint8Array }> {
  const picked = new Int32Array(indices.length + 1);
  const extents: { offset: number; length: number }[] = [];
  for (const [i, index] of indices.entries()) {
    const offset = dataStart + (offsets[index] ?? noItem(offsets, index));
    const length =
      (offsets[index + 1] ?? noItem(offsets, index + 1)) - (offsets[index] ?? noItem(offsets, index));
    picked[i + 1] = (picked[i] ?? noItem(picked, i)) + length;
    if (length === 0) continue;
    const last = extents.at(-1);
    if (last !== undefined && last.offset + last.length === offset) last.length += length;
    else extents.push({ offset, length });
  }
  const parts = extents.length === 0 ? [] : await source.parts(extents);
  const found = parts?.reduce((sum, { length }) => sum + length, 0) ?? 0;
  // Offsets of a damaged chunk may be any numbers, so the data is no longer than the bytes that arrived.
  const data = new Uint8Array(Math.min(picked[indices.length] ?? noItem(picked, indices.length), found));
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
  return { offsets: picked, data };
}
