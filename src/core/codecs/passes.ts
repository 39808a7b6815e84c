/**
 * The array half of a pipeline whose codecs change values: each such codec is a pass over the elements, with
 * a layout before and one after it.
 */
import { CodecError } from "../../base/errors.js";
import { cOrderStrides, isInOrder, product } from "../../base/shape.js";
import type { Kernels } from "../../kernels/kernels.js";
import {
  type ArrayStage,
  checkElements,
  type NamedArrayCodec,
  type NamedSerializer,
  storedOrder,
  untranspose,
} from "./array-stage.js";
import type { ArrayToArrayCodec, ChunkSpec } from "./codec.js";
import {
  type ElementOrder,
  isMemoryOrder,
  planStoredCopy,
  runStoredCopy,
  type StoredCopy,
} from "./stored-copy.js";

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
    encodedByteLength:
      direct && toBytes.asynchronous === undefined ? elementsByteLength : toBytes.encodedByteLength,
    asynchronous: toBytes.asynchronous,
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
  const asIs = isMemoryOrder(order) && isInOrder(shape, strides, dataType.itemSize);
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
