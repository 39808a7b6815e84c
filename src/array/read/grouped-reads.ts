/**
 * Joins reads of inner chunks that start at the same time and fill a box of one shard into one read, which
 * makes fewer requests.
 */

import { at } from "../../base/at.js";
import { cOrderStrides, product } from "../../base/shape.js";
import { copyRows } from "../../core/codecs/rows.js";
import { innerChunkShape } from "../../core/codecs/sharding/document.js";
import { readSelection } from "../../core/line/select.js";
import { Gathering } from "../../core/stores/requests/merged-requests.js";
import { untilNobodyWaits, type Waiters } from "../../core/stores/requests/shared-requests.js";
import { fillPattern } from "../../data-types/data-type.js";
import { planCopy } from "../../kernels/copy-plan.js";
import { fill } from "../../kernels/operands.js";
import type { DecodedChunks, ForwardedOptions } from "../nodes/decoded-chunks.js";
import type { ZarrArray } from "../nodes/nodes.js";
import { readOptions } from "./read-options.js";

type Value = Uint8Array | undefined;
export type ReadChunk = (key: string, waiters: Waiters) => Promise<Value>;

/** An inner chunk that a caller waits for. */
interface Waiting {
  readonly key: string;
  readonly coordinates: readonly number[];
  readonly waiters: Waiters;
  readonly resolve: (value: Value | Promise<Value>) => void;
}

/** Reads the chunks of `decoded`; inner chunks of one shard are read together. */
export function groupReads(
  array: ZarrArray<unknown>,
  decoded: DecodedChunks,
  forwarded: ForwardedOptions,
): ReadChunk {
  const one: ReadChunk = (key, { signal, priority }) => decoded.read(key, { ...forwarded, signal, priority });
  const { metadata } = array;
  const inner = innerChunkShape(metadata) ?? [];
  const { itemSize, variable } = metadata.dataType;
  // Only an extension's `getChunk` can make its chunks. Elements of variable length have no fixed offset in a
  // box.
  if (inner.length === 0 || array.inner !== undefined || variable !== undefined || itemSize === 0) return one;
  const grouped = new GroupedReads(array, inner, one, forwarded);
  return (key, waiters) => grouped.read(key, waiters);
}

class GroupedReads {
  readonly #array: ZarrArray<unknown>;
  /** The shape of inner chunks. */
  readonly #inner: readonly number[];
  /** Reads a chunk by itself. */
  readonly #one: ReadChunk;
  readonly #options: ForwardedOptions;
  readonly #pattern: Uint8Array;
  /** Inner chunks of a shard, by dimension. */
  readonly #perShard: readonly number[];
  readonly #waiting = new Gathering<Waiting>((chunks) => this.#flush(chunks));

  constructor(
    array: ZarrArray<unknown>,
    inner: readonly number[],
    one: ReadChunk,
    forwarded: ForwardedOptions,
  ) {
    const { chunkGrid, dataType, fillValue } = array.metadata;
    this.#array = array;
    this.#inner = inner;
    this.#one = one;
    this.#options = forwarded;
    this.#pattern = fillPattern(dataType, fillValue);
    this.#perShard = inner.map((length, d) => at(chunkGrid.chunkShape, d) / length);
  }

  read(key: string, waiters: Waiters): Promise<Value> {
    return new Promise((resolve) => {
      const coordinates = key.split("/").slice(2).map(Number);
      this.#waiting.add({ key, coordinates, waiters, resolve });
    });
  }

