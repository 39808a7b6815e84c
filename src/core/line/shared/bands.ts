/**
 * Cuts a read or write into bands. A band is a box of the result that is put together in scratch memory and
 * then moved to (or from) the result in few long runs. A JavaScript `set(subarray)` costs about 47 ns however
 * short the run is, and a row of a WASM copy costs 2 to 7 ns. So scratch memory joins rows of neighbouring
 * chunks first.
 *
 * Bands run over the trailing dimensions: all chunks in dimensions after `pivot`, a group of consecutive
 * chunks in `pivot`, one chunk in each dimension before it.
 */
import { at, noItem, numberAt } from "../../../base/at.js";
import { product } from "../../../base/shape.js";
import {
  type DimensionPlan,
  type DimensionProjection,
  listed,
  planDimension,
} from "../../../grid/projection.js";
import type { DimensionSelection } from "../../../grid/selection.js";
import { advance, coordinatesAt } from "../../../grid/walk.js";
import { NOMINAL_ITEM_SIZE } from "../../codecs/array-stage.js";
import type { Placement } from "../placement.js";

/** The selected part of one chunk: one projection for each dimension, dropped dimensions included. */
export interface ChunkProjection {
  readonly chunk: readonly number[];
  readonly parts: readonly DimensionProjection[];
  /**
   * Whether every element of the chunk is selected, padding beyond the array's edge included: a write then
   * keeps nothing of the old chunk.
   */
  readonly whole: boolean;
  /** The selected elements of that box and their order; undefined if all of the box is selected. */
  readonly picked?: Picked | undefined;
}

/** Elements of one chunk in any order. Both placements have `count` elements, in the same order. */
export interface Picked {
  readonly count: number;
  /** @param strides of the chunk, in elements */
  inChunk(strides: readonly number[]): Placement;
  /** Places in the result, or in the source of a write. @param place its offset and strides, in elements */
  inResult(place: Pick<Placement, "offset" | "strides">): Placement;
  /** Plans the same elements by inner chunk, if the chunk is a shard. */
  readonly plan: Planner;
}

export interface Band {
  /** First index and shape of the box in the result, by dimension of the array. */
  readonly start: readonly number[];
  readonly shape: readonly number[];
  readonly chunks: readonly ChunkProjection[];
}

/** Result bytes of a band. A band and a chunk should fit into the second-level cache together. */
export const BAND_BYTES = 4 << 20;
/** Result bytes of a band whose rows would be shorter than `NARROW_ROW_BYTES`: it is moved row by row. */
const WIDE_BAND_BYTES = 16 << 20;
const NARROW_ROW_BYTES = 512;
/**
 * Decoded bytes of a band's chunks. It bounds the chunks that are held while a slow store sends the others.
 */
const BAND_INPUT_BYTES = 32 << 20;
/**
 * Most chunks of a band: each is an object of some 200 bytes while the band is read, and a band is encoded
 * without a turn of the event loop.
 */
const MOST_CHUNKS = 1024;

export interface BandPlan {
  readonly chunkCount: number;
  readonly chunksPerBand: number;
  readonly bandCount: number;
  /** The band at this index. */
  band(index: number): Band;
}

/** The type of `planBands`. */
export type Planner = (
  selection: readonly DimensionSelection[],
  chunkShape: readonly number[],
  elementSize: number,
) => BandPlan;

/** A selection cut at chunk boundaries, by dimension. */
type Projections = readonly (readonly DimensionProjection[])[];

/**
 * @param projections of the selection for a grid whose chunks differ in shape; `chunkShape` is then the
 * largest shape
 */
export function planBands(
  selection: readonly DimensionSelection[],
  chunkShape: readonly number[],
  elementSize: number,
  projections?: Projections,
): BandPlan {
  const itemSize = elementSize === 0 ? NOMINAL_ITEM_SIZE : elementSize;
  const dimensions =
    projections?.map(listed) ?? selection.map((one, d) => planDimension(one, numberAt(chunkShape, d)));
  if (dimensions.every(isOneChunk)) return planOneChunk(dimensions);
  const isEmpty = selection.some(({ count }) => count === 0);
  const lengths = dimensions.map(({ length }) => (isEmpty ? 0 : length));
  const chunkBytes = product(chunkShape, itemSize);
  const { pivot, group } = choosePivot(dimensions, selection, itemSize, chunkBytes);
  const steps = lengths.map((length, d) => (d > pivot ? length : d === pivot ? group : 1));
  const bandCounts = lengths.map((length, d) => Math.ceil(length / (steps[d] || 1)));
  const bandCount = product(bandCounts);

  function band(index: number): Band {
    const start: number[] = [];
    const bandShape: number[] = [];
    const within: DimensionProjection[][] = [];
    const place = coordinatesAt(bandCounts, index);
    let chunkCount = 1;
    for (const [d, dimension] of dimensions.entries()) {
      const step = numberAt(steps, d);
      const begin = numberAt(place, d) * step;
      const end = Math.min(begin + step, numberAt(lengths, d));
      const parts: DimensionProjection[] = [];
      for (let i = begin; i < end; i++) parts.push(dimension.at(i));
      const first = parts[0]?.target ?? 0;
      const last = parts.at(-1);
      start.push(first);
      bandShape.push(last === undefined ? 0 : last.target + last.count - first);
      within.push(parts);
      chunkCount *= parts.length;
    }
    return { start, shape: bandShape, chunks: combine(within, chunkCount) };
  }

  return {
    chunkCount: product(lengths),
    chunksPerBand: product(steps),
    bandCount,
    band,
  };
}

