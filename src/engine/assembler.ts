/**
 * Interfaces for putting decoded chunks into a result, and the positions of a chunk's elements.
 * band-assembler.ts implements them for bytes.
 */

import { noItem } from "../base/at.js";

export { offsetOf } from "../base/shape.js";

import type { RangeSource } from "../core/codecs/codec.js";
import type { ChunkLocation, Pipeline } from "../core/codecs/pipeline.js";
import type { StridedBox } from "../core/codecs/strided-box.js";
import type { Conversion } from "../data-types/drawn.js";
import type { DimensionSelection } from "../grid/selection.js";
import type { CopyPlan, Kernels } from "../kernels/kernels.js";
import type { Band, ChunkProjection } from "./bands.js";

/** Bytes of a chunk from the store, after the asynchronous decoders; undefined if the chunk is missing. */
export type ChunkValue = Uint8Array | undefined;

/** The target of a read: any box of a C-order result. */
export interface ResultWindow {
  readonly bytes: Uint8Array;
  /** Byte offset of the window's first element. */
  readonly offset: number;
  /** Bytes from one element to the next, by dimension of the array. */
  readonly strides: readonly number[];
  /** Whether the window contains only zeros at the start. */
  readonly fresh: boolean;
  /**
   * Assembler for elements of variable length, whose offset and strides count elements, or for elements that
   * are converted.
   */
  readonly assembler?: AssemblerFactory | undefined;
  /** What the assembler does, for workers. */
  readonly drawing?: Drawing | undefined;
  /** Copies rows to the window; `copyRows` by default. `withRowViewCache` of row-views.ts sets it. */
  readonly copy?: CopyRows | undefined;
  /** Allocates scratch memory for a chunk's encoded bytes; `allocate` of the kernels by default. */
  readonly allocate?: Kernels["allocate"] | undefined;
  /** Reads single elements of chunks by byte ranges; undefined if whole chunks take less time. */
  readonly sparse?: SparseReader | undefined;
}

/** Elements that are converted on the way: see drawn.ts. */
export interface Drawing {
  readonly conversion: Conversion;
  /** Bytes of an element of the result. */
  readonly itemSize: number;
  /** Takes the statistics of a chunk, by the place of its first element in the result. */
  add(place: number, found: FoundInChunk): void;
}

/** Statistics of the converted elements of a chunk. */
export interface FoundInChunk {
  /** How many are not missing, the least and the greatest of them. */
  readonly numbers: Float64Array;
  readonly bins: Uint32Array;
}

/** Runs a copy plan between any two arrays. */
type CopyRows = (
  plan: CopyPlan,
  target: Uint8Array,
  targetOffset: number,
  source: Uint8Array,
  sourceOffset: number,
) => void;

type SparseReader = (
  pipeline: Pipeline,
  selection: readonly DimensionSelection[],
  chunkCount: number,
) => ReadSparse | undefined;

/** Reads the selected elements of one chunk. @param source undefined if the chunk is missing */
export type ReadSparse = (
  source: RangeSource | undefined,
  chunk: ChunkProjection,
  window: ResultWindow,
  at: ChunkLocation,
) => Promise<void>;

export type AssemblerFactory = (
  decoder: ChunkDecoder,
  selection: readonly DimensionSelection[],
  window: ResultWindow,
) => Assembler;

/** Puts the chunks of a result together, one band after the other. */
export interface Assembler {
  /** Runs `work` on a band, with scratch memory for the band and for one chunk. */
  within<Result>(band: Band, work: (open: OpenBand) => Result): Result;
  /**
   * Decodes a chunk of the band and copies its selected elements.
   * @param mark of the arena before `value` was allocated; released when `value` is no longer needed
   */
  place(open: OpenBand, chunk: ChunkProjection, value: Uint8Array, at: ChunkLocation, mark: number): void;
  /** Puts the fill value where a missing chunk would be. */
  fill(open: OpenBand, chunk: ChunkProjection): void;
  /** Moves the band to the result. */
  close(open: OpenBand): void;
  /**
   * Moves only the given parts of the band to the result: its chunks that are placed, if the others arrive
   * later.
   */
  moveChunks(open: OpenBand, parts: readonly Pick<Band, "start" | "shape">[]): void;
}

/**
 * Puts a chunk into its band. No other code of the engine's reads decides that a missing chunk is the fill
 * value.
 */
export function placeChunk(
  assembler: Assembler,
  open: OpenBand,
  chunk: ChunkProjection,
  value: ChunkValue,
  at: ChunkLocation,
  mark: number,
): void {
  if (value) assembler.place(open, chunk, value, at, mark);
  else assembler.fill(open, chunk);
}

/** Assembles a band when all of its values have arrived. */
export function assembleBand(
  assembler: Assembler,
  kernels: Kernels,
  band: Band,
  values: readonly ChunkValue[],
  locate: (chunk: ChunkProjection) => ChunkLocation,
): void {
  assembler.within(band, (open) => {
    for (const [i, chunk] of band.chunks.entries()) {
      placeChunk(assembler, open, chunk, values[i], locate(chunk), kernels.mark());
    }
    assembler.close(open);
  });
}

/** Everything that decodes the chunks of one array, or of one shard. */
export interface ChunkDecoder {
  readonly pipeline: Pipeline;
  readonly kernels: Kernels;
  /** Fill value as one element in memory order. */
  readonly fillPattern: Uint8Array;
}

/** A band under construction. */
export interface OpenBand {
  readonly band: Band;
  /** Scratch memory for the band's elements; undefined if chunks are copied directly to the result. */
  readonly box: Uint8Array | undefined;
  readonly strides: readonly number[];
  /** Whether any chunk that is not missing was placed. */
  present: boolean;
}

/** Bytes `start` to `end` (exclusive) of a chunk's stored elements, and the selected elements in them. */
export interface Span extends StridedBox {
  readonly start: number;
  readonly end: number;
  /** Byte offset of the first selected element. */
  readonly first: number;
}

/** Computes the span of a chunk's stored elements that its selected elements cover. */
export function spanOf(
  { parts }: ChunkProjection,
  { strides }: Pick<Pipeline, "strides">,
  selection: readonly DimensionSelection[],
  itemSize: number,
): Span {
  const shape: number[] = [];
  const steps: number[] = [];
  let first = 0;
  let before = 0;
  let after = itemSize;
  for (const [d, { source, count }] of parts.entries()) {
    const stride = strides[d] ?? noItem(strides, d);
    const step = stride * (selection[d] ?? noItem(selection, d)).step;
    const reach = (count - 1) * step;
    shape.push(count);
    steps.push(step);
    first += source * stride;
    if (reach < 0) before += reach;
    else after += reach;
  }
  return { first, start: first + before, end: first + after, itemSize, shape, steps };
}
