/**
 * The header of NetCDF-3: classic (CDF-1), 64-bit offset (CDF-2) and 64-bit data (CDF-5).
 * https://docs.unidata.ucar.edu/netcdf-c/current/file_format_specifications.html
 */
import { at, type Json, type JsonObject, StoreError, UnsupportedError } from "../../../core/for-stores.js";
import type { FileBytes } from "../file-bytes.js";

/** A type of NetCDF. All numbers are big-endian. */
export type NetcdfType = keyof typeof SIZES;

export const SIZES = {
  ...{ int8: 1, char: 1, int16: 2, int32: 4, float32: 4, float64: 8 },
  ...{ uint8: 1, uint16: 2, uint32: 4, int64: 8, uint64: 8 },
} as const;

/** By their numbers, from 1. */
const TYPES: readonly NetcdfType[] = [
  ...(["int8", "char", "int16", "int32", "float32", "float64"] as const),
  ...(["uint8", "uint16", "uint32", "int64", "uint64"] as const),
];

export interface NetcdfDimension {
  readonly name: string;
  /** Undefined: that of records, whose number is in the header. */
  readonly length: number | undefined;
}

export interface NetcdfVariable {
  readonly name: string;
  readonly dimensions: readonly NetcdfDimension[];
  readonly attributes: JsonObject;
  readonly type: NetcdfType;
  /** Of the first byte in the file. */
  readonly offset: number;
}

export interface NetcdfHeader {
  readonly records: number;
  readonly attributes: JsonObject;
  readonly variables: readonly NetcdfVariable[];
}

const ABSENT = 0;
const DIMENSION = 0x0a;
const VARIABLE = 0x0b;
const ATTRIBUTE = 0x0c;
/** Number of records of a file that a program is writing. */
const STREAMING = 0xffffffff;
const MOST_DIMENSIONS = 1024;
const LONGEST_HEADER = 64 << 20;

/** Reads the header: more of the file, until it is whole. */
export async function readHeader(file: FileBytes): Promise<NetcdfHeader> {
  for (let length = Math.min(8192, file.byteLength); ; length = Math.min(8 * length, file.byteLength)) {
    const bytes = await file.read(0, length);
    const fields = new Fields(bytes, file.name);
    try {
      return parse(fields, file.byteLength);
    } catch (error) {
      // The header is longer than what was read of it.
      if (error !== fields.tooShort || length === file.byteLength || length > LONGEST_HEADER) throw error;
    }
  }
}

/** Big-endian fields, one after the other. */
class Fields {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #name: string;
  /** Thrown for fields past the end of the bytes. */
  readonly tooShort: StoreError;
  #at = 4;
  /** Bytes of counts and lengths. */
  readonly version: number;

