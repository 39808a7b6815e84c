/** The ways in which callers name a file: an address, a Blob, or anything that is read by ranges. */
import {
  type AbsolutePath,
  describe,
  InvalidArgumentError,
  isReadable,
  type RangeQuery,
  type Readable,
  resolveRange,
  type StoreOptions,
  shown,
  UnsupportedError,
} from "../../core/for-stores.js";
import { isUrl, parseAddress } from "../addresses/addresses.js";
import { HttpFile } from "../file-ranges/addressed-files.js";
import type { ReferenceStore } from "../references/reference.js";
import type { FilePlace } from "./file-bytes.js";
import { isIndex } from "./indexed.js";

/** Anything of a known length that is read by ranges. */
export interface RangeSource {
  /** Length in bytes. */
  readonly size: number;
  /** Exactly these bytes, which must not change. */
  read(
    range: { readonly offset: number; readonly length: number },
    options?: { readonly signal?: AbortSignal | undefined },
  ): Uint8Array | Promise<Uint8Array>;
}

/** A value of a store. */
export interface StoredFile {
  readonly store: Readable;
  readonly key: AbsolutePath;
  /** Where others find the file, for references: an absolute path or a URL. */
  readonly address?: string | undefined;
}

/**
 * An address (a path, an http(s) URL, "s3://BUCKET/KEY"), a Blob or File, a value of a store, anything that
 * has a size and reads ranges, or an index that `writeReferences` wrote: its address, or the store of it.
 */
export type VirtualSource = string | URL | Blob | RangeSource | StoredFile | ReferenceStore;

const isAddress = (source: VirtualSource): source is string | URL =>
  typeof source === "string" || source instanceof URL;

/** Whether a source is an index that `writeReferences` wrote. */
export function namesIndex(source: VirtualSource): source is string | URL | ReferenceStore {
  return isAddress(source) ? parseAddress(String(source)).form === "references" : isIndex(source);
}

/** @returns undefined for an address that `openStore` has to open @throws InvalidArgumentError */
export function fileOf(source: Exclude<VirtualSource, ReferenceStore>): FilePlace | undefined {
  if (isAddress(source)) {
    const address = String(source);
    if (!isUrl(address)) return undefined;
    const store = new HttpFile(address);
    return { store, key: "/", name: shown(store.url), address };
  }
  if (typeof source === "object" && source !== null) {
    if ("store" in source && "key" in source && isReadable(source.store))
      return { store: source.store, key: source.key, name: source.key.slice(1), address: source.address };
    if (source instanceof Blob) {
      const name = "name" in source && typeof source.name === "string" ? source.name : "Blob";
      const read = async ({ offset, length }: { offset: number; length: number }) =>
        new Uint8Array(await source.slice(offset, offset + length).arrayBuffer());
      return { store: new SourceStore({ size: source.size, read }), key: "/", name };
    }
    if ("size" in source && "read" in source && typeof source.read === "function")
      return { store: new SourceStore(source), key: "/", name: "file" };
  }
  throw new InvalidArgumentError(
    `openVirtual: expected an address, a Blob, { store, key } or { size, read }, got ${describe(source)}`,
  );
}

/** A store with one value. */
class SourceStore implements Readable {
  readonly kind = "files";
  readonly #source: RangeSource;

  constructor(source: RangeSource) {
    if (!Number.isSafeInteger(source.size) || source.size < 0)
      throw new InvalidArgumentError(`size: expected a length in bytes, got ${describe(source.size)}`);
    this.#source = source;
  }

  async get(_key: AbsolutePath, options?: StoreOptions): Promise<Uint8Array> {
    return this.#source.read({ offset: 0, length: this.#source.size }, { signal: options?.signal });
  }

  async getRange(_key: AbsolutePath, range: RangeQuery, options?: StoreOptions): Promise<Uint8Array> {
    const { start, end } = resolveRange(range, this.#source.size);
    return this.#source.read({ offset: start, length: end - start }, { signal: options?.signal });
  }

  async getParts(_key: AbsolutePath, ranges: readonly RangeQuery[] | undefined, options?: StoreOptions) {
    const extents = ranges ?? [{ offset: 0, length: this.#source.size }];
    const parts = await Promise.all(extents.map((range) => this.getRange("/", range, options)));
    return { parts, byteLength: this.#source.size };
  }
}

/**
 * Opens an address with `openStore`, which knows files of this machine and buckets.
 * @throws UnsupportedError in a bundle without `wazarr/stores/open-store`
 */
export async function openAddress(address: string): Promise<unknown> {
  // Not a literal: bundlers for pages would look for the modules of Node that the store of files imports.
  const entry = ["wazarr", "stores", "open-store"].join("/");
  const found: unknown = await import(/* @vite-ignore */ /* webpackIgnore: true */ entry).catch((cause) => {
    throw new UnsupportedError(
      `expected an http(s) URL, a Blob, { store, key } or { size, read }, got ${describe(address)}; in a bundle, pass the store that has the file, and its key`,
      { cause },
    );
  });
  const open = typeof found === "object" && found !== null && "openStore" in found ? found.openStore : "";
  if (typeof open !== "function") throw new UnsupportedError("internal error: no openStore");
  const isKnown = ["virtual", "references"].includes(parseAddress(address).form);
  return Reflect.apply(open, undefined, [isKnown ? address : `${address}|virtual:`]);
}
