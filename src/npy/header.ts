/**
 * The header of an npy file, versions 1.0, 2.0 and 3.0: magic, version, length, and a Python dict of `descr`, `fortran_order` and `shape`.
 * https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 */
import type { DataType } from "../data-types/data-type.js";
import { dataTypeFromV2, withAllDataTypes } from "../data-types/registry.js";
import { describe, InvalidMetadataError, UnsupportedError } from "../errors.js";
import type { SwapUnit } from "../kernels/kernels.js";
import { isJsonArray, type Json } from "../metadata/json.js";
import { Member } from "../metadata/member.js";
import { product } from "../shape.js";
import { parsePythonLiteral, pythonString, pythonTuple } from "./python-literal.js";

export interface NpyHeader extends NpyElements {
  readonly shape: readonly number[];
  /** "F": the first dimension is the fastest. */
  readonly order: "C" | "F";
  /** Where the elements begin, in bytes from the start of the file. */
  readonly dataOffset: number;
}

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
/** Bytes that tell how long the header is. */
export const PREAMBLE_BYTES = 12;
/** Longer than the fields of any struct take, and far from what a hostile file may claim. */
const MAXIMUM_HEADER_BYTES = 1 << 20;

/**
 * Where the elements begin, which is how much of the file `parseNpyHeader` needs.
 * @param bytes the first `PREAMBLE_BYTES` of the file, or more
 * @throws InvalidMetadataError for anything that is no npy file
 */
