/** Reads elements that are ready to draw: checks the options of `as`, and gives the result its form. */
import { at } from "../../base/at.js";
import { describe, InvalidArgumentError, UnsupportedError } from "../../base/errors.js";
import { checkNames, checkObject, type NamesOf } from "../../base/option-names.js";
import { cOrderStrides, product } from "../../base/shape.js";
import { asDrawn } from "../../core/line/placing/drawn.js";
import { FoundByChunk } from "../../core/line/placing/statistics.js";
import type { PreparedArray } from "../../core/line/prepared.js";
import { readInto } from "../../core/line/select.js";
import type { ReadOptions } from "../../core/line/shared/options.js";
import type { DataType } from "../../data-types/data-type.js";
import {
  type Conversion,
  isHeldByFloat32,
  type SourceKind,
  type StatisticsRequest,
  type TargetKind,
} from "../../data-types/drawn.js";
import type { DataOf } from "../../data-types/names.js";
import { bytesOfView, type TypedArrayConstructor } from "../../data-types/typed-array.js";
import type { BasicSelection } from "../../grid/selection.js";
import type { ZarritaQueue } from "../create/zarrita-options.js";
import type { ZarrArray } from "../nodes/nodes.js";
import { type DrawnAs, type DrawnOut, type DrawnType, type DrawOptions, WITH_AS } from "./draw-options.js";
import { FANCY } from "./get-options.js";
import { resultBytes } from "./result-bytes.js";

type DrawnData = DataOf<DrawnAs<DrawnType>>;
interface Target {
  readonly kind: TargetKind;
  readonly Class: TypedArrayConstructor<number, DrawnData> & { readonly name: string };
  /** Least and greatest value; integers only. */
  readonly range?: readonly [number, number];
}
const TARGETS: Readonly<Record<DrawnType, Target>> = {
  float16: { kind: "F16", Class: Uint16Array },
  float32: { kind: "F32", Class: Float32Array },
  float64: { kind: "F64", Class: Float64Array },
  int8: { kind: "I8", Class: Int8Array, range: [-128, 127] },
  int16: { kind: "I16", Class: Int16Array, range: [-32768, 32767] },
  int32: { kind: "I32", Class: Int32Array, range: [-(2 ** 31), 2 ** 31 - 1] },
  uint8: { kind: "U8", Class: Uint8Array, range: [0, 255] },
  uint16: { kind: "U16", Class: Uint16Array, range: [0, 65535] },
  uint32: { kind: "U32", Class: Uint32Array, range: [0, 2 ** 32 - 1] },
};

/** What elements of a data type are in memory, if they can be converted. BYTES has the others that can. */
const SOURCES: ReadonlyMap<string, SourceKind> = new Map([
  ["bool", "U8"],
  ["int8", "I8"],
  ["int16", "I16"],
  ["int32", "I32"],
  ["int64", "I64"],
  ["uint8", "U8"],
  ["uint16", "U16"],
  ["uint32", "U32"],
  ["uint64", "U64"],
  ["float16", "F16"],
  ["bfloat16", "BF16"],
  ["float32", "F32"],
  ["float64", "F64"],
]);

/** Data types of at most 8 bits without a typed array of JavaScript: a table has the number of each byte. */
const BYTES = /^(u?int[24]|float[468]_.+)$/;

/** The number that each byte stands for. */
const tableOf = (dataType: DataType): Float32Array =>
  Float32Array.from({ length: 256 }, (_, byte) => Number(dataType.readScalar(Uint8Array.of(byte))));

const OPTIONS: NamesOf<DrawOptions & ZarritaQueue> = {
  ...FANCY,
  shared: true,
  useSharedArrayBuffer: true,
  as: true,
  ...WITH_AS,
  createQueue: true,
};

/**
 * @throws InvalidArgumentError for options that do not fit; UnsupportedError for data that are not numbers
 */
export async function getDrawn(
  array: ZarrArray<unknown>,
  prepared: PreparedArray,
  { shape, dimensions }: BasicSelection,
  options: DrawOptions,
  reading: ReadOptions,
  isScalar: boolean,
): Promise<unknown> {
  checkNames(options, "a read with `as`", OPTIONS);
  const conversion = conversionOf(array, options);
  const { Class } = TARGETS[options.as];
  const place = placeOf(options, shape, array);
  const strides: number[] = [];
  let next = 0;
  for (const { drop } of dimensions)
    strides.push(drop ? 0 : at(place.stride, next++) * Class.BYTES_PER_ELEMENT);
  const target = { bytes: place.bytes, offset: place.offset, strides, isBlank: place.fresh };
  const drawing = new FoundByChunk(conversion);
  await readInto(prepared, { shape, dimensions }, target, reading, asDrawn(drawing));
  const found = drawing.sum();
  const data = place.data ?? new Class(place.bytes.buffer, place.bytes.byteOffset, product(shape));
  if (isScalar && !options.statistics) return at(data, place.offset / Class.BYTES_PER_ELEMENT);
  const chunk = { data, shape: [...shape], stride: [...place.stride] };
  if (!options.statistics) return chunk;
  const { count, bins: histogram } = found;
  const [minimum, maximum] = count > 0 ? [found.minimum, found.maximum] : [Number.NaN, Number.NaN];
  return { ...chunk, statistics: { minimum, maximum, count, histogram } };
}

