/** Reads elements of variable length: as JavaScript values, or as a column. */

import { located } from "../../codecs/byte-stage.js";
import type { RangeSource } from "../../codecs/codec.js";
import type { Pipeline } from "../../codecs/pipeline.js";
import { bytesOf, plain } from "../../codecs/variable-length/columns.js";
import { Column, type ColumnElements } from "../../data-types/column.js";
import type { VariableKind } from "../../data-types/data-type.js";
import { decodeText, decodeTexts, type InvalidText } from "../../data-types/extra/text.js";
import { CodecError, InvalidArgumentError, UnsupportedError } from "../../errors.js";
import type { BasicSelection, DimensionSelection } from "../../grid/selection.js";
import { loadStrings } from "../../kernels/strings.js";
import type { Strings } from "../../kernels/strings-kernels.js";
import { cOrderStrides, product } from "../../shape.js";
import { coalescing } from "../../stores/merged-requests.js";
import { assembleBand, chunkBand, type ReadSparse, type ResultWindow } from "../assembler.js";
import { eachChunk, planBands } from "../bands.js";
import { withLease } from "../buffers.js";
import { createLimiter, forEach } from "../concurrency.js";
import { indicesOf, inOneRow, sizeOf } from "../placement.js";
import { type PreparedArray, type ReadOptions, trackProgress } from "../prepared.js";
import { readWindow } from "../read.js";
import { leased, memorySource } from "../shards/source.js";
import { ofOneVersion } from "../shards/store-source.js";
import { readsElements } from "../whole-or-ranges.js";
import {
  type ColumnSink,
  columnSink,
  listSink,
  placeInChunk,
  placeInResult,
  type Sink,
  type SinkContext,
  sinkAssembler,
} from "./sinks.js";

interface VariableReadOptions extends ReadOptions {
  readonly invalidText: InvalidText;
}

/** Reads the selected elements in C order into an array of JavaScript values: `out`, or a new array. */
export async function readValues(
  array: PreparedArray,
  selection: BasicSelection,
  out: unknown[] | undefined,
  options: VariableReadOptions,
): Promise<unknown[]> {
  const context = await contextOf(array, options);
  const count = product(selection.shape);
  const { dataType, fillValue = dataType.defaultScalar } = array.metadata;
  // The caller may change byte strings, so each one is a copy.
  const fill = (): unknown => (fillValue instanceof Uint8Array ? fillValue.slice() : fillValue);
  try {
    const result = out ?? new Array<unknown>(count);
    await readInto(array, selection, listSink(context, result, fill), options);
    return result;
  } catch (cause) {
    if (!(cause instanceof RangeError) || count < LONG_LIST) throw cause;
    throw new InvalidArgumentError(
      `cannot make a list of ${count} elements: take less at a time, with \`read\` or a smaller selection, or a column`,
      { cause },
    );
  }
}

/**
 * From this length on a RangeError is taken to mean that the list is too long: engines may notice only while
 * it is filled.
 */
const LONG_LIST = 2 ** 25;

/**
 * Reads the selected elements as one column. If they are one whole chunk whose codec stores the column's
 * layout, the column is a view of the chunk; without compression that is the store's own memory.
 */
export async function readColumn(
  array: PreparedArray,
  selection: BasicSelection,
  options: VariableReadOptions,
): Promise<Column> {
  const context = await contextOf(array, options);
  const { strings, kind } = context;
  if (kind === "object") {
    throw new UnsupportedError(
      'expected text or bytes with as: "column", got an array of objects: read it as values',
    );
  }
  const { dataType, fillValue = dataType.defaultScalar } = array.metadata;
  const fill = fillValue instanceof Uint8Array ? fillValue : new TextEncoder().encode(String(fillValue));
  // The bytes of inner chunks lie in memory that is reused.
  const mayShare = array.pipeline.sharding === undefined;
  const sink: ColumnSink = columnSink(context, fill, mayShare);
  await readInto(array, selection, sink, options);
  const column = sink.finish(product(selection.shape));
  return new Column(column, elementsOf(strings, kind, options.invalidText));
}

/** Whether the codecs can read single elements of chunks, or of inner chunks. */
function hasPartial({ variable, sharding }: Pipeline): boolean {
  return sharding === undefined ? variable?.partial !== undefined : hasPartial(sharding.inner);
}

async function contextOf(
  { kernels, metadata }: PreparedArray,
  { invalidText }: VariableReadOptions,
): Promise<SinkContext> {
  const kind = metadata.dataType.variable;
  if (kind === undefined) {
    throw new InvalidArgumentError(`expected a data type of variable length, got ${metadata.dataType.name}`);
  }
  return { kernels, strings: await loadStrings(kernels), kind, invalidText };
}

async function readInto(
  array: PreparedArray,
  selection: BasicSelection,
  sink: Sink,
  options: VariableReadOptions,
): Promise<void> {
  const counts = selection.dimensions.map(({ count }) => count);
  const mayBeSparse = array.plan === undefined && array.values.readsRanges && hasPartial(array.pipeline);
  const window: ResultWindow = {
    bytes: new Uint8Array(0),
    offset: 0,
    strides: cOrderStrides(counts, 1),
    fresh: true,
    assembler: sinkAssembler(sink),
    sparse: mayBeSparse ? (...chunks) => sparseReader(array, ...chunks, sink) : undefined,
  };
  // Chunks of different shapes are read whole.
  const isPlain = array.pipeline.sharding === undefined && array.blocks === undefined;
  if (mayBeSparse && isPlain && (await readPartially(array, selection, window, options))) return;
  await readWindow(array, selection, window, options);
}

function elementsOf(strings: Strings, kind: VariableKind, invalidText: InvalidText): ColumnElements<unknown> {
  if (kind.endsWith("bytes")) {
    return {
      kind: "bytes",
      one: (bytes) => bytes,
      all: bytesOf,
    };
  }
  return {
    kind: "text",
    one: (bytes, index) => decodeText(bytes, index, invalidText),
    all(column) {
      return decodeTexts(strings, plain(strings, column), invalidText);
    },
  };
}

// Reads few elements of large chunks: the offsets of the chunk, and of its data only the selected elements.
// For codecs that store data uncompressed, in stores that answer ranges.

/**
 * Returns a reader of single elements into a sink; undefined if the codecs cannot do that, or whole chunks
 * take less time.
 */
function sparseReader(
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
async function readPartially(
  array: PreparedArray,
  selection: BasicSelection,
  window: ResultWindow,
  { signal = new AbortController().signal, priority, concurrency, coalesce, onProgress }: ReadOptions,
): Promise<boolean> {
  const { values, pipeline } = array;
  const plan = planBands(selection.dimensions, pipeline.shape, 0);
  const read = window.sparse?.(pipeline, selection.dimensions, plan.chunkCount);
  if (read === undefined) return false;
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
    const offset = dataStart + (offsets[index] ?? 0);
    const length = (offsets[index + 1] ?? 0) - (offsets[index] ?? 0);
    picked[i + 1] = (picked[i] ?? 0) + length;
    if (length === 0) continue;
    const last = extents.at(-1);
    if (last !== undefined && last.offset + last.length === offset) last.length += length;
    else extents.push({ offset, length });
  }
  const parts = extents.length === 0 ? [] : await source.parts(extents);
  const found = parts?.reduce((sum, { length }) => sum + length, 0) ?? 0;
  // Offsets of a damaged chunk may be any numbers, so the data is no longer than the bytes that arrived.
  const data = new Uint8Array(Math.min(picked[indices.length] ?? 0, found));
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
