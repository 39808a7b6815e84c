/**
 * Reads and writes an LMDB database, in Node, Bun and Deno.
 *
 * ```ts
 * import { create, set } from "wazarr";
 * import { LmdbStore } from "wazarr/stores/lmdb";
 *
 * const store = new LmdbStore("database.lmdb");
 * await set(await create(store, { shape: [6], dtype: "uint8" }), null, 5);
 * await store.close();
 * ```
 *
 * It needs the package `lmdb` (3.x).
 * @module
 */

import { createHash } from "node:crypto";
import { join, resolve, sep } from "node:path";
import { open, type RootDatabase } from "lmdb";
import {
  type AbsolutePath,
  type Allocate,
  checkByteLength,
  checkNames,
  type DirectoryListing,
  type Listable,
  type LockKeys,
  type OpenValue,
  type PartsOptions,
  type RangeQuery,
  type Readable,
  relativePrefix,
  resolveRange,
  type StoreOptions,
  storageNamed,
  type ValueParts,
  type Writable,
} from "../../core/for-stores.js";
import { HeldLocks } from "../../core/for-stores-in-node.js";
import { checkFile } from "./check-file.js";
import { attempt, attemptLater } from "./failures.js";
import { absolute, keyBytes, prefixRange } from "./keys.js";
import { enterTransaction } from "./transactions.js";

/** Number of commits by stores of this process, by the place of their database. */
const commits = new WeakMap<object, number>();

/** Options of `LmdbStore`. */
export interface LmdbStoreOptions {
  /** Default false, which creates a missing database. */
  readonly readOnly?: boolean;
}

/**
 * Stores keys as UTF-8 without their leading "/" and values unchanged, as zarr-python 2's LMDBStore does. The
 * file format, however, is that of the `lmdb` package (LMDB data format 2). No released LMDB for other
 * languages reads it, and their format 1 is refused here. LMDB trusts its files: do not open a database from
 * an untrusted source.
 *
 * Reads are synchronous. Writes of one turn of the event loop are committed together, and `set` waits for the
 * commit: readers, also in other processes, see all of them or none. A partial write reads and stores its
 * chunks in one transaction, so that processes do not lose each other's changes. It blocks the event loop
 * while another process holds a transaction. Keys have at most 1978 bytes of UTF-8.
 * @throws StoreError with the cause for every failure of LMDB
 */
export class LmdbStore implements Readable, Writable, Listable {
  readonly kind = "memory";
  readonly #place: object;
  readonly #database: RootDatabase<Uint8Array, Buffer>;
  readonly #documents: HeldLocks;
  readonly #transactions: Parameters<typeof enterTransaction>[0];
  /** The number of commits of this process that the current read transaction sees. */
  #seen: number | undefined;