function isOneChunk({ length }: DimensionPlan): boolean {
  return length === 1;
}

/** For reads of single elements and small boxes: choosing a band would be most of their work. */
function planOneChunk(dimensions: readonly DimensionPlan[]): BandPlan {
  const parts = dimensions.map((dimension) => [dimension.at(0)]);
  const band = bandOf(combine(parts, 1));
  return { chunkCount: 1, chunksPerBand: 1, bandCount: 1, band: () => band };
}

/** The box of the result that a chunk covers. */
export function chunkBox(chunk: ChunkProjection): Pick<Band, "start" | "shape"> {
  return { start: chunk.parts.map(({ target }) => target), shape: chunk.parts.map(({ count }) => count) };
}

/** A band of one chunk. */
export function chunkBand(chunk: ChunkProjection): Band {
  return bandOf([chunk]);
}

/** The band of chunks that together are a box, in C order. */
function bandOf(chunks: readonly ChunkProjection[]): Band {
  const [first, last] = [at(chunks, 0), at(chunks, chunks.length - 1)];
  const start = first.parts.map(({ target }) => target);
  const shape = last.parts.map(({ target, count }, d) => target + count - numberAt(start, d));
  return { start, shape, chunks };
}

export function* eachBand({ bandCount, band }: BandPlan): Generator<Band> {
  for (let i = 0; i < bandCount; i++) yield band(i);
}

export function* eachChunk(plan: BandPlan): Generator<ChunkProjection> {
  for (const { chunks } of eachBand(plan)) yield* chunks;
}

/**
 * Cuts the selected part of a shard at the boundaries of inner chunks.
 * @param selected the selection of the whole array; only its steps are used
 */
export function planShard(
  { parts, picked }: ChunkProjection,
  selected: readonly Pick<DimensionSelection, "step">[],
  innerShape: readonly number[],
  elementSize: number,
): { readonly selection: readonly DimensionSelection[]; readonly plan: BandPlan } {
  const selection = parts.map(({ source, count }, d) => ({
    start: source,
    step: selected[d]?.step ?? 1,
    count,
    drop: false,
  }));
  return { selection, plan: (picked?.plan ?? planBands)(selection, innerShape, elementSize) };
}

/** Combines one projection of each dimension, the last dimension fastest. */
function combine(lists: readonly (readonly DimensionProjection[])[], count: number): ChunkProjection[] {
  const chunks: ChunkProjection[] = [];
  const lengths = lists.map(({ length }) => length);
  const place = lists.map(() => 0);
  for (let i = 0; i < count; i++) {
    const chunk: number[] = [];
    const parts: DimensionProjection[] = [];
    let whole = true;
    for (let d = 0; d < lists.length; d++) {
      const part = lists[d]?.[numberAt(place, d)] ?? noItem(lists, d);
      chunk.push(part.chunk);
      parts.push(part);
      whole &&= part.whole;
    }
    chunks.push({ chunk, parts, whole });
    advance(place, lengths);
  }
  return chunks;
}

/**
 * Chooses the largest band within the limits, of at least one chunk. A `pivot` of -1 makes everything one
 * band.
 */
function choosePivot(
  dimensions: readonly DimensionPlan[],
  selection: readonly DimensionSelection[],
  itemSize: number,
  chunkBytes: number,
): { pivot: number; group: number } {
  const widest = dimensions.map((dimension) => dimension.widest);
  let bytes = product(widest, itemSize);
  let inputBytes = chunkBytes;
  let chunks = 1;
  for (let d = dimensions.length - 1; d >= 0; d--) {
    const { length } = dimensions[d] ?? noItem(dimensions, d);
    const { count } = selection[d] ?? noItem(selection, d);
    const perChunk = Math.max(1, numberAt(widest, d));
    const rows = product(widest.slice(0, d), NARROW_ROW_BYTES);
    const most = Math.max(BAND_BYTES, Math.min(WIDE_BAND_BYTES, rows));
    const fits = Math.floor(Math.min(most / bytes, BAND_INPUT_BYTES / inputBytes, MOST_CHUNKS / chunks));
    if (length > fits) return { pivot: d, group: Math.max(1, fits) };
    bytes = (bytes / perChunk) * Math.max(1, count);
    inputBytes *= length;
    chunks *= length;
  }
  return { pivot: -1, group: 1 };
}
