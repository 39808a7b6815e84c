/**
 * Reads and writes a folder of a browser: one that a person picked or dropped, or the page's own (OPFS).
 *
 * ```ts
 * import { create, set } from "wazarr";
 * import { DirectoryHandleStore } from "wazarr/stores/directory-handle";
 *
 * const store = new DirectoryHandleStore(await navigator.storage.getDirectory());
 * const array = await create(store, { shape: [100, 100], dtype: "float32" });
 * await set(array, null, 21.5);
 * ```
 * @module
 */
import {
  type AbsolutePath,
  at,
  checkDepth,
  checkValue,
  type DirectoryListing,
  describeGiven,
  InvalidArgumentError,
  type Listable,
  noFileError,
  type RangeQuery,
  type Readable,
  relativeKey,
  relativePrefix,
  StoreError,
  type StoreOptions,
  UnsupportedError,
  type ValueParts,
  type Writable,
} from "../../core/for-stores.js";
import { partsOf, replace, stateOf } from "./directory-handles/content.js";
import { changed, handleError, isChange, isMissing, nameOf } from "./directory-handles/failures.js";
import type { DirectoryHandle, FileHandle, FileSnapshot, FileWriter } from "./directory-handles/handles.js";

export type { DirectoryHandle, FileHandle, FileSnapshot, FileWriter };

/** Attempts at what another writer may disturb: a file that is replaced, a folder that is removed. */
const ATTEMPTS = 3;
/** Files of a folder that are removed at once. */
const REMOVED_AT_ONCE = 32;
/** Chromium writes a value into a file of such a name, and then renames it. */
const TEMPORARY = /\.crswap$/;

/**
 * Stores values as files below a folder. A key whose folder is missing, or is a file, is missing; reading a
 * key that names a folder throws a StoreError, because the caller expects a value there.
 *
 * A value is replaced atomically. A new one is an empty file while it is written, for readers in other tabs:
 * the standard has no way to create a file with its content. Readers of the same store do not see it.
 *
 * @throws StoreError for every failure of the browser, with its name as `code`: "NotAllowedError" without
 * permission, "NotReadableError" (which may pass) for a file that is replaced again and again while it is
 * read, "QuotaExceededError"; and for keys that cannot be file names
 */
export class DirectoryHandleStore implements Readable, Writable, Listable {
  readonly kind = "files";
  /** The folder. */
  readonly handle: DirectoryHandle;
  /** Keys whose files this store created and has not filled yet. */
  readonly #creating = new Set<string>();

  /** @param handle a `FileSystemDirectoryHandle` @throws InvalidArgumentError for anything else */
  constructor(handle: DirectoryHandle) {
    if (handle?.kind !== "directory")
      throw new InvalidArgumentError(
        `expected a FileSystemDirectoryHandle, as of \`await navigator.storage.getDirectory()\`, got ${describeGiven(handle)}`,
      );
    this.handle = handle;
  }

  /** Always true. */
  get copiesValues(): true {
    return true;
  }

  /** The handle: stores of the same object share the place. */
  get place(): object {
    return this.handle;
  }

  async get(key: AbsolutePath, options?: StoreOptions): Promise<Uint8Array | undefined> {
    return (await this.getParts(key, undefined, options))?.parts[0];
  }

  async getRange(
    key: AbsolutePath,
    range: RangeQuery,
    options?: StoreOptions,
  ): Promise<Uint8Array | undefined> {
    return (await this.getParts(key, [range], options))?.parts[0];
  }

