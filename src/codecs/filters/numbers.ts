/**
 * The number types that filters calculate with: integers and binary floats of any width, and bool where numpy
 * casts it. Filters load tiles of TILE elements as doubles, calculate, and store them: typed arrays convert
 * among each other in native code, and engines compile loops over a Float64Array best.
 */
import {
  byteAt,
  bytesOfView,
  decodeFloat,
  encodeFloat,
  FLOAT16,
  type FloatFormat,
  float32At,
  float64At,
  SMALL_FLOAT_FORMATS,
  uint16At,
  uint32At,
} from "../../core/for-codecs.js";

interface Shared {
  /** Name of the data type. */
  readonly name: string;
  /** Bytes of an element in memory. */
  readonly itemSize: 1 | 2 | 4 | 8;
  /** Bits of an element: for the smallest types fewer than 8 * itemSize. */
  readonly bits: number;
}
export interface IntegerType extends Shared {
  readonly kind: "integer";
  readonly signed: boolean;
  readonly minimum: bigint;
  readonly maximum: bigint;
}
export interface FloatType extends Shared {
  readonly kind: "float";
  /** Undefined for float32 and float64, for which JavaScript has typed arrays. */
  readonly format: FloatFormat | undefined;
}
interface BooleanType extends Shared {
  readonly kind: "boolean";
}
export type NumberType = IntegerType | FloatType | BooleanType;

/** @param name of a data type. Undefined for other data types: complex numbers, dates, strings, structs. */
export function numberTypeOf(name: string): NumberType | undefined {
  if (name === "bool") return { kind: "boolean", name, itemSize: 1, bits: 1 };
  if (name === "float32") return { kind: "float", name, itemSize: 4, bits: 32, format: undefined };
  if (name === "float64") return { kind: "float", name, itemSize: 8, bits: 64, format: undefined };
  const format = [FLOAT16, ...SMALL_FLOAT_FORMATS].find((each) => each.name === name);
  if (format !== undefined) {
    return { kind: "float", name, itemSize: format.bits > 8 ? 2 : 1, bits: format.bits, format };
  }
  const integer = /^(u?)int(2|4|8|16|32|64)$/.exec(name);
  if (integer === null) return undefined;
  const bits = Number(integer[2]);
  const signed = integer[1] === "";
  return {
    kind: "integer",
    name,
    itemSize: bits === 64 ? 8 : bits === 32 ? 4 : bits === 16 ? 2 : 1,
    bits,
    signed,
    minimum: signed ? -(1n << BigInt(bits - 1)) : 0n,
    maximum: (1n << BigInt(signed ? bits - 1 : bits)) - 1n,
  };
}

const COMPLEX_PARTS = new Map([
  ["complex64", "float32"],
  ["complex128", "float64"],
]);

/**
 * The type of the numbers that elements consist of: both parts of complex numbers, the ticks of dates, else
 * the elements themselves.
 */
export function partTypeOf(name: string): NumberType | undefined {
  const isDate = /^numpy\.(datetime|timedelta)64$/.test(name);
  return numberTypeOf(isDate ? "int64" : (COMPLEX_PARTS.get(name) ?? name.replace(/^complex_/, "")));
}

/**
 * `bytes` itself if its offset is a multiple of `width`, else a copy: typed arrays of that width need an
 * aligned offset.
 */
export function aligned(bytes: Uint8Array, width: number): Uint8Array {
  return bytes.byteOffset % width === 0 ? bytes : bytes.slice();
}

const TILE = 4096;

/** Calls `run` for `count` elements, tile by tile; all calls share the memory of one tile. */
export function forTiles(
  count: number,
  run: (tile: Float64Array, first: number, length: number) => void,
): void {
  const tile = new Float64Array(Math.min(count, TILE));
  for (let first = 0; first < count; first += TILE) run(tile, first, Math.min(TILE, count - first));
}

const HIGH = 2 ** 32;

export type NarrowArray = Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array;

