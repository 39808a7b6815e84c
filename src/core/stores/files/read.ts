/**
 * Reads byte ranges of files, synchronously or asynchronously with the same results and errors. `Pace`
 * chooses the faster way.
 */
import * as fs from "node:fs";
import { open } from "node:fs/promises";
import { StoreError } from "../../../base/errors.js";
import { checkByteLength, fileError, noFileError } from "../check-store.js";
import { resolveRange } from "../keys-and-ranges.js";
import { fileVersion } from "../storage-identity.js";
import type { Allocate, OpenValue, PartsOptions, RangeQuery, ValueParts } from "../store.js";
import type { Pace } from "./pace.js";

/** A range that covers the whole of any value. */
const WHOLE: RangeQuery = { suffixLength: Number.MAX_SAFE_INTEGER };

// O_NONBLOCK changes nothing for a file, but opening a named pipe returns at once instead of waiting for a
// writer. Windows has no such flag.
const FLAGS = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0);

/**
 * Bytes. Larger synchronous reads and writes would block the event loop for longer than a frame, even at
 * memory speed.
 */
export const LARGEST_SYNCHRONOUS = 16 << 20;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** @throws StoreError for a path that is not a file */
function checkFile(status: fs.Stats, key: string): fs.Stats {
  if (!status.isFile()) throw noFileError(key, status.isDirectory());
  return status;
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

const PROBE = 1;

/**
 * A file that is open for synchronous reads. Every operation tells `Pace` how long it took. @throws errors of
 * node:fs when it is opened; StoreError when the path is not a file, or the file shrinks meanwhile
 */
export class OpenFile implements OpenValue {
  readonly #descriptor: number;
  readonly #key: string;
  readonly #pace: Pace;
  readonly #maximumBytes: number | undefined;
  /** Milliseconds of operations that are not told yet. */
  #spent: number;
  #known: fs.Stats | undefined;

  constructor(path: string, key: string, pace: Pace, maximumBytes: number | undefined) {
    const start = performance.now();
    try {
      this.#descriptor = fs.openSync(path, FLAGS);
    } catch (error) {
      // Looking for a file that is missing may be slow, too.
      pace.measured(performance.now() - start, 0);
      throw error;
    }
    this.#spent = performance.now() - start;
    this.#key = key;
    this.#pace = pace;
    this.#maximumBytes = maximumBytes;
  }

  get byteLength(): number {
    return this.#status.size;
  }
  get version(): string {
    return fileVersion(this.#status);
  }
  get #status(): fs.Stats {
    this.#known ??= checkFile(fs.fstatSync(this.#descriptor), this.#key);
    return this.#known;
  }

  whole(allocate: Allocate, probableLength = 0): Uint8Array | undefined {
    return this.#timed(() => {
      const isProbable = probableLength > 0 && probableLength < LARGEST_SYNCHRONOUS;
      const found = isProbable ? this.#readExpected(probableLength, allocate) : undefined;
      if (found !== undefined) return found;
      const { size } = this.#status;
      checkByteLength(size, this.#maximumBytes, this.#key);
      if (size > LARGEST_SYNCHRONOUS) return undefined;
      return readSpan(this.#descriptor, this.#key, { start: 0, end: size }, allocate);
    });
  }

  read(range: RangeQuery, allocate: Allocate): Uint8Array {
    const read = () =>
      readSpan(this.#descriptor, this.#key, resolveRange(range, this.#status.size), allocate);
    return this.#timed(read);
  }

  close(): void {
    if (this.#spent > 0) this.#pace.measured(this.#spent, 0);
    fs.closeSync(this.#descriptor);
  }

  /**
   * Reads the file if it is exactly `byteLength` bytes long; otherwise, and if it is not a file, returns
   * undefined. It checks the length by reading past the end, because fstat takes as long as opening the file.
   */
  #readExpected(byteLength: number, allocate: Allocate): Uint8Array | undefined {
    try {
      const into = allocate(byteLength + PROBE);
      if (fs.readSync(this.#descriptor, into, 0, into.length, 0) !== byteLength) return undefined;
      return into.subarray(0, byteLength);
    } catch {
      // Reads of a directory fail, and so do positioned reads of a pipe.
      return undefined;
    }
  }

  #timed<Result extends Uint8Array | undefined>(action: () => Result): Result {
    const start = performance.now();
    try {
      const bytes = action();
      this.#pace.measured(this.#spent + performance.now() - start, bytes?.byteLength ?? 0);
      this.#spent = 0;
      return bytes;
    } catch (error) {
      throw fileError("read a file", this.#key, error);
    }
  }
}

/**
 * Reads ranges of any length through the thread pool.
 * @throws errors of node:fs, StoreError as `OpenFile`; the signal's reason
 */
export async function readParts(
  path: string,
  key: string,
  ranges: readonly RangeQuery[] | undefined,
  { signal, maximumBytes, allocate = ownMemory }: PartsOptions,
): Promise<ValueParts> {
  signal?.throwIfAborted();
  const file = await open(path, FLAGS);
  try {
    const status = checkFile(await file.stat(), key);
    const parts: Uint8Array[] = [];
    const spans = (ranges ?? [WHOLE]).map((range) => resolveRange(range, status.size));
    for (const { start, end } of spans) checkByteLength(end - start, maximumBytes, key);
    for (const { start, end } of spans) {
      const into = allocate(end - start);
      for (let done = 0; start + done < end; ) {
        signal?.throwIfAborted();
        const { bytesRead } = await file.read(into, done, end - start - done, start + done);
        if (bytesRead === 0) throw shrunkError(key, end - start, done);
        done += bytesRead;
      }
      parts.push(into);
    }
    return { parts, byteLength: status.size, version: fileVersion(status), modified: status.mtimeMs };
  } finally {
    await file.close();
  }
}

export const ownMemory: Allocate = (byteLength) => new Uint8Array(byteLength);
