/**
 * What a format says of a file, as a read-only store: documents from its nodes, chunks as ranges of the file.
 */

import type {
  AbsolutePath,
  DirectoryListing,
  Json,
  Listable,
  PartsOptions,
  RangeQuery,
  Readable,
  RequestOptions,
  StoreKind,
  StoreOptions,
  ValueParts,
} from "../../core/for-stores.js";
import {
  at,
  BoundedCache,
  checkByteLength,
  directoryOf,
  type Extent,
  isZarrError,
  relativeKey,
  relativePrefix,
  resolveRange,
  StoreError,
  sliceRange,
  stringifyJson,
  untilAborted,
} from "../../core/for-stores.js";
import { joined } from "./file-bytes.js";
import type { ChunkFile, VirtualChunk, VirtualGroup, VirtualNode } from "./port.js";

const DOCUMENT = "zarr.json";
/** Nodes that are remembered, with what they have read. */
const MOST_NODES = 1 << 16;
/** Levels of groups: links may lead in a circle. */
const DEEPEST = 64;

/** A value: bytes, or where they lie. */
type Value = Uint8Array | VirtualChunk;

/**
 * A file of another format (HDF5, NetCDF, GRIB, TIFF) as a hierarchy of Zarr v3. `openVirtual` makes it.
 * Nothing is copied: the chunks of its arrays are ranges of the file, which is read when they are.
 */
export class VirtualStore implements Readable, Listable {
  readonly kind: StoreKind;
  readonly #file: ChunkFile;
  readonly #root: VirtualGroup;
  readonly #nodes = new BoundedCache<string, Promise<VirtualNode | undefined>>({ entries: MOST_NODES });
  readonly #documents = new WeakMap<VirtualNode, Promise<Uint8Array>>();

  /** @param kind of the store that the file is in */
  constructor(file: ChunkFile, root: VirtualGroup, kind: StoreKind) {
    this.#file = file;
    this.#root = root;
    this.kind = kind === "network" ? kind : "files";
  }

  async get(key: AbsolutePath, options?: RequestOptions): Promise<Uint8Array | undefined> {
    return (await this.getParts(key, undefined, withoutNull(options)))?.parts[0];
  }

  async getRange(
    key: AbsolutePath,
    range: RangeQuery,
    options?: RequestOptions,
  ): Promise<Uint8Array | undefined> {
    return (await this.getParts(key, [range], withoutNull(options)))?.parts[0];
  }