  /** @param path directory of the database, with its `data.mdb` and `lock.mdb` */
  constructor(path: string, options: LmdbStoreOptions = {}) {
    checkNames(options, "LmdbStore", { readOnly: true });
    checkFile(join(path, "data.mdb"));
    const directory = resolve(path);
    // A key may be longer than a file name.
    const nameOf = (key: AbsolutePath): string => createHash("sha256").update(key).digest("hex");
    this.#documents = new HeldLocks(`${directory}${sep}`, (key) => join(directory, nameOf(key)));
    this.#place = storageNamed(`lmdb ${directory}`);
    this.#database = attempt("open an LMDB database", path, () =>
      open({
        path,
        noSubdir: false,
        encoding: "binary",
        keyEncoding: "binary",
        readOnly: options.readOnly ?? false,
      }),
    );
    this.#transactions = {
      owner: this,
      place: this.#place,
      begin: (isDone) => {
        const answer = this.#database.transactionSync(() => isDone);
        // Reads within the transaction must see the commits of other processes.
        this.#database.resetReadTxn();
        return answer;
      },
      ended: () => this.#committed(),
    };
  }

  /** Shared by all stores of one database. */
  get place(): object {
    return this.#place;
  }

  /** Always true. */
  get copiesValues(): true {
    return true;
  }

  get(key: AbsolutePath): Uint8Array | undefined {
    return this.#whole(key, ownMemory);
  }

  getRange(key: AbsolutePath, range: RangeQuery): Uint8Array | undefined {
    return this.#range(key, range, ownMemory)?.bytes;
  }

  /** Reads all ranges in one turn of the event loop, so of one version. */
  async getParts(
    key: AbsolutePath,
    ranges: readonly RangeQuery[] | undefined,
    { allocate = ownMemory }: PartsOptions = {},
  ): Promise<ValueParts | undefined> {
    if (ranges === undefined) {
      const bytes = this.#whole(key, allocate);
      return bytes && { parts: [bytes], byteLength: bytes.length };
    }
    const parts: Uint8Array[] = [];
    let byteLength: number | undefined;
    for (const range of ranges) {
      const part = this.#range(key, range, allocate);
      if (part === undefined) return undefined;
      parts.push(part.bytes);
      byteLength = part.byteLength;
    }
    return { parts, byteLength };
  }

  openNow(key: AbsolutePath, options?: Pick<StoreOptions, "maximumBytes">): OpenValue | undefined {
    const byteLength = this.#read(key, (_, length) => length);
    if (byteLength === undefined) return undefined;
    checkByteLength(byteLength, options?.maximumBytes, key);
    return {
      byteLength,
      version: undefined,
      whole: (allocate) => this.#whole(key, allocate),
      read: (range, allocate) => this.#range(key, range, allocate)?.bytes ?? new Uint8Array(0),
      close() {},
    };
  }

  #whole(key: AbsolutePath, allocate: Allocate): Uint8Array | undefined {
    return this.#read(key, (value, byteLength) => copy(value, 0, byteLength, allocate(byteLength)));
  }

  #range(
    key: AbsolutePath,
    range: RangeQuery,
    allocate: Allocate,
  ): { readonly bytes: Uint8Array; readonly byteLength: number } | undefined {
    return this.#read(key, (value, byteLength) => {
      const { start, end } = resolveRange(range, byteLength);
      return { bytes: copy(value, start, end, allocate(end - start)), byteLength };
    });
  }

  has(key: AbsolutePath): boolean {
    return attempt("look for a value", key, () => this.#fresh().doesExist(keyBytes(key)));
  }

  async set(key: AbsolutePath, value: Uint8Array): Promise<void> {
    this.#documents.checkOf(key)?.();
    return this.#write("write a value", key, () => this.#database.put(keyBytes(key), value));
  }

  delete(key: AbsolutePath): Promise<void> {
    return this.#write("delete a value", key, () => this.#database.remove(keyBytes(key)));
  }

  /** Deletes in one transaction: readers see all of the values or none. */
  async deletePrefix(prefix: AbsolutePath): Promise<void> {
    const range = prefixRange(relativePrefix(prefix));
    await this.#write("delete values", prefix, async () => {
      // Collect all keys first: removing keys during the iteration of a cursor never ends.
      const keys = [...this.#fresh().getKeys(range)];
      await this.#database.batch(() => {
        for (const key of keys) this.#database.remove(key);
      });
    });
  }

  async #write(action: string, key: string, run: () => Promise<unknown>): Promise<void> {
    await attemptLater(action, key, run);
    this.#committed();
  }

  /**
   * A write transaction. An outer lock is a file instead, since a transaction would block the threads of all
   * other writers for the whole duration of an `append`.
   */
  readonly lockKeys: LockKeys = (keys, options) =>
    options?.isOuter
      ? this.#documents.take(keys, options.signal)
      : enterTransaction(this.#transactions, options?.signal);

  list(): AbsolutePath[] {
    return this.listPrefix("/");
  }

  listPrefix(prefix: AbsolutePath): AbsolutePath[] {
    const range = prefixRange(relativePrefix(prefix));
    return attempt("list keys", prefix, () => Array.from(this.#fresh().getKeys(range), absolute));
  }

  /**
   * Seeks once for every key and prefix found: the cost does not depend on the number of keys below a prefix.
   */
  listDir(prefix: AbsolutePath): DirectoryListing {
    const keys: AbsolutePath[] = [];
    const prefixes: AbsolutePath[] = [];
    let { start, end } = prefixRange(relativePrefix(prefix));
    attempt("list keys", prefix, () => {
      for (;;) {
        const [found] = Array.from(this.#fresh().getKeys({ start, end, limit: 1 }), absolute);
        if (found === undefined) return;
        const slash = found.indexOf("/", prefix.length);
        if (slash < 0) {
          keys.push(found);
          start = Buffer.concat([keyBytes(found), Buffer.of(0)]);
        } else {
          const below: AbsolutePath = `/${found.slice(1, slash + 1)}`;
          prefixes.push(below);
          start = prefixRange(relativePrefix(below)).end;
        }
      }
    });
    return { keys, prefixes };
  }

  /** A commit answers before it is on the disk. */
  async flush(): Promise<void> {
    await attemptLater("flush a database", "/", async () => this.#database.flushed);
  }

  /** Waits for pending writes and closes the database. */
  async close(): Promise<void> {
    await this.#database.close();
  }

  /**
   * Returns the database with a read transaction that sees all commits of this process. LMDB keeps one read
   * transaction per turn of the event loop and misses later commits by other stores of the database; a
   * partial write would then overwrite their changes.
   */
  #fresh(): RootDatabase<Uint8Array, Buffer> {
    const count = commits.get(this.#place);
    if (count !== this.#seen) this.#database.resetReadTxn();
    this.#seen = count;
    return this.#database;
  }

  #committed(): void {
    commits.set(this.#place, (commits.get(this.#place) ?? 0) + 1);
  }

  /**
   * Calls `take` with the value and its length in bytes. The buffer is LMDB's own: valid only during the
   * call, and longer than the value. `getBinary` would return a copy, but takes 1 to 4 ms for a megabyte,
   * against 0.1 ms for this and a copy.
   */
  #read<T>(key: AbsolutePath, take: (value: Uint8Array, byteLength: number) => T): T | undefined {
    return attempt("read a value", key, () => {
      const value = this.#fresh().getBinaryFast(keyBytes(key));
      if (value === undefined) return undefined;
      return take(value, value.length);
    });
  }
}

const ownMemory: Allocate = (byteLength) => new Uint8Array(byteLength);

function copy(source: Uint8Array, start: number, end: number, target: Uint8Array): Uint8Array {
  // A new view: `source` is LMDB's buffer, whose `length` property does not match its memory.
  target.set(new Uint8Array(source.buffer, source.byteOffset + start, end - start));
  return target;
}
