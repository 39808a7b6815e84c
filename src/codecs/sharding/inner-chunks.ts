/** A shard taken apart into its inner chunks, and put together from them: its bytes by the index, its elements by coordinates. */
import type { Kernels } from "../../kernels/kernels.js";
import { cOrderStrides, product } from "../../shape.js";
import type { ChunkSpec } from "../codec.js";
import { concatenate } from "../concatenate.js";
import { fillPattern } from "../fill-pattern.js";
import type { ChunkLocation, Pipeline, ShardLayout } from "../prepared-pipeline.js";
import {
  type ElementOrder,
  isMemoryOrder,
  planStoredCopy,
  runStoredCopy,
  type StoredCopy,
} from "../stored-copy.js";
import { damaged, decodeIndex, encodeIndex } from "./index-table.js";

/** Whoever is around knows where the chunk is. */
export const HERE: ChunkLocation = { key: "", chunk: [] };

export function byteLengthOf({ shape, dataType }: ChunkSpec): number {
  return product(shape) * dataType.itemSize;
}

type StoredOrder = ElementOrder & Pick<Pipeline, "strides">;

export function plainOrder({ shape, dataType }: ChunkSpec): StoredOrder {
  return { strides: cOrderStrides(shape, dataType.itemSize), swapUnit: 1 };
}

/** Copies elements of a chunk between two orders, of which one is that of memory. */
export function planChunk(
  { shape, dataType }: ChunkSpec,
  target: StoredOrder,
  source: StoredOrder,
): StoredCopy {
  const order = isMemoryOrder(target) ? source : target;
  return planStoredCopy(shape, target.strides, source.strides, dataType.itemSize, order);
}

/** The encoded inner chunks by position; undefined for those that are not there. */
export function cut(layout: ShardLayout, bytes: Uint8Array, kernels: Kernels): (Uint8Array | undefined)[] {
  const { indexByteLength, indexLocation } = layout;
  if (bytes.length < indexByteLength) {
    throw damaged(`expected at least ${indexByteLength} bytes of index, got ${bytes.length}`, HERE);
  }
  const table =
    indexLocation === "start" ? bytes.subarray(0, indexByteLength) : bytes.subarray(-indexByteLength);
  const { offsets, lengths } = decodeIndex(layout, table, bytes.length, kernels, HERE);
  return Array.from(lengths, (length, position) => {
    const begin = offsets[position] ?? 0;
    return length < 0 ? undefined : bytes.subarray(begin, begin + length);
  });
}

/** A shard of encoded inner chunks, which lie in the order of their positions. */
export function join(layout: ShardLayout, pieces: readonly Uint8Array[], kernels: Kernels): Uint8Array {
  const { indexByteLength, indexLocation } = layout;
  const lengths = Float64Array.from(pieces, ({ length }) => length);
  let end = indexLocation === "start" ? indexByteLength : 0;
  const offsets = lengths.map((length) => {
    end += length;
    return end - length;
  });
  const index = encodeIndex(layout, { offsets, lengths }, kernels);
  return concatenate(indexLocation === "start" ? [index, ...pieces] : [...pieces, index]);
}

/** Puts inner chunks into the shard's elements; fill value where `elementsOf` has none. */
export function assemble(
  layout: ShardLayout,
  spec: ChunkSpec,
  kernels: Kernels,
  elements: Uint8Array,
  order: StoredOrder,
  elementsOf: (inner: InnerChunk) => Uint8Array | undefined,
): void {
  kernels.fill(elements, fillPattern(spec.dataType, spec.fillValue));
  const { strides } = plainOrder(spec);
  const copy = planChunk({ ...spec, shape: layout.innerShape }, { strides, swapUnit: 1 }, order);
  for (const inner of innerChunks(layout)) {
    const mark = kernels.mark();
    const stored = elementsOf(inner);
    if (stored !== undefined)
      runStoredCopy(copy, kernels, elements, offsetOf(inner, layout, strides), stored, 0);
    kernels.release(mark);
  }
}

/** The reverse: what `finish` makes of every inner chunk, which stands in memory that is used again, by position. */
export function takeApart(
  layout: ShardLayout,
  spec: ChunkSpec,
  kernels: Kernels,
  elements: Uint8Array,
  order: StoredOrder,
  finish: (stored: Uint8Array, chunk: readonly number[]) => Uint8Array,
): Uint8Array[] {
  const { strides } = plainOrder(spec);
  const copy = planChunk({ ...spec, shape: layout.innerShape }, order, { strides, swapUnit: 1 });
  const pieces = new Array<Uint8Array>(layout.innerCount);
  for (const inner of innerChunks(layout)) {
    const mark = kernels.mark();
    const stored = kernels.allocate(layout.inner.byteLength);
    runStoredCopy(copy, kernels, stored, 0, elements, offsetOf(inner, layout, strides));
    pieces[inner.position] = finish(stored, inner.chunk);
    kernels.release(mark);
  }
  return pieces;
}

/** Coordinates of an inner chunk, and its position in the index. */
interface InnerChunk {
  readonly chunk: readonly number[];
  readonly position: number;
}

export function* innerChunks({ gridShape, gridStrides, innerCount }: ShardLayout): Generator<InnerChunk> {
  const chunk = gridShape.map(() => 0);
  for (let count = 0; count < innerCount; count++) {
    yield { chunk: [...chunk], position: dot(chunk, gridStrides) };
    for (let d = chunk.length - 1; d >= 0; d--) {
      const next = (chunk[d] ?? 0) + 1;
      chunk[d] = next < (gridShape[d] ?? 0) ? next : 0;
      if (next < (gridShape[d] ?? 0)) break;
    }
  }
}

/** Byte offset of an inner chunk's first element in the shard. */
function offsetOf({ chunk }: InnerChunk, { innerShape }: ShardLayout, strides: readonly number[]): number {
  return dot(
    chunk.map((at, d) => at * (innerShape[d] ?? 0)),
    strides,
  );
}

function dot(numbers: readonly number[], factors: readonly number[]): number {
  return numbers.reduce((sum, number, d) => sum + number * (factors[d] ?? 0), 0);
}
