/**
 * The array half of a pipeline: array-to-array codecs and the array-to-bytes codec, as a layout (strides and byte order), which
 * says it all for most arrays. Where a codec changes values, array-passes.ts takes its place.
 */
import { CodecError } from "../errors.js";
import type { Kernels, SwapUnit } from "../kernels/kernels.js";
import { cOrderStrides, product } from "../shape.js";
import type { ByteStage } from "./byte-stage.js";
import type { ArrayToArrayCodec, ArrayToBytesCodec, ChunkSpec } from "./codec.js";
import type { JoinedStages } from "./prepared-pipeline.js";
import type { ElementOrder } from "./stored-copy.js";

export interface ArrayStage {
  readonly name: string;
  readonly byteLength: number;
  /** Length of the encoded bytes where it is fixed. */
  readonly encodedByteLength: number | undefined;
  readonly strides: readonly number[];
  readonly swapUnit: SwapUnit;
  readonly swapRuns?: ElementOrder["swapRuns"];
  readonly scratchByteLength: number;
  /** Whether the encoded bytes are the stored elements: `decode` and `encode` give what they are given. */
  readonly asStored: boolean;
  decode(bytes: Uint8Array, kernels: Kernels): Uint8Array;
  encode(elements: Uint8Array, kernels: Kernels): Uint8Array;
  /** In place of `joinStages`. */
  readonly join?: ((arrayStage: ArrayStage, byteStage: ByteStage) => JoinedStages) | undefined;
}

/** Bytes that an element of variable length is taken to have where plans need a number: a short string with its offset. */
export const NOMINAL_ITEM_SIZE = 16;

export interface NamedArrayCodec {
  readonly name: string;
  readonly codec: ArrayToArrayCodec;
}

export interface NamedSerializer {
  readonly name: string;
  readonly codec: ArrayToBytesCodec;
}

/** Elements in memory order, or as the array-to-bytes codec leaves them. */
export function storedOrder({ swapped }: ArrayToBytesCodec, encoded: ChunkSpec): ElementOrder {
  const { swapUnit, swapRuns } = encoded.dataType;
  return swapped === true ? { swapUnit, swapRuns } : { swapUnit: 1 };
}

/** Strides of an array by the dimensions it had before `transpose`. */
export function untranspose(strides: readonly number[], order: readonly number[]): number[] {
  const permuted = new Array<number>(strides.length);
  order.forEach((dimension, position) => {
    permuted[dimension] = strides[position] ?? 0;
  });
  return permuted;
}

/** Whether codecs are transposes and a serializer that says where the elements are, and nothing else. */
export function isLayout(codecs: readonly NamedArrayCodec[], { codec }: NamedSerializer): boolean {
  return codec.decode === undefined && codecs.every(({ codec }) => codec.order !== undefined);
}

/** The stage of codecs that are a layout. @param encoded what the last of them makes of the chunk `spec` */
export function prepareLayout(
  codecs: readonly NamedArrayCodec[],
  { name, codec: toBytes }: NamedSerializer,
  spec: ChunkSpec,
  encoded: ChunkSpec,
): ArrayStage {
  const { itemSize } = spec.dataType;
  let strides = cOrderStrides(encoded.shape, itemSize);
  for (const { codec } of codecs.toReversed()) strides = untranspose(strides, codec.order ?? []);
  const byteLength = product(spec.shape) * itemSize;
  return {
    name,
    byteLength,
    encodedByteLength: byteLength,
    strides,
    ...storedOrder(toBytes, encoded),
    asStored: true,
    scratchByteLength: toBytes.scratchByteLength ?? 0,
    decode(bytes) {
      checkElements(bytes, byteLength, encoded);
      return bytes;
    },
    encode: (elements) => elements,
  };
}

/** @throws CodecError unless `elements` are all of a chunk's */
export function checkElements(
  elements: Uint8Array,
  byteLength: number,
  { shape, dataType }: ChunkSpec,
): void {
  if (elements.length === byteLength) return;
  const arithmetic = `[${shape.join(", ")}] x ${dataType.itemSize} bytes`;
  throw new CodecError(
    `expected ${byteLength} bytes (${arithmetic}), got ${elements.length}: the chunk is truncated or not of this array`,
  );
}
