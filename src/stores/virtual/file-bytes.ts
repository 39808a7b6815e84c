/** A file that is read by ranges: metadata through a cache of blocks, chunks directly. */

import type {
  AbsolutePath,
  Allocate,
  Extent,
  PartsOptions,
  Readable,
  StoreOptions,
  ValueState,
} from "../../core/for-stores.js";
import {
  askParts,
  at,
  BoundedCache,
  readNow,
  StoreError,
  type Values,
  valuesOf,
} from "../../core/for-stores.js";
import { boundOfPart, MergedReads } from "../file-ranges/file-ranges.js";

/** The unit of the cache. Requests are of one or more blocks, at multiples of this. */
const BLOCK = 64 << 10;
/** Blocks of the first request. Most small files, and the beginnings of most large ones, fit. */
const FIRST_BLOCKS = 2;
/**
 * Each miss reads around it four times as much as the one before: metadata that are scattered over a file
 * cost round trips and not bytes.
 */
const GROWTH = 4;
/** Blocks of the longest request for metadata: 8 MiB. */
const MOST_BLOCKS = 128;
/** Bytes of metadata to keep. */
const CACHE_BYTES = 64 << 20;
/** Most bytes of one read of metadata: no structure of a valid file is longer. */
const LONGEST_READ = 256 << 20;

/** Longer chunks are read while others are decoded: at the speed of memory this many bytes take 2 ms. */
const LONGEST_NOW = 16 << 20;

type ReadOptions = Pick<StoreOptions, "signal" | "priority">;
type ChunkOptions = Pick<PartsOptions, "signal" | "priority" | "allocate">;

const ownMemory: Allocate = (byteLength) => new Uint8Array(byteLength);

/** A file as a value of a store. */
export interface FilePlace {
  readonly store: Readable;
  readonly key: AbsolutePath;
  /** What messages call the file. */
  readonly name: string;
  /** Where others find the file: an absolute path or a URL. Undefined for a Blob. */
  readonly address?: string | undefined;
}

/** A file by ranges. Its bytes must not be modified. */
export class FileBytes {
  /** What messages call the file. */
  readonly name: string;
  readonly address: string | undefined;
  /** Length of the file in bytes. */
  readonly byteLength: number;
  /** The bytes at the beginning that are known without a request: 128 KiB, or the whole file. */
  readonly beginning: Uint8Array;
  readonly #reads: MergedReads;
  readonly #values: Values;
  readonly #key: AbsolutePath;
  readonly #version: ValueState["version"];
  readonly #blocks = new BoundedCache<number, Promise<Uint8Array> | Uint8Array>({ bytes: CACHE_BYTES });
  /** Blocks of the next request. */
  #stride = FIRST_BLOCKS;

  private constructor(
    place: FilePlace,
    byteLength: number,
    { version, modified }: ValueState,
    beginning: Uint8Array,
  ) {
    const { store, key } = place;
    this.name = place.name;
    this.address = place.address;
    this.byteLength = byteLength;
    this.beginning = beginning;
    const etag = typeof version === "string" ? version : undefined;
    this.#reads = new MergedReads(store, key, { etag, modified });
    this.#values = valuesOf(store);
    this.#key = key;
    this.#version = version;
    this.#keepBeginning();
  }

  /**
   * Opens a value of a store as a file, with one request for its beginning.
   * @throws StoreError for a missing file, and if the store does not say how long it is
   */
  static async open(place: FilePlace, { signal, priority }: ReadOptions = {}): Promise<FileBytes> {
    const { store, key, name } = place;
    const length = FIRST_BLOCKS * BLOCK;
    const options = { signal, priority, maximumBytes: boundOfPart(length) };
    const found = await askParts(store, key, [{ offset: 0, length }], options);
    const beginning = found?.parts[0];
    if (found === undefined || beginning === undefined) throw new StoreError(`no such file: ${name}`);
    const byteLength = found.byteLength ?? (beginning.length < length ? beginning.length : undefined);
    if (byteLength === undefined)
      throw new StoreError(`${name}: expected a store that says how long a value is, as HttpStore does`);
    return new FileBytes(place, byteLength, found, beginning);
  }

