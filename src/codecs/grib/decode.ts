/** The elements of a field: of one GRIB message, float32 or float64 in memory's byte order. */
import type { Kernels } from "../../kernels/kernels.js";
import { describeFailure } from "../decoder-result.js";
import { type Field, readField } from "./field.js";
import type { Floats } from "./javascript/unpack.js";
import {
  countValues,
  spreadValues,
  type Target,
  unpackCcsds,
  unpackComplex,
  unpackSimple,
} from "./kernels.js";
import { reorder, type WantedOrder } from "./order.js";
import type { CcsdsPacking, ComplexPacking, IeeePacking, SimplePacking } from "./representation.js";
import { damaged, sectionOf } from "./sections.js";

/** Bytes of an element: of float32 or float64. */
export type ItemSize = 4 | 8;

/**
 * Decodes the first field of a message.
 * @param points that the field must have
 * @param missing the element for points without a value
 * @param order of the points
 * @throws CodecError for damaged messages, UnsupportedError for packings that wazarr does not read
 */
export function decodeMessage(
  bytes: Uint8Array,
  kernels: Kernels,
  points: number,
  itemSize: ItemSize,
  missing: number,
  order: WantedOrder,
): Uint8Array {
  const field = readField(bytes, points, order);
  const target = allocate(kernels, points, itemSize);
  const { bitmap, values, dataOffset } = field;
  if (bitmap !== undefined) {
    const count = countValues(kernels, bitmap, points);
    if (count !== values) {
      throw damaged(`expected a bitmap of ${values} values, got one of ${count}`, dataOffset);
    }
  }
  unpack(field, kernels, target, missing);
  if (bitmap !== undefined) spreadValues(kernels, target, bitmap, values, missing);
  if (field.reordering === undefined) return target.bytes;
  const ordered = kernels.allocate(target.bytes.length);
  reorder(ordered, target.bytes, itemSize, field.reordering);
  return ordered;
}

function allocate(kernels: Kernels, points: number, itemSize: ItemSize): Target {
  const bytes = kernels.allocate(points * itemSize);
  const { buffer, byteOffset } = bytes;
  const floats: Floats =
    itemSize === 4
      ? new Float32Array(buffer, byteOffset, points)
      : new Float64Array(buffer, byteOffset, points);
  return { bytes, floats };
}

/** The values, one after the other, become the first elements of the target. */
function unpack(field: Field, kernels: Kernels, target: Target, missing: number): void {
  const { packing } = field;
  if (packing.kind === "simple") simple(field, packing, kernels, target);
  else if (packing.kind === "ieee") ieee(field, packing, target);
  else if (packing.kind === "complex") complex(field, packing, kernels, target, missing);
  else ccsds(field, packing, kernels, target);
}

/** The first bytes of the data, as many as `count` fields of `width` bits take. @throws CodecError */
function bytesOf({ data, dataOffset }: Field, count: number, width: number): Uint8Array {
  const length = Math.ceil((count * width) / 8);
  if (length <= data.length) return data.subarray(0, length);
  throw damaged(
    `expected ${length} bytes (${count} x ${width} bits) of values, got ${data.length}`,
    dataOffset,
  );
}

function simple(field: Field, packing: SimplePacking, kernels: Kernels, target: Target): void {
  const { values } = field;
  // As eccodes does: the decimal scale factor is not applied.
  if (packing.width === 0) target.floats.fill(packing.reference, 0, values);
  else unpackSimple(kernels, target, values, bytesOf(field, values, packing.width), packing);
}

function ieee(field: Field, { itemSize }: IeeePacking, { floats }: Target): void {
  const { values } = field;
  const bytes = bytesOf(field, values, 8 * itemSize);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (itemSize === 4) for (let i = 0; i < values; i++) floats[i] = view.getFloat32(4 * i);
  else for (let i = 0; i < values; i++) floats[i] = view.getFloat64(8 * i);
}

function complex(
  field: Field,
  packing: ComplexPacking,
  kernels: Kernels,
  target: Target,
  missing: number,
): void {
  const { data, dataOffset, values } = field;
  const { groups, referenceBits, widthBits, lengthBits, order, descriptorLength } = packing;
  if (groups > values) {
    throw damaged(`expected at most ${values} groups, one for each value, got ${groups}`, dataOffset);
  }
  const descriptors = sectionOf("section 7", data, dataOffset);
  const first = order > 0 ? descriptors.unsigned(0, descriptorLength) : 0;
  const second = order > 1 ? descriptors.unsigned(descriptorLength, descriptorLength) : 0;
  const bias = order > 0 ? descriptors.signed(order * descriptorLength, descriptorLength) : 0;
  const before = order > 0 ? (order + 1) * descriptorLength : 0;
  const headers = [referenceBits, widthBits, lengthBits].reduce(
    (sum, bits) => sum + Math.ceil((groups * bits) / 8),
    before,
  );
  if (headers > data.length) {
    throw damaged(`expected ${headers} bytes for ${groups} groups, got ${data.length}`, dataOffset);
  }
  const parameters = Float64Array.of(
    ...[packing.reference, packing.scale, packing.decimal, groups, referenceBits],
    ...[packing.leastWidth, widthBits, packing.leastLength, lengthBits, packing.lengthIncrement],
    ...[packing.lastLength, packing.sentinels, order, first, second, bias],
  );
  const result = unpackComplex(kernels, target, values, data.subarray(before), parameters, missing);
  expectUnpacked(result, "groups", dataOffset + before);
}

function ccsds(field: Field, packing: CcsdsPacking, kernels: Kernels, target: Target): void {
  const { data, dataOffset, values } = field;
  expectUnpacked(unpackCcsds(kernels, target, values, data, packing), "blocks of CCSDS", dataOffset);
}

/** @param offset of the unpacked bytes in the message. @throws CodecError if `result` is a failure */
function expectUnpacked(result: number, expected: string, offset: number): void {
  if (result === 0) return;
  const { reason, offset: within } = describeFailure(result);
  throw damaged(`expected ${expected}, got bad ones: ${reason}`, offset + within);
}