  /** All parts are of one version: a value that is replaced meanwhile is read again. */
  async getParts(
    key: AbsolutePath,
    ranges: readonly RangeQuery[] | undefined,
    options: StoreOptions = {},
  ): Promise<ValueParts | undefined> {
    const { signal } = options;
    const path = pathOf(key);
    try {
      for (let attempt = 1; ; attempt++) {
        signal?.throwIfAborted();
        const file = await this.#find(path, key);
        if (file === undefined) return undefined;
        try {
          const snapshot = await file.getFile();
          if (snapshot.size === 0 && this.#creating.has(key)) return undefined;
          const parts = await partsOf(snapshot, key, ranges, options);
          // Browsers refuse to read a file that was changed, but may compare times to the second.
          const { version } = stateOf(await file.getFile());
          if (version === stateOf(snapshot).version) return { parts, ...stateOf(snapshot) };
          throw changed();
        } catch (error) {
          if (!isChange(error)) throw error;
          // Chromium gives the same change different names, "NotFoundError" among them.
          if (attempt === ATTEMPTS) throw changed(error);
        }
      }
    } catch (error) {
      throw handleError("read a file", key, error, signal);
    }
  }

  async has(key: AbsolutePath, options?: StoreOptions): Promise<boolean> {
    options?.signal?.throwIfAborted();
    const path = pathOf(key);
    try {
      const folder = await this.#folder(path.folders);
      const file = folder && (await found(folder.getFileHandle(path.name)));
      if (file === undefined) return false;
      return !this.#creating.has(key) || (await file.getFile()).size > 0;
    } catch (error) {
      throw handleError("look for a file", key, error);
    }
  }

  async set(key: AbsolutePath, value: Uint8Array, options?: StoreOptions): Promise<void> {
    checkValue(value);
    const signal = options?.signal;
    const path = pathOf(key);
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      try {
        return await this.#write(path, key, value, signal);
      } catch (error) {
        // Whoever deletes the last value of a folder removes the folder, too.
        if (attempt < ATTEMPTS && nameOf(error) === "NotFoundError") continue;
        throw handleError("write a file", key, error, signal);
      }
    }
  }

  async delete(key: AbsolutePath, options?: StoreOptions): Promise<void> {
    await this.deleteMany([key], options);
  }

  /** Removes files, and then their folders as far as they are empty. */
  async deleteMany(keys: readonly AbsolutePath[], options?: StoreOptions): Promise<void> {
    const signal = options?.signal;
    const byFolder = new Map<string, { folders: readonly string[]; files: Map<string, AbsolutePath> }>();
    for (const key of keys) {
      const { folders, name } = pathOf(key);
      const id = folders.join("/");
      const group = byFolder.get(id) ?? { folders, files: new Map() };
      byFolder.set(id, group);
      group.files.set(name, key);
    }
    for (const { folders, files } of byFolder.values()) {
      const names = [...files];
      try {
        const folder = await this.#folder(folders);
        for (let i = 0; folder !== undefined && i < names.length; i += REMOVED_AT_ONCE) {
          signal?.throwIfAborted();
          await Promise.all(
            names.slice(i, i + REMOVED_AT_ONCE).map(([name, key]) => removeFile(folder, name, key)),
          );
        }
        await this.#prune(folders);
      } catch (error) {
        throw handleError("delete a file", names[0]?.[1] ?? "/", error, signal);
      }
    }
  }

  list(options?: StoreOptions): AsyncIterable<AbsolutePath> {
    return this.listPrefix("/", options);
  }

  listPrefix(prefix: AbsolutePath, options?: StoreOptions): AsyncIterable<AbsolutePath> {
    return this.#walk(foldersOf(prefix), prefix, options);
  }

  /** An empty folder is a prefix too. */
  async listDir(prefix: AbsolutePath, options?: StoreOptions): Promise<DirectoryListing> {
    options?.signal?.throwIfAborted();
    const keys: AbsolutePath[] = [];
    const prefixes: AbsolutePath[] = [];
    for (const { kind, name } of await this.#entries(foldersOf(prefix), prefix)) {
      if (kind === "directory") prefixes.push(`${prefix}${name}/`);
      else keys.push(`${prefix}${name}`);
    }
    return { keys, prefixes };
  }

