/** Selection -> plan: which chunks are met, which are requested together, and where their elements go. */
import { noItem } from "../at.js";
import { isMovedAsStored, planStoredCopy, type StoredCopy } from "../codecs/stored-copy.js";
import { type DimensionPlan, type DimensionProjection, planDimension } from "../grid/projection.js";
import type { DimensionSelection } from "../grid/selection.js";
import { advance } from "../grid/walk.js";
import { planCopy } from "../kernels/copy-plan.js";
import { cOrderStrides, isInOrder, product } from "../shape.js";
import type { Batch, Block, Coordinates, CoreArray, Cut, Piece, ReadPlan, Target } from "./ports.js";

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
const BLOCK: Limits = { bytes: 4 << 20, decoded: 32 << 20, chunks: 1024 };
/** Bytes of a block whose rows would otherwise be shorter than `NARROW_ROW`: it is moved row by row. */
const WIDE_BLOCK = 16 << 20;
const NARROW_ROW = 512;
/** Rows of this length go to the result by themselves as fast as in a block. */
const LONG_ROW = 1024;
/** What is requested together of a shard: enough for one that is read whole. */
const BATCH: Limits = { bytes: 16 << 20, decoded: 16 << 20, chunks: 4096 };
/** A longer part of a shard comes in several requests. */
const LARGEST_REQUEST = 5 << 20;

/** Cuts a selection at the boundaries of chunks of one shape. */
export function cutSelection(dimensions: readonly DimensionSelection[], chunkShape: readonly number[]): Cut {
  const along = dimensions.map((one, d) => planDimension(one, chunkShape[d] ?? noItem(chunkShape, d)));
  return { dimensions, along };
}

/** A box of chunks: from `start` to before `end` of the projections along each dimension. */
interface Box {
  readonly start: readonly number[];
  readonly end: readonly number[];
}

/** @throws InvalidArgumentError for strides that no array in memory has */
export function planRead(array: CoreArray, cut: Cut, target: Target): ReadPlan {
  const lengths = cut.along.map(({ length }) => length);
  const whole: Box = { start: lengths.map(() => 0), end: lengths };
  const blocks = new Blocks(array, cut, target);
  const chunkBytes = array.pipeline.byteLength;
  if (lengths.includes(0)) return { requests: 1, requestBytes: chunkBytes, batches: [] };
  const isByShard = array.source.isFar && array.stored.some((length) => length > 1);
  if (!isByShard) {
    const steps = blocks.steps(BLOCK, lengths);
    return {
      requests: product(steps),
      requestBytes: chunkBytes,
      batches: batchesOf(boxesOf(whole, steps), blocks),
    };
  }
  const steps = blocks.steps(
    BATCH,
    lengths.map((length, d) => Math.min(length, array.stored[d] ?? noItem(array.stored, d))),
  );
  const bytes = product(steps, chunkBytes);
  const requestBytes = Math.min(bytes, LARGEST_REQUEST);
  return {
    requests: Math.ceil(bytes / Math.max(1, requestBytes)),
    requestBytes,
    batches: batchesOf(boxesInShards(whole, cut, array.stored, steps), blocks),
  };
}

function* batchesOf(boxes: Iterable<Box>, blocks: Blocks): Generator<Batch, void> {
  for (const box of boxes) {
    const within = boxesOf(box, blocks.steps(BLOCK, lengthsOf(box)));
    const made = Array.from(within, (each) => blocks.at(each));
    yield { blocks: made, chunks: made.flatMap(({ pieces }) => pieces.map(({ chunk }) => chunk)) };
  }
}

function lengthsOf({ start, end }: Box): readonly number[] {
  return end.map((last, d) => last - (start[d] ?? noItem(start, d)));
}

/** Cuts a box into boxes of at most `steps` chunks along each dimension, in C order. */
function* boxesOf({ start, end }: Box, steps: readonly number[]): Generator<Box, void> {
  const from = [...start];
  for (;;) {
    const to = from.map((first, d) => Math.min(first + (steps[d] ?? 1), end[d] ?? noItem(end, d)));
    yield { start: [...from], end: to };
    let d = from.length - 1;
    for (; d >= 0; d--) {
      from[d] = to[d] ?? noItem(to, d);
      if ((to[d] ?? 0) < (end[d] ?? noItem(end, d))) break;
      from[d] = start[d] ?? noItem(start, d);
    }
    if (d < 0) return;
  }
}

