/**
 * How the elements of an array get from one grid of chunks into another in boxes that fit into memory, and how much is read for it. Where the
 * boxes that write whole chunks of the target would read chunks of the source again and again, an intermediate array stands between: boxes of
 * whole source chunks are written to it, and boxes of whole target chunks read from it, as the algorithm of rechunker (Pangeo) does. Chunks
 * of the intermediate array end wherever a box of either side does (a rectilinear grid, where they must), so that no two boxes of the
 * first side write one chunk, and none of the second reads more than it needs.
 */
import { leastCommonMultiple } from "../array/chunk-walk.js";
import { type ChunkRuns, chunkAlong, chunkAt } from "../grid/chunk-grid.js";
import type { ChunkLengths } from "../metadata/model.js";
import { product } from "../shape.js";
import { type Boxes, boxesOf, lastToFirst, lengthsOf, longestOf } from "./boxes.js";

interface RechunkingProblem {
  readonly shape: readonly number[];
  /** Chunks of the source that are decoded one by one: inner chunks of shards. */
  readonly source: readonly ChunkRuns[];
  /** Chunks of the target that are written as a whole: shards. */
  readonly target: readonly ChunkRuns[];
  readonly itemSize: number;
  /** Bytes that a box may have. */
  readonly boxBytes: number;
  /** Whether there may be an intermediate array. */
  readonly canStage: boolean;
}

interface Rechunking {
  /** Boxes of whole chunks of the target: each is written by one task. */
  readonly boxes: Boxes;
  /** Bytes that are decoded for each byte of the source, by all boxes that read from it. */
  readonly readFactor: number;
  readonly intermediate?: { readonly boxes: Boxes; readonly chunks: readonly ChunkLengths[] } | undefined;
}

/** What an intermediate array costs for each byte, beyond one reading of the source: it is written, and read again. */
const INTERMEDIATE_COST = 2;

/** The way that moves the fewest bytes. Every box has at least one chunk, whatever `boxBytes` says. */
export function planRechunking(problem: RechunkingProblem): Rechunking {
  const { shape, source, target, canStage } = problem;
  const direct = directBoxes(problem);
  const readFactor = readFactorOf(direct, source);
  if (!canStage || readFactor <= 1 + INTERMEDIATE_COST) return { boxes: direct, readFactor };
  const [from, to] = [source, target].map(longestOf);
  const wide = grow(from ?? [], from ?? [], to ?? [], problem);
  const boxes = boxesOf(shape, target, grow(to ?? [], to ?? [], wide, problem));
  const reading = boxesOf(shape, source, wide);
  const staged = readFactorOf(reading, source);
  if (staged + INTERMEDIATE_COST >= readFactor) return { boxes: direct, readFactor };
  const chunks = shape.map((extent, d) =>
    union(cutsOf(reading.lengths[d] ?? extent, extent), cutsOf(boxes.lengths[d] ?? extent, extent)),
  );
  return { boxes, readFactor: staged, intermediate: { boxes: reading, chunks } };
}

/** Boxes of whole target chunks that decode as little of the source as any that were tried. */
function directBoxes(problem: RechunkingProblem): Boxes {
  const { shape, source, target } = problem;
  const unit = longestOf(target);
  const units = longestOf(source);
  const aligned = unit.map((length, d) => leastCommonMultiple(length, units[d] ?? 1));
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

/** Dimensions in the orders in which boxes are tried to grow: all, up to four dimensions; last to first, and first to last beyond. */
function orders(rank: number): readonly (readonly number[])[] {
  const last = lastToFirst(rank);
  if (rank > 4) return [last, [...last].reverse()];
  const permutations = (rest: readonly number[]): number[][] =>
    rest.length === 0
      ? [[]]
      : rest.flatMap((d) => permutations(rest.filter((other) => other !== d)).map((more) => [d, ...more]));
  return permutations(last);
}

/** Lengthens a box, one dimension after the other, by multiples of `unit` to what is wanted, as far as its bytes allow. */
function grow(
  unit: readonly number[],
  box: readonly number[],
  wanted: readonly number[],
  { shape, itemSize, boxBytes }: RechunkingProblem,
  order: readonly number[] = lastToFirst(shape.length),
): readonly number[] {
  const grown = [...box];
  for (const d of order) {
    const length = unit[d] ?? 1;
    const others = product(
      grown.map((each, i) => (i === d ? 1 : Math.min(each, shape[i] ?? 1))),
      itemSize,
    );
    const fitting = Math.floor(boxBytes / Math.max(1, others * length)) * length;
    const whole = Math.ceil(Math.min(wanted[d] ?? 1, shape[d] ?? 1) / length) * length;
    grown[d] = Math.max(grown[d] ?? 1, Math.min(whole, fitting));
  }
  return grown;
}

/** Where boxes end, the last one at the end of the array. */
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

/** Elements that are decoded for each element of the array. */
function readFactorOf({ shape, lengths }: Boxes, source: readonly ChunkRuns[]): number {
  return shape.reduce((factor, extent, d) => {
    const runs = source[d] ?? [];
    let decoded = 0;
    let start = 0;
    for (const cut of cutsOf(lengths[d] ?? extent, extent)) {
      const last = chunkAlong(runs, chunkAt(runs, cut - 1));
      decoded += last.start + last.length - chunkAlong(runs, chunkAt(runs, start)).start;
      start = cut;
    }
    // What the last chunk has beyond the array's end is decoded by any way.
    const once = extent === 0 ? 0 : endOfLast(runs, extent);
    return once === 0 ? factor : (factor * decoded) / once;
  }, 1);
}

function endOfLast(runs: ChunkRuns, extent: number): number {
  const last = chunkAlong(runs, chunkAt(runs, extent - 1));
  return last.start + last.length;
}
