/**
 * The array half of a pipeline: array-to-array codecs and the array-to-bytes codec, as a layout (strides and byte order) where
 * that says it all, which is the common case, and as passes over the elements where a codec changes values.
 */
import { CodecError } from "../errors.js";
import type { Kernels, SwapUnit } from "../kernels/kernels.js";
import type { ArrayToArrayCodec, ArrayToBytesCodec, ChunkSpec } from "./codec.js";
import {
  type ElementOrder,
  isMemoryOrder,
  planStoredCopy,
  runStoredCopy,
  type StoredCopy,
} from "./stored-copy.js";

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
}

/** Bytes that an element of variable length is taken to have where plans need a number: a short string with its offset. */
export const NOMINAL_ITEM_SIZE = 16;

export function cOrderStrides(shape: readonly number[], itemSize: number): number[] {
  const strides = new Array<number>(shape.length);
  let stride = itemSize;
  for (let dimension = shape.length - 1; dimension >= 0; dimension--) {
    strides[dimension] = stride;
    stride *= shape[dimension] ?? 1;
  }
  return strides;
}

export function product(numbers: readonly number[]): number {
  return numbers.reduce((result, number) => result * number, 1);
}

const IN_MEMORY_ORDER: ElementOrder = { swapUnit: 1 };

interface NamedArrayCodec {
  readonly name: string;
  readonly codec: ArrayToArrayCodec;
}

/** A pass that changes values, between two contiguous layouts; `gather` first undoes permutations and byte order after it. */
interface Pass {
  readonly codec: ArrayToArrayCodec;
  readonly byteLength: number;
  readonly gather: StoredCopy | undefined;
  readonly scatter: StoredCopy | undefined;
  readonly gatheredByteLength: number;
}

export function prepareArrayStage(
  codecs: readonly NamedArrayCodec[],
  serializer: { readonly name: string; readonly codec: ArrayToBytesCodec },
  spec: ChunkSpec,
  encoded: ChunkSpec,
): ArrayStage {
  const { codec: toBytes } = serializer;
  const direct = toBytes.decode === undefined;
  let order: ElementOrder = toBytes.swapped === true ? encoded.dataType : IN_MEMORY_ORDER;
  let strides = cOrderStrides(encoded.shape, encoded.dataType.itemSize);
  let layoutSpec = encoded;
  const passes: Pass[] = [];
  for (let i = codecs.length - 1; i >= 0; i--) {
    const codec = codecs[i]?.codec;
    if (codec === undefined) continue;
    const before = i === 0 ? spec : (codecs[i - 1]?.codec.encoded ?? spec);
    if (codec.order !== undefined) {
      const permuted = new Array<number>(strides.length);
      codec.order.forEach((dimension, position) => {
        permuted[dimension] = strides[position] ?? 0;
      });
      strides = permuted;
    } else {
      passes.push(
        makePass(codec, layoutSpec, strides, order, product(before.shape) * before.dataType.itemSize),
      );
      strides = cOrderStrides(before.shape, before.dataType.itemSize);
      order = IN_MEMORY_ORDER;
    }
    layoutSpec = before;
  }
  const elementsByteLength = product(encoded.shape) * encoded.dataType.itemSize;
  const byteLength = product(spec.shape) * spec.dataType.itemSize;
  return {
    name: serializer.name,
    byteLength,
    encodedByteLength: direct ? elementsByteLength : toBytes.encodedByteLength,
    strides,
    swapUnit: order.swapUnit,
    swapRuns: order.swapRuns,
    asStored: direct && passes.length === 0,
    scratchByteLength: passes.reduce(
      (sum, pass) => sum + pass.byteLength + pass.gatheredByteLength,
      (direct ? 0 : elementsByteLength) + (toBytes.scratchByteLength ?? 0),
    ),
    decode(bytes, kernels) {
      let elements = bytes;
      if (toBytes.decode !== undefined) {
        elements = toBytes.decode(bytes, {
          kernels,
          byteLength: elementsByteLength,
          maximumByteLength: elementsByteLength,
        });
      }
      if (elements.length !== elementsByteLength) {
        const arithmetic = `[${encoded.shape.join(", ")}] x ${encoded.dataType.itemSize} bytes`;
        throw new CodecError(
          `expected ${elementsByteLength} bytes (${arithmetic}), got ${elements.length}: the chunk is truncated or not of this array`,
        );
      }
      for (const pass of passes) elements = runDecode(pass, elements, kernels);
      return elements;
    },
    encode(elements, kernels) {
      let current = elements;
      for (const pass of passes.toReversed()) current = runEncode(pass, current, kernels);
      return toBytes.encode === undefined ? current : toBytes.encode(current, { kernels });
    },
  };
}

function makePass(
  codec: ArrayToArrayCodec,
  spec: ChunkSpec,
  strides: readonly number[],
  order: ElementOrder,
  byteLength: number,
): Pass {
  const { shape, dataType } = spec;
  const contiguous = cOrderStrides(shape, dataType.itemSize);
  const asIs = isMemoryOrder(order) && strides.every((stride, dimension) => stride === contiguous[dimension]);
  const plan = (targetStrides: readonly number[], sourceStrides: readonly number[]): StoredCopy =>
    planStoredCopy(shape, targetStrides, sourceStrides, dataType.itemSize, order);
  return {
    codec,
    byteLength,
    gather: asIs ? undefined : plan(contiguous, strides),
    scatter: asIs ? undefined : plan(strides, contiguous),
    gatheredByteLength: product(shape) * dataType.itemSize,
  };
}

function runDecode(pass: Pass, elements: Uint8Array, kernels: Kernels): Uint8Array {
  let gathered = elements;
  if (pass.gather !== undefined) {
    gathered = kernels.allocate(pass.gatheredByteLength);
    runStoredCopy(pass.gather, kernels, gathered, 0, elements, 0);
  }
  const decoded = pass.codec.decode?.(gathered, { kernels }) ?? gathered;
  if (decoded.length !== pass.byteLength) {
    throw new CodecError(`expected ${pass.byteLength} decoded bytes, got ${decoded.length}`);
  }
  return decoded;
}

function runEncode(pass: Pass, elements: Uint8Array, kernels: Kernels): Uint8Array {
  const encoded = pass.codec.encode?.(elements, { kernels }) ?? elements;
  if (pass.scatter === undefined) return encoded;
  const scattered = kernels.allocate(pass.gatheredByteLength);
  runStoredCopy(pass.scatter, kernels, scattered, 0, encoded, 0);
  return scattered;
}
