/**
 * Scale-offset, HDF5's filter 6 (bytes -> bytes): differences from the smallest element of the chunk, in as
 * few bits as they need; floats are rounded to decimal digits before. `{"name": "hdf5.scaleoffset",
 * "configuration": {"parameters": [...]}}`: those of the file. Read only.
 *
 * The first 21 bytes of a chunk are the number of bits (u32), the length of the smallest element (u8) and
 * that element; elements of so many bits follow, the highest bit first. All ones are the fill value, if it is
 * defined.
 */
import {
  type BytesToBytesCodec,
  type CodecEntry,
  damagedData,
  decoderEntry,
  wrongMember,
} from "../../../core/for-codecs.js";
import { PackedBits } from "./packed-bits.js";
import { readParameters } from "./parameters.js";

const CODEC = "hdf5.scaleoffset";
const HEADER_LENGTH = 21;
const FLOAT_DECIMAL = 0;
const INTEGER = 2;

interface Settings {
  readonly isFloat: boolean;
  /** Decimal digits of floats. */
  readonly digits: number;
  readonly count: number;
  readonly size: number;
  readonly isLittle: boolean;
  /** Bits of the fill value; undefined if there is none. */
  readonly fill: bigint | undefined;
}

export const scaleOffset: CodecEntry = decoderEntry(CODEC, { only: "v3" }, (configuration) => {
  const parameters = readParameters(CODEC, configuration, 8);
  const [kind, factor = 0, count = 0, , size = 0, , order = 0, hasFill = 0, low = 0, high = 0] = parameters;
  const isFloat = kind === FLOAT_DECIMAL;
  const sizes = isFloat ? [4, 8] : [1, 2, 4, 8];
  if ((!isFloat && kind !== INTEGER) || !sizes.includes(size) || order > 1)
    throw wrongMember(
      CODEC,
      "parameters",
      "those of integers, or of floats with decimal digits",
      parameters.slice(0, 8),
    );
  const fill =
    hasFill === 1 ? BigInt.asUintN(8 * size, BigInt(low) + BigInt(high) * 0x1_0000_0000n) : undefined;
  return decoder({ isFloat, digits: factor | 0, count, size, isLittle: order === 0, fill });
});

function decoder(settings: Settings): BytesToBytesCodec["decode"] {
  const { count, size, isLittle, isFloat } = settings;
  return (bytes, context) => {
    if (bytes.length < HEADER_LENGTH) throw damagedData(CODEC, "header", 0, "the data end too early");
    const byteLength = count * size;
    if (byteLength > context.maximumByteLength)
      throw damagedData(CODEC, "data", 0, `expected at most ${context.maximumByteLength} decoded bytes`);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const width = view.getUint32(0, true);
    const smallest = view.getBigUint64(5, true);
    const packed = new PackedBits(bytes, HEADER_LENGTH);
    if (width > 8 * size || packed.left < width * count)
      throw damagedData(CODEC, "data", 0, `expected ${count} elements of ${width} bits`);
    const target = context.kernels.allocate(byteLength);
    const into = new DataView(target.buffer, target.byteOffset, byteLength);
    if (width === 8 * size)
      copyWhole(target, bytes.subarray(HEADER_LENGTH, HEADER_LENGTH + byteLength), size, isLittle);
    else if (isFloat) decodeFloats(into, packed, width, smallest, settings);
    else if (size === 8) decodeLong(into, packed, width, smallest, settings);
    else decodeShort(into, packed, width, Number(BigInt.asUintN(32, smallest)), settings);
    return target;
  };
}

/** Elements are little-endian there, whatever they are in the dataset. */
function copyWhole(target: Uint8Array, source: Uint8Array, size: number, isLittle: boolean): void {
  target.set(source);
  if (isLittle) return;
  for (let at = 0; at < target.length; at += size) target.subarray(at, at + size).reverse();
}

function decodeShort(
  into: DataView,
  packed: PackedBits,
  width: number,
  smallest: number,
  settings: Settings,
): void {
  const { count, size, isLittle, fill } = settings;
  const code = fill === undefined ? -1 : 2 ** width - 1;
  const filled = Number(fill ?? 0n);
  for (let i = 0; i < count; i++) {
    const difference = packed.take(width);
    const value = difference === code ? filled : difference + smallest;
    if (size === 1) into.setUint8(i, value);
    else if (size === 2) into.setUint16(2 * i, value, isLittle);
    else into.setUint32(4 * i, value, isLittle);
  }
}

function decodeLong(
  into: DataView,
  packed: PackedBits,
  width: number,
  smallest: bigint,
  settings: Settings,
): void {
  const { count, isLittle, fill } = settings;
  const code = fill === undefined ? -1n : (1n << BigInt(width)) - 1n;
  for (let i = 0; i < count; i++) {
    const [high, low] = packed.takeLong(width);
    const difference = (BigInt(high) << 32n) | BigInt(low);
    into.setBigUint64(
      8 * i,
      difference === code ? (fill ?? 0n) : BigInt.asUintN(64, difference + smallest),
      isLittle,
    );
  }
}

/** In the arithmetic of the type: each step is rounded to it. */
function decodeFloats(
  into: DataView,
  packed: PackedBits,
  width: number,
  smallest: bigint,
  settings: Settings,
): void {
  const { count, size, digits, isLittle, fill } = settings;
  const round = size === 4 ? Math.fround : (value: number) => value;
  const scale = round(10 ** digits);
  const bits = new DataView(new ArrayBuffer(8));
  const floatOf = (value: bigint): number => {
    bits.setBigUint64(0, value, true);
    return size === 4 ? bits.getFloat32(0, true) : bits.getFloat64(0, true);
  };
  const least = floatOf(smallest);
  const filled = fill === undefined ? 0 : floatOf(fill);
  const [codeHigh, codeLow] = width > 32 ? [2 ** (width - 32) - 1, 2 ** 32 - 1] : [0, 2 ** width - 1];
  for (let i = 0; i < count; i++) {
    const [high, low] = packed.takeLong(width);
    const isFill = fill !== undefined && high === codeHigh && low === codeLow;
    const value = isFill ? filled : round(round(round(high * 2 ** 32 + low) / scale) + least);
    if (size === 4) into.setFloat32(4 * i, value, isLittle);
    else into.setFloat64(8 * i, value, isLittle);
  }
}
