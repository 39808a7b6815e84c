/**
 * The array half of a pipeline: array-to-array codecs and the array-to-bytes codec. For most arrays it is
 * only a layout (strides and byte order) and moves no bytes. passes.ts has the stage for codecs that change
 * values.
 */
import { at } from "../../base/at.js";
import { CodecError } from "../../base/errors.js";
import { cOrderStrides, product } from "../../base/shape.js";
import type { Kernels, SwapUnit } from "../../kernels/kernels.js";
import type { ArrayToArrayCodec, ArrayToBytesCodec, AsynchronousCodec, ChunkSpec } from "./codec.js";
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
  /**
   * Whether the encoded bytes are the elements themselves, so that `decode` and `encode` return their input.
   */
  readonly asStored: boolean;
  decode(bytes: Uint8Array, kernels: Kernels): Uint8Array;
  encode(elements: Uint8Array, kernels: Kernels): Uint8Array;
  /** The asynchronous part of the array-to-bytes codec. */
  readonly asynchronous?: AsynchronousCodec | undefined;
}

/**
 * Assumed size in bytes of an element of variable length, for plans that need a number: a short string with
 * its offset.
 */
export const NOMINAL_ITEM_SIZE = 16;

export interface NamedArrayCodec {
  readonly name: string;
  readonly codec: ArrayToArrayCodec;
}

export interface NamedSerializer {
  readonly name: string;
  readonly codec: ArrayToBytesCodec;
}

/** Byte order of the elements that the array-to-bytes codec leaves. */
export function storedOrder({ swapped }: ArrayToBytesCodec, encoded: ChunkSpec): ElementOrder {
  const { swapUnit, swapRuns } = encoded.dataType;
  return swapped === true ? { swapUnit, swapRuns } : { swapUnit: 1 };
}

/** Converts strides of a transposed array to the dimensions before `transpose`. */
export function untranspose(strides: readonly number[], order: readonly number[]): number[] {
  const permuted = new Array<number>(strides.length);
  order.forEach((dimension, position) => {
    permuted[dimension] = at(strides, position);
  });
  return permuted;
}

/**
 * Whether the codecs are only transposes and a serializer without `decode`, so that strides and byte order
 * describe them fully.
 */
export function isLayout(codecs: readonly NamedArrayCodec[], { codec }: NamedSerializer): boolean {
  return (
    codec.decode === undefined &&
    !codec.asynchronous &&
    codecs.every(({ codec }) => codec.order !== undefined)
  );
}

/**
 * The stage for codecs where `isLayout` is true.
 * @param encoded the chunk `spec` after the last of `codecs`
 */
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
    // Shards have no fixed length: absent inner chunks take no bytes.
    encodedByteLength: toBytes.sharding ? undefined : byteLength,
    strides,
    ...storedOrder(toBytes, encoded),
    asStored: toBytes.sharding === undefined,
    scratchByteLength: toBytes.scratchByteLength ?? 0,
    decode(bytes) {
      if (toBytes.sharding === undefined) checkElements(bytes, byteLength, encoded);
      return bytes;
    },
    encode: (elements) => elements,
  };
}

/** @throws CodecError unless `elements` has the length of a whole chunk */
export function checkElements(
  elements: Uint8Array,
  byteLength: number,
  { shape, dataType }: ChunkSpec,
): void {
  if (elements.length === byteLength) return;
  if (!(elements instanceof Uint8Array)) throw notBytes();
  const arithmetic = `[${shape.join(", ")}] x ${dataType.itemSize} bytes`;
  throw new CodecError(
    `expected ${byteLength} bytes (${arithmetic}), got ${elements.length}: the chunk is truncated or belongs to another array`,
  );
}

function notBytes(): CodecError {
  return new CodecError(
    "expected a codec that decodes to bytes: an entry with `codecKind` has wazarr's interface; leave `codecKind` out for a codec of zarrita's interface",
  );
}