  async getParts(
    key: AbsolutePath,
    ranges: readonly RangeQuery[] | undefined,
    options: PartsOptions = {},
  ): Promise<ValueParts | undefined> {
    try {
      return await untilAborted(options.signal, () => this.#read(key, ranges, options));
    } catch (cause) {
      if (!isZarrError(cause, "StoreError") || cause.key !== undefined) throw cause;
      const { message, status, code, retryAfter, isTransient } = cause;
      throw new StoreError(message, { key, status, code, retryAfter, isTransient, cause });
    }
  }

  async has(key: AbsolutePath): Promise<boolean> {
    return (await this.#find(key)) !== undefined;
  }

  /** All keys. It reads the indexes of all chunks. */
  list(): AsyncIterable<AbsolutePath> {
    return this.listPrefix("/");
  }

  async *listPrefix(prefix: AbsolutePath): AsyncIterable<AbsolutePath> {
    const path = relativePrefix(prefix);
    const found = await this.#walk(path);
    if (found === undefined) return;
    const { node, path: nodePath, rest } = found;
    if (rest.length === 0) yield* this.#keysOf(node, nodePath, 0);
    else if (node.kind === "array")
      for await (const key of this.#keysOf(node, nodePath, 0)) if (key.startsWith(prefix)) yield key;
  }

  async listDir(prefix: AbsolutePath): Promise<DirectoryListing> {
    const path = relativePrefix(prefix);
    const found = await this.#walk(path);
    if (found === undefined) return { keys: [], prefixes: [] };
    const { node, rest } = found;
    if (node.kind === "group" && rest.length === 0) {
      const prefixes = (await node.names()).map((name): AbsolutePath => `${prefix}${name}/`);
      return { keys: [`${prefix}${DOCUMENT}`], prefixes };
    }
    if (node.kind === "group") return { keys: [], prefixes: [] };
    const keys: AbsolutePath[] = [];
    for await (const key of this.listPrefix(prefix)) keys.push(key);
    return directoryOf(keys, prefix);
  }

  /** The root, and the file. For `writeReferences` and for data sets of many files. */
  get rootGroup(): VirtualGroup {
    return this.#root;
  }
  get file(): ChunkFile {
    return this.#file;
  }

  /** The node at a path without a leading "/". */
  async node(path: string): Promise<VirtualNode | undefined> {
    const found = await this.#walk(path);
    return found?.rest.length === 0 ? found.node : undefined;
  }

  /** The bytes of a chunk. */
  async bytesOf(chunk: VirtualChunk, options: PartsOptions = {}): Promise<Uint8Array> {
    const { file = this.#file } = chunk;
    const bytes = joined(
      await Promise.all(
        chunk.parts.map(async (part) => (part instanceof Uint8Array ? part : file.chunk(part, options))),
      ),
    );
    return chunk.recode === undefined ? bytes : chunk.recode(bytes, options);
  }

  async #read(
    key: AbsolutePath,
    ranges: readonly RangeQuery[] | undefined,
    options: PartsOptions,
  ): Promise<ValueParts | undefined> {
    const value = await this.#find(key);
    if (value === undefined) return undefined;
    if (value instanceof Uint8Array || value.recode !== undefined) {
      const bytes = value instanceof Uint8Array ? value : await this.bytesOf(value, options);
      if (ranges === undefined) checkByteLength(bytes.length, options.maximumBytes, key);
      const parts = ranges?.map((range) => sliceRange(bytes, range)) ?? [bytes];
      return { parts, byteLength: bytes.length };
    }
    const byteLength = value.parts.reduce((sum, { length }) => sum + length, 0);
    if (ranges === undefined) {
      checkByteLength(byteLength, options.maximumBytes, key);
      return { parts: [await this.bytesOf(value, options)], byteLength };
    }
    const parts = ranges.map((range) => {
      const { start, end } = resolveRange(range, byteLength);
      return this.bytesOf({ file: value.file, parts: partsWithin(value.parts, start, end) }, options);
    });
    return { parts: await Promise.all(parts), byteLength };
  }

  async #find(key: AbsolutePath): Promise<Value | undefined> {
    const path = relativeKey(key);
    const slash = path.lastIndexOf("/");
    if (path.slice(slash + 1) === DOCUMENT) {
      const node = await this.node(path.slice(0, Math.max(0, slash)));
      return node && this.#document(node);
    }
    const found = await this.#walk(path);
    if (found === undefined || found.node.kind !== "array") return undefined;
    const coordinates = coordinatesOf(found.rest);
    return coordinates && found.node.chunk(coordinates);
  }

  /** Walks down to the node at a path, or to the array above it. */
  async #walk(
    path: string,
  ): Promise<
    { readonly node: VirtualNode; readonly path: string; readonly rest: readonly string[] } | undefined
  > {
    const names = path === "" ? [] : path.split("/");
    let node: VirtualNode = this.#root;
    for (const [i, name] of names.entries()) {
      if (node.kind === "array") return { node, path: names.slice(0, i).join("/"), rest: names.slice(i) };
      const child = await this.#child(node, names.slice(0, i + 1).join("/"), name);
      if (child === undefined) return undefined;
      node = child;
    }
    return { node, path, rest: [] };
  }

  #child(group: VirtualGroup, path: string, name: string): Promise<VirtualNode | undefined> {
    const known = this.#nodes.get(path);
    if (known !== undefined) return known;
    const child = group.child(name).catch((error: unknown) => {
      this.#nodes.delete(path);
      throw error;
    });
    this.#nodes.set(path, child);
    return child;
  }

  #document(node: VirtualNode): Promise<Uint8Array> {
    const known = this.#documents.get(node);
    if (known !== undefined) return known;
    const made = node
      .document()
      .then((document) => new TextEncoder().encode(stringifyJson(document satisfies Json)))
      .catch((error: unknown) => {
        this.#documents.delete(node);
        throw error;
      });
    this.#documents.set(node, made);
    return made;
  }

  async *#keysOf(node: VirtualNode, path: string, depth: number): AsyncIterable<AbsolutePath> {
    const prefix: AbsolutePath = path === "" ? "/" : `/${path}/`;
    yield `${prefix}${DOCUMENT}`;
    if (node.kind === "array") {
      for await (const coordinates of node.chunks()) yield `${prefix}${chunkKey(coordinates)}`;
      return;
    }
    if (depth === DEEPEST)
      throw new StoreError(`${this.#file.name}: groups nest deeper than ${DEEPEST} levels`);
    for (const name of await node.names()) {
      const below = `${prefix.slice(1)}${name}`;
      const child = await this.#child(node, below, name);
      if (child !== undefined) yield* this.#keysOf(child, below, depth + 1);
    }
  }
}

/** The key of a chunk below its array. */
export const chunkKey = (coordinates: readonly number[]): string => ["c", ...coordinates].join("/");

/** Undefined for what is no key of a chunk. */
export function coordinatesOf([first, ...others]: readonly string[]): number[] | undefined {
  if (first !== "c" || others.some((text) => !/^(?:0|[1-9]\d{0,14})$/.test(text))) return undefined;
  return others.map(Number);
}

/** What lies between `start` and `end` of the joined parts. */
function partsWithin(
  parts: readonly (Extent | Uint8Array)[],
  start: number,
  end: number,
): readonly (Extent | Uint8Array)[] {
  const within: (Extent | Uint8Array)[] = [];
  let from = 0;
  for (let i = 0; i < parts.length && from < end; i++) {
    const part = at(parts, i);
    const [low, high] = [Math.max(0, start - from), Math.min(part.length, end - from)];
    if (low < high)
      within.push(
        part instanceof Uint8Array
          ? part.subarray(low, high)
          : { offset: part.offset + low, length: high - low },
      );
    from += part.length;
  }
  return within;
}

const withoutNull = (options: RequestOptions | undefined): StoreOptions | undefined =>
  options && { ...options, signal: options.signal ?? undefined };
