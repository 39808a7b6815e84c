/** Reading parts of files: a synchronous and an asynchronous way, same results and errors. */
import * as fs from "node:fs";
import { open } from "node:fs/promises";
import { StoreError } from "../../errors.js";
import { tooLongError } from "../check-store.js";
import { resolveRange } from "../keys-and-ranges.js";
import { fileVersion } from "../storage-identity.js";
import type { OpenValue, RangeQuery, StoreOptions } from "../store.js";
import { fileError, noFileError } from "./failure.js";
import type { Pace } from "./pace.js";

/** The range that is the whole of any value. */
export const WHOLE: RangeQuery = { suffixLength: Number.MAX_SAFE_INTEGER };

export type Allocate = (byteLength: number) => Uint8Array;

// O_NONBLOCK changes nothing for a file, but opening a named pipe returns at once instead of waiting for a writer.
// Windows has no such flag.
export const FLAGS = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0);

/** Larger reads and writes would hold up the event loop for longer than a frame even at memory speed. */
export const LARGEST_SYNCHRONOUS = 16 << 20;

interface Span {
  readonly start: number;
  readonly end: number;
}

export function resolveRanges(
  status: fs.Stats,
  key: string,
  ranges: readonly RangeQuery[],
  { onValue, maximumBytes = Number.POSITIVE_INFINITY }: StoreOptions = {},
): Span[] {
  if (!status.isFile()) throw noFileError(key, status.isDirectory());
  onValue?.({ byteLength: status.size, version: fileVersion(status) });
  const spans = ranges.map((range) => resolveRange(range, status.size));
  for (const { start, end } of spans)
    if (end - start > maximumBytes) throw tooLongError(key, maximumBytes, end - start);
  return spans;
}

function shrunkError(key: string, expected: number, got: number): StoreError {
  const why = "the file shrank while it was read, so its writer does not replace files atomically";
  return new StoreError(`expected ${expected} bytes, got ${got}: ${why}`, { key });
}

export function readSpan(
  descriptor: number,
  key: string,
  { start, end }: Span,
  allocate: Allocate,
): Uint8Array {
  const into = allocate(end - start);
  for (let done = 0; start + done < end; ) {
    const count = fs.readSync(descriptor, into, done, end - start - done, start + done);
    if (count === 0) throw shrunkError(key, end - start, done);
    done += count;
  }
  return into;
}

const PROBE = new Uint8Array(2);

/**
 * Ranges of a file that is as long as it should be, found out without asking, which takes as long as opening it does; undefined for
 * any other file, and for what is none.
 */
function readExpected(
  descriptor: number,
  ranges: readonly RangeQuery[],
  byteLength: number,
  allocate: Allocate,
): Uint8Array[] | undefined {
  const parts: Uint8Array[] = [];
  let isChecked = false;
  try {
    for (const range of ranges) {
      const { start, end } = resolveRange(range, byteLength);
      // A byte more, that is not to be there.
      const into = allocate(end - start + (end === byteLength ? 1 : 0));
      if (fs.readSync(descriptor, into, 0, into.length, start) !== end - start) return undefined;
      isChecked ||= end === byteLength;
      parts.push(into.subarray(0, end - start));
    }
    return isChecked || fs.readSync(descriptor, PROBE, 0, 2, byteLength - 1) === 1 ? parts : undefined;
  } catch {
    // Directories cannot be read, nor pipes from a position.
    return undefined;
  }
}

/**
 * Reads ranges of a file without a promise, each into memory from `allocate`; undefined, and nothing allocated, when
 * they are too long for that.
 * @throws errors of node:fs, and StoreError when there is no file behind the name or it shrinks
 */
export function readRangesSync(
  path: string,
  key: string,
  ranges: readonly RangeQuery[],
  allocate: Allocate,
  options: StoreOptions | undefined,
): Uint8Array[] | undefined {
  const descriptor = fs.openSync(path, FLAGS);
  try {
    const { byteLength = 0 } = options ?? {};
    if (byteLength > 0 && byteLength < LARGEST_SYNCHRONOUS) {
      const parts = readExpected(descriptor, ranges, byteLength, allocate);
      if (parts !== undefined) {
        options?.onValue?.({ byteLength });
        return parts;
      }
    }
    const spans = resolveRanges(fs.fstatSync(descriptor), key, ranges, options);
    const total = spans.reduce((sum, { start, end }) => sum + end - start, 0);
    if (total > LARGEST_SYNCHRONOUS) return undefined;
    return spans.map((span) => readSpan(descriptor, key, span, allocate));
  } finally {
    fs.closeSync(descriptor);
  }
}

/** `readRangesSync` through the thread pool, for ranges of any length. */
export async function readRanges(
  path: string,
  key: string,
  ranges: readonly RangeQuery[],
  allocate: Allocate,
  options: StoreOptions | undefined,
): Promise<Uint8Array[]> {
  options?.signal?.throwIfAborted();
  const file = await open(path, FLAGS);
  try {
    const parts: Uint8Array[] = [];
    for (const { start, end } of resolveRanges(await file.stat(), key, ranges, options)) {
      const into = allocate(end - start);
      for (let done = 0; start + done < end; ) {
        options?.signal?.throwIfAborted();
        const { bytesRead } = await file.read(into, done, end - start - done, start + done);
        if (bytesRead === 0) throw shrunkError(key, end - start, done);
        done += bytesRead;
      }
      parts.push(into);
    }
    return parts;
  } finally {
    await file.close();
  }
}

/**
 * @param pace takes note of how long everything takes
 * @throws errors of node:fs, and StoreError when there is no file behind the name
 */
export function openFile(path: string, key: string, pace: Pace, onValue: StoreOptions["onValue"]): OpenValue {
  const started = performance.now();
  const descriptor = fs.openSync(path, FLAGS);
  try {
    const status = fs.fstatSync(descriptor);
    resolveRanges(status, key, [], { onValue });
    pace.measured(performance.now() - started, 0);
    return {
      read(range, allocate) {
        const began = performance.now();
        try {
          const part = readSpan(descriptor, key, resolveRange(range, status.size), allocate);
          pace.measured(performance.now() - began, part.byteLength);
          return part;
        } catch (error) {
          throw fileError("read a file", key, error);
        }
      },
      close: () => fs.closeSync(descriptor),
    };
  } catch (error) {
    fs.closeSync(descriptor);
    throw error;
  }
}
