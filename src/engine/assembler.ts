/** What puts decoded chunks together into a result, and where the elements of a chunk stand in it. band-assembler.ts does so with bytes. */

import type { RangeSource, StridedBox } from "../codecs/codec.js";
import type { ChunkLocation, Pipeline } from "../codecs/pipeline.js";
import type { DimensionSelection } from "../grid/selection.js";
import type { CopyPlan, Kernels } from "../kernels/kernels.js";
import type { Band, ChunkProjection } from "./bands.js";

/** Bytes of a chunk as the store has them (decoded as far as that is asynchronous); undefined: absent. */
export type ChunkValue = Uint8Array | undefined;

/** Where elements go: any box of a C-order result. */
export interface ResultWindow {
  readonly bytes: Uint8Array;
  /** Byte offset of the window's first element. */
  readonly offset: number;
  /** Bytes from one element to the next, by dimension of the array. */
  readonly strides: readonly number[];
  /** Whether the window is all zeros to begin with. */
  readonly fresh: boolean;
  /** What puts chunks together that are no bytes of fixed size; offset and strides count elements, then. */
  readonly assembler?: AssemblerFactory;
  /** Copies rows to the window, where it is not `copyRows` itself: `knownRows` of rows.ts. */
  readonly copy?: CopyRows | undefined;
  /** Scratch memory for a chunk's encoded bytes, where it is not `allocate` of the kernels. */
  readonly allocate?: Kernels["allocate"] | undefined;
  /** What reads a few elements of chunks by their ranges; undefined where chunks are better read whole. */
  readonly few?: FewReader | undefined;
}

/** Runs a plan between any two arrays. */
type CopyRows = (
  plan: CopyPlan,
  target: Uint8Array,
  targetOffset: number,
  source: Uint8Array,
  sourceOffset: number,
) => void;

type FewReader = (
  pipeline: Pipeline,
  selection: readonly DimensionSelection[],
  chunkCount: number,
) => ReadFew | undefined;

/** Reads what is selected of one chunk. @param source undefined: there is no such chunk */
export type ReadFew = (
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

/** Puts the chunks of one band after the other together. */
export interface Assembler {
  /** Begins a band: makes room in the arena and drops whatever was there. */
  open(band: Band): OpenBand;
  /**
   * Decodes a chunk of the band and copies what is selected of it; an absent chunk is the fill value.
   * @param mark of the arena before there was `value`: released when that is no longer needed
   */
  place(open: OpenBand, chunk: ChunkProjection, value: ChunkValue, at: ChunkLocation, mark?: number): void;
  /** Moves the band to the result. */
  close(open: OpenBand): void;
  /** Moves parts of the band to the result: those chunks that are placed, when the others come later. */
  moveChunks(open: OpenBand, parts: readonly Pick<Band, "start" | "shape">[]): void;
}

/** Puts a band together whose values are all there. */
export function assembleBand(
  assembler: Assembler,
  band: Band,
  values: readonly ChunkValue[],
  locate: (chunk: ChunkProjection) => ChunkLocation,
): void {
  const open = assembler.open(band);
  band.chunks.forEach((chunk, i) => {
    assembler.place(open, chunk, values[i], locate(chunk));
  });
  assembler.close(open);
}

/** What decodes the chunks of one array, or of one shard. */
export interface ChunkDecoder {
  readonly pipeline: Pipeline;
  readonly kernels: Kernels;
  /** Fill value as one element in memory order. */
  readonly fillPattern: Uint8Array;
}

/** A band under construction. */
export interface OpenBand {
  readonly band: Band;
  /** Scratch for the band's elements; undefined when chunks go straight to the result. */
  readonly box: Uint8Array | undefined;
  readonly strides: readonly number[];
  /** Whether any chunk but absent ones was placed. */
  present: boolean;
}

/** Bytes `start` to `end` (exclusive) of a chunk's stored elements, and what of them is selected. */
export interface Span extends StridedBox {
  readonly start: number;
  readonly end: number;
  /** Where the first selected element is. */
  readonly first: number;
}

/**
 * Which bytes of a chunk's stored elements what is selected of it spans, and where the first selected element is.
 */
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
    const stride = strides[d] ?? 0;
    const step = stride * (selection[d]?.step ?? 0);
    const reach = (count - 1) * step;
    shape.push(count);
    steps.push(step);
    first += source * stride;
    if (reach < 0) before += reach;
    else after += reach;
  }
  return { first, start: first + before, end: first + after, itemSize, shape, steps };
}

export function offsetOf(start: readonly number[], strides: readonly number[]): number {
  let offset = 0;
  for (let d = 0; d < start.length; d++) offset += (start[d] ?? 0) * (strides[d] ?? 0);
  return offset;
}

/** The box of the result that a chunk fills. */
export function chunkBox(chunk: ChunkProjection): Pick<Band, "start" | "shape"> {
  return { start: chunk.parts.map(({ target }) => target), shape: chunk.parts.map(({ count }) => count) };
}

/** A band of one chunk. */
export function chunkBand(chunk: ChunkProjection): Band {
  return { ...chunkBox(chunk), chunks: [chunk] };
}
