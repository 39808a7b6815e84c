/**
 * A read or write cut into bands. A band is a box of the result that is put together in scratch memory and then moved
 * to (or from) the result in few long runs: a JavaScript `set(subarray)` costs about 47 ns however short the run,
 * a row of a WASM copy 2 to 7 ns, so chunk rows are joined side by side in scratch first.
 *
 * Bands run over the trailing dimensions: all chunks in dimensions after `pivot`, a group of consecutive chunks in `pivot`,
 * one chunk in each dimension before it.
 */
import { NOMINAL_ITEM_SIZE } from "../codecs/array-stage.js";
import { type DimensionPlan, type DimensionProjection, listed, planDimension } from "../grid/projection.js";
import type { DimensionSelection } from "../grid/selection.js";
import { product } from "../shape.js";
import type { Placement } from "./placement.js";

/** Where one chunk meets the selection: one projection a dimension, dropped dimensions included. */
export interface ChunkProjection {
  readonly chunk: readonly number[];
  readonly parts: readonly DimensionProjection[];
  /** Whether every element of the chunk is selected, those behind the array's edge included: nothing of it stays when it is written. */
  readonly whole: boolean;
  /** Which elements of that box are selected, where it is not all of them, and in which order. */
  readonly chosen?: Chosen | undefined;
}

/** Elements of one chunk, in any order, and what becomes of them: two placements of as many elements each, in the same order. */
export interface Chosen {
  readonly count: number;
  /** @param strides of the chunk, in elements */
  inChunk(strides: readonly number[]): Placement;
  /** In the result, or in what is to be written. @param place of that, in elements */
  inResult(place: Pick<Placement, "offset" | "strides">): Placement;
  /** The same elements by inner chunk, where the chunk is a shard. */
  readonly plan: Planner;
}

export interface Band {
  /** The box of the result, by dimension of the array. */
  readonly start: readonly number[];
  readonly shape: readonly number[];
  readonly chunks: readonly ChunkProjection[];
}

/** Result bytes of a band: it should stay in the second-level cache beside a chunk. */
export const BAND_BYTES = 4 << 20;
/** Of a band whose rows would be shorter than `SHORT_ROW_BYTES` otherwise: it is moved row by row. */
const WIDE_BAND_BYTES = 16 << 20;
const SHORT_ROW_BYTES = 512;
/** Chunk bytes held while a band's chunks arrive from a slow store. */
const BAND_INPUT_BYTES = 32 << 20;
/** Chunks of a band: each is an object of some 200 bytes while the band is read. */
const MOST_CHUNKS = 8192;

export interface BandPlan {
  readonly chunkCount: number;
  readonly chunksPerBand: number;
  readonly bandCount: number;
  /** The band at this index. */
  band(index: number): Band;
}

/** What `planBands` does. */
export type Planner = (
  selection: readonly DimensionSelection[],
  chunkShape: readonly number[],
  elementSize: number,
) => BandPlan;

/** A selection cut at the edges of chunks, by dimension. */
type Projections = readonly (readonly DimensionProjection[])[];

/** @param projections of the selection, where chunks are of `chunkShape` at most */
export function planBands(
  selection: readonly DimensionSelection[],
  chunkShape: readonly number[],
  elementSize: number,
  projections?: Projections,
): BandPlan {
  const itemSize = elementSize === 0 ? NOMINAL_ITEM_SIZE : elementSize;
  const dimensions =
    projections?.map(listed) ?? selection.map((one, d) => planDimension(one, chunkShape[d] ?? 1));
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
    let chunkCount = 1;
    let span = bandCount;
    for (const [d, dimension] of dimensions.entries()) {
      const count = bandCounts[d] ?? 1;
      const step = steps[d] ?? 1;
      span /= count;
      const begin = (Math.floor(index / span) % count) * step;
      const parts = Array.from({ length: Math.min(step, (lengths[d] ?? 0) - begin) }, (_, i) =>
        dimension.at(begin + i),
      );
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

export function* eachBand({ bandCount, band }: BandPlan): Generator<Band> {
  for (let i = 0; i < bandCount; i++) yield band(i);
}

export function* eachChunk(plan: BandPlan): Generator<ChunkProjection> {
  for (const { chunks } of eachBand(plan)) yield* chunks;
}

/**
 * What is selected of a shard, cut at the edges of inner chunks.
 * @param selected of the whole array, of which only the steps count
 */
export function planShard(
  { parts, chosen }: ChunkProjection,
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
  return { selection, plan: (chosen?.plan ?? planBands)(selection, innerShape, elementSize) };
}

/** Every combination of one projection a dimension, the last dimension fastest. By counting: nested lists take several times as long. */
function combine(lists: readonly (readonly DimensionProjection[])[], count: number): ChunkProjection[] {
  const chunks: ChunkProjection[] = [];
  for (let i = 0; i < count; i++) {
    const chunk: number[] = [];
    const parts: DimensionProjection[] = [];
    let whole = true;
    let span = count;
    for (const list of lists) {
      span /= list.length;
      const part = list[Math.floor(i / span) % list.length];
      if (part === undefined) continue;
      chunk.push(part.chunk);
      parts.push(part);
      whole &&= part.whole;
    }
    chunks.push({ chunk, parts, whole });
  }
  return chunks;
}

/** The largest band within both bounds, and at least one chunk. `pivot` -1: everything is one band. */
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
    const length = dimensions[d]?.length ?? 0;
    const count = selection[d]?.count ?? 0;
    const perChunk = Math.max(1, widest[d] ?? 0);
    const rows = product(widest.slice(0, d), SHORT_ROW_BYTES);
    const most = Math.max(BAND_BYTES, Math.min(WIDE_BAND_BYTES, rows));
    const fits = Math.floor(Math.min(most / bytes, BAND_INPUT_BYTES / inputBytes, MOST_CHUNKS / chunks));
    if (length > fits) return { pivot: d, group: Math.max(1, fits) };
    bytes = (bytes / perChunk) * Math.max(1, count);
    inputBytes *= length;
    chunks *= length;
  }
  return { pivot: -1, group: 1 };
}
