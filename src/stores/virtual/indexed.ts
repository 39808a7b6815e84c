/**
 * An index that `writeReferences` wrote, as a virtual store: other files can follow it. Of the files that it
 * names none is opened.
 */
import {
  type AbsolutePath,
  isJsonObject,
  type JsonObject,
  parseJson,
  StoreError,
  UnsupportedError,
} from "../../core/for-stores.js";
import type { ReferenceStore } from "../references/reference.js";
import type { ChunkFile, VirtualArray, VirtualChunk, VirtualGroup } from "./port.js";
import { chunkKey, coordinatesOf, VirtualStore } from "./virtual-store.js";

/** What of a `ReferenceStore` is needed. */
export type Index = Pick<ReferenceStore, "get" | "getRange" | "listDir" | "listPrefix" | "referenceTo">;

/** Not `instanceof`: an address is opened by the package's own copy of the class. */
export function isIndex(source: unknown): source is ReferenceStore {
  return typeof source === "object" && source !== null && "referenceTo" in source;
}

/**
 * @param name what messages call the index
 * @throws UnsupportedError for documents of Zarr v2, which kerchunk and VirtualiZarr write
 */
export async function indexed(index: Index, name: string): Promise<VirtualStore> {
  if ((await documentAt(index, "/")) === undefined)
    throw new UnsupportedError(
      `${name}: expected references to an array or group of Zarr v3, as writeReferences writes them`,
    );
  // Every chunk has its own file.
  const file: ChunkFile = { name, chunk: () => Promise.reject(new StoreError(`${name}: no such bytes`)) };
  return new VirtualStore(file, groupAt(index, "/"), "files");
}

async function documentAt(index: Index, prefix: AbsolutePath): Promise<JsonObject | undefined> {
  const key: AbsolutePath = `${prefix}zarr.json`;
  const found = await index.get(key);
  if (found === undefined) return undefined;
  const document = parseJson(new TextDecoder().decode(found));
  if (isJsonObject(document)) return document;
  throw new StoreError("expected a document of Zarr v3", { key });
}

function groupAt(index: Index, prefix: AbsolutePath): VirtualGroup {
  return {
    kind: "group",
    document: async () => (await documentAt(index, prefix)) ?? {},
    names: async () => index.listDir(prefix).prefixes.map((each) => each.slice(prefix.length, -1)),
    async child(name) {
      const below: AbsolutePath = `${prefix}${name}/`;
      const document = await documentAt(index, below);
      if (document === undefined) return undefined;
      return document.node_type === "array" ? arrayAt(index, below, document) : groupAt(index, below);
    },
  };
}

function arrayAt(index: Index, prefix: AbsolutePath, document: JsonObject): VirtualArray {
  return {
    kind: "array",
    document: async () => document,
    chunk: async (coordinates) => chunkAt(index, `${prefix}${chunkKey(coordinates)}`),
    async *chunks() {
      for (const key of index.listPrefix(prefix)) {
        const coordinates = coordinatesOf(key.slice(prefix.length).split("/"));
        if (coordinates !== undefined) yield coordinates;
      }
    },
  };
}

function chunkAt(index: Index, key: AbsolutePath): VirtualChunk | undefined {
  const found = index.referenceTo(key);
  if (found === undefined) return undefined;
  if (found instanceof Uint8Array) return { parts: [found] };
  const { url, extent } = found;
  if (extent === undefined)
    throw new UnsupportedError(`expected a byte range of ${url}, got the whole file`, { path: key });
  const file: ChunkFile = {
    name: url ?? "target",
    address: url,
    async chunk({ offset, length }, options) {
      // The index reads its files by its own rules, such as which of this machine it may name.
      const range = { offset: offset - extent.offset, length };
      const bytes = await index.getRange(key, range, options);
      if (bytes !== undefined) return bytes;
      throw new StoreError("no such reference", { key });
    },
  };
  return { file, parts: [extent] };
}
