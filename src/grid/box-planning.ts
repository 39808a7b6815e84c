/**
 * Decides how large boxes are: they grow from a chunk in steps, until they reach a length or take as many
 * bytes as they may.
 */
import { at } from "../base/at.js";
import { product } from "../base/shape.js";
import type { ChunkLengths } from "../metadata/model.js";
import type { Boxes } from "./boxes.js";
import { type ChunkRuns, endWithin } from "./chunk-grid.js";

/** How far a box grows, and in which steps. */
export interface Growth {
  /** Shape that boxes are cut at. */
  readonly shape: readonly number[];
  /** Bytes that a box takes; must be linear in its length along each dimension. */
  readonly costOf: (box: readonly number[]) => number;
  readonly bytes: number;
  /** Dimensions in the order in which the box grows along them. Default: last to first. */
  readonly order?: readonly number[] | undefined;
  /** Step along each dimension. Default: the box itself. */
  readonly unit?: readonly number[];
  /** Length to reach along each dimension. Default: `shape`. */
  readonly target?: readonly number[];
}

/** Grows a box until it is `wanted` or takes `bytes`, one dimension after the other. */
export function growBox(box: readonly number[], growth: Growth): readonly number[] {
  const { shape, bytes, order = lastToFirst(shape.length), unit = box, target = shape } = growth;
  const costOf = (lengths: readonly number[]): number => growth.costOf(clipped(lengths, shape));
  const grown = [...box];
  for (const d of order) {
    const [current, step] = [at(grown, d), at(unit, d)];
    const once = costOf(grown);
    const each = costOf(grown.map((length, i) => (i === d ? current + step : length))) - once;
    const fitting = Math.floor((bytes - once) / Math.max(1, each));
    const missing = Math.ceil((Math.min(at(target, d), at(shape, d)) - current) / step);
    grown[d] = current + Math.max(0, Math.min(fitting, missing)) * step;
  }
  return grown;
}

export function clipped(box: readonly number[], shape: readonly number[]): readonly number[] {
  return box.map((length, d) => Math.min(length, at(shape, d)));
}

export function lastToFirst(rank: number): readonly number[] {
  return Array.from({ length: rank }, (_, i) => rank - 1 - i);
}

/** Maximum bytes of a box that is copied, unless one chunk has more. */
const COPIED_BYTES = 32 << 20;

/**
 * The largest shape of boxes that are copied. Lengths are multiples of the target's chunks, so that each is
 * written once. They first grow to multiples of the source's chunks, so that few are read twice, then along
 * the last dimensions.
 */
export function boxShape(
  shape: readonly number[],
  targetChunks: readonly number[],
  sourceChunks: readonly number[],
  itemSize: number,
): readonly number[] {
  const growth = {
    shape,
    costOf: (lengths: readonly number[]) => product(lengths, Math.max(1, itemSize)),
    bytes: COPIED_BYTES,
    unit: targetChunks,
  };
  const target = targetChunks.map((length, d) => leastCommonMultiple(length, at(sourceChunks, d)));
  return growBox(growBox(targetChunks, { ...growth, target }), growth);
}

export function leastCommonMultiple(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y > 0) [x, y] = [y, x % y];
  return (a / x) * b;
}

/**
 * Boxes of whole chunks. A box has at most `most` elements along a dimension, or one chunk if that is longer.
 */
export function boxesOf(
  shape: readonly number[],
  runs: readonly ChunkRuns[],
  most: readonly number[],
): Boxes {
  return { shape, lengths: shape.map((extent, d) => lengthsAlong(at(runs, d), extent, at(most, d))) };
}

function lengthsAlong(runs: ChunkRuns, extent: number, most: number): ChunkLengths {
  const [first] = runs;
  if (first !== undefined && first.count === Number.POSITIVE_INFINITY) {
    return Math.max(1, Math.floor(most / first.length)) * first.length;
  }
  const cuts: number[] = [];
  for (let end = 0; end < extent; cuts.push(end)) end = endWithin(runs, end, most);
  return lengthsOf(cuts, extent);
}

/** Lengths between cuts, as a single number if all are equal except for a shorter last one. */
export function lengthsOf(cuts: readonly number[], extent: number): ChunkLengths {
  const runs: [length: number, count: number][] = [];
  let before = 0;
  for (const cut of cuts) {
    const run = runs.at(-1);
    if (run?.[0] === cut - before) run[1]++;
    else runs.push([cut - before, 1]);
    before = cut;
  }
  const [first = [Math.max(1, extent), 1], last] = runs;
  const isRegular = runs.length < 2 || (runs.length === 2 && last?.[1] === 1 && last[0] < first[0]);
  return isRegular ? first[0] : runs;
}
