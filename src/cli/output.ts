/** What the commands print: standard output, files (there only when complete), problems, progress, and elements as JSON. */
import { createReadStream } from "node:fs";
import { appendFile, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WriteStream } from "node:tty";
import type { DataType } from "../data-types/data-type.js";
import { toBase64 } from "../data-types/extra/fixed-bytes.js";
import { isOptional } from "../data-types/extra/optional.js";
import { isStruct } from "../data-types/extra/struct.js";
import { isSubarray } from "../data-types/extra/subarray.js";
import { isZarrError, UnsupportedError } from "../errors.js";
import type { Json } from "../metadata/json.js";
import { stringifyJson } from "../metadata/json-text.js";

export interface Output {
  write(data: string | Uint8Array): Promise<void>;
}

// The callback of `write` below reports errors. Without this listener, Node would also end the program with a stack trace.
process.stdout.on("error", () => {});

/** Each write waits until the reader has taken the data. If the reader is gone (`| head`), the program ends with status 0. */
const standardOutput: Output = {
  write: (data) =>
    new Promise((resolve, reject) => {
      process.stdout.write(typeof data === "string" ? printable(data) : data, (error) => {
        if (error == null) resolve();
        else if ("code" in error && error.code === "EPIPE") process.exit(0);
        else reject(error);
      });
    }),
};

/**
 * Text without characters that a terminal obeys (but line ends and tabs) or that change the direction of what follows: names, attributes
 * and answers of servers may have them. They are written as JSON writes them, so that JSON stays the same document.
 */
