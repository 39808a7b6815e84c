/**
 * Reads and writes a directory, one file per key, in Node, Bun and Deno.
 *
 * ```ts
 * import { create, set } from "wazarr";
 * import { FileSystemStore } from "wazarr/stores/file-system";
 *
 * const array = await create(new FileSystemStore("heights.zarr"), { shape: [100, 100], dtype: "int16" });
 * await set(array, [0, null], 21);
 * ```
 * @module
 */

import * as fs from "node:fs";
import { unlink } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { invalid } from "../../../base/errors.js";
import { checkNames as checkOptionNames } from "../../../base/option-names.js";
import { checkByteLength, checkValue, fileError, isMissingFile } from "../check-store.js";
import { relativeKey, relativePrefix, resolveRange } from "../keys-and-ranges.js";
import { storageNamed } from "../storage-identity.js";
import type {
  AbsolutePath,
  Awaitable,
  DirectoryListing,
  Listable,
  LockKeys,
  OpenValue,
  PartsOptions,
  RangeQuery,
  Readable,
  StoreOptions,
  ValueFiles,
  ValueParts,
  Writable,
} from "../store.js";
import { checkNames, directoriesBelow, listDirectory, prune, removeDirectory, walk } from "./directories.js";
import { flushFiles } from "./flush.js";
import { HeldLocks } from "./held-locks.js";
import { LEFTOVER_AGE, removeTemporary, type TemporaryFiles } from "./leftovers.js";
import { isLockName, removeIfDead } from "./locks.js";
import { Pace } from "./pace.js";
import { LARGEST_SYNCHRONOUS, OpenFile, ownMemory, readParts } from "./read.js";
import { adviceForRoot, rootOf } from "./root.js";
import { createFileSync, SMALLEST_ASYNCHRONOUS, writeFile, writeFileSync } from "./write.js";

/**
 * Enough for an array's documents and first chunks. The limit bounds the cost, one directory listing each,
 * for every process.
 */
const SWEPT_DIRECTORIES = 32;

/** Options of `FileSystemStore`. */
export interface FileSystemStoreOptions {
  /**
   * Whether writers lock documents and chunks that they change, so that processes, also on other hosts, do
   * not overwrite each other's changes. By default they lock documents, and chunks of which they keep a part;
   * a chunk that is replaced as a whole is written without a lock, and whoever changes a part of it meanwhile
   * reads it again. True: all chunks, for file systems whose times and inode numbers do not tell versions
   * apart; small chunks then take twice as long. False: nothing is locked, and only one process may write.
   */
  readonly locks?: boolean | undefined;
}

/**
 * Stores values as files below `root`; the first `set` creates it. Writes are atomic (see files/write.ts). No
 * key reaches outside the root, except through symbolic links in it. A key whose directory is missing, or is
 * a file, is missing; reading a key that names a directory throws a StoreError, because the caller expects a
 * value there.
 *
 * Methods answer synchronously as long as the file system answers from memory (see `Pace`). A long loop of
 * `await store.get(...)` then never yields to the event loop; the caller has to yield.
 *
 * @throws StoreError, with the cause, for every failure of the file system and for keys that cannot be file
 * names
 */
export class FileSystemStore implements Readable, Writable, Listable {
  /** The directory. */
  readonly root: string;
  readonly kind = "files";
  /** The root with a trailing separator. */
  readonly #base: string;
  readonly #place: object;
  readonly #reading = new Pace();
  readonly #writing = new Pace();
  readonly #files: ValueFiles = {
    pathOf: (key) => (this.#reading.isQuick() ? this.#path(key) : undefined),
    measured: (milliseconds, byteLength) => this.#reading.measured(milliseconds, byteLength),
  };

  /** Undefined with `locks: false`. */
  readonly lockKeys: LockKeys | undefined;
  /** False with `locks: true`. */
  readonly locksOnlyParts: boolean;
  readonly #locks: HeldLocks;
  /** Directories from which this store has removed leftovers of writers that died. */
  readonly #swept = new Set<string>();

  /**
   * @param root path of a directory, or its `file:` URL as URL or string
   * @throws InvalidArgumentError for another kind of URL, and for an empty path
   */
  constructor(root: string | URL, options: FileSystemStoreOptions = {}) {
    checkOptionNames(options, "FileSystemStore", { locks: true });
    const { locks } = options;
    if (locks !== undefined && typeof locks !== "boolean") throw invalid("locks", "true or false", locks);
    this.root = rootOf(root);
    this.#base = this.root.endsWith(sep) ? this.root : this.root + sep;
    this.#locks = new HeldLocks(this.#base, (key) => this.#path(key));
    this.lockKeys = locks === false ? undefined : (keys, options) => this.#locks.take(keys, options?.signal);
    this.locksOnlyParts = locks === undefined;
    this.#place = storageNamed(`file ${this.root}`);
  }

