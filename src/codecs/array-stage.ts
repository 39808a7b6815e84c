/**
 * The array half of a pipeline: array-to-array codecs and the array-to-bytes codec. For most arrays it is
 * only a layout (strides and byte order) and moves no bytes. Each codec that changes values is a pass over
 * the elements, with a layout before and one after it.
 */
import { CodecError } from "../errors.js";
import type { Kernels, SwapUnit } from "../kernels/kernels.js";
import { cOrderStrides, product } from "../shape.js";
import type { AheadCodec, ArrayToArrayCodec, ArrayToBytesCodec, ChunkSpec } from "./codec.js";
import {
  type ElementOrder,
  isMemoryOrder,
  planStoredCopy,
  runStoredCopy,
  type StoredCopy,
} from "./layout.js";

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
  readonly ahead?: AheadCodec | undefined;
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
function storedOrder({ swapped }: ArrayToBytesCodec, encoded: ChunkSpec): ElementOrder {
  const { swapUnit, swapRuns } = encoded.dataType;
  return swapped === true ? { swapUnit, swapRuns } : { swapUnit: 1 };
}

/** Converts strides of a transposed array to the dimensions before `transpose`. */
export function untranspose(strides: readonly number[], order: readonly number[]): number[] {
  const permuted = new Array<number>(strides.length);
  order.forEach((dimension, position) => {
    permuted[dimension] = strides[position] ?? 0;
  });
  return permuted;
}

/**
 * Whether the codecs are only transposes and a serializer without `decode`, so that strides and byte order
 * describe them fully.
 */
export function isLayout(codecs: readonly NamedArrayCodec[], { codec }: NamedSerializer): boolean {
  return codec.decode === undefined && !codec.ahead && codecs.every(({ codec }) => codec.order !== undefined);
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
    `expected ${byteLength} bytes (${arithmetic}), got ${elements.length}: the chunk is truncated or not of this array`,
  );
}

function notBytes(): CodecError {
  return new CodecError(
    "expected a codec that decodes to bytes: an entry with a `kind` has wazarr's interface; leave `kind` out for a codec of zarrita's interface",
  );
}

/**
 * A codec that changes contiguous elements in memory's byte order. Decoding first copies into that layout
 * (`gather`).
 */
interface Pass {
  readonly codec: ArrayToArrayCodec;
  readonly byteLength: number;
  readonly gather: StoredCopy | undefined;
  readonly scatter: StoredCopy | undefined;
  readonly gatheredByteLength: number;
}

/**
 * The stage for codecs of which some change values.
 * @param encoded the chunk `spec` after the last of `codecs`
 */
export function preparePasses(
  codecs: readonly NamedArrayCodec[],
  { name, codec: toBytes }: NamedSerializer,
  spec: ChunkSpec,
  encoded: ChunkSpec,
): ArrayStage {
  let order = storedOrder(toBytes, encoded);
  let strides = cOrderStrides(encoded.shape, encoded.dataType.itemSize);
  let layoutSpec = encoded;
  const passes: Pass[] = [];
  for (let i = codecs.length - 1; i >= 0; i--) {
    const codec = codecs[i]?.codec;
    if (codec === undefined) continue;
    const before = i === 0 ? spec : (codecs[i - 1]?.codec.encoded ?? spec);
    if (codec.order !== undefined) strides = untranspose(strides, codec.order);
    else {
      passes.push(
        makePass(codec, layoutSpec, strides, order, product(before.shape) * before.dataType.itemSize),
      );
      strides = cOrderStrides(before.shape, before.dataType.itemSize);
      order = { swapUnit: 1 };
    }
    layoutSpec = before;
  }
  const direct = toBytes.decode === undefined;
  const elementsByteLength = product(encoded.shape) * encoded.dataType.itemSize;
  return {
    name,
    byteLength: product(spec.shape) * spec.dataType.itemSize,
    encodedByteLength: direct && toBytes.ahead === undefined ? elementsByteLength : toBytes.encodedByteLength,
    ahead: toBytes.ahead,
    strides,
    swapUnit: order.swapUnit,
    swapRuns: order.swapRuns,
    asStored: false,
    scratchByteLength: passes.reduce(
      (sum, pass) => sum + pass.byteLength + pass.gatheredByteLength,
      (direct ? 0 : elementsByteLength) + (toBytes.scratchByteLength ?? 0),
    ),
    decode(bytes, kernels) {
      const context = { kernels, byteLength: elementsByteLength, maximumByteLength: elementsByteLength };
      let elements = toBytes.decode?.(bytes, context) ?? bytes;
      checkElements(elements, elementsByteLength, encoded);
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
