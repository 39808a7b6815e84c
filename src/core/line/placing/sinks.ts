/** Sinks collect elements of variable length into a result: an array of JavaScript values, or one column. */
import { int32At } from "../../../base/at.js";
import { InvalidArgumentError, UnsupportedError } from "../../../base/errors.js";
import { type ColumnData, isColumnData } from "../../../data-types/column.js";
import type { VariableKind } from "../../../data-types/data-type.js";
import { decodeTexts, decodeTextsInto, type InvalidText } from "../../../data-types/extra/text.js";
import type { Kernels } from "../../../kernels/kernels.js";
import type { Strings } from "../../../kernels/strings-kernels.js";
import { located } from "../../codecs/byte-stage.js";
import type { VariableElements } from "../../codecs/codec.js";
import { bytesOf, plain } from "../../codecs/columns.js";
import type { ChunkLocation } from "../../codecs/pipeline.js";
import { forEachRun, type Placement, sizeOf, startOfRow } from "../placement.js";
import type { Block, CoreArray, Placer } from "../ports.js";
import { chooseElements, chooseValues } from "./chosen-elements.js";
import { placeInChunk, placeInResult } from "./places.js";

export interface SinkContext {
  readonly kernels: Kernels;
  readonly strings: Strings;
  readonly kind: VariableKind;
  readonly invalidText: InvalidText;
}

/** @param fill makes the scalar of one missing element */
export function listSink(
  { kernels, strings, kind, invalidText }: SinkContext,
  result: unknown[],
  fill: () => unknown,
): Sink {
  return {
    put(elements, box, target, input, at) {
      if (!isColumnData(elements)) {
        scatter(chooseValues(elements, box), target);
        return;
      }
      const column = plain(strings, chooseElements(strings, elements, box));
      if (!kind.endsWith("text")) {
        scatter(bytesOf(own(kernels, column, input, false)), target);
        return;
      }
      const start = startOfRow(target);
      try {
        // Decodes into `result` directly: a second list of a million strings costs a sixth of the time of
        // making them.
        if (start !== undefined) decodeTextsInto(result, start, strings, column, invalidText);
        else scatter(decodeTexts(strings, column, invalidText), target);
      } catch (error) {
        throw located(error, "utf-8", at);
      }
    },
    fill(target) {
      forEachRun(target, (start, stride, count) => {
        for (let i = 0, to = start; i < count; i++, to += stride) result[to] = fill();
      });
    },
  };

  function scatter(values: readonly unknown[], target: Placement): void {
    forEachRun(target, (start, stride, count, inBox) => {
      for (let i = 0, to = start; i < count; i++, to += stride) result[to] = values[inBox + i];
    });
  }
}

/** Collects parts of a column until all have arrived: only then its length is known. */
export interface ColumnSink extends Sink {
  /** The column of all `count` elements. If one part has them all, the column shares that part's memory. */
  finish(count: number): ColumnData;
}

interface Part {
  readonly column: ColumnData;
  readonly target: Placement;
}

/**
 * @param fill bytes of a missing element
 * @param mayShare whether the column may be a view of the store's answer
 */
export function columnSink(
  { kernels, strings, kind }: SinkContext,
  fill: Uint8Array,
  mayShare: boolean,
): ColumnSink {
  // By place in the result: if a shard was replaced while it was read, it is read again.
  const byPlace = new Map<string, Part>();
  const add = (column: ColumnData, target: Placement): void => {
    byPlace.set(`${target.offset} ${target.shape.join(" ")}`, { column, target });
  };
  const isLarge = kind.startsWith("large_");
  return {
    put(elements, box, target, input) {
      if (!isColumnData(elements))
        throw new InvalidArgumentError(
          'expected strings or bytes, got objects, which a column cannot hold; read without as: "column"',
        );
      add(own(kernels, chooseElements(strings, elements, box), input, mayShare), target);
    },
    fill(target) {
      const count = sizeOf(target);
      const offsets = Int32Array.from({ length: count + 1 }, (_, i) => i * fill.length);
      const data = new Uint8Array(count * fill.length);
      for (let at = 0; at < data.length; at += fill.length) data.set(fill, at);
      add({ offsets, data }, target);
    },
    finish(count) {
      const parts = [...byPlace.values()];
      const [only] = parts;
      if (parts.length === 1 && only !== undefined && sizeOf(only.target) === count) {
        return isLarge ? widened(only.column) : only.column;
      }
      const merged = merge(strings, parts, count);
      return isLarge ? widened(merged) : merged;
    },
  };

  function widened({ offsets, data }: ColumnData): ColumnData {
    if (offsets instanceof BigInt64Array) return { offsets, data };
    const wide = new BigInt64Array(offsets.length);
    if (offsets instanceof Int32Array) strings.widenOffsets(wide, offsets);
    return { offsets: wide, data };
  }
}

