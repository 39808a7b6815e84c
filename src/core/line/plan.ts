/** Selection -> plan: which chunks are met, which are requested together, and which are placed together. */
import { noItem, numberAt } from "../../base/at.js";
import { product } from "../../base/shape.js";
import { type DimensionPlan, type DimensionProjection, planDimension } from "../../grid/projection.js";
import type { DimensionSelection } from "../../grid/selection.js";
import { advance } from "../../grid/walk.js";
import { NOMINAL_ITEM_SIZE } from "../codecs/array-stage.js";
import type { Batch, Block, Coordinates, CoreArray, Piece, ReadPlan } from "./ports.js";
import { HELD_FOR_READ, HELD_FOR_SHARDS } from "./shared/held-bytes.js";

/** Limits of a box of chunks: elements in the result, decoded chunks, and their number. */
interface Limits {
  readonly bytes: number;
  readonly decoded: number;
  readonly chunks: number;
}

/**
 * A block and a chunk should fit into the second-level cache together. The event loop gets a turn between
 * two blocks.
 */
const BLOCK: Limits = { bytes: 4 << 20, decoded: 4 << 20, chunks: 1024 };
/** Bytes of a block whose rows would otherwise be shorter than `NARROW_ROW`: it is moved row by row. */
const WIDE_BLOCK = 16 << 20;
const NARROW_ROW = 512;
/** What is requested together of a shard whose parts are far: several requests hide the latency of one. */
const PART = 4 << 20;
/** A shard, or what is selected of it, that is requested at once. */
export const LARGEST_WHOLE = 8 << 20;
const MOST_OF_SHARD = 4096;

/** A selection, cut at the boundaries of chunks along each dimension. */
export type Cut = readonly DimensionPlan[];

/** Cuts a selection at the boundaries of chunks of one shape. */
export function cutSelection(dimensions: readonly DimensionSelection[], chunkShape: readonly number[]): Cut {
  const cut: DimensionPlan[] = [];
  for (const [d, one] of dimensions.entries()) cut.push(planDimension(one, numberAt(chunkShape, d)));
  return cut;
}

/** A box of chunks: from `start` to before `end` of the projections along each dimension. */
interface Box {
  readonly start: readonly number[];
  readonly end: readonly number[];
}

/**
 * @param itemSize bytes of an element of the result; 0 where that varies
 * @param partBytes the longest request of a part of a shard, if the caller wants longer ones
 */
export function planRead(
  { source, pipeline, stored }: CoreArray,
  cut: Cut,
  itemSize: number,
  partBytes = PART,
): ReadPlan {
  const requestBytes = pipeline.byteLength;
  const start: number[] = [];
  const lengths: number[] = [];
  let count = 1;
  for (const { length } of cut) {
    start.push(0);
    lengths.push(length);
    count *= length;
  }
  const whole: Box = { start, end: lengths };
  // A box of one chunk: to choose one would be most of the work of a small read.
  const single = count === 1 ? [onlyBlock(blockOf(cut, whole))] : [];
  if (count <= 1) return { chunks: count, requests: 1, requestBytes, held: HELD_FOR_READ, batches: single };
  const chunkBytes = Math.max(1, requestBytes);
  const stepsIn: StepsIn = (limits, within) =>
    stepsOf(limits, within, cut, chunkBytes, itemSize || NOMINAL_ITEM_SIZE);
  const isInShards = stored.some((length) => length > 1);
  const isInParts = source.rangeSupport === "read";
  if (isInShards && (source.isFar() || !isInParts)) {
    const most = isInParts ? Math.max(PART, partBytes) : Number.POSITIVE_INFINITY;
    return planShards(cut, whole, stored, chunkBytes, most, stepsIn);
  }
  const steps = stepsIn(BLOCK, lengths);
  const batches = again(() => batchesOf(boxesOf(whole, steps), cut, stepsIn));
  return { chunks: count, requests: product(steps), requestBytes, held: HELD_FOR_READ, batches };
}

function onlyBlock(block: Block): Batch {
  return { blocks: [block], pieces: block.pieces };
}

type StepsIn = (limits: Limits, within: readonly number[]) => readonly number[];

/** Shard by shard: what is requested together are parts of one value. @param most bytes of a part */
function planShards(
  cut: Cut,
  whole: Box,
  stored: Coordinates,
  chunkBytes: number,
  most: number,
  stepsIn: StepsIn,
): ReadPlan {
  const starts = cut.map((dimension, d) => firstInShards(dimension, numberAt(stored, d)));
  const largest = starts.map((list, d) => {
    const end = numberAt(whole.end, d);
    return list.reduce((most, first, i) => Math.max(most, (list[i + 1] ?? end) - first), 0);
  });
  const isAtOnce = product(largest, chunkBytes) <= LARGEST_WHOLE || !Number.isFinite(most);
  const part = { bytes: most, decoded: most, chunks: MOST_OF_SHARD };
  const steps = isAtOnce ? largest : stepsIn(part, largest);
  return {
    chunks: product(whole.end),
    requests: 1,
    requestBytes: product(steps, chunkBytes),
    held: HELD_FOR_SHARDS,
    batches: again(() => batchesOf(boxesInShards(whole, starts, steps), cut, stepsIn)),
  };
}