/** Cuts a box at the boundaries of shards, and what lies in one shard into boxes of at most `steps`. */
function* boxesInShards(
  whole: Box,
  { along }: Cut,
  shardShape: Coordinates,
  steps: readonly number[],
): Generator<Box, void> {
  const starts = along.map((dimension, d) => firstInShards(dimension, shardShape[d] ?? 1));
  const grid: Box = { start: starts.map(() => 0), end: starts.map(({ length }) => length) };
  const one = starts.map(() => 1);
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

/** The selected part of a chunk along each dimension, for the chunks of one block. */
type Parts = readonly (readonly DimensionProjection[])[];

/** Makes blocks. Pieces of one shape share a copy. */
class Blocks {
  readonly #array: CoreArray;
  readonly #cut: Cut;
  readonly #target: Target;
  readonly #itemSize: number;
  /** Bytes from one selected element to the next, in the stored elements of a chunk. */
  readonly #steps: readonly number[];
  /** Copies to the result, and those to the last block. */
  readonly #direct: Copies;
  #inBlock: Copies | undefined;

  constructor(array: CoreArray, cut: Cut, target: Target) {
    const { strides } = array.pipeline;
    this.#array = array;
    this.#cut = cut;
    this.#target = target;
    this.#itemSize = array.fill.length;
    this.#steps = cut.dimensions.map(({ step }, d) => step * (strides[d] ?? noItem(strides, d)));
    this.#direct = new Copies(array, target.strides, this.#steps);
  }

  /** Chunks along each dimension of a box within the limits: as many as fit, those of the last first. */
  steps(limits: Limits, lengths: readonly number[]): readonly number[] {
    const widest = this.#cut.along.map((dimension) => Math.max(1, dimension.widest));
    const steps = lengths.map(() => 1);
    let bytes = product(widest, this.#itemSize);
    let decoded = Math.max(1, this.#array.pipeline.byteLength);
    let chunks = 1;
    for (let d = lengths.length - 1; d >= 0; d--) {
      const length = lengths[d] ?? noItem(lengths, d);
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

  at({ start, end }: Box): Block {
    const parts = this.#cut.along.map((dimension, d) => {
      const list: DimensionProjection[] = [];
      const last = end[d] ?? noItem(end, d);
      for (let i = start[d] ?? noItem(start, d); i < last; i++) list.push(dimension.at(i));
      return list;
    });
    const shape = parts.map(extentOf);
    const { strides, offset } = this.#target;
    const to = parts.reduce((sum, part, d) => sum + firstOf(part).target * (strides[d] ?? 0), offset);
    const byteLength = product(shape, this.#itemSize);
    if (this.#isDirect(parts, shape))
      return { pieces: this.#pieces(parts, this.#direct, to), byteLength, to, move: undefined };
    const copies = this.#copiesTo(shape);
    const width = this.#itemSize;
    const move = planCopy({
      shape,
      targetStrides: strides,
      sourceStrides: copies.strides,
      width,
      swapUnit: 1,
    });
    return { pieces: this.#pieces(parts, copies, 0), byteLength, to, move };
  }

  /** Whether pieces go to the result by themselves: one without gaps in it, or long rows. */
  #isDirect(parts: Parts, shape: readonly number[]): boolean {
    const { strides } = this.#target;
    if (parts.every(({ length }) => length === 1)) return isInOrder(shape, strides, this.#itemSize);
    if (!isMovedAsStored(this.#array.pipeline)) return false;
    const counts = parts.map((part) => firstOf(part).count);
    if (product(counts, this.#itemSize) < LONG_ROW) return false;
    return this.#direct.of(counts).every(({ plan }) => plan.run >= LONG_ROW);
  }

  #copiesTo(shape: readonly number[]): Copies {
    const strides = cOrderStrides(shape, this.#itemSize);
    if (this.#inBlock === undefined || strides.some((stride, d) => stride !== this.#inBlock?.strides[d]))
      this.#inBlock = new Copies(this.#array, strides, this.#steps);
    return this.#inBlock;
  }

  /** The pieces of a block in C order. @param to offset of the block's first element */
  #pieces(parts: Parts, copies: Copies, to: number): Piece[] {
    const pieces: Piece[] = [];
    const stored = this.#array.pipeline.strides;
    const lengths = parts.map(({ length }) => length);
    const place = parts.map(() => 0);
    for (let left = product(lengths); left > 0; left--) {
      const chunk = new Array<number>(parts.length);
      const counts = new Array<number>(parts.length);
      let from = 0;
      let target = to;
      for (let d = 0; d < parts.length; d++) {
        const list = parts[d] ?? noItem(parts, d);
        const { chunk: index, source, count, target: first } = list[place[d] ?? 0] ?? noItem(list, 0);
        chunk[d] = index;
        counts[d] = count;
        from += source * (stored[d] ?? noItem(stored, d));
        target += (first - firstOf(list).target) * (copies.strides[d] ?? noItem(copies.strides, d));
      }
      pieces.push({ chunk, copy: copies.of(counts), from, to: target });
      advance(place, lengths);
    }
    return pieces;
  }
}

function firstOf(part: readonly DimensionProjection[]): DimensionProjection {
  return part[0] ?? noItem(part, 0);
}

function extentOf(part: readonly DimensionProjection[]): number {
  const { target, count } = part.at(-1) ?? noItem(part, 0);
  return target + count - firstOf(part).target;
}

interface CopyNode {
  readonly next: Map<number, CopyNode>;
  copy?: StoredCopy;
}

/** Copies of pieces to one place, by their counts: the chunks of a grid have few shapes. */
class Copies {
  readonly strides: readonly number[];
  readonly #array: CoreArray;
  readonly #steps: readonly number[];
  readonly #root: CopyNode = { next: new Map() };

  /** @param strides of the place, `steps` of the stored elements; both in bytes */
  constructor(array: CoreArray, strides: readonly number[], steps: readonly number[]) {
    this.strides = strides;
    this.#array = array;
    this.#steps = steps;
  }

  of(counts: readonly number[]): StoredCopy {
    let node = this.#root;
    let elements = 1;
    for (const count of counts) {
      elements *= count;
      let next = node.next.get(count);
      if (next === undefined) {
        next = { next: new Map() };
        node.next.set(count, next);
      }
      node = next;
    }
    if (elements === 1) return this.#array.single;
    const { fill, pipeline } = this.#array;
    node.copy ??= planStoredCopy(counts, this.strides, this.#steps, fill.length, pipeline);
    return node.copy;
  }
}