function merge(strings: Strings, parts: readonly Part[], count: number): ColumnData {
  const total = parts.reduce((sum, { column }) => sum + column.data.length, 0);
  if (total >= 2 ** 31) {
    throw new InvalidArgumentError(
      `expected less than 2 GiB of data in one column, got ${total} bytes; read a smaller selection at a time`,
    );
  }
  const plains = parts.map(({ column, target }) => ({ column: plain(strings, column), target }));
  const lengths = new Int32Array(count);
  for (const { column, target } of plains) {
    const own = new Int32Array(column.offsets.length - 1);
    strings.offsetsToLengths(own, column.offsets);
    forEachRun(target, (start, stride, run, inBox) => {
      if (stride === 1) lengths.set(own.subarray(inBox, inBox + run), start);
      else for (let i = 0; i < run; i++) lengths[start + i * stride] = int32At(own, inBox + i);
    });
  }
  const offsets = new Int32Array(count + 1);
  strings.lengthsToOffsets(offsets, lengths);
  const data = new Uint8Array(int32At(offsets, count));
  for (const { column, target } of plains) {
    const copy = (to: number, from: number, run: number): void => {
      data.set(column.data.subarray(column.offsets[from], column.offsets[from + run]), int32At(offsets, to));
    };
    forEachRun(target, (start, stride, run, inBox) => {
      if (stride === 1) copy(start, inBox, run);
      else for (let i = 0; i < run; i++) copy(start + i * stride, inBox + i, 1);
    });
  }
  return { offsets, data };
}

/** Receives the elements of chunks, one chunk after the other. */
export interface Sink {
  /**
   * @param elements of the whole chunk
   * @param box the selected elements in the chunk
   * @param target their places in the result
   * @param input the stored bytes; the elements may be views of them
   */
  put(
    elements: VariableElements,
    box: Placement,
    target: Placement,
    input: Uint8Array,
    at: ChunkLocation,
  ): void;
  /** Puts the fill value in all places of `target`. */
  fill(target: Placement): void;
}

/** A placer that puts chunks into a sink. @param place of the result, in elements */
export function placeInSink(
  sink: Sink,
  { kernels, source, pipelineOf }: CoreArray,
  place: Pick<Placement, "offset" | "strides">,
): Placer {
  const room = ({ pieces }: Block): number =>
    pieces.reduce((most, { chunk }) => Math.max(most, pipelineOf(chunk).scratch()), 0);
  return {
    room,
    place(block, encoded, first) {
      kernels.within(room(block), () => {
        for (const [i, piece] of block.pieces.entries()) {
          const mark = kernels.mark();
          const bytes = encoded[first + i];
          const target = placeInResult(piece, place);
          if (bytes === undefined) sink.fill(target);
          else {
            const pipeline = pipelineOf(piece.chunk);
            const at = source.locate(piece.chunk);
            if (pipeline.variable === undefined)
              throw new UnsupportedError("internal error: no codec for elements of variable length");
            const elements = pipeline.variable.decode(pipeline.decode(bytes, kernels, at), kernels, at);
            sink.put(elements, placeInChunk(piece, pipeline.strides), target, bytes, at);
          }
          kernels.release(mark);
        }
      });
    },
  };
}

/**
 * Returns a column that stays valid: copies parts in scratch memory, and parts in the memory of `input`
 * unless `mayShare`.
 */
function own(
  kernels: Kernels,
  { offsets, data }: ColumnData,
  input: Uint8Array,
  mayShare: boolean,
): ColumnData {
  const isForeign = (part: { readonly buffer: ArrayBufferLike }): boolean =>
    kernels.isScratch(part) || (!mayShare && part.buffer === input.buffer);
  return {
    offsets: isForeign(offsets) ? offsets.slice() : offsets,
    data: isForeign(data) ? data.slice() : data,
  };
}
