/**
 * A read or write cut into bands. A band is a box of the result that is put together in scratch memory and then moved
 * to (or from) the result in few long runs: a JavaScript `set(subarray)` costs about 47 ns however short the run,
 * a row of a WASM copy 2 to 7 ns, so chunk rows are joined side by side in scratch first.
 *
 * Bands run over the trailing dimensions: all chunks in dimensions after `pivot`, a group of consecutive chunks in `pivot`,
 * one chunk in each dimension before it.
 */
import { NOMINAL_ITEM_SIZE } from "../codecs/array-stage.js";
import { type DimensionProjection, projectDimension } from "../indexing/projection.js";
import type { DimensionSelection } from "../indexing/selection.js";

/** Where one chunk meets the selection: one projection a dimension, dropped dimensions included. */
export interface ChunkProjection {
  readonly chunk: readonly number[];
  readonly parts: readonly DimensionProjection[];
  /** Whether every element of the chunk that lies in the array is selected. */
  readonly whole: boolean;
}

export interface Band {
  /** The box of the result, by dimension of the array. */
  readonly start: readonly number[];
  readonly shape: readonly number[];
  readonly chunks: readonly ChunkProjection[];
}

/** Result bytes of a band: it should stay in the second-level cache beside a chunk. */
const BAND_BYTES = 4 << 20;
/** Chunk bytes held while a band's chunks arrive from a slow store. */
const BAND_INPUT_BYTES = 32 << 20;

export interface BandPlan {
  readonly chunkCount: number;
  readonly chunksPerBand: number;
  bands(): Generator<Band>;
}

/** A selection cut at the edges of chunks, by dimension. */
export type Projections = readonly (readonly DimensionProjection[])[];

/** @param projections of the selection, where chunks are of `chunkShape` at most */
export function planBands(
  selection: readonly DimensionSelection[],
  shape: readonly number[],
  chunkShape: readonly number[],
  elementSize: number,
  projections?: Projections,
): BandPlan {
  const itemSize = elementSize === 0 ? NOMINAL_ITEM_SIZE : elementSize;
  const rank = shape.length;
  // An array without elements may be longer in some dimension than any list.
  const isEmpty = selection.some(({ count }) => count === 0);
  const lists =
    projections ??
    selection.map((dimension, d) =>
      isEmpty ? [] : projectDimension(dimension, chunkShape[d] ?? 1, shape[d] ?? 0),
    );
  const chunkBytes = chunkShape.reduce((product, length) => product * length, itemSize);
  const { pivot, group } = choosePivot(lists, selection, itemSize, chunkBytes);

  function makeBand(begin: readonly number[], end: readonly number[]): Band {
    const start = new Array<number>(rank);
    const bandShape = new Array<number>(rank);
    let chunks: { chunk: number[]; parts: DimensionProjection[]; whole: boolean }[] = [
      { chunk: [], parts: [], whole: true },
    ];
    for (let d = 0; d < rank; d++) {
      const parts = lists[d]?.slice(begin[d], end[d]) ?? [];
      const first = parts[0]?.target ?? 0;
      const last = parts[parts.length - 1];
      start[d] = first;
      bandShape[d] = last === undefined ? 0 : last.target + last.count - first;
      chunks = chunks.flatMap(({ chunk, parts: before, whole }) =>
        parts.map((part) => ({
          chunk: [...chunk, part.chunk],
          parts: [...before, part],
          whole: whole && part.whole,
        })),
      );
    }
    return { start, shape: bandShape, chunks };
  }

  return {
    chunkCount: lists.reduce((product, list) => product * list.length, 1),
    chunksPerBand: lists.reduce((product, list, d) => (d > pivot ? product * list.length : product), group),
    *bands(): Generator<Band> {
      if (lists.some((list) => list.length === 0)) return;
      const begin = new Array<number>(rank).fill(0);
      const step = (d: number): number => (d > pivot ? (lists[d]?.length ?? 0) : d === pivot ? group : 1);
      for (;;) {
        yield makeBand(
          begin,
          begin.map((at, d) => Math.min(at + step(d), lists[d]?.length ?? 0)),
        );
        let d = Math.min(pivot, rank - 1);
        for (; d >= 0; d--) {
          const next = (begin[d] ?? 0) + step(d);
          if (next < (lists[d]?.length ?? 0)) {
            begin[d] = next;
            break;
          }
          begin[d] = 0;
        }
        if (d < 0) return;
      }
    },
  };
}

/** The largest band within both bounds, and at least one chunk. `pivot` -1: everything is one band. */
function choosePivot(
  lists: Projections,
  selection: readonly DimensionSelection[],
  itemSize: number,
  chunkBytes: number,
): { pivot: number; group: number } {
  // Greatest number of selected elements that one chunk has along each dimension.
  const widest = lists.map((list) => list.reduce((most, { count }) => Math.max(most, count), 0));
  let bytes = widest.reduce((product, count) => product * count, itemSize);
  let inputBytes = chunkBytes;
  for (let d = lists.length - 1; d >= 0; d--) {
    const length = lists[d]?.length ?? 0;
    const count = selection[d]?.count ?? 0;
    const perChunk = Math.max(1, widest[d] ?? 0);
    const fits = Math.floor(Math.min(BAND_BYTES / bytes, BAND_INPUT_BYTES / inputBytes));
    if (length > fits) return { pivot: d, group: Math.max(1, fits) };
    bytes = (bytes / perChunk) * Math.max(1, count);
    inputBytes *= length;
  }
  return { pivot: -1, group: 1 };
}
