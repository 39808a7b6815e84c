/** Selection -> plan: which chunks are met, which are requested together, and where their elements go. */
import { noItem } from "../../base/at.js";
import { cOrderStrides, isInOrder, product } from "../../base/shape.js";
import { type DimensionPlan, type DimensionProjection, planDimension } from "../../grid/projection.js";
import type { DimensionSelection } from "../../grid/selection.js";
import { advance } from "../../grid/walk.js";
import { planCopy } from "../../kernels/copy-plan.js";
import { isMovedAsStored, planStoredCopy, type StoredCopy } from "../codecs/stored-copy.js";
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
const BLOCK: Limits = { bytes: 4 << 20, decoded: 4 << 20, chunks: 1024 };
/** Bytes of a block whose rows would otherwise be shorter than `NARROW_ROW`: it is moved row by row. */
const WIDE_BLOCK = 16 << 20;
const NARROW_ROW = 512;
/** Rows of this length go to the result by themselves as fast as in a block: a `set` for each costs 47 ns. */
const LONG_ROW = 4096;
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
  // A box of one chunk: to choose one would be most of the work of a small read.
  if (lengths.every((length) => length === 1)) {
    const block = blocks.at(whole);
    const chunks = block.pieces.map(({ chunk }) => chunk);
    return { requests: 1, requestBytes: chunkBytes, batches: [{ blocks: [block], chunks }] };
  }
  const isByShard = array.source.isFar() && array.stored.some((length) => length > 1);
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
    const made: Block[] = [];
    const chunks: Coordinates[] = [];
    for (const each of boxesOf(box, blocks.steps(BLOCK, lengthsOf(box)))) {
      const block = blocks.at(each);
      made.push(block);
      for (const { chunk } of block.pieces) chunks.push(chunk);
    }
    yield { blocks: made, chunks };
  }
}

function lengthsOf({ start, end }: Box): readonly number[] {
  return end.map((last, d) => last - (start[d] ?? noItem(start, d)));
}

/** Cuts a box into boxes of at most `steps` chunks along each dimension, in C order. */
function* boxesOf({ start, end }: Box, steps: readonly number[]): Generator<Box, void> {
  const from = [...start];
  for (;;) {
    const to = from.map((first, d) =>
      Math.min(first + (steps[d] ?? noItem(steps, d)), end[d] ?? noItem(end, d)),
    );
    yield { start: [...from], end: to };
    let d = from.length - 1;
    for (; d >= 0; d--) {
      from[d] = to[d] ?? noItem(to, d);
      if (to[d] !== end[d]) break;
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
  const starts = along.map((dimension, d) =>
    firstInShards(dimension, shardShape[d] ?? noItem(shardShape, d)),
  );
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
    const { along } = this.#cut;
    const { strides, offset } = this.#target;
    const parts: DimensionProjection[][] = [];
    const shape: number[] = [];
    let to = offset;
    let byteLength = this.#itemSize;
    for (let d = 0; d < along.length; d++) {
      const dimension = along[d] ?? noItem(along, d);
      const begin = start[d] ?? noItem(start, d);
      const list: DimensionProjection[] = [];
      for (let i = begin; i < (end[d] ?? noItem(end, d)); i++) list.push(dimension.at(i));
      const first = list[0] ?? noItem(list, 0);
      const last = list[list.length - 1] ?? first;
      const extent = last.target + last.count - first.target;
      parts.push(list);
      shape.push(extent);
      to += first.target * (strides[d] ?? noItem(strides, d));
      byteLength *= extent;
    }
    if (this.#isDirect(parts, shape, byteLength))
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

  /** Whether pieces go to the result by themselves: a part of one chunk in one run, or long rows. */
  #isDirect(parts: Parts, shape: readonly number[], byteLength: number): boolean {
    const itemSize = this.#itemSize;
    const counts: number[] = [];
    let isOne = true;
    for (const part of parts) {
      counts.push((part[0] ?? noItem(part, 0)).count);
      isOne &&= part.length === 1;
    }
    if (isOne && isInOrder(shape, this.#target.strides, itemSize)) {
      if (byteLength === itemSize || byteLength > BLOCK.bytes) return true;
      return this.#direct.of(counts).every(({ plan }) => plan.dimensions.length === 0);
    }
    if (product(counts, itemSize) < LONG_ROW || !isMovedAsStored(this.#array.pipeline)) return false;
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
    const lengths: number[] = [];
    const place: number[] = [];
    for (const part of parts) {
      lengths.push(part.length);
      place.push(0);
    }
    do {
      const chunk: number[] = [];
      const counts: number[] = [];
      let from = 0;
      let target = to;
      for (let d = 0; d < parts.length; d++) {
        const list = parts[d] ?? noItem(parts, d);
        const part = list[place[d] ?? noItem(place, d)] ?? noItem(list, 0);
        const first = list[0] ?? part;
        chunk.push(part.chunk);
        counts.push(part.count);
        from += part.source * (stored[d] ?? noItem(stored, d));
        target += (part.target - first.target) * (copies.strides[d] ?? noItem(copies.strides, d));
      }
      pieces.push({ chunk, copy: copies.of(counts), from, to: target });
    } while (advance(place, lengths) >= 0);
    return pieces;
  }
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
    if (product(counts) === 1) return this.#array.single;
    let node = this.#root;
    for (const count of counts) {
      let next = node.next.get(count);
      if (next === undefined) {
        next = { next: new Map() };
        node.next.set(count, next);
      }
      node = next;
    }
    const { fill, pipeline } = this.#array;
    node.copy ??= planStoredCopy(counts, this.strides, this.#steps, fill.length, pipeline);
    return node.copy;
  }
}