/** Items that can be made more than once. */
function again<Item>(make: () => Iterator<Item>): Iterable<Item> {
  return { [Symbol.iterator]: make };
}

function* batchesOf(boxes: Iterable<Box>, cut: Cut, stepsIn: StepsIn): Generator<Batch, void> {
  for (const box of boxes) {
    const lengths = box.end.map((last, d) => last - numberAt(box.start, d));
    const blocks: Block[] = [];
    for (const each of boxesOf(box, stepsIn(BLOCK, lengths))) blocks.push(blockOf(cut, each));
    yield { blocks, pieces: blocks.flatMap(({ pieces }) => pieces) };
  }
}

/** Cuts a box into boxes of at most `steps` chunks along each dimension, in C order. */
function* boxesOf({ start, end }: Box, steps: readonly number[]): Generator<Box, void> {
  const from = [...start];
  for (;;) {
    const to = from.map((first, d) => Math.min(first + numberAt(steps, d), numberAt(end, d)));
    yield { start: [...from], end: to };
    let d = from.length - 1;
    for (; d >= 0; d--) {
      from[d] = numberAt(to, d);
      if (to[d] !== end[d]) break;
      from[d] = numberAt(start, d);
    }
    if (d < 0) return;
  }
}

/**
 * Cuts a box at the boundaries of shards, and what lies in one shard into boxes of at most `steps`.
 * @param starts the positions of the first chunks of shards
 */
function* boxesInShards(
  whole: Box,
  starts: readonly (readonly number[])[],
  steps: readonly number[],
): Generator<Box, void> {
  const grid: Box = {
    start: new Array<number>(starts.length).fill(0),
    end: starts.map(({ length }) => length),
  };
  const one = new Array<number>(starts.length).fill(1);
  for (const { start } of boxesOf(grid, one)) {
    const shard: Box = {
      start: start.map((i, d) => starts[d]?.[i] ?? noItem(starts, d)),
      end: start.map((i, d) => starts[d]?.[i + 1] ?? whole.end[d] ?? noItem(whole.end, d)),
    };
    yield* boxesOf(shard, steps);
  }
}

/** The positions of the first chunks of shards. */
function firstInShards({ length, at }: DimensionPlan, chunksInShard: number): readonly number[] {
  const found: number[] = [];
  let last: number | undefined;
  for (let i = 0; i < length; i++) {
    const shard = Math.floor(at(i).chunk / chunksInShard);
    if (shard !== last) found.push(i);
    last = shard;
  }
  return found;
}

/** Chunks along each dimension of a box within the limits: as many as fit, those of the last first. */
function stepsOf(
  limits: Limits,
  lengths: readonly number[],
  cut: Cut,
  chunkBytes: number,
  itemSize: number,
): readonly number[] {
  const widest = cut.map((dimension) => Math.max(1, dimension.widest));
  const steps = lengths.map(() => 1);
  let bytes = product(widest, itemSize);
  let decoded = chunkBytes;
  let chunks = 1;
  for (let d = lengths.length - 1; d >= 0; d--) {
    const length = numberAt(lengths, d);
    const rows = Math.min(WIDE_BLOCK, product(widest.slice(0, d), NARROW_ROW));
    const most = Math.max(limits.bytes, rows) / bytes;
    const fits = Math.floor(Math.min(most, limits.decoded / decoded, limits.chunks / chunks));
    steps[d] = Math.max(1, Math.min(length, fits));
    if (length > fits) break;
    bytes *= length;
    decoded *= length;
    chunks *= length;
  }
  return steps;
}

function blockOf(cut: Cut, { start, end }: Box): Block {
  const lists: DimensionProjection[][] = [];
  const from: number[] = [];
  const shape: number[] = [];
  for (const [d, dimension] of cut.entries()) {
    const list: DimensionProjection[] = [];
    for (let i = numberAt(start, d); i < numberAt(end, d); i++) list.push(dimension.at(i));
    const first = list[0] ?? noItem(list, 0);
    const last = list[list.length - 1] ?? first;
    lists.push(list);
    from.push(first.target);
    shape.push(last.target + last.count - first.target);
  }
  return { start: from, shape, pieces: combine(lists) };
}

/** Combines one projection of each dimension, the last dimension fastest. */
function combine(lists: readonly (readonly DimensionProjection[])[]): Piece[] {
  const pieces: Piece[] = [];
  const lengths: number[] = [];
  const place: number[] = [];
  for (const list of lists) {
    lengths.push(list.length);
    place.push(0);
  }
  do {
    const chunk: number[] = [];
    const parts: DimensionProjection[] = [];
    let whole = true;
    for (let d = 0; d < lists.length; d++) {
      const part = lists[d]?.[numberAt(place, d)] ?? noItem(lists, d);
      chunk.push(part.chunk);
      parts.push(part);
      whole &&= part.whole;
    }
    pieces.push({ chunk, parts, whole });
  } while (advance(place, lengths) >= 0);
  return pieces;
}
