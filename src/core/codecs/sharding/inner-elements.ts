/** Copies elements between a shard and its inner chunks, whose codecs may store another order. */
import { at } from "../../../base/at.js";
import { cOrderStrides, offsetOf } from "../../../base/shape.js";
import { fillPattern } from "../../../data-types/data-type.js";
import { gridCoordinates } from "../../../grid/walk.js";
import type { Kernels } from "../../../kernels/kernels.js";
import type { ChunkSpec } from "../codec.js";
import type { Pipeline, ShardLayout } from "../pipeline.js";
import {
  type ElementOrder,
  isMemoryOrder,
  planStoredCopy,
  runStoredCopy,
  type StoredCopy,
} from "../stored-copy.js";

export type StoredOrder = ElementOrder & Pick<Pipeline, "strides">;

export function plainOrder({ shape, dataType }: ChunkSpec): StoredOrder {
  return { strides: cOrderStrides(shape, dataType.itemSize), swapUnit: 1 };
}

/** Plans a copy of a chunk's elements between two layouts, of which at least one has memory's byte order. */
export function planChunk(
  { shape, dataType }: ChunkSpec,
  target: StoredOrder,
  source: StoredOrder,
): StoredCopy {
  const order = isMemoryOrder(target) ? source : target;
  return planStoredCopy(shape, target.strides, source.strides, dataType.itemSize, order);
}

/** Whether stored elements already have C order and memory's byte order. */
export function isPlain(pipeline: Pipeline, spec: ChunkSpec): boolean {
  const { strides } = plainOrder(spec);
  return isMemoryOrder(pipeline) && pipeline.strides.every((stride, d) => stride === strides[d]);
}

/**
 * Copies inner chunks into the shard's elements. An inner chunk for which `elementsOf` returns undefined
 * becomes fill value.
 */
export function assemble(
  layout: ShardLayout,
  spec: ChunkSpec,
  kernels: Kernels,
  elements: Uint8Array,
  order: StoredOrder,
  elementsOf: (inner: InnerChunk) => Uint8Array | undefined,
): void {
  kernels.fill(elements, fillPattern(spec.dataType, spec.fillValue));
  const whole = plainOrder(spec);
  const copy = planChunk({ ...spec, shape: layout.innerShape }, whole, order);
  for (const inner of innerChunks(layout)) {
    const mark = kernels.mark();
    const stored = elementsOf(inner);
    if (stored === undefined && spec.unfit !== undefined) throw spec.unfit;
    if (stored !== undefined)
      runStoredCopy(copy, kernels, elements, startOf(inner, layout, whole.strides), stored, 0);
    kernels.release(mark);
  }
}

/**
 * The results of `finish` for all inner chunks, by position. `finish` must not keep `stored`: its memory is
 * reused.
 */
export function takeApart(
  layout: ShardLayout,
  spec: ChunkSpec,
  kernels: Kernels,
  elements: Uint8Array,
  order: StoredOrder,
  finish: (stored: Uint8Array, chunk: readonly number[]) => Uint8Array,
): Uint8Array[] {
  const whole = plainOrder(spec);
  const copy = planChunk({ ...spec, shape: layout.innerShape }, order, whole);
  const pieces = new Array<Uint8Array>(layout.innerCount);
  for (const inner of innerChunks(layout)) {
    const mark = kernels.mark();
    const stored = kernels.allocate(layout.inner.byteLength);
    runStoredCopy(copy, kernels, stored, 0, elements, startOf(inner, layout, whole.strides));
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

export function* innerChunks({ gridShape, gridStrides }: ShardLayout): Generator<InnerChunk> {
  for (const chunk of gridCoordinates(gridShape)) yield { chunk, position: offsetOf(chunk, gridStrides) };
}

/** Byte offset of an inner chunk's first element in the shard. */
function startOf({ chunk }: InnerChunk, { innerShape }: ShardLayout, strides: readonly number[]): number {
  return offsetOf(
    chunk.map((index, d) => index * at(innerShape, d)),
    strides,
  );
}