/** Integers of up to 32 bits over aligned bytes. */
export function narrowView(type: IntegerType, bytes: Uint8Array): NarrowArray {
  const { buffer, byteOffset, length } = bytes;
  if (type.itemSize === 1) {
    return type.signed ? new Int8Array(buffer, byteOffset, length) : bytes;
  }
  if (type.itemSize === 2) {
    return type.signed
      ? new Int16Array(buffer, byteOffset, length / 2)
      : new Uint16Array(buffer, byteOffset, length / 2);
  }
  return type.signed
    ? new Int32Array(buffer, byteOffset, length / 4)
    : new Uint32Array(buffer, byteOffset, length / 4);
}

/** 64-bit integers over aligned bytes, as bigints because doubles are exact only to 2^53. */
export function bigintsOf(
  { signed }: IntegerType,
  { buffer, byteOffset, length }: Uint8Array,
): BigInt64Array | BigUint64Array {
  return signed
    ? new BigInt64Array(buffer, byteOffset, length / 8)
    : new BigUint64Array(buffer, byteOffset, length / 8);
}

export function words(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

/**
 * By type name: the values of all bit patterns of a float of up to 16 bits, or of an integer of less than 8.
 */
const tables = new Map<string, Float64Array>();
function tableOf(name: string, patterns: number, value: (pattern: number) => number): Float64Array {
  let table = tables.get(name);
  if (table === undefined) {
    table = Float64Array.from({ length: patterns }, (_, pattern) => value(pattern));
    tables.set(name, table);
  }
  return table;
}

/**
 * Reads `count` elements from index `first`.
 * @param bytes aligned to the type
 * @param odd rounds 64-bit integers that no double holds to the neighbouring double with an odd last bit,
 * which then rounds to any narrower float as the integer itself would; without it they round to the nearest
 * double
 */
export function loadTile(
  type: NumberType,
  bytes: Uint8Array,
  first: number,
  count: number,
  tile: Float64Array,
  odd = false,
): void {
  const part = bytes.subarray(first * type.itemSize, (first + count) * type.itemSize);
  if (type.kind === "boolean") {
    for (let i = 0; i < count; i++) tile[i] = part[i] === 0 ? 0 : 1;
  } else if (type.kind === "float") {
    if (type.format !== undefined) {
      const { format } = type;
      const table = tableOf(type.name, 2 ** (8 * type.itemSize), (pattern) => decodeFloat(format, pattern));
      if (type.itemSize === 1) loadTable(tile, part, table);
      else loadTable16(tile, new Uint16Array(part.buffer, part.byteOffset, count), table);
    } else if (type.itemSize === 4) tile.set(new Float32Array(part.buffer, part.byteOffset, count));
    else tile.set(new Float64Array(part.buffer, part.byteOffset, count));
  } else if (type.itemSize === 8) load64(tile, words(part), count, type.signed, odd);
  else if (type.bits < 8) {
    const unused = 32 - type.bits;
    const value = (byte: number): number =>
      type.signed ? (byte << unused) >> unused : (byte << unused) >>> unused;
    loadTable(tile, part, tableOf(type.name, 256, value));
  } else tile.set(narrowView(type, part));
}

function loadTable(tile: Float64Array, bytes: Uint8Array, table: Float64Array): void {
  for (let i = 0; i < bytes.length; i++) {
    const byte = byteAt(bytes, i);
    tile[i] = float64At(table, byte);
  }
}
function loadTable16(tile: Float64Array, patterns: Uint16Array, table: Float64Array): void {
  for (let i = 0; i < patterns.length; i++) {
    const pattern = uint16At(patterns, i);
    tile[i] = float64At(table, pattern);
  }
}

function load64(tile: Float64Array, source: Uint32Array, count: number, signed: boolean, odd: boolean): void {
  for (let i = 0; i < count; i++) {
    const low = uint32At(source, 2 * i);
    const word = uint32At(source, 2 * i + 1);
    const high = (signed ? word | 0 : word) * HIGH;
    const value = high + low;
    // The part of the integer that `value` lost. Both steps are exact, because `high` and `value` are close
    // to each other.
    const rest = odd ? high - value + low : 0;
    tile[i] = rest === 0 ? value : oddNeighbour(value, rest);
  }
}

const one = /* @__PURE__ */ new Float64Array(1);
const oneWords = /* @__PURE__ */ new Uint32Array(one.buffer);

/** The one of the two doubles around `value + rest` whose last bit is odd. */
function oddNeighbour(value: number, rest: number): number {
  one[0] = value;
  const low = uint32At(oneWords, 0);
  if (low & 1) return value;
  if (rest > 0 === value > 0) oneWords[0] = low + 1;
  else {
    oneWords[0] = low - 1;
    if (low === 0) oneWords[1] = uint32At(oneWords, 1) - 1;
  }
  return float64At(one, 0);
}

/**
 * Writes `count` doubles as elements from index `first`. Integers need integral values within 64 bits, and
 * wrap. Floats round to nearest, beyond their range to Infinity, or to the largest value in formats without
 * it; NaNs become quiet NaNs without sign and payload.
 * @param bytes aligned to the type
 */
export function storeTile(
  type: NumberType,
  bytes: Uint8Array,
  first: number,
  count: number,
  tile: Float64Array,
): void {
  const part = bytes.subarray(first * type.itemSize, (first + count) * type.itemSize);
  const values = tile.subarray(0, count);
  if (type.kind === "boolean") {
    for (let i = 0; i < count; i++) part[i] = tile[i] === 0 ? 0 : 1;
  } else if (type.kind === "float") {
    if (type.format !== undefined) storeSmall(type.format, part, values);
    else if (type.itemSize === 4) storeFloat32(part, values);
    else storeFloat64(part, values);
  } else if (type.itemSize === 8) store64(words(part), values);
  else {
    narrowView(type, part).set(values);
    if (type.bits < 8) for (let i = 0; i < count; i++) part[i] = byteAt(part, i) & (2 ** type.bits - 1);
  }
}

function storeFloat32(part: Uint8Array, values: Float64Array): void {
  const target = new Float32Array(part.buffer, part.byteOffset, values.length);
  target.set(values);
  plainNaN32(target);
}
function storeFloat64(part: Uint8Array, values: Float64Array): void {
  const target = new Float64Array(part.buffer, part.byteOffset, values.length);
  target.set(values);
  plainNaN64(target);
}

/** Sets every NaN to the quiet NaN without payload, as the WASM kernels do: engines may store any NaN. */
function plainNaN32(values: Float32Array): void {
  const patterns = words(bytesOfView(values));
  for (let i = 0; i < values.length; i++) {
    const value = float32At(values, i);
    if (Number.isNaN(value)) patterns[i] = 0x7fc00000;
  }
}
function plainNaN64(values: Float64Array): void {
  const patterns = words(bytesOfView(values));
  for (let i = 0; i < values.length; i++) {
    const value = float64At(values, i);
    if (!Number.isNaN(value)) continue;
    patterns[2 * i] = 0;
    patterns[2 * i + 1] = 0x7ff80000;
  }
}

function store64(target: Uint32Array, values: Float64Array): void {
  for (let i = 0; i < values.length; i++) {
    const value = float64At(values, i);
    const high = Math.floor(value / HIGH);
    target[2 * i] = value - high * HIGH;
    target[2 * i + 1] = high;
  }
}

function storeSmall(format: FloatFormat, part: Uint8Array, values: Float64Array): void {
  const target = format.bits > 8 ? new Uint16Array(part.buffer, part.byteOffset, values.length) : part;
  for (let i = 0; i < values.length; i++) target[i] = smallPattern(format, float64At(values, i));
}

/**
 * The bit pattern of the nearest value of a format; beyond the range that of Infinity, or of the largest
 * value in formats without it.
 */
export function smallPattern(format: FloatFormat, value: number): number {
  const pattern = encodeFloat(format, value);
  if (pattern !== undefined) return pattern;
  const beyond = format.infinity ?? format.largest;
  if (!format.signed) return value > 1 ? format.largest : 0;
  return value < 0 ? beyond | (1 << (format.bits - 1)) : beyond;
}
