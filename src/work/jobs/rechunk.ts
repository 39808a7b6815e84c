/**
 * Plans how to copy elements between two chunk grids in boxes that fit into memory. If boxes of whole target
 * chunks would decode source chunks many times, the plan uses an intermediate array, like rechunker (Pangeo):
 * boxes of whole source chunks are written to it, and boxes of whole target chunks are read from it. Chunks
 * of the intermediate array end wherever a box of either side ends (a rectilinear grid if needed). So no two
 * source boxes write the same intermediate chunk, and no target box reads more than it needs.
 */

import {
  type Boxes,
  boxesOf,
  type ChunkRuns,
  chunkAlong,
  chunkAt,
  growBox,
  lastToFirst,
  leastCommonMultiple,
  lengthsOf,
  longestOf,
} from "../../core/for-work.js";
import type { ChunkLengths } from "../../extend.js";
import { itemAt as at, product } from "../../extend.js";

interface RechunkingProblem {
  readonly shape: readonly number[];
  /** Chunks of the source that are decoded on their own; for shards, the inner chunks. */
  readonly source: readonly ChunkRuns[];
  /** Chunks of the target that are written as a whole; for shards, the shards. */
  readonly target: readonly ChunkRuns[];
  readonly itemSize: number;
  /** Maximum bytes of a box. */
  readonly boxBytes: number;
  /** Whether an intermediate array is possible. */
  readonly canStage: boolean;
}

interface Rechunking {
  /** Boxes of whole target chunks, one task each. */
  readonly boxes: Boxes;
  /** Bytes decoded per byte of the source, summed over all boxes that read the source. */
  readonly readFactor: number;
  readonly intermediate?: { readonly boxes: Boxes; readonly chunks: readonly ChunkLengths[] } | undefined;
}

/** Cost of an intermediate array per byte, in bytes moved: it is written once and read once. */
const INTERMEDIATE_COST = 2;

/**
 * Chooses the copy that moves the fewest bytes. Every box has at least one chunk, even if that exceeds
 * `boxBytes`.
 */
export function planRechunking(problem: RechunkingProblem): Rechunking {
  const { shape, source, target, canStage } = problem;
  const direct = directBoxes(problem);
  const readFactor = readFactorOf(direct, source);
  if (!canStage || readFactor <= 1 + INTERMEDIATE_COST) return { boxes: direct, readFactor };
  const [from, to] = [source.map(longestOf), target.map(longestOf)];
  const wide = grow(from, from, to, problem);
  const boxes = boxesOf(shape, target, grow(to, to, wide, problem));
  const reading = boxesOf(shape, source, wide);
  const staged = readFactorOf(reading, source);
  if (staged + INTERMEDIATE_COST >= readFactor) return { boxes: direct, readFactor };
  const chunks = shape.map((extent, d) =>
    union(cutsOf(at(reading.lengths, d), extent), cutsOf(at(boxes.lengths, d), extent)),
  );
  return { boxes, readFactor: staged, intermediate: { boxes: reading, chunks } };
}

/** Boxes of whole target chunks: those with the lowest read factor of all tried orders of growth. */
function directBoxes(problem: RechunkingProblem): Boxes {
  const { shape, source, target } = problem;
  const unit = target.map(longestOf);
  const units = source.map(longestOf);
  const aligned = unit.map((length, d) => leastCommonMultiple(length, at(units, d)));
  let best: { readonly boxes: Boxes; readonly factor: number } | undefined;
  for (const order of orders(shape.length)) {
    const first = grow(unit, unit, aligned, problem, order);
    const boxes = boxesOf(shape, target, grow(unit, first, shape, problem));
    const factor = readFactorOf(boxes, source);
    if (best === undefined || factor < best.factor) best = { boxes, factor };
    if (factor <= 1) break;
  }
  return best?.boxes ?? { shape, lengths: [] };
}

/**
 * Orders of dimensions to grow boxes in: all permutations up to four dimensions, otherwise last to first and
 * first to last.
 */
function orders(rank: number): readonly (readonly number[])[] {
  const last = lastToFirst(rank);
  if (rank > 4) return [last, [...last].reverse()];
  const permutations = (rest: readonly number[]): number[][] =>
    rest.length === 0
      ? [[]]
      : rest.flatMap((d) => permutations(rest.filter((other) => other !== d)).map((more) => [d, ...more]));
  return permutations(last);
}

/** Grows a box to the `wanted` shape in multiples of `unit` within `boxBytes`. */
function grow(
  unit: readonly number[],
  box: readonly number[],
  target: readonly number[],
  { shape, itemSize, boxBytes }: RechunkingProblem,
  order?: readonly number[],
): readonly number[] {
  const costOf = (lengths: readonly number[]): number => product(lengths, itemSize);
  return growBox(box, { unit, target, shape, order, costOf, bytes: boxBytes });
}

/** End index of each box along a dimension; the last box ends at `extent`. */
function cutsOf(lengths: ChunkLengths, extent: number): readonly number[] {
  const cuts: number[] = [];
  const add = (length: number, count: number): void => {
    for (let i = 0, at = cuts.at(-1) ?? 0; i < count && at < extent; i++)
      cuts.push((at = Math.min(at + length, extent)));
  };
  if (typeof lengths === "number") add(lengths, Number.POSITIVE_INFINITY);
  else for (const item of lengths) typeof item === "number" ? add(item, 1) : add(...item);
  return cuts;
}

function union(a: readonly number[], b: readonly number[]): ChunkLengths {
  const cuts = [...new Set([...a, ...b])].sort((x, y) => x - y);
  return lengthsOf(cuts, cuts.at(-1) ?? 0);
}

/** Elements that the boxes decode per element of the array. */
function readFactorOf({ shape, lengths }: Boxes, source: readonly ChunkRuns[]): number {
  return shape.reduce((factor, extent, d) => {
    const runs = at(source, d);
    let decoded = 0;
    let start = 0;
    for (const cut of cutsOf(at(lengths, d), extent)) {
      const last = chunkAlong(runs, chunkAt(runs, cut - 1));
      decoded += last.start + last.length - chunkAlong(runs, chunkAt(runs, start)).start;
      start = cut;
    }
    // The part of the last chunk beyond the array's end is decoded in every plan, so it does not count as
    // repeated.
    const once = extent === 0 ? 0 : endOfLast(runs, extent);
    return once === 0 ? factor : (factor * decoded) / once;
  }, 1);
}

function endOfLast(runs: ChunkRuns, extent: number): number {
  const last = chunkAlong(runs, chunkAt(runs, extent - 1));
  return last.start + last.length;
}