type IsHeld = (value: number) => boolean;

function conversionOf({ dataType, path }: ZarrArray<unknown>, options: DrawOptions): Conversion {
  const { as, missingAs, window } = options;
  if (!Object.hasOwn(TARGETS, as)) {
    const names = Object.keys(TARGETS).join(", ");
    throw new InvalidArgumentError(`as: expected "column" or one of ${names}, got ${describe(as)}`);
  }
  const from = SOURCES.get(dataType.name) ?? (BYTES.test(dataType.name) ? "BYTE" : undefined);
  if (from === undefined) {
    throw new UnsupportedError(
      `as: cannot convert elements of data type ${dataType.name}, only booleans, integers and floats; read without \`as\``,
      { path },
    );
  }
  const { kind: to, range } = TARGETS[as];
  const through = isHeldByFloat32(from) && isHeldByFloat32(to) ? "F32" : "F64";
  const round = through === "F32" ? Math.fround : Number;
  const numberFor = (name: "scale" | "offset" | "missingAs", otherwise: number, isHeld: IsHeld): number => {
    const { [name]: value = otherwise } = options;
    if (typeof value === "number" && isHeld(value)) return value;
    throw new InvalidArgumentError(
      `${name}: expected a number in the range of ${as}, got ${describe(value)}`,
    );
  };
  const isInRange: IsHeld = (value) => Number.isFinite(round(value));
  // NaN and infinities are values of floats, and a finite number may not become one.
  const missing = numberFor("missingAs", range === undefined ? Number.NaN : 0, (value) =>
    Number.isFinite(value) ? isInRange(value) : range === undefined,
  );
  if (range && !(Number.isInteger(missing) && missing >= range[0] && missing <= range[1])) {
    throw new InvalidArgumentError(
      `missingAs: expected an integer from ${range[0]} to ${range[1]} for ${as}, got ${missingAs}`,
    );
  }
  const { low, gain } = windowOf(window, as, round);
  return {
    wraps: wraps(options, from, range !== undefined),
    from,
    table: from === "BYTE" ? tableOf(dataType) : undefined,
    through,
    to,
    masks: masksOf(options.missing, from, through),
    factor: round(numberFor("scale", 1, isInRange)),
    // Adding +0 would turn -0 into +0.
    shift: round(numberFor("offset", -0, isInRange)),
    missing,
    low,
    gain,
    statistics: statisticsOf(options.statistics),
  };
}

/** Whether integers keep their lowest bits. */
function wraps(options: DrawOptions, from: SourceKind, isInteger: boolean): boolean {
  const { overflow = "clamp" } = options;
  if (overflow !== "clamp" && overflow !== "wrap")
    throw new InvalidArgumentError(`overflow: expected "clamp" or "wrap", got ${describe(overflow)}`);
  if (overflow === "clamp") return false;
  if (!isInteger || !/^[IU]\d/.test(from))
    throw new InvalidArgumentError(
      `overflow: "wrap" is for integers that are read as integers, got as: "${options.as}" of ${from}`,
    );
  for (const option of ["missing", "missingAs", "scale", "offset", "window", "statistics"] as const)
    if (options[option] !== undefined)
      throw new InvalidArgumentError(`overflow: "wrap" cannot be combined with ${option}`);
  return true;
}

function windowOf(
  window: DrawOptions["window"],
  as: DrawnType,
  round: (value: number) => number,
): { readonly low: number; readonly gain: number } {
  if (window === undefined) return { low: 0, gain: 1 };
  if (as !== "uint8")
    throw new InvalidArgumentError(`window: cannot be combined with as: "${as}", only with as: "uint8"`);
  const [low, high] = rangeOf(window, "window");
  const from = round(low);
  const gain = round(255 / round(round(high) - from));
  if (gain > 0 && Number.isFinite(gain) && Number.isFinite(from)) return { low: from, gain };
  throw new InvalidArgumentError(`window: expected [low, high] further apart, got ${describe(window)}`);
}