export function printable(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
    /[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

export function print(text: string): Promise<void> {
  return standardOutput.write(text);
}

/**
 * Runs `write` with an output to a file, or to standard output for "-". After a failure the file is removed. Standard output gets the
 * whole document or nothing, because its reader could not recognise an incomplete one.
 */
export async function withOutput(file: string, write: (output: Output) => Promise<void>): Promise<void> {
  if (file === "-") {
    await withHeldOutput(write);
    return;
  }
  const handle = await open(file, "w");
  let isDone = false;
  try {
    await write({ write: (data) => handle.writeFile(data) });
    isDone = true;
  } finally {
    const isFile = (await handle.stat()).isFile();
    await handle.close();
    if (!isDone && isFile) await rm(file, { force: true });
  }
}

/** Characters or bytes of output to hold in memory before they go to a temporary file. */
const HELD_LENGTH = 1 << 24;

/** Holds the output of `write` back until `write` succeeds, and then sends it to standard output. */
async function withHeldOutput(write: (output: Output) => Promise<void>): Promise<void> {
  let held: (string | Uint8Array)[] = [];
  let length = 0;
  let folder: string | undefined;
  const file = (): string => join(folder ?? "", "output");
  try {
    await write({
      async write(data) {
        // What is held in a file is sent as bytes.
        held.push(typeof data === "string" ? printable(data) : data);
        length += data.length;
        if (length < HELD_LENGTH) return;
        folder ??= await mkdtemp(join(tmpdir(), "wazarr-"));
        for (const part of held) await appendFile(file(), part);
        held = [];
        length = 0;
      },
    });
    if (folder !== undefined)
      for await (const part of createReadStream(file())) await standardOutput.write(part);
    for (const part of held) await standardOutput.write(part);
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

const WAIT_MILLISECONDS = 1000;
const PAUSE_MILLISECONDS = 100;
const WIDTH = 30;

/** Progress in bytes. */
export interface ByteCounts {
  readonly done: number;
  /** All bytes of the work. If given, the bar shows the part of bytes rather than the part of units. */
  readonly total?: number;
  /** The part of `done` from before this run. The rate excludes it. */
  readonly before?: number;
}

export interface Progress {
  /**
   * @param total undefined if unknown: then only the count is shown
   * @param bytes progress in bytes, to show with its rate
   */
  update(done: number, total?: number, bytes?: ByteCounts): void;
  /** Removes the bar from the terminal. */
  end(): void;
}

/** Progress that shows nothing, for `--quiet`. */
export const noProgress: Progress = { update() {}, end() {} };

/** Makes a progress bar that appears after a second. @param stream gets the bar only if it is a terminal */
export function createProgress(
  unit: string,
  stream: Pick<WriteStream, "isTTY" | "write"> = process.stderr,
): Progress {
  const began = performance.now();
  let next = began + WAIT_MILLISECONDS;
  let isShown = false;
  return {
    update(done, total, bytes) {
      const now = performance.now();
      if (!stream.isTTY || now < next) return;
      next = now + PAUSE_MILLISECONDS;
      isShown = true;
      const part = bytes?.total ? bytes.done / bytes.total : total ? done / total : 1;
      const rate = bytes === undefined ? "" : rateOf(bytes, (now - began) / 1000, part);
      stream.write(`\r\x1b[K${line(unit, done, total, part)}${rate}`);
    },
    end() {
      if (isShown) stream.write("\r\x1b[K");
      isShown = false;
    },
  };
}

/** Text with bytes done, bytes per second and the estimated time left. @param part part of all work that is done, 0 to 1 */
function rateOf({ done, before = 0 }: ByteCounts, seconds: number, part: number): string {
  const now = done === 0 ? part : (part * (done - before)) / done;
  const left = now > 0 ? `, ${duration((seconds * (1 - part)) / now)} left` : "";
  return `, ${size(done)}, ${size((done - before) / seconds)}/s${left}`;
}

/** A count with its noun: "1 chunk", "2 chunks". */
export const counted = (count: number, name: string): string => `${count} ${name}${count === 1 ? "" : "s"}`;

/** A number of bytes as text for people: "1.5 MiB". */
export function size(bytes: number): string {
  const power = Math.max(0, Math.min(4, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${["B", "KiB", "MiB", "GiB", "TiB"][power]}`;
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const digits = (count: number): string => String(count).padStart(2, "0");
  const minutes = `${Math.floor(whole / 60) % 60}:${digits(whole % 60)}`;
  return whole < 3600 ? minutes : `${Math.floor(whole / 3600)}:${minutes.padStart(5, "0")}`;
}

/** @param part part of all work that is done, 0 to 1 */
function line(unit: string, done: number, total: number | undefined, part: number): string {
  if (total === undefined) return `${done} ${unit}`;
  const bar = "█".repeat(Math.round(part * WIDTH)).padEnd(WIDTH, "░");
  return `${bar} ${Math.floor(part * 100)} %  ${done} of ${total} ${unit}`;
}

/** Prints a problem on one line of standard error, with the library's option names replaced by those of the command line. */
export function reportProblem(problem: unknown): void {
  const message = problem instanceof Error ? problem.message : String(problem);
  // Not a pattern of spaces around the end of a line, which would look for that from each of many spaces.
  const lines = message.split("\n").map((each) => each.trim());
  const line = lines
    .filter((each) => each !== "")
    .join(" ")
    .replace(/\boverwrite: true\b/, "--overwrite")
    .replace(/\bresume: true\b/, "--resume")
    .replace(/^maxMemory:/, "--max-memory:")
    .replace(/^chunkShape:/, "--chunks:");
  process.stderr.write(`wazarr: ${printable(line)}\n`);
}

/** JSON on one line for people, not for parsers: large integers keep all digits, but those in objects and lists become strings. */
export function short(json: Json): string {
  if (typeof json === "string") return JSON.stringify(json);
  const isPlain = typeof json !== "object" || json === null;
  return isPlain
    ? stringifyJson(json)
    : JSON.stringify(json, (_, value) => (typeof value === "bigint" ? String(value) : value));
}

// Elements and their data types as JSON

/** The data type in v3's notation, or in v2's if v3 has none (structs with subarrays). */
export function dataTypeJson(dataType: DataType): Json {
  try {
    return dataType.toV3();
  } catch (error) {
    if (!isZarrError(error, "UnsupportedError")) throw error;
    return dataType.toV2("little");
  }
}

/**
 * Converts one element: numbers to numbers, but 64-bit integers and ticks to decimal strings, and "NaN", "Infinity" and "-Infinity" to
 * strings; complex numbers to [re, im], text to a string, bytes to base64, structs to objects, subarrays to nested lists, objects of v2
 * to their JSON with numbers as above.
 */
export function elementJson(value: unknown, dataType: DataType): Json {
  if (dataType.variable === "object") return objectJson(value, dataType);
  if (isOptional(dataType)) {
    if (value === null) return null;
    return isOptional(dataType.inner) && Array.isArray(value)
      ? [elementJson(value[0], dataType.inner)]
      : elementJson(value, dataType.inner);
  }
  if (isStruct(dataType)) {
    return Object.fromEntries(
      dataType.fields.map((field) => [field.name, elementJson(member(value, field.name), field.dataType)]),
    );
  }
  if (isSubarray(dataType)) {
    return Array.isArray(value)
      ? value.map((part) => elementJson(part, Array.isArray(part) ? dataType : dataType.base))
      : elementJson(value, dataType.base);
  }
  if (typeof value === "object" && value !== null && "re" in value && "im" in value) {
    return [elementJson(value.re, dataType), elementJson(value.im, dataType)];
  }
  return scalarJson(value, dataType);
}

function scalarJson(value: unknown, dataType: DataType): Json {
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (value instanceof Uint8Array) return toBase64(value);
  throw new UnsupportedError(`elements of data type ${dataType.name} have no form in JSON`);
}

function objectJson(value: unknown, dataType: DataType): Json {
  if (Array.isArray(value)) return value.map((part) => objectJson(part, dataType));
  if (typeof value === "object" && value !== null) {
    // With the codec vlen-array a Uint8Array is a list of numbers; otherwise it is bytes.
    if (ArrayBuffer.isView(value) && isIterable(value)) {
      return value instanceof Uint8Array && dataType.objectCodec !== "vlen-array"
        ? toBase64(value)
        : Array.from(value, (part) => objectJson(part, dataType));
    }
    const parts = Object.entries(value).map(([name, part]) => [name, objectJson(part, dataType)] as const);
    return Object.fromEntries(parts);
  }
  return scalarJson(value, dataType);
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

/** Iterates over the elements of `data` as `get` returns it. */
export function elementsOf(data: unknown, dataType: DataType): Iterable<unknown> {
  if (isIterable(data)) return data;
  throw new UnsupportedError(`data of type ${dataType.name} cannot be iterated`);
}

export function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}