  /** Always true. */
  get copiesValues(): true {
    return true;
  }

  /** The files of the values, for worker threads. */
  get files(): ValueFiles {
    return this.#files;
  }

  /** Shared by all stores of one directory. */
  get place(): object {
    return this.#place;
  }

  /** Advice for an error that finds no node here, or "". */
  get advice(): string {
    return adviceForRoot(this.root);
  }

  get(key: AbsolutePath, options?: StoreOptions): Awaitable<Uint8Array | undefined> {
    return this.#read(key, undefined, options, (value) => value.whole(ownMemory));
  }

  getRange(key: AbsolutePath, range: RangeQuery, options?: StoreOptions): Awaitable<Uint8Array | undefined> {
    return this.#read(key, [range], options, (value) => {
      const { start, end } = resolveRange(range, value.byteLength);
      checkByteLength(end - start, options?.maximumBytes, key);
      return end - start > LARGEST_SYNCHRONOUS ? undefined : value.read(range, ownMemory);
    });
  }

  async getParts(
    key: AbsolutePath,
    ranges: readonly RangeQuery[] | undefined,
    options: PartsOptions = {},
  ): Promise<ValueParts | undefined> {
    // Ranges are also asked for without trying to open the file first: each counts off the rest.
    if (ranges !== undefined) this.#reading.isQuick();
    try {
      return await readParts(this.#path(key), key, ranges, options);
    } catch (error) {
      if (isMissingFile(error)) return undefined;
      throw fileError("read a file", key, error, options.signal);
    }
  }

  openNow(key: AbsolutePath, options?: Pick<StoreOptions, "maximumBytes">): OpenValue | "later" | undefined {
    const path = this.#path(key);
    if (!this.#reading.isQuick()) return "later";
    try {
      return new OpenFile(path, key, this.#reading, options?.maximumBytes);
    } catch (error) {
      if (isMissingFile(error)) return undefined;
      throw fileError("read a file", key, error);
    }
  }

  has(key: AbsolutePath): boolean {
    return this.#status(key, fs.statSync)?.isFile() ?? false;
  }

  set(key: AbsolutePath, value: Uint8Array, options?: StoreOptions): Awaitable<void> {
    options?.signal?.throwIfAborted();
    checkValue(value);
    const path = this.#path(key);
    this.#sweep(path);
    const isQuick = this.#writing.isQuick();
    if (isQuick && value.byteLength < SMALLEST_ASYNCHRONOUS) {
      this.#writeNow(path, key, value);
      return;
    }
    return writeFile(path, value, isQuick, options?.signal, this.#locks.checkOf(key)).then(
      () => this.#locks.wrote(key),
      (error: unknown) => {
        throw fileError("write a file", key, error, options?.signal);
      },
    );
  }

  setNow(key: AbsolutePath, value: Uint8Array, options?: StoreOptions): boolean {
    options?.signal?.throwIfAborted();
    if (this.#writing.isResting || value.byteLength > LARGEST_SYNCHRONOUS) return false;
    const path = this.#path(key);
    this.#sweep(path);
    this.#writeNow(path, key, value);
    return true;
  }

  /** A file is created with its content by a link, which only one process can make. */
  setIfMissing(key: AbsolutePath, value: Uint8Array, options?: StoreOptions): boolean {
    options?.signal?.throwIfAborted();
    checkValue(value);
    try {
      return createFileSync(this.#path(key), value);
    } catch (error) {
      throw fileError("create a file", key, error);
    }
  }

  #writeNow(path: string, key: AbsolutePath, value: Uint8Array): void {
    const started = performance.now();
    try {
      writeFileSync(path, value, this.#locks.checkOf(key));
    } catch (error) {
      throw fileError("write a file", key, error);
    }
    this.#locks.wrote(key);
    this.#writing.measured(performance.now() - started, value.byteLength);
  }

  /** Removes old temporary files from the first directories that the store writes into, in the background. */
  #sweep(path: string): void {
    if (this.#swept.size === SWEPT_DIRECTORIES) return;
    const directory = dirname(path);
    if (this.#swept.has(directory)) return;
    this.#swept.add(directory);
    removeTemporary(directory, LEFTOVER_AGE).catch(() => {
      // The cleanup is optional; `removeTemporaryFiles` reports failures.
    });
  }

  /**
   * Removes leftovers of writers that died below the root: temporary files and locks without a holder. Call
   * it while nobody writes. `set` removes leftovers that are older than an hour from the first directories
   * that it writes to.
   * @returns how many files and bytes were removed @throws StoreError
   */
  async removeTemporaryFiles(options?: StoreOptions): Promise<TemporaryFiles> {
    const removed = { files: 0, bytes: 0 };
    for await (const directory of directoriesBelow(this.root, options)) {
      try {
        const { files, bytes } = await removeTemporary(directory, 0);
        removed.files += files;
        removed.bytes += bytes;
      } catch (error) {
        throw fileError("remove temporary files", directory, error, options?.signal);
      }
    }
    return removed;
  }

  /** Removes a file, and then its parent directories as far as they are empty. */
  delete(key: AbsolutePath): Awaitable<void> {
    // Writers delete every chunk that is all fill value, and usually the file is missing: this synchronous
    // check costs 2 us.
    const status = this.#status(key, fs.lstatSync);
    // A directory is not a value, so the key is missing.
    if (status === undefined || status.isDirectory()) return;
    const path = this.#path(key);
    const check = this.#locks.checkOf(key);
    return (check === undefined ? unlink(path) : unlinkChecked(path, check)).then(
      () => {
        this.#locks.wrote(key);
        return prune(dirname(path), this.#base);
      },
      (error: unknown) => {
        if (!isMissingFile(error)) throw fileError("delete a file", key, error);
      },
    );
  }

  /**
   * Removes a directory, and then its parents as far as they are empty. For "/" it empties the root but keeps
   * it. With `locks` it leaves the locks of others who write there, and the directories with them: those go
   * when the locks do.
   */
  async deletePrefix(prefix: AbsolutePath): Promise<void> {
    const directory = this.#directory(prefix);
    try {
      const isSpared = (path: string) => isLockName(basename(path)) && !removeIfDead(path);
      const isRemoved = await removeDirectory(directory, prefix === "/", this.lockKeys && isSpared);
      this.#locks.removed(prefix);
      if (!isRemoved) return;
    } catch (error) {
      if (isMissingFile(error)) return;
      throw fileError("delete a directory", prefix, error);
    }
    await prune(dirname(directory), this.#base);
  }

  async flush(keys: readonly AbsolutePath[], options?: StoreOptions): Promise<void> {
    options?.signal?.throwIfAborted();
    try {
      await flushFiles(
        keys.map((key) => this.#path(key)),
        this.root,
      );
    } catch (error) {
      throw fileError("flush files", keys.length === 1 ? keys.join() : "/", error);
    }
  }

  list(options?: StoreOptions): AsyncIterable<AbsolutePath> {
    return walk(this.root, "/", options);
  }

  listPrefix(prefix: AbsolutePath, options?: StoreOptions): AsyncIterable<AbsolutePath> {
    return walk(this.#directory(prefix), prefix, options);
  }

  async listDir(prefix: AbsolutePath, options?: StoreOptions): Promise<DirectoryListing> {
    options?.signal?.throwIfAborted();
    return listDirectory(this.#directory(prefix), prefix, this.root);
  }

  #path(key: AbsolutePath): string {
    return this.#base + checkNames(relativeKey(key), key);
  }

  #directory(prefix: AbsolutePath): string {
    return join(this.root, checkNames(relativePrefix(prefix), prefix));
  }

  #status(key: AbsolutePath, stat: typeof fs.statSync | typeof fs.lstatSync): fs.Stats | undefined {
    try {
      return stat(this.#path(key), { throwIfNoEntry: false });
    } catch (error) {
      if (isMissingFile(error)) return undefined;
      throw fileError("look for a file", key, error);
    }
  }

  /** Reads at once with `now`, or later if that takes too long. */
  #read(
    key: AbsolutePath,
    ranges: readonly RangeQuery[] | undefined,
    options: StoreOptions | undefined,
    now: (value: OpenValue) => Uint8Array | undefined,
  ): Awaitable<Uint8Array | undefined> {
    options?.signal?.throwIfAborted();
    const value = this.openNow(key, ranges === undefined ? options : undefined);
    if (value === undefined) return undefined;
    if (value !== "later") {
      try {
        const bytes = now(value);
        if (bytes !== undefined) return bytes;
      } finally {
        value.close();
      }
    }
    return this.getParts(key, ranges, options).then((found) => found?.parts[0]);
  }
}

/** Nothing may come between the check and the removal. */
async function unlinkChecked(path: string, check: () => void): Promise<void> {
  check();
  fs.unlinkSync(path);
}
