/**
 * Parses and formats `descr` of npy headers, a literal of Python (python-literal.ts). It is a numpy type
 * string ("<f4", "|S3", ">M8[ns]") or a list of fields (name, descr[, shape]). It is like a v2 `dtype`, but
 * every field has its own byte order, and a field with an empty name is padding of a C struct.
 */

import {
  type DataType,
  dataTypeFromV2,
  describe,
  InvalidMetadataError,
  isJsonArray,
  type Json,
  type SwapUnit,
  UnsupportedError,
} from "../../core/for-formats.js";
import { pythonString, pythonTuple } from "./python-literal.js";

/**
 * `count` words of `width` bytes that are contiguous in an element of the file and in an element in memory.
 * Offsets are in bytes.
 */
interface FieldRun {
  readonly fileOffset: number;
  readonly memoryOffset: number;
  readonly width: number;
  readonly count: number;
  /** Bytes per unit to reverse: more than 1 for a big-endian field. */
  readonly swapUnit: SwapUnit;
}

/** How elements of a file are converted to memory order. */
export interface NpyElements {
  readonly dataType: DataType;
  /** Bytes per element in the file: `itemSize` of the data type plus padding. */
  readonly fileItemSize: number;
  readonly runs: readonly FieldRun[];
}

/**
 * Must run inside `withAllDataTypes`.
 * @throws InvalidMetadataError, UnknownDataTypeError, UnsupportedError for Python objects
 */
export function parseDescr(descr: Json): NpyElements {
  const found = walk(descr, 0, 0, { count: 0 });
  if (found.dtype === undefined) throw invalid("a numpy type string or a list of fields", descr);
  const { dataType } = dataTypeFromV2(found.dtype);
  if (dataType.itemSize !== found.memorySize) {
    throw invalid(`a type of ${found.memorySize} bytes an element`, descr);
  }
  return { dataType, fileItemSize: found.fileSize, runs: found.runs };
}

interface Found {
  /** The little-endian v2 `dtype`; undefined for padding. */
  readonly dtype: Json | undefined;
  readonly fileSize: number;
  readonly memorySize: number;
  readonly runs: readonly FieldRun[];
}

function walk(descr: Json, fileOffset: number, memoryOffset: number, made: RunsMade): Found {
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
    // A name may be (title, name). The title is dropped: Zarr has no place for it.
    const name = isJsonArray(title) && title.length === 2 ? title[1] : title;
    if (typeof name !== "string") throw invalid("a string as the name of a field", field);
    const lengths = isJsonArray(shape) ? shape : [shape];
    const count = elementCount(lengths, field);
    if (name === "") {
      fileSize += walk(type, 0, 0, made).fileSize * count;
      continue;
    }
    const one = walk(type, fileOffset + fileSize, memoryOffset + memorySize, made);
    for (const run of repeat(one, count, field, made)) runs.push(run);
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

/**
 * Limit of runs of subarrays in a header: every struct in one has its own runs, so a small hostile header
 * could ask for millions.
 */
const MAXIMUM_RUNS = 1 << 16;

/** How many runs of subarrays were made for the header. */
interface RunsMade {
  count: number;
}

/** Runs of a subarray: a field repeated `count` times. */
function repeat(
  { runs, fileSize, memorySize }: Found,
  count: number,
  field: Json,
  made: RunsMade,
): FieldRun[] {
  const [only] = runs;
  if (runs.length === 1 && only?.count === 1 && only.width === fileSize && only.width === memorySize) {
    return [{ ...only, count }];
  }
  made.count += runs.length * count;
  if (made.count > MAXIMUM_RUNS)
    throw invalid(`at most ${MAXIMUM_RUNS} values in subarrays of structs`, field);
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

/**
 * Formats the little-endian `descr` of a data type as a Python literal.
 * @throws UnsupportedError for a type that numpy does not have
 */
export function formatDescr(dataType: DataType): string {
  return format(dataType.toV2("little"), dataType);
}

function format(dtype: Json, dataType: DataType): string {
  if (typeof dtype === "string" && NUMPY_TYPE.test(dtype)) return pythonString(dtype);
  if (!isJsonArray(dtype)) {
    throw new UnsupportedError(
      `npy cannot hold data type ${dataType.name}, which NumPy does not have; write .json instead`,
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
