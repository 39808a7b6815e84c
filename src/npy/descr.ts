/**
 * Parses and formats `descr` of npy headers and the Python literals around it. `descr` is a numpy type string
 * ("<f4", "|S3", ">M8[ns]") or a list of fields (name, descr[, shape]). It is like a v2 `dtype`, but every
 * field has its own byte order, and a field with an empty name is padding of a C struct.
 */
import type { DataType } from "../data-types/data-type.js";
import { dataTypeFromV2 } from "../data-types/registry.js";
import { describe, InvalidMetadataError, UnsupportedError } from "../errors.js";
import type { SwapUnit } from "../kernels/kernels.js";
import { isJsonArray, type Json } from "../metadata/json.js";

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

/** Limit of nesting: more than any data type has, and too little to overflow the stack. */
const MAXIMUM_DEPTH = 64;

/**
 * Parses the Python literals of npy headers (`repr` of a dict) to JSON: dicts, lists, tuples (as lists),
 * strings, integers, True, False and None (as null).
 * @throws InvalidMetadataError with the offset in characters at which parsing failed
 */
export function parsePythonLiteral(text: string): Json {
  const parser = new Parser(text);
  const value = parser.value(0);
  parser.end();
  return value;
}

// More digits than any length has; to convert a million of them would take a second.
const INTEGER = /[+-]?\d{1,40}(?!\d)/y;
// Strings as `repr` writes them: single or double quotes, with backslash escapes.
const STRING = /'((?:[^'\\\n]|\\[^\n])*)'|"((?:[^"\\\n]|\\[^\n])*)"/y;
const SPACE = /\s*/y;
const CONSTANTS: readonly (readonly [name: string, value: Json])[] = [
  ["True", true],
  ["False", false],
  ["None", null],
];

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): Json {
    if (depth > MAXIMUM_DEPTH) throw this.#error(`at most ${MAXIMUM_DEPTH} levels`);
    if (this.#take("(")) return this.#items(")", depth);
    if (this.#take("[")) return this.#items("]", depth);
    if (this.#take("{")) return this.#members(depth);
    for (const [name, value] of CONSTANTS) if (this.#take(name)) return value;
    const string = this.#match(STRING);
    if (string !== undefined) return unescapeString(string[1] ?? string[2] ?? "");
    const integer = this.#match(INTEGER);
    if (integer === undefined) throw this.#error("a Python literal");
    // Python 2 wrote long integers with a trailing L.
    this.#take("L");
    const number = Number(integer[0]);
    return Number.isSafeInteger(number) ? number : BigInt(integer[0]);
  }

  end(): void {
    this.#match(SPACE);
    if (this.#at < this.#text.length) throw this.#error("the end of the header");
  }

  #items(close: string, depth: number): Json[] {
    const items: Json[] = [];
    while (!this.#take(close)) {
      items.push(this.value(depth + 1));
      if (this.#take(",")) continue;
      this.#expect(close);
      break;
    }
    return items;
  }

  #members(depth: number): Json {
    const members = new Map<string, Json>();
    while (!this.#take("}")) {
      const name = this.value(depth + 1);
      if (typeof name !== "string") throw this.#error("a string as key");
      this.#expect(":");
      members.set(name, this.value(depth + 1));
      if (this.#take(",")) continue;
      this.#expect("}");
      break;
    }
    return Object.fromEntries(members);
  }

  #take(token: string): boolean {
    this.#match(SPACE);
    if (!this.#text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  #expect(token: string): void {
    if (!this.#take(token)) throw this.#error(`"${token}"`);
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#at = pattern.lastIndex;
    return match;
  }

  #error(expected: string): InvalidMetadataError {
    const got = this.#text.slice(this.#at, this.#at + 20);
    return new InvalidMetadataError(
      `npy header: expected ${expected} at character ${this.#at}, got ${JSON.stringify(got)}`,
      { offset: this.#at },
    );
  }
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

function unescapeString(text: string): string {
  return text.replace(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|(.))/g,
    (whole, x?: string, u?: string, U?: string, other?: string) => {
      if (other !== undefined) return ESCAPES.get(other) ?? other;
      const code = Number.parseInt(x ?? u ?? U ?? "", 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

/** Formats a string like `repr`, with control characters escaped. */
function pythonString(text: string): string {
  const escaped = text.replace(/[\\'\p{Cc}]/gu, (character) => {
    if (character === "\\" || character === "'") return `\\${character}`;
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
  return `'${escaped}'`;
}

/** Formats a tuple. A tuple of one item needs a trailing comma. */
export function pythonTuple(items: readonly string[]): string {
  return `(${items.join(", ")}${items.length === 1 ? "," : ""})`;
}
