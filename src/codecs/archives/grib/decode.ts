/** The elements of a field: of one GRIB message, float32 or float64 in memory's byte order. */
import { describeFailure, type Kernels, UnsupportedError } from "../../../core/for-codecs.js";
import { readFirstEdition } from "./edition-1.js";
import { type Field, readField } from "./field.js";
import { decodeImage, type ImageCodecs } from "./images.js";
import type { Floats } from "./javascript/unpack.js";
import {
  countValues,
  samplesOf,
  scaleSamples,
  spreadValues,
  type Target,
  unpackCcsds,
  unpackComplex,
  unpackSimple,
} from "./kernels.js";
import { reorder, type WantedOrder } from "./order.js";
import type {
  CcsdsPacking,
  ComplexPacking,
  IeeePacking,
  ImagePacking,
  LogarithmicPacking,
  SimplePacking,
} from "./representation.js";
import { unpackSecondOrder } from "./second-order.js";
import { damaged, editionOf, sectionOf } from "./sections.js";

/** Bytes of an element: of float32 or float64. */
export type ItemSize = 4 | 8;

/** How a field is decoded. */
export interface Decoding {
  readonly kernels: Kernels;
  /** The number of points that the field must have. */
  readonly points: number;
  readonly itemSize: ItemSize;
  /** The element for points without a value. */
  readonly missing: number;
  readonly order: WantedOrder;
  readonly images: ImageCodecs;
}

/**
 * Decodes the first field of a message, of edition 1 or 2.
 * @throws CodecError for damaged messages, UnsupportedError for packings that wazarr does not read
 */
export function decodeMessage(bytes: Uint8Array, decoding: Decoding): Uint8Array {
  const { kernels, points, itemSize, missing } = decoding;
  const field = fieldOf(bytes, points, decoding.order);
  const target = allocate(kernels, points, itemSize);
  const { bitmap, dataOffset } = field;
  const values = bitmap === undefined ? points : countValues(kernels, bitmap, points);
  if (field.values !== undefined && field.values !== values) {
    throw damaged(`expected a bitmap of ${field.values} values, got one of ${values}`, dataOffset);
  }
  // eccodes writes a group of values that are not there.
  if (values > 0) unpack(field, values, decoding, target);
  if (bitmap !== undefined) spreadValues(kernels, target, bitmap, values, missing);
  if (field.turned !== undefined) turnLines(target.floats, field.turned);
  if (field.reordering === undefined) return target.bytes;
  const ordered = kernels.allocate(target.bytes.length);
  reorder(ordered, target.bytes, itemSize, field.reordering);
  return ordered;
}

function fieldOf(bytes: Uint8Array, points: number, order: WantedOrder): Field {
  if (editionOf(bytes) === 2) return readField(bytes, points, order);
  if (order.northUp || order.fromWest) {
    throw new UnsupportedError("wazarr orders fields of GRIB edition 2, got edition 1", { offset: 7 });
  }
  return readFirstEdition(bytes, points);
}

/** Gives every other line the order of the first. */
function turnLines(floats: Floats, lengths: Uint32Array): void {
  let at = 0;
  for (const [i, length] of lengths.entries()) {
    if (i % 2 === 1) floats.subarray(at, at + length).reverse();
    at += length;
  }
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
function unpack(field: Field, values: number, decoding: Decoding, target: Target): void {
  const { packing, data, dataOffset } = field;
  const { kernels, missing, images } = decoding;
  switch (packing.kind) {
    case "simple":
      simple(field, values, packing, kernels, target);
      break;
    case "ieee":
      ieee(field, values, packing, target);
      break;
    case "complex":
      complex(field, values, packing, kernels, target, missing);
      break;
    case "image":
      image(field, values, packing, kernels, target, images);
      break;
    case "ccsds":
      ccsds(field, values, packing, kernels, target);
      break;
    case "logarithmic":
      logarithmic(field, values, packing, kernels, target);
      break;
    case "second order":
      unpackSecondOrder(target.floats.subarray(0, values), data, packing, dataOffset);
  }
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

function simple(
  field: Field,
  values: number,
  packing: SimplePacking,
  kernels: Kernels,
  target: Target,
): void {
  // As eccodes does: the decimal scale factor is not applied.
  if (packing.width === 0) target.floats.fill(packing.reference, 0, values);
  else unpackSimple(kernels, target, values, bytesOf(field, values, packing.width), packing);
}

/** The logarithms are calculated in doubles, as in eccodes, whose `exp` may differ in the last bit. */
function logarithmic(
  field: Field,
  values: number,
  { added, ...packing }: LogarithmicPacking,
  kernels: Kernels,
  { floats }: Target,
): void {
  const logarithms = allocate(kernels, values, 8);
  simple(field, values, { ...packing, kind: "simple" }, kernels, logarithms);
  for (const [i, logarithm] of logarithms.floats.entries()) floats[i] = Math.exp(logarithm) - added;
}

function ieee(field: Field, values: number, { itemSize }: IeeePacking, { floats }: Target): void {
  const bytes = bytesOf(field, values, 8 * itemSize);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (itemSize === 4) for (let i = 0; i < values; i++) floats[i] = view.getFloat32(4 * i);
  else for (let i = 0; i < values; i++) floats[i] = view.getFloat64(8 * i);
}

function complex(
  field: Field,
  values: number,
  packing: ComplexPacking,
  kernels: Kernels,
  target: Target,
  missing: number,
): void {
  const { data, dataOffset } = field;
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

function ccsds(
  { data, dataOffset }: Field,
  values: number,
  packing: CcsdsPacking,
  kernels: Kernels,
  target: Target,
): void {
  expectUnpacked(unpackCcsds(kernels, target, values, data, packing), "blocks of CCSDS", dataOffset);
}

function image(
  { data, dataOffset }: Field,
  values: number,
  packing: ImagePacking,
  kernels: Kernels,
  target: Target,
  images: ImageCodecs,
): void {
  const samples = samplesOf(target, values);
  decodeImage(packing.format, data, dataOffset, samples, kernels, images);
  scaleSamples(kernels, target, samples, packing);
}

/** @param offset of the unpacked bytes in the message. @throws CodecError if `result` is a failure */
function expectUnpacked(result: number, expected: string, offset: number): void {
  if (result === 0) return;
  const { reason, offset: within } = describeFailure(result);
  throw damaged(`damaged ${expected}: ${reason}`, offset + within);
}