function statisticsOf(statistics: DrawOptions["statistics"]): StatisticsRequest | undefined {
  if (statistics === undefined || statistics === false) return undefined;
  if (statistics === true) return { bins: 0, low: 0, high: 0 };
  checkObject(statistics, "statistics", "true or { bins, range }");
  const { bins } = statistics;
  if (!Number.isInteger(bins) || bins < 1 || bins > MOST_BINS) {
    throw new InvalidArgumentError(
      `statistics.bins: expected an integer from 1 to ${MOST_BINS}, got ${describe(bins)}`,
    );
  }
  const [low, high] = rangeOf(statistics.range, "statistics.range");
  return { bins, low, high };
}

/** Every chunk of a read has a histogram until the read ends: see engine/statistics.ts. */
const MOST_BINS = 65536;

function rangeOf(range: readonly [number, number], name: string): readonly [number, number] {
  if (Array.isArray(range) && range.length === 2) {
    const [low, high] = range;
    if (Number.isFinite(low) && Number.isFinite(high) && low < high && Number.isFinite(high - low))
      return [low, high];
  }
  throw new InvalidArgumentError(`${name}: expected [low, high] with low below high, got ${describe(range)}`);
}

/** The missing values that the stored type has, as the kernels take them. Others are never stored. */
function masksOf(missing: DrawOptions["missing"], from: SourceKind, through: "F32" | "F64"): Uint8Array {
  const values = missing === undefined ? [] : Array.isArray(missing) ? missing : [missing];
  for (const value of values) {
    if (typeof value === "number" || typeof value === "bigint") continue;
    throw new InvalidArgumentError(`missing: expected numbers, got ${describe(value)}`);
  }
  if (from === "I64" || from === "U64") {
    const [Class, wrap] = from === "I64" ? [BigInt64Array, BigInt.asIntN] : [BigUint64Array, BigInt.asUintN];
    const integers = values
      .filter((value) => typeof value === "bigint" || Number.isInteger(value))
      .map(BigInt);
    return bytesOfView(Class.from(integers.filter((value) => wrap(64, value) === value)));
  }
  // A stored float32 is the nearest one to the number that was meant: 1e20 is not a float32.
  const stored =
    from === "F32" || from === "F16" || from === "BF16" || from === "BYTE" ? Math.fround : Number;
  const numbers = values.map((value) => stored(Number(value)));
  if (through === "F64") return bytesOfView(Float64Array.from(numbers));
  return bytesOfView(Float32Array.from(numbers.filter((value) => Math.fround(value) === value)));
}

interface Place {
  /** The caller's array. */
  readonly data?: DrawnData | undefined;
  readonly bytes: Uint8Array;
  /** In bytes. */
  readonly offset: number;
  /** In elements, by dimension of the result. */
  readonly stride: readonly number[];
  readonly fresh: boolean;
}

function placeOf(options: DrawOptions, shape: readonly number[], array: ZarrArray<unknown>): Place {
  const { as, out, shared = options.useSharedArrayBuffer } = options;
  const { Class } = TARGETS[as];
  const width = Class.BYTES_PER_ELEMENT;
  const count = product(shape);
  const inOrder = cOrderStrides(shape, 1);
  if (out === undefined)
    return { ...resultBytes(array, { shared }, count * width), offset: 0, stride: inOrder };
  checkObject(out, "out", `elements for as: "${as}"`);
  const destination: DrawnOut<DrawnType> = "stride" in out ? out : { data: out, stride: inOrder };
  const { data, stride, offset = 0 } = destination;
  if (!(data instanceof Class)) {
    throw new InvalidArgumentError(
      `out: expected ${/^[aeiou]/i.test(Class.name) ? "an" : "a"} ${Class.name} for as: "${as}", got ${describe(data)}`,
      { path: array.path },
    );
  }
  if (destination.data === out && data.length !== count)
    throw new InvalidArgumentError(`out: expected ${count} elements, got ${data.length}`, {
      path: array.path,
    });
  checkPlace(shape, stride, offset, data.length);
  return { data, bytes: bytesOfView(data), offset: offset * width, stride, fresh: false };
}

/** @throws InvalidArgumentError unless the rows lie one after the other within `length` elements */
function checkPlace(
  shape: readonly number[],
  stride: readonly number[],
  offset: number,
  length: number,
): void {
  let end = 1;
  let isValid =
    Array.isArray(stride) && stride.length === shape.length && Number.isInteger(offset) && offset >= 0;
  for (let d = shape.length - 1; d >= 0 && isValid; d--) {
    const step = at(stride, d);
    isValid &&= Number.isInteger(step) && (step >= end || at(shape, d) <= 1);
    end += (at(shape, d) - 1) * step;
  }
  if (shape.includes(0) || (isValid && offset + end <= length)) return;
  throw new InvalidArgumentError(
    `out: expected strides in C order for the shape [${shape.join(", ")}] that stay within ${length} elements, got [${stride.join(", ")}] from element ${offset}`,
  );
}