  constructor(bytes: Uint8Array, name: string) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#name = name;
    this.tooShort = new StoreError(`${name}: NetCDF-3: the header ends too early`);
    this.version = at(bytes, 3);
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4));
  }
  u64(): number {
    const value = Number(this.#view.getBigUint64(this.#take(8)));
    if (Number.isSafeInteger(value)) return value;
    throw this.refusal(`expected a number below 2^53, got ${value}`);
  }
  /** A count or a length: 64 bits in CDF-5. */
  count(): number {
    return this.version === 5 ? this.u64() : this.u32();
  }
  /** An offset in the file. */
  offset(): number {
    return this.version === 1 ? this.u32() : this.u64();
  }
  /** Bytes, padded to a multiple of 4. */
  bytes(length: number): Uint8Array {
    const start = this.#take(Math.ceil(length / 4) * 4);
    return this.#bytes.subarray(start, start + length);
  }
  text(): string {
    return new TextDecoder().decode(this.bytes(this.count()));
  }
  /** The number of items of a list; what they are is checked. */
  list(tag: number): number {
    const [found, count] = [this.u32(), this.count()];
    if (found === ABSENT && count === 0) return 0;
    if (found === tag) return count;
    throw this.refusal(`expected a list of ${tag}, got ${found}`);
  }
  refusal(message: string): StoreError {
    return new StoreError(`${this.#name}: NetCDF-3: ${message} at byte ${this.#at}`);
  }

  #take(length: number): number {
    const start = this.#at;
    if (!(length >= 0 && length <= this.#bytes.length - start)) throw this.tooShort;
    this.#at += length;
    return start;
  }
}

function parse(fields: Fields, byteLength: number): NetcdfHeader {
  const stored = fields.count();
  const dimensions: NetcdfDimension[] = [];
  for (let left = fields.list(DIMENSION); left > 0; left--) {
    const name = fields.text();
    const length = fields.count();
    dimensions.push({ name, length: length === 0 ? undefined : length });
  }
  const attributes = readAttributes(fields);
  const variables: NetcdfVariable[] = [];
  for (let left = fields.list(VARIABLE); left > 0; left--) variables.push(readVariable(fields, dimensions));
  const isStreaming = stored === (fields.version === 5 ? Number.NaN : STREAMING);
  return { attributes, variables, records: isStreaming ? recordsIn(variables, byteLength) : stored };
}

/** As many records as the file has, if its writer did not say. */
function recordsIn(variables: readonly NetcdfVariable[], byteLength: number): number {
  const records = variables.filter(isRecord);
  const size = recordSize(records);
  const first = records.reduce((least, { offset }) => Math.min(least, offset), byteLength);
  return size === 0 ? 0 : Math.floor((byteLength - first) / size);
}

function readVariable(fields: Fields, dimensions: readonly NetcdfDimension[]): NetcdfVariable {
  const name = fields.text();
  const rank = fields.count();
  if (rank > MOST_DIMENSIONS)
    throw fields.refusal(`expected at most ${MOST_DIMENSIONS} dimensions, got ${rank}`);
  const dimensionIds = Array.from({ length: rank }, () => {
    const found = dimensions[fields.count()];
    if (found === undefined)
      throw fields.refusal(`variable ${JSON.stringify(name)} has a dimension that is not there`);
    return found;
  });
  if (dimensionIds.some(({ length }, d) => length === undefined && d > 0))
    throw fields.refusal(`variable ${JSON.stringify(name)} has records in another dimension than the first`);
  const attributes = readAttributes(fields);
  const type = typeOf(fields, name);
  // Its length, which is wrong for long variables, and can be calculated.
  fields.count();
  return { name, dimensions: dimensionIds, attributes, type, offset: fields.offset() };
}

function readAttributes(fields: Fields): JsonObject {
  const found: [string, Json][] = [];
  for (let left = fields.list(ATTRIBUTE); left > 0; left--) {
    const name = fields.text();
    const type = typeOf(fields, name);
    const count = fields.count();
    const bytes = fields.bytes(count * SIZES[type]);
    const values = type === "char" ? [] : Array.from({ length: count }, (_, i) => numberAt(bytes, type, i));
    const [only] = values;
    const value = type === "char" ? textOf(bytes) : values.length === 1 && only !== undefined ? only : values;
    found.push([name, value]);
  }
  return Object.fromEntries(found);
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes).replace(/\0+$/, "");

function typeOf(fields: Fields, name: string): NetcdfType {
  const number = fields.u32();
  const type = TYPES[number - 1];
  if (type !== undefined) return type;
  throw new UnsupportedError(`NetCDF-3: type ${number} of ${JSON.stringify(name)} is not known`);
}

/** A number of a list. */
export function numberAt(
  bytes: Uint8Array,
  type: Exclude<NetcdfType, "char">,
  index: number,
): number | bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const at = index * SIZES[type];
  switch (type) {
    case "int8":
      return view.getInt8(at);
    case "uint8":
      return view.getUint8(at);
    case "int16":
      return view.getInt16(at);
    case "uint16":
      return view.getUint16(at);
    case "int32":
      return view.getInt32(at);
    case "uint32":
      return view.getUint32(at);
    case "float32":
      return view.getFloat32(at);
    case "float64":
      return view.getFloat64(at);
    case "int64":
    case "uint64": {
      const value = type === "int64" ? view.getBigInt64(at) : view.getBigUint64(at);
      return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    }
  }
}

/** Whether a variable has the dimension of records. */
export const isRecord = ({ dimensions }: NetcdfVariable): boolean =>
  dimensions.length > 0 && dimensions[0]?.length === undefined;

/** Bytes that one record of a variable has, or all of a variable without records; without padding. */
export function bytesOfVariable({ dimensions, type }: NetcdfVariable): number {
  return dimensions.reduce((product, { length = 1 }) => product * length, SIZES[type]);
}

/** Bytes from one record to the next: those of all variables, each padded to 4, unless there is only one. */
export function recordSize(variables: readonly NetcdfVariable[]): number {
  const records = variables.filter(isRecord);
  const [only] = records;
  if (records.length === 1 && only !== undefined) return bytesOfVariable(only);
  return records.reduce((sum, variable) => sum + Math.ceil(bytesOfVariable(variable) / 4) * 4, 0);
}