export function npyDataOffset(bytes: Uint8Array): number {
  if (bytes.length < PREAMBLE_BYTES || MAGIC.some((byte, i) => bytes[i] !== byte)) {
    throw new InvalidMetadataError("expected an npy file, which begins with \\x93NUMPY, got other bytes");
  }
  const [major = 0, minor = 0] = bytes.subarray(6, 8);
  if (major < 1 || major > 3 || minor !== 0) {
    throw new InvalidMetadataError(`expected npy version 1.0, 2.0 or 3.0, got ${major}.${minor}`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const dataOffset = major === 1 ? 10 + view.getUint16(8, true) : 12 + view.getUint32(8, true);
  if (dataOffset > MAXIMUM_HEADER_BYTES) {
    throw new InvalidMetadataError(
      `expected an npy header below ${MAXIMUM_HEADER_BYTES} bytes, got ${dataOffset}`,
    );
  }
  return dataOffset;
}

/**
 * @param bytes the beginning of the file, up to its elements at least
 * @throws InvalidMetadataError, UnknownDataTypeError, UnsupportedError for Python objects
 */
export async function parseNpyHeader(bytes: Uint8Array): Promise<NpyHeader> {
  const dataOffset = npyDataOffset(bytes);
  const isFirstVersion = bytes[6] === 1;
  if (bytes.length < dataOffset) {
    throw new InvalidMetadataError(
      `expected an npy header of ${dataOffset} bytes, got a file of ${bytes.length}`,
    );
  }
  const text = decode(bytes.subarray(isFirstVersion ? 10 : 12, dataOffset), bytes[6] === 3);
  const header = new Member(parsePythonLiteral(text.trimEnd()), {});
  const elements = await withAllDataTypes(() => header.get("descr").check(parseDescr));
  const shape = header.get("shape").shape();
  const order = header.get("fortran_order").oneOf(true, false) ? "F" : "C";
  if (!Number.isSafeInteger(product(shape) * elements.fileItemSize)) {
    throw new InvalidMetadataError(
      `expected less than 2^53 bytes of elements, got shape [${shape.join(", ")}]`,
    );
  }
  return { ...elements, shape, order, dataOffset };
}

/** Version 3 is UTF-8, the others Latin-1, of which TextDecoder would make windows-1252. */
function decode(bytes: Uint8Array, isUtf8: boolean): string {
  if (!isUtf8) return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new InvalidMetadataError("expected an npy header in UTF-8, got bytes that are not", { cause });
  }
}

/**
 * The header for elements in C order, little-endian; they follow at once. As numpy does: version 1.0 where it can, padded so that the
 * elements begin at a multiple of 64.
 * @throws UnsupportedError when numpy has no such data type
 */
export function formatNpyHeader(dataType: DataType, shape: readonly number[]): Uint8Array {
  const text = `{'descr': ${formatDescr(dataType)}, 'fortran_order': False, 'shape': ${pythonTuple(shape.map(String))}, }`;
  const isLatin = /^[\0-\xff]*$/.test(text);
  const encoded = isLatin
    ? Uint8Array.from(text, (character) => character.charCodeAt(0))
    : new TextEncoder().encode(text);
  const padded = (preamble: number): number => Math.ceil((preamble + encoded.length + 1) / 64) * 64;
  const version = !isLatin ? 3 : padded(10) - 10 < 65536 ? 1 : 2;
  const preamble = version === 1 ? 10 : 12;
  const bytes = new Uint8Array(padded(preamble)).fill(0x20);
  bytes.set(MAGIC);
  bytes.set([version, 0], 6);
  const view = new DataView(bytes.buffer);
  if (version === 1) view.setUint16(8, bytes.length - preamble, true);
  else view.setUint32(8, bytes.length - preamble, true);
  bytes.set(encoded, preamble);
  bytes[bytes.length - 1] = 0x0a;
  return bytes;
}

/*
 * `descr`: a numpy type string ("<f4", "|S3", ">M8[ns]") or a list of fields (name, descr[, shape]). The same JSON as a
 * v2 `dtype`, but with a byte order of its own in every field, and with fields without a name where a C struct has padding.
 */
/** `count` words of `width` bytes that lie together in an element of the file and in one in memory. */
export interface FieldRun {
  readonly fileOffset: number;
  readonly memoryOffset: number;
  readonly width: number;
  readonly count: number;
  /** Bytes to reverse: more than 1 for a big-endian field. */
  readonly swapUnit: SwapUnit;
}

/** How the elements of a file become elements in memory order. */
export interface NpyElements {
  readonly dataType: DataType;
  /** Bytes of an element in the file; more than the data type's where there is padding. */
  readonly fileItemSize: number;
  readonly runs: readonly FieldRun[];
}

/** Run it inside `withAllDataTypes`. @throws InvalidMetadataError, UnknownDataTypeError */
export function parseDescr(descr: Json): NpyElements {
  const found = walk(descr, 0, 0);
  if (found.dtype === undefined) throw invalid("a numpy type string or a list of fields", descr);
  const { dataType } = dataTypeFromV2(found.dtype);
  if (dataType.itemSize !== found.memorySize) {
    throw invalid(`a type of ${found.memorySize} bytes an element`, descr);
  }
  return { dataType, fileItemSize: found.fileSize, runs: found.runs };
}

interface Found {
  /** The little-endian v2 form; undefined for padding. */
  readonly dtype: Json | undefined;
  readonly fileSize: number;
  readonly memorySize: number;
  readonly runs: readonly FieldRun[];
}

function walk(descr: Json, fileOffset: number, memoryOffset: number): Found {
  if (typeof descr === "string") return leaf(descr, fileOffset, memoryOffset);
  if (!isJsonArray(descr)) throw invalid("a numpy type string or a list of fields", descr);
  const fields: Json[] = [];
  const runs: FieldRun[] = [];
  let fileSize = 0;
  let memorySize = 0;
  for (const field of descr) {
    if (!isJsonArray(field) || field.length < 2 || field.length > 3) {
      throw invalid("a field of the form (name, descr) or (name, descr, shape)", field);
    }
    const [title, type = null, shape = []] = field;
    // (title, name) where a field has a title, which Zarr has no place for.
    const name = isJsonArray(title) && title.length === 2 ? title[1] : title;
    if (typeof name !== "string") throw invalid("a string as the name of a field", field);
    const lengths = isJsonArray(shape) ? shape : [shape];
    const count = elementCount(lengths, field);
    if (name === "") {
      fileSize += walk(type, 0, 0).fileSize * count;
      continue;
    }
    const one = walk(type, fileOffset + fileSize, memoryOffset + memorySize);
    for (const run of repeat(one, count, field)) runs.push(run);
    fields.push(lengths.length === 0 ? [name, one.dtype ?? null] : [name, one.dtype ?? null, lengths]);
    fileSize += one.fileSize * count;
    memorySize += one.memorySize * count;
  }
  return { dtype: fields.length === 0 ? undefined : fields, fileSize, memorySize, runs };
}

function leaf(descr: string, fileOffset: number, memoryOffset: number): Found {
  if (/^\|?O/.test(descr)) {
    throw new UnsupportedError(
      "npy: expected elements of a fixed size, got Python objects, which only Python can unpickle; save strings as a fixed-length type (astype('U'))",
    );
  }
  const dtype = descr.replace(/^>/, "<");
  const { itemSize, swapUnit } = dataTypeFromV2(dtype).dataType;
  const run = {
    fileOffset,
    memoryOffset,
    width: itemSize,
    count: 1,
    swapUnit: descr.startsWith(">") ? swapUnit : 1,
  } as const;
  return { dtype, fileSize: itemSize, memorySize: itemSize, runs: [run] };
}

/** Every element of a struct in a subarray has runs of its own, so a small header must not ask for millions. */
const MAXIMUM_RUNS = 1 << 16;

/** The runs of a field that stands `count` times behind itself: a subarray. */
function repeat({ runs, fileSize, memorySize }: Found, count: number, field: Json): FieldRun[] {
  const [only] = runs;
  if (runs.length === 1 && only?.count === 1 && only.width === fileSize && only.width === memorySize) {
    return [{ ...only, count }];
  }
  if (runs.length * count > MAXIMUM_RUNS) throw invalid(`at most ${MAXIMUM_RUNS} values in a field`, field);
  return Array.from({ length: count }, (_, i) =>
    runs.map((run) => ({
      ...run,
      fileOffset: run.fileOffset + i * fileSize,
      memoryOffset: run.memoryOffset + i * memorySize,
    })),
  ).flat();
}

function elementCount(lengths: readonly Json[], field: Json): number {
  let count = 1;
  for (const length of lengths) {
    if (typeof length !== "number" || !Number.isInteger(length) || length < 1) {
      throw invalid("positive integers as the shape of a field", field);
    }
    count *= length;
  }
  return count;
}

function invalid(expected: string, got: Json): InvalidMetadataError {
  return new InvalidMetadataError(`npy header: expected ${expected}, got ${describe(got)}`, {
    member: "descr",
  });
}

const NUMPY_TYPE = /^[<|][biufcSUVMm]\d+(\[\w+\])?$/;

/** The little-endian `descr` of a data type as a Python literal. @throws UnsupportedError when numpy has no such type */
export function formatDescr(dataType: DataType): string {
  return format(dataType.toV2("little"), dataType);
}

function format(dtype: Json, dataType: DataType): string {
  if (typeof dtype === "string" && NUMPY_TYPE.test(dtype)) return pythonString(dtype);
  if (!isJsonArray(dtype)) {
    throw new UnsupportedError(
      `npy cannot hold data type ${dataType.name}, which numpy does not have; write .json instead`,
    );
  }
  const fields = dtype.map((field) => {
    const [name, type = null, shape] = isJsonArray(field) ? field : [];
    const parts = [pythonString(String(name)), format(type, dataType)];
    if (shape !== undefined) parts.push(pythonTuple((isJsonArray(shape) ? shape : [shape]).map(String)));
    return pythonTuple(parts);
  });
  return `[${fields.join(", ")}]`;
}