  async *#walk(
    folders: readonly string[],
    prefix: AbsolutePath,
    options: StoreOptions | undefined,
  ): AsyncGenerator<AbsolutePath, void> {
    options?.signal?.throwIfAborted();
    checkDepth(prefix);
    for (const { kind, name } of await this.#entries(folders, prefix)) {
      if (kind === "directory") yield* this.#walk([...folders, name], `${prefix}${name}/`, options);
      else yield `${prefix}${name}`;
    }
  }

  /** What a folder holds; nothing if it is missing or a file. */
  async #entries(folders: readonly string[], prefix: AbsolutePath) {
    const entries: { kind: "file" | "directory"; name: string }[] = [];
    try {
      const folder = await this.#folder(folders);
      if (folder === undefined) return entries;
      if (folder.values === undefined)
        throw new UnsupportedError("this browser cannot list folders: their handles have no `values`");
      for await (const { kind, name } of folder.values())
        if (!TEMPORARY.test(name) && !this.#creating.has(`${prefix}${name}`)) entries.push({ kind, name });
    } catch (error) {
      // It was removed meanwhile.
      if (isMissing(error)) return [];
      throw handleError("list a folder", prefix, error);
    }
    return entries;
  }

  /** A folder of the store; undefined when it is missing or a file. */
  async #folder(names: readonly string[]): Promise<DirectoryHandle | undefined> {
    let folder: DirectoryHandle | undefined = this.handle;
    for (const name of names) folder = folder && (await found(folder.getDirectoryHandle(name)));
    return folder;
  }

  /** @throws StoreError for a key that names a folder */
  async #find({ folders, name }: Path, key: AbsolutePath): Promise<FileHandle | undefined> {
    const folder = await this.#folder(folders);
    try {
      return await folder?.getFileHandle(name);
    } catch (error) {
      if (nameOf(error) === "NotFoundError") return undefined;
      throw nameOf(error) === "TypeMismatchError" ? noFileError(key, true) : error;
    }
  }

  async #write(
    path: Path,
    key: AbsolutePath,
    value: Uint8Array,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const old = await this.#find(path, key);
    if (old !== undefined) return replace(old, value, signal);
    let folder = this.handle;
    for (const name of path.folders) folder = await folder.getDirectoryHandle(name, { create: true });
    this.#creating.add(key);
    try {
      await replace(await folder.getFileHandle(path.name, { create: true }), value, signal);
    } catch (error) {
      await this.#removeEmpty(folder, path).catch(() => {
        // What failed first is what the caller has to know.
      });
      throw error;
    } finally {
      this.#creating.delete(key);
    }
  }

  /** Removes the file that was created for a value that could not be written. */
  async #removeEmpty(folder: DirectoryHandle, { folders, name }: Path): Promise<void> {
    const file = await folder.getFileHandle(name);
    if ((await file.getFile()).size > 0) return;
    await folder.removeEntry(name);
    await this.#prune(folders);
  }

  /** Removes a folder if it is empty, and then its parents as long as they are empty. */
  async #prune(folders: readonly string[]): Promise<void> {
    for (let depth = folders.length; depth > 0; depth--) {
      try {
        const parent = await this.#folder(folders.slice(0, depth - 1));
        const name = at(folders, depth - 1);
        // A file of that name is a value.
        if (parent && (await found(parent.getDirectoryHandle(name)))) await parent.removeEntry(name);
      } catch (error) {
        // It is not empty. If somebody else removed it already, its parents may still be empty.
        if (!isMissing(error)) return;
      }
    }
  }
}

interface Path {
  readonly folders: readonly string[];
  readonly name: string;
}

/** @throws StoreError for keys that are not paths of files */
function pathOf(key: AbsolutePath): Path {
  const names = relativeKey(key).split("/");
  const name = names.pop() ?? "";
  if (TEMPORARY.test(name))
    throw new StoreError('expected another key: browsers keep names that end in ".crswap" for themselves', {
      key,
    });
  return { folders: names, name };
}

function foldersOf(prefix: AbsolutePath): string[] {
  const relative = relativePrefix(prefix);
  return relative === "" ? [] : relative.split("/");
}

/** A handle; undefined when there is no entry of this name, or one of the other kind. */
async function found<Handle>(handle: Promise<Handle>): Promise<Handle | undefined> {
  try {
    return await handle;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Removes a file; a folder of that name stays, because it is not a value. */
async function removeFile(folder: DirectoryHandle, name: string, key: AbsolutePath): Promise<void> {
  try {
    await folder.getFileHandle(name);
    await folder.removeEntry(name);
  } catch (error) {
    if (!isMissing(error)) throw handleError("delete a file", key, error);
  }
}