  #flush(chunks: readonly Waiting[]): void {
    const shards = new Map<string, Waiting[]>();
    for (const chunk of chunks) {
      const shard = chunk.coordinates.map((index, d) => Math.floor(index / at(this.#perShard, d))).join();
      const others = shards.get(shard);
      if (others) others.push(chunk);
      else shards.set(shard, [chunk]);
    }
    for (const members of shards.values()) for (const box of boxesOf(members)) this.#readBox(box);
  }

  #readBox(box: readonly Waiting[]): void {
    const [first] = box;
    if (first === undefined) return;
    if (box.length === 1) {
      first.resolve(this.#one(first.key, first.waiters));
      return;
    }
    this.#boxValues(box).then(
      (values) => {
        for (const [i, { resolve }] of box.entries()) resolve(values[i]);
      },
      // After a failure, each chunk is read alone, so that a damaged chunk does not fail the others.
      () => {
        for (const { key, waiters, resolve } of box) resolve(this.#one(key, waiters));
      },
    );
  }

  async #boxValues(box: readonly Waiting[]): Promise<Uint8Array[]> {
    const inner = this.#inner;
    const { shape: arrayShape, dataType } = this.#array.metadata;
    const start = inner.map(
      (length, d) => length * Math.min(...box.map(({ coordinates }) => at(coordinates, d))),
    );
    const shape = inner.map((length, d) => {
      const last = Math.max(...box.map(({ coordinates }) => at(coordinates, d)));
      return Math.min((last + 1) * length, at(arrayShape, d)) - at(start, d);
    });
    const dimensions = shape.map((count, d) => ({ start: at(start, d), step: 1, count, drop: false }));
    const bytes = new Uint8Array(product(shape, dataType.itemSize));
    const prepared = await this.#array.prepare();
    await untilNobodyWaits(
      box.map(({ waiters }) => waiters),
      ({ signal, priority }) => {
        const options = readOptions({ ...this.#options, signal, priority });
        return readSelection(prepared, { dimensions, shape }, bytes, true, options);
      },
    );
    const strides = cOrderStrides(shape, dataType.itemSize);
    return box.map(({ coordinates }) => {
      const from = coordinates.map((index, d) => index * at(inner, d) - at(start, d));
      const count = inner.map((length, d) => Math.min(length, at(shape, d) - at(from, d)));
      return this.#wholeChunk(
        bytes,
        from.reduce((sum, index, d) => sum + index * at(strides, d), 0),
        strides,
        count,
      );
    });
  }

  /** Copies one chunk out of a box; elements beyond the array's edge become the fill value. */
  #wholeChunk(
    bytes: Uint8Array,
    offset: number,
    strides: readonly number[],
    count: readonly number[],
  ): Uint8Array {
    const inner = this.#inner;
    const { itemSize } = this.#array.metadata.dataType;
    const chunk = new Uint8Array(product(inner, itemSize));
    if (product(count) < product(inner)) fill(chunk, this.#pattern);
    const steps = { shape: count, targetStrides: cOrderStrides(inner, itemSize), sourceStrides: strides };
    copyRows(planCopy({ ...steps, width: itemSize, swapUnit: 1 }), chunk, 0, bytes, offset);
    return chunk;
  }
}

/**
 * Groups chunks into boxes: one box if the chunks fill it, else rows of neighbours along the last dimension.
 */
function boxesOf(chunks: readonly Waiting[]): (readonly Waiting[])[] {
  const [first] = chunks;
  const spans = first?.coordinates.map((_, d) => {
    const along = chunks.map(({ coordinates }) => at(coordinates, d));
    return Math.max(...along) - Math.min(...along) + 1;
  });
  if (spans && product(spans) === chunks.length) return [chunks];
  const rows = new Map<string, Waiting[]>();
  for (const chunk of chunks) {
    const row = chunk.coordinates.slice(0, -1).join();
    const others = rows.get(row);
    if (others) others.push(chunk);
    else rows.set(row, [chunk]);
  }
  return [...rows.values()].flatMap(runsOf);
}

function runsOf(row: readonly Waiting[]): Waiting[][] {
  const last = ({ coordinates }: Waiting): number => coordinates.at(-1) ?? 0;
  const runs: Waiting[][] = [];
  for (const chunk of [...row].sort((a, b) => last(a) - last(b))) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run && before && last(before) + 1 === last(chunk)) run.push(chunk);
    else runs.push([chunk]);
  }
  return runs;
}
