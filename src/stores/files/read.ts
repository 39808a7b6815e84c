/** Reads byte ranges of files, synchronously or asynchronously with the same results and errors. `Pace` chooses the faster way. */
import * as fs from "node:fs";
import { open } from "node:fs/promises";
import { StoreError } from "../../errors.js";
import { checkByteLength, fileError, noFileError } from "../check-store.js";
import { resolveRange } from "../keys-and-ranges.js";
import { fileVersion } from "../storage-identity.js";
import type { Allocate, OpenValue, RangeQuery, StoreOptions } from "../store.js";

/** A range that covers the whole of any value. */
export const WHOLE: RangeQuery = { suffixLength: Number.MAX_SAFE_INTEGER };

// O_NONBLOCK changes nothing for a file, but opening a named pipe returns at once instead of waiting for a writer.
// Windows has no such flag.
const FLAGS = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0);

/** Bytes. Larger synchronous reads and writes would block the event loop for longer than a frame, even at memory speed. */
export const LARGEST_SYNCHRONOUS = 16 << 20;

interface Span {
  readonly start: number;
  readonly end: number;
}

function resolveRanges(
  status: fs.Stats,
  key: string,
  ranges: readonly RangeQuery[],
  { onValue, maximumBytes }: StoreOptions = {},
): Span[] {
  if (!status.isFile()) throw noFileError(key, status.isDirectory());
  onValue?.({ byteLength: status.size, version: fileVersion(status) });
  const spans = ranges.map((range) => resolveRange(range, status.size));
  for (const { start, end } of spans) checkByteLength(end - start, maximumBytes, key);
  return spans;
}

function shrunkError(key: string, expected: number, got: number): StoreError {
  const why = "the file shrank while it was read, so its writer does not replace files atomically";
  return new StoreError(`expected ${expected} bytes, got ${got}: ${why}`, { key });
}

function readSpan(descriptor: number, key: string, { start, end }: Span, allocate: Allocate): Uint8Array {
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
 * Reads ranges of a file if it is exactly `byteLength` bytes long; otherwise, and if it is no file, returns undefined. It checks the length
 * by reading past the end, because fstat takes as long as opening the file.
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
      // Try to read one byte past the expected end: a longer file yields it.
      const into = allocate(end - start + (end === byteLength ? 1 : 0));
      if (fs.readSync(descriptor, into, 0, into.length, start) !== end - start) return undefined;
      isChecked ||= end === byteLength;
      parts.push(into.subarray(0, end - start));
    }
    return isChecked || fs.readSync(descriptor, PROBE, 0, 2, byteLength - 1) === 1 ? parts : undefined;
  } catch {
    // Reads of a directory fail, and so do positioned reads of a pipe.
    return undefined;
  }
}

/**
 * Reads ranges of a file synchronously, each into a buffer from `allocate`. Returns undefined when the ranges together
 * exceed LARGEST_SYNCHRONOUS.
 * @throws errors of node:fs, and StoreError when the path is no file or the file shrinks meanwhile
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

/** Reads ranges of any length through the thread pool. @throws as `readRangesSync`; the signal's reason */
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
 * Opens a file for several synchronous reads. @param pace is told the duration of each operation
 * @throws errors of node:fs, and StoreError when the path is no file
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

// Pace decides whether to do file operations synchronously, from the durations of the last ones.
//
// Measured on Node 20, ext4, two cores, files in the page cache: open + fstat + read + close of a 4 KiB file takes 6 us
// synchronously and 26-43 us through the thread pool (four hops). A 1 MiB file takes 46 us into a buffer that is already
// allocated, against 110-160 us. On a disk that has to seek, or across a network, the same call blocks the event loop for
// milliseconds and nothing overlaps; there the thread pool is faster. After slow operations the next FEWEST operations use
// the thread pool, and every further slow attempt doubles this number, up to MOST.
//
// One slow operation among many quick ones is ignored: usually the process was preempted. With eight asynchronous reads after
// each such operation, reading [::2, ::2, ::2] of 64 MiB in 1 MiB chunks cost 66 ms of processor time instead of 14, on a
// machine with three times as many runnable processes as cores.

/** Milliseconds. An operation that takes at most this, plus its bytes at MEMORY_SPEED, counts as answered from memory. */
const GRACE = 0.25;
/** 1 GB/s in bytes per millisecond: a third of what the page cache gives, and more than most disks do. */
const MEMORY_SPEED = 1e6;
const FEWEST = 8;
const MOST = 1024;
/** Doubt: a slow operation adds DOUBT, one slower than LONGEST_PAUSE adds PROOF, a quick one subtracts TRUST. At PROOF, `Pace` rests. */
const DOUBT = 1;
const PROOF = 2;
const TRUST = 1 / 8;
/** Milliseconds. Preemption of the process does not explain a longer pause. */
const LONGEST_PAUSE = 100;

export class Pace {
  #rest = 0;
  #penalty = FEWEST;
  #doubt = 0;

  /** Whether the next operation should be asynchronous. Unlike `isQuick`, this does not count as an operation. */
  get isResting(): boolean {
    return this.#rest > 0;
  }

  /** Whether the next operation should be synchronous. Returning false counts one operation off the rest. */
  isQuick(): boolean {
    if (this.#rest === 0) return true;
    this.#rest--;
    return false;
  }

  /** Records that a synchronous operation on `byteLength` bytes took `milliseconds`. */
  measured(milliseconds: number, byteLength: number): void {
    if (milliseconds <= GRACE + byteLength / MEMORY_SPEED) {
      this.#penalty = FEWEST;
      this.#doubt = Math.max(0, this.#doubt - TRUST);
      return;
    }
    this.#doubt += milliseconds > LONGEST_PAUSE ? PROOF : DOUBT;
    if (this.#doubt < PROOF) return;
    this.#rest = this.#penalty;
    this.#penalty = Math.min(MOST, this.#penalty * 2);
    // The first operation after the rest decides alone: one more slow operation starts the next rest.
    this.#doubt = PROOF - DOUBT;
  }
}