  /**
   * Reads metadata: exactly these bytes, and more around them into the cache.
   * @throws StoreError for bytes past the end of the file
   */
  async read(offset: number, length: number, options: ReadOptions = {}): Promise<Uint8Array> {
    this.#check(offset, length);
    if (length > LONGEST_READ)
      throw new StoreError(`${this.name}: a structure of ${length} bytes at byte ${offset} is too long`);
    if (length === 0) return new Uint8Array(0);
    const [first, last] = [Math.floor(offset / BLOCK), Math.floor((offset + length - 1) / BLOCK)];
    const blocks: (Promise<Uint8Array> | Uint8Array)[] = [];
    for (let i = first; i <= last; i++) blocks.push(this.#blocks.get(i) ?? this.#request(i, last, options));
    const start = offset - first * BLOCK;
    const [only] = blocks;
    if (blocks.length === 1 && only instanceof Uint8Array) return only.subarray(start, start + length);
    return joined(await Promise.all(blocks)).subarray(start, start + length);
  }

  /**
   * Reads a part of a chunk: exactly these bytes, at once if the store can, else merged with other reads of
   * the same turn. Nothing is kept.
   * @throws StoreError for bytes past the end of the file
   */
  async chunk({ offset, length }: Extent, options: ChunkOptions = {}): Promise<Uint8Array> {
    this.#check(offset, length);
    if (length === 0) return new Uint8Array(0);
    const known = this.#known(offset, length);
    if (known !== undefined) return known;
    options.signal?.throwIfAborted();
    const now = this.#readNow({ offset, length }, options.allocate ?? ownMemory);
    return now ?? this.#reads.read({ offset, length }, options);
  }

  /** Undefined if the store answers later, or the file is not as it was: `MergedReads` says what changed. */
  #readNow(extent: Extent, allocate: Allocate): Uint8Array | undefined {
    if (extent.length > LONGEST_NOW) return undefined;
    const found = readNow(this.#values, this.#key, undefined, (value) =>
      value.version === this.#version ? value.read(extent, allocate) : "later",
    );
    return found === "later" || found?.length !== extent.length ? undefined : found;
  }

  #check(offset: number, length: number): void {
    const isRange =
      Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length >= 0;
    if (isRange && offset <= this.byteLength - length) return;
    throw new StoreError(
      `${this.name}: expected ${length} bytes at byte ${offset}, got a file of ${this.byteLength} bytes: it is truncated or damaged`,
    );
  }

  /** Bytes that are in the cache; undefined unless all are. */
  #known(offset: number, length: number): Uint8Array | undefined {
    const [first, last] = [Math.floor(offset / BLOCK), Math.floor((offset + length - 1) / BLOCK)];
    const blocks: Uint8Array[] = [];
    for (let i = first; i <= last; i++) {
      const block = this.#blocks.peek(i);
      if (!(block instanceof Uint8Array)) return undefined;
      blocks.push(block);
    }
    const start = offset - first * BLOCK;
    return joined(blocks).slice(start, start + length);
  }

  /**
   * Requests block `index` and those around it that are not known: up to `last`, and as far as the window of
   * the stride goes, which begins at a multiple of it. Metadata refer backwards as often as forwards.
   */
  #request(index: number, last: number, options: ReadOptions): Promise<Uint8Array> {
    const stride = this.#stride;
    this.#stride = Math.min(GROWTH * stride, MOST_BLOCKS);
    const window = Math.floor(index / stride) * stride;
    const end = Math.min(Math.max(last + 1, window + stride), Math.ceil(this.byteLength / BLOCK));
    let first = index;
    while (first > window && !this.#blocks.has(first - 1)) first--;
    let after = index + 1;
    while (after < end && !this.#blocks.has(after)) after++;
    const count = after - first;
    const offset = first * BLOCK;
    const length = Math.min(count * BLOCK, this.byteLength - offset);
    // Without the signal of the caller: others may wait for the same blocks.
    const answer = this.#reads.read({ offset, length }, { priority: options.priority });
    const one = async (i: number): Promise<Uint8Array> => {
      try {
        const start = i * BLOCK;
        const block = (await answer).slice(start, start + BLOCK);
        this.#blocks.set(first + i, block, block.length);
        return block;
      } catch (error) {
        this.#blocks.delete(first + i);
        throw error;
      }
    };
    const promises = Array.from({ length: count }, (_, i) => one(i));
    for (const [i, promise] of promises.entries()) {
      promise.catch(() => undefined);
      this.#blocks.set(first + i, promise, BLOCK);
    }
    return at(promises, index - first);
  }

  #keepBeginning(): void {
    for (let start = 0; start < this.beginning.length; start += BLOCK) {
      const block = this.beginning.subarray(start, start + BLOCK);
      const isWhole = block.length === BLOCK || start + block.length === this.byteLength;
      if (isWhole) this.#blocks.set(start / BLOCK, block, block.length);
    }
  }
}

/** One array of all parts, which is the part itself if there is one. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let written = 0;
  for (const part of parts) {
    all.set(part, written);
    written += part.length;
  }
  return all;
}
