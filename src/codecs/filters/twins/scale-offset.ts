/** Scale and offset in the arithmetic of a type: the twin of assembly/filters-affine.ts, and the only one for integers and small floats. */
import { decodeFloat, encodeFloat, type FloatFormat } from "../../../data-types/float-format.js";
import { CodecError } from "../../../errors.js";
import { scaleTile, unscaleTile } from "../arithmetic.js";
import type { FloatType, IntegerType } from "../number-type.js";
import { loadTile, storeTile, TILE } from "../tiles.js";

export interface Affine {
  readonly codec: string;
  readonly type: IntegerType | FloatType;
  /** Values of the type; bigints for its 64-bit integers. */
  readonly offset: number | bigint;
  readonly scale: number | bigint;
}

/** (x - offset) * scale. Operands are aligned. @throws CodecError for a step that leaves the type */
export function scaleElements(target: Uint8Array, source: Uint8Array, affine: Affine): void {
  const { type, offset, scale } = affine;
  if (type.kind === "integer" && type.bits === 64) {
    scale64(target, source, affine, type, (value) => {
      const difference = check(value - BigInt(offset), affine, type);
      return difference * BigInt(scale);
    });
    return;
  }
  const [o, s] = [Number(offset), Number(scale)];
  forTiles(target, source, type, (tile, first, count) => {
    if (type.kind === "float") {
      scaleTile(tile, count, o, s, checkedRounder(affine, type));
      return;
    }
    const isWithin = within(type);
    for (let i = 0; i < count; i++) {
      const difference = (tile[i] ?? 0) - o;
      const value = difference * s;
      // A product of 32-bit numbers that a double rounds is far beyond them, so that comparing after rounding is exact.
      if (!isWithin(difference) || !isWithin(value)) {
        throw outside(isWithin(difference) ? value : difference, affine.codec, type, first + i);
      }
      tile[i] = value;
    }
  });
}

/** x / scale + offset, likewise. */
export function unscaleElements(target: Uint8Array, source: Uint8Array, affine: Affine): void {
  const { type, offset, scale } = affine;
  if (type.kind === "integer" && type.bits === 64) {
    scale64(target, source, affine, type, (value, index) => {
      if (value % BigInt(scale) !== 0n) throw inexact(value, affine, index);
      return check(value / BigInt(scale), affine, type) + BigInt(offset);
    });
    return;
  }
  const [o, s] = [Number(offset), Number(scale)];
  forTiles(target, source, type, (tile, first, count) => {
    if (type.kind === "float") {
      unscaleTile(tile, count, o, s, checkedRounder(affine, type));
      return;
    }
    const isWithin = within(type);
    for (let i = 0; i < count; i++) {
      const stored = tile[i] ?? 0;
      const quotient = stored / s;
      if (!Number.isInteger(quotient)) throw inexact(stored, affine, first + i);
      const value = quotient + o;
      if (!isWithin(quotient) || !isWithin(value)) {
        throw outside(isWithin(quotient) ? value : quotient, affine.codec, type, first + i);
      }
      tile[i] = value;
    }
  });
}

function forTiles(
  target: Uint8Array,
  source: Uint8Array,
  type: IntegerType | FloatType,
  run: (tile: Float64Array, first: number, count: number) => void,
): void {
  const elements = source.length / type.itemSize;
  const tile = new Float64Array(Math.min(elements, TILE));
  for (let first = 0; first < elements; first += TILE) {
    const count = Math.min(TILE, elements - first);
    loadTile(type, source, first, count, tile);
    run(tile, first, count);
    storeTile(type, target, first, count, tile);
  }
}

/** For an integer type of at most 32 bits. */
function within(type: IntegerType): (value: number) => boolean {
  const [minimum, maximum] = [Number(type.minimum), Number(type.maximum)];
  return (value) => value >= minimum && value <= maximum;
}

function check(value: bigint, { codec }: Affine, type: IntegerType, index?: number): bigint {
  if (value >= type.minimum && value <= type.maximum) return value;
  throw outside(value, codec, type, index);
}

function outside(
  value: number | bigint,
  codec: string,
  type: IntegerType | FloatType,
  index: number | undefined,
): CodecError {
  const at = index === undefined ? "" : ` at element ${index}`;
  return new CodecError(`expected scaling to stay within ${type.name}, got ${value}${at}`, {
    codec,
    offset: index,
  });
}

function inexact(value: number | bigint, { codec, type, scale }: Affine, index: number): CodecError {
  return new CodecError(
    `expected a multiple of the scale ${scale}, since ${type.name} has no fractions, got ${value} at element ${index}`,
    { codec, offset: index },
  );
}

function scale64(
  target: Uint8Array,
  source: Uint8Array,
  affine: Affine,
  type: IntegerType,
  step: (value: bigint, index: number) => bigint,
): void {
  const { buffer, byteOffset, length } = source;
  const elements = type.signed
    ? new BigInt64Array(buffer, byteOffset, length / 8)
    : new BigUint64Array(buffer, byteOffset, length / 8);
  const results = new BigUint64Array(target.buffer, target.byteOffset, length / 8);
  elements.forEach((element, index) => {
    results[index] = BigInt.asUintN(64, check(step(element, index), affine, type, index));
  });
}

/** Rounding to a float type; formats without Infinity refuse what is beyond them. */
function checkedRounder({ codec }: Affine, type: FloatType): (value: number) => number {
  if (type.bits === 64) return (value) => value;
  const { format } = type;
  if (format === undefined) return Math.fround;
  return (value) => roundSmall(format, value, codec, type);
}

function roundSmall(format: FloatFormat, value: number, codec: string, type: FloatType): number {
  const pattern = encodeFloat(format, value);
  if (pattern !== undefined) return decodeFloat(format, pattern);
  if (format.infinity === undefined) throw outside(value, codec, type, undefined);
  return value < 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}
