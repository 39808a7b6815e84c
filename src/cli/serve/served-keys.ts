/**
 * Which keys and prefixes of a store `wazarr serve` shows: metadata documents, chunks of arrays, and the way
 * to them.
 */

import { CheckedStore } from "../../extend.js";
import {
  type AbsolutePath,
  isZarrError,
  type Store,
  type StoreError,
  type StoreOptions,
} from "../../index.js";
import type { DirectoryListing } from "../../main/stores.js";

/** The documents of a node in v2 and v3, below its path. */
const DOCUMENTS: readonly string[] = ["zarr.json", ".zarray", ".zgroup", ".zattrs", ".zmetadata"];
/** Documents of the draft of 2020. */
const DRAFT_DOCUMENT = /^\/meta\/root(?:\/.+)?\.(?:array|group)\.json$/;
/**
 * A chunk key below an array's path, or a prefix of some: "c/0/1", "c.0.1", "c0/1", "0.1", "0/1", "c" for a
 * scalar.
 */
const CHUNK = /^(?:c(?:$|(?=\d)|[/.](?=\d)))?(?:\d+(?:[/.]\d+)*)?$/;
/** No array has more dimensions, so no chunk key more names. */
const MOST_NAMES = 65;
/** Bytes. */
const LONGEST_DOCUMENT = 64 << 20;
/** How many arrays are remembered. */
const MOST_ARRAYS = 10_000;

export class ServedKeys {
  readonly #store: CheckedStore;
  /** Prefixes of arrays, so that a chunk costs no request for its array's document. */
  readonly #arrays = new Set<AbsolutePath>();

  constructor(store: Store) {
    this.#store = new CheckedStore(store);
  }

  /** Whether a key is a metadata document, or a chunk of an array. */
  async has(key: AbsolutePath, options: StoreOptions): Promise<boolean> {
    const names = key.slice(1).split("/");
    const last = names.at(-1) ?? "";
    if (names.slice(0, -1).some(isHidden)) return false;
    if (DOCUMENTS.includes(last) || DRAFT_DOCUMENT.test(key)) return true;
    return !isHidden(last) && this.#isInArray(names, options);
  }

  /**
   * Lists a prefix without what is not Zarr's; undefined if nothing is left, or the store cannot be listed.
   * @param prefix ends in "/"
   */
  async list(prefix: AbsolutePath, options: StoreOptions): Promise<DirectoryListing | undefined> {
    const names = prefix.slice(1).split("/").slice(0, -1);
    if (names.some(isHidden) || !this.#store.canList) return undefined;
    const { keys, prefixes } = await this.#store.listDir(prefix, options);
    const shown: { keys: AbsolutePath[]; prefixes: AbsolutePath[] } = { keys: [], prefixes: [] };
    for (const key of keys) if (await orRefused(this.has(key, options))) shown.keys.push(key);
    for (const each of prefixes) if (await orRefused(this.#isWay(each, options))) shown.prefixes.push(each);
    return shown.keys.length + shown.prefixes.length > 0 ? shown : undefined;
  }

  /** Whether a prefix is that of a node, or of chunks of an array. */
  async #isWay(prefix: AbsolutePath, options: StoreOptions): Promise<boolean> {
    const names = prefix.slice(1).split("/").slice(0, -1);
    if (names.some(isHidden)) return false;
    if (/^\/(?:meta|data)\/(?:root\/(?:.+\/)?)?$/.test(prefix)) return this.#isDraft(options);
    for (const document of ["zarr.json", ".zgroup", ".zarray"])
      if (await this.#store.has(`${prefix}${document}`, options)) return true;
    return this.#isInArray(names, options);
  }

  #isDraft(options: StoreOptions): Promise<boolean> {
    return this.#isDocument("/zarr.json", options, (document) => "metadata_key_suffix" in document);
  }

  /** Whether names are those of a chunk key, or of a prefix of one, below an array. */
  async #isInArray(names: readonly string[], options: StoreOptions): Promise<boolean> {
    // Prefixes below which there are only names that a chunk key may have. The shortest is most often that of
    // the array.
    const above: AbsolutePath[] = [];
    for (let count = 1; count <= Math.min(names.length, MOST_NAMES); count++) {
      if (!CHUNK.test(names.slice(-count).join("/"))) break;
      const path = names.slice(0, -count).join("/");
      above.unshift(path === "" ? "/" : `/${path}/`);
    }
    if (above.some((prefix) => this.#arrays.has(prefix))) return true;
    let failure: unknown;
    for (const prefix of above) {
      try {
        if (await this.#isArray(prefix, options)) return true;
      } catch (error) {
        // Buckets may answer 403 for what is missing. If there is no array elsewhere, the chunk must not
        // count as missing.
        failure = error;
      }
    }
    if (failure !== undefined) throw failure;
    return false;
  }

  async #isArray(prefix: AbsolutePath, options: StoreOptions): Promise<boolean> {
    const [, node] = /^\/data\/root(\/.+)?\/$/.exec(prefix) ?? [undefined, undefined];
    const isFound =
      (await this.#isDocument(`${prefix}zarr.json`, options, ({ node_type: type }) => type === "array")) ||
      (await this.#store.has(`${prefix}.zarray`, options)) ||
      (prefix.startsWith("/data/root/") &&
        (await this.#store.has(`/meta/root${node ?? ""}.array.json`, options)));
    if (!isFound) return false;
    if (this.#arrays.size >= MOST_ARRAYS) this.#arrays.clear();
    this.#arrays.add(prefix);
    return true;
  }

  async #isDocument(
    key: AbsolutePath,
    options: StoreOptions,
    isRight: (document: Readonly<Record<string, unknown>>) => boolean,
  ): Promise<boolean> {
    const bytes = await this.#store.get(key, { ...options, maximumBytes: LONGEST_DOCUMENT });
    if (!bytes) return false;
    try {
      const document: unknown = JSON.parse(new TextDecoder().decode(bytes));
      return typeof document === "object" && document !== null && isRight({ ...document });
    } catch {
      return false;
    }
  }
}

const isHidden = (name: string): boolean => name.startsWith(".");

/**
 * False for a key that the store refuses, such as a link that leads out of a directory. Other failures may
 * pass: a listing without a node that is there would be wrong.
 */
async function orRefused(check: Promise<boolean>): Promise<boolean> {
  try {
    return await check;
  } catch (error) {
    if (isZarrError(error, "StoreError") && isRefusal(error)) return false;
    throw error;
  }
}

/** Codes and statuses by which stores refuse a key: no permission, a link out of the directory, a circle. */
const REFUSALS: readonly unknown[] = ["EACCES", "EPERM", "ELOOP", 401, 403];

function isRefusal({ code, status, cause }: StoreError): boolean {
  return [code, status, Object(cause).code].some((each) => REFUSALS.includes(each));
}
