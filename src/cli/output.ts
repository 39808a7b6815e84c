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

// The callback of `write` below reports errors; without a listener they would also end the program with a trace.
process.stdout.on("error", () => {});

/** Waits until the reader has taken it. A reader that has gone away (`| head`) ends the program, as it does elsewhere. */
const standardOutput: Output = {
  write: (data) =>
    new Promise((resolve, reject) => {
      process.stdout.write(data, (error) => {
        if (error == null) resolve();
        else if ("code" in error && error.code === "EPIPE") process.exit(0);
        else reject(error);
      });
    }),
};

export function print(text: string): Promise<void> {
  return standardOutput.write(text);
}

/**
 * Runs `write` with an output to a file, or to standard output for "-". A file that could not be finished is removed, and standard output
 * gets all of it or nothing: who reads it cannot tell half a document from one.
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

/** Characters that are held in memory; more of them in a file of their own. */
const HELD_LENGTH = 1 << 24;

/** Passes on to standard output what `write` has written, once it is done. */
async function withHeldOutput(write: (output: Output) => Promise<void>): Promise<void> {
  let held: (string | Uint8Array)[] = [];
  let length = 0;
  let folder: string | undefined;
  const file = (): string => join(folder ?? "", "output");
  try {
    await write({
      async write(data) {
        held.push(data);
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

/** Bytes that are done. */
export interface ByteCounts {
  readonly done: number;
  /** How far all is, where bytes say it better than what is counted beside them. */
  readonly total?: number;
  /** Of those that are done, what was done before this run, which no rate is made of. */
  readonly before?: number;
}

export interface Progress {
  /**
   * `total` undefined: not known, and only the count is shown.
   * @param bytes their number and rate are shown too
   */
  update(done: number, total?: number, bytes?: ByteCounts): void;
  /** Takes the bar off the terminal again. */
  end(): void;
}

/** Shows nothing, as `--quiet` asks. */
export const noProgress: Progress = { update() {}, end() {} };

/** A progress bar for anything longer than a second. @param stream nothing is written to it unless it is a terminal */
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

/** Bytes, bytes a second and the time that is left, were the rest as fast. @param part of all that is done */
function rateOf({ done, before = 0 }: ByteCounts, seconds: number, part: number): string {
  const now = done === 0 ? part : (part * (done - before)) / done;
  const left = now > 0 ? `, ${duration((seconds * (1 - part)) / now)} left` : "";
  return `, ${size(done)}, ${size((done - before) / seconds)}/s${left}`;
}

/** "1 chunk", "2 chunks". */
export const counted = (count: number, name: string): string => `${count} ${name}${count === 1 ? "" : "s"}`;

/** Bytes for people: "1.5 MiB". */
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

/** @param part of all that is done */
function line(unit: string, done: number, total: number | undefined, part: number): string {
  if (total === undefined) return `${done} ${unit}`;
  const bar = "█".repeat(Math.round(part * WIDTH)).padEnd(WIDTH, "░");
  return `${bar} ${Math.floor(part * 100)} %  ${done} of ${total} ${unit}`;
}

/** Prints a problem on one line of standard error; options of the library get their names on the command line. */
export function reportProblem(problem: unknown): void {
  const message = problem instanceof Error ? problem.message : String(problem);
  const line = message
    .replace(/\s*\n\s*/g, " ")
    .replace(/\boverwrite: true\b/, "--overwrite")
    .replace(/\bresume: true\b/, "--resume")
    .replace(/^maxMemory:/, "--max-memory:")
    .replace(/^chunkShape:/, "--chunks:");
  process.stderr.write(`wazarr: ${line}\n`);
}

/** For reading, not for parsing: text as it is, digits of large integers kept. */
export function short(json: Json): string {
  if (typeof json === "string") return JSON.stringify(json);
  const isPlain = typeof json !== "object" || json === null;
  return isPlain
    ? stringifyJson(json)
    : JSON.stringify(json, (_, value) => (typeof value === "bigint" ? String(value) : value));
}

// Elements and their data types as JSON

/** The data type as v3 has it; as v2 has it where v3 has none (structs with subarrays). */
export function dataTypeJson(dataType: DataType): Json {
  try {
    return dataType.toV3();
  } catch (error) {
    if (!isZarrError(error, "UnsupportedError")) throw error;
    return dataType.toV2("little");
  }
}

/**
 * One element: a number, 64-bit integers and ticks as decimal strings, "NaN", "Infinity" and "-Infinity" as strings, complex numbers
 * as [re, im], text as a string, bytes as base64, structs as objects, subarrays as nested lists, objects of v2 as the JSON that they
 * hold, with numbers as above.
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
    // The only bytes that an object of numbers has are its elements.
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

/** The elements of what `get` gives as data. */
export function elementsOf(data: unknown, dataType: DataType): Iterable<unknown> {
  if (isIterable(data)) return data;
  throw new UnsupportedError(`data of type ${dataType.name} cannot be iterated`);
}

export function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}
