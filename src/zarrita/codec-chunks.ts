/**
 * Chunks as zarrita's codecs take and give them (`data`, `shape`, `stride`), made of the bytes of elements
 * and back.
 */
import {
  at,
  type ChunkSpec,
  type CodecChunk,
  CodecError,
  cOrderStrides,
  type DataType,
  describe,
  type Kernels,
  planStoredCopy,
  product,
  runStoredCopy,
  untranspose,
} from "../core/for-zarrita.js";

/** Shape and strides of a chunk's elements; strides count elements. */
export interface Layout {
  readonly shape: readonly number[];
  readonly stride: readonly number[];
}
export function contiguous({ shape }: Pick<ChunkSpec, "shape">): Layout {
  return { shape, stride: cOrderStrides(shape, 1) };
}

/** The layout of a transposed chunk in zarrita: the shape stays, only the strides change. */
export function transposed(
  { shape }: ChunkSpec,
  transposes: readonly { readonly order: readonly number[] }[],
): Layout {
  const stored = transposes.reduce((lengths, { order }) => order.map((d) => at(lengths, d)), shape);
  const stride = transposes.reduceRight(
    (strides, { order }) => untranspose(strides, order),
    cOrderStrides(stored, 1),
  );
  return { shape, stride };
}

export function toChunk(elements: Uint8Array, dataType: DataType, { shape, stride }: Layout): CodecChunk {
  const aligned = elements.byteOffset % 8 === 0 ? elements : elements.slice();
  return { data: dataType.view(aligned), shape: [...shape], stride: [...stride] };
}

/**
 * The bytes of `data` in their order in memory; undefined if they are not exactly the elements of a chunk.
 */
export function inMemory(chunk: CodecChunk, { shape, dataType }: ChunkSpec): Uint8Array | undefined {
  const bytes = dataType.bytesOf(chunk?.data);
  return bytes?.length === product(shape) * dataType.itemSize ? bytes : undefined;
}

/**
 * The elements of a chunk in the order of `layout`, which has no gaps.
 * @throws CodecError for a malformed chunk
 */
export function toElements(chunk: CodecChunk, spec: ChunkSpec, layout: Layout, kernels: Kernels): Uint8Array {
  const { dataType } = spec;
  const { itemSize } = dataType;
  const { data, stride } = checkChunk(chunk, layout);
  const elements = dataType.bytesOf(data) ?? castElements(data, dataType);
  const byteLength = product(layout.shape) * itemSize;
  if (byteLength === 0) return new Uint8Array(0);
  const isInOrder = layout.shape.every((length, d) => length === 1 || stride[d] === layout.stride[d]);
  if (isInOrder && elements.length >= byteLength) return elements.subarray(0, byteLength);
  checkReach(stride, layout.shape, elements.length / itemSize);
  const target = new Uint8Array(byteLength);
  const inBytes = (strides: readonly number[]): number[] => strides.map((each) => each * itemSize);
  const copy = planStoredCopy(layout.shape, inBytes(layout.stride), inBytes(stride), itemSize, {
    swapUnit: 1,
  });
  runStoredCopy(copy, kernels, target, 0, elements, 0);
  return target;
}

export function checkChunk(chunk: Partial<CodecChunk> | undefined, { shape }: Layout): CodecChunk {
  const { data, shape: chunkShape, stride = cOrderStrides(shape, 1) } = chunk ?? {};
  if (typeof data === "object" && data !== null && chunkShape?.join() === shape.join())
    return { data, shape: chunkShape, stride };
  throw new CodecError(
    `expected a chunk of shape [${shape.join(", ")}] with its data, got ${chunkShape === undefined ? describe(chunk) : `one of [${chunkShape.join(", ")}]`}`,
  );
}

function checkReach(stride: readonly number[], shape: readonly number[], length: number): void {
  const last = shape.reduce((sum, extent, d) => sum + (extent - 1) * (stride[d] ?? Number.NaN), 0);
  if (stride.every((step) => Number.isInteger(step) && step >= 0) && last < length) return;
  throw new CodecError(
    `expected data long enough for shape [${shape.join(", ")}] and strides [${stride.join(", ")}], got ${length} elements`,
  );
}

/** Converts values one by one: for `data` that is not an array of the data type's class. */
function castElements(data: unknown, dataType: DataType): Uint8Array {
  const { itemSize } = dataType;
  const values = listOf(data);
  const elements = new Uint8Array(values.length * itemSize);
  values.forEach((value, i) => {
    dataType.writeScalar(dataType.cast(value), elements.subarray(i * itemSize, (i + 1) * itemSize));
  });
  return elements;
}

export function listOf(data: unknown): unknown[] {
  if (typeof data === "object" && data !== null && (Symbol.iterator in data || "length" in data))
    return Array.from(data as Iterable<unknown>);
  throw new CodecError(`expected an array of elements, got ${describe(data)}`);
}
