/** The index of a virtual store as a reference document of kerchunk, version 1. */
import {
  type AbsolutePath,
  InvalidArgumentError,
  isJsonObject,
  isWritable,
  type Json,
  type JsonObject,
  ownMember,
  type Readable,
  stringifyJson,
  UnsupportedError,
} from "../../core/for-stores.js";
import type { VirtualArray, VirtualChunk, VirtualGroup } from "./port.js";
import { chunkKey, type VirtualStore } from "./virtual-store.js";

/** Chunks and nodes of one document. */
const MOST_REFERENCES = 10_000_000;
const DEEPEST = 64;

/**
 * The references of all chunks: `ReferenceStore` reads them, and so do kerchunk and VirtualiZarr. Documents
 * are of Zarr v3. A chunk that is not one range of the file (text, a chunk with a filter left out) is in the
 * document itself.
 * @throws UnsupportedError for more than ten million of them
 */
export async function references(store: VirtualStore): Promise<JsonObject> {
  const refs: Record<string, Json> = {};
  let left = MOST_REFERENCES;
  const add = (key: string, reference: Json): void => {
    if (left-- === 0) throw new UnsupportedError(`expected at most ${MOST_REFERENCES} references, got more`);
    refs[key] = reference;
  };

  async function addGroup(group: VirtualGroup, prefix: string, depth: number): Promise<void> {
    add(`${prefix}zarr.json`, stringifyJson(await group.document()));
    if (depth === DEEPEST) throw new UnsupportedError(`groups nest deeper than ${DEEPEST} levels`);
    for (const name of await group.names()) {
      const child = await group.child(name);
      if (child?.kind === "group") await addGroup(child, `${prefix}${name}/`, depth + 1);
      else if (child !== undefined) await addArray(child, `${prefix}${name}/`);
    }
  }

  async function addArray(array: VirtualArray, prefix: string): Promise<void> {
    add(`${prefix}zarr.json`, stringifyJson(withFillInBase64(await array.document())));
    for await (const coordinates of array.chunks()) {
      const chunk = await array.chunk(coordinates);
      if (chunk !== undefined) add(`${prefix}${chunkKey(coordinates)}`, await referenceTo(chunk));
    }
  }

  async function referenceTo(chunk: VirtualChunk): Promise<Json> {
    const [part] = chunk.parts;
    const { file = store.file } = chunk;
    if (chunk.recode === undefined && chunk.parts.length === 1 && part && !(part instanceof Uint8Array))
      return [file.address ?? null, part.offset, part.length];
    return `base64:${base64Of(await store.bytesOf(chunk))}`;
  }

  await addGroup(store.rootGroup, "", 0);
  return { version: 1, refs };
}

/**
 * Writes the references of a store to a file, which `openDataset("refs.json")` opens as it would the files
 * themselves, without reading their metadata again.
 * @param target a path (in Node, Bun and Deno), or a key of a store that can be written
 * @throws InvalidArgumentError, StoreError, UnsupportedError
 */
export async function writeReferences(
  store: VirtualStore,
  target: string | { readonly store: Readable; readonly key: AbsolutePath },
): Promise<void> {
  if (typeof store?.bytesOf !== "function")
    throw new InvalidArgumentError("writeReferences: expected a store that openVirtual opened");
  const place = typeof target === "string" ? await folderOf(target) : target;
  if (!isWritable(place.store))
    throw new InvalidArgumentError("writeReferences: expected a store that can be written");
  const text = stringifyJson(await references(store), { ascii: false });
  await place.store.set(place.key, new TextEncoder().encode(text));
}

async function folderOf(path: string): Promise<{ readonly store: Readable; readonly key: AbsolutePath }> {
  const [, folder = ".", name = path] = /^(.*?)[/\\]+([^/\\]+)$/s.exec(path) ?? [];
  // Not a literal: bundlers for pages would look for the modules of Node.
  const entry = ["wazarr", "stores", "file-system"].join("/");
  const found: unknown = await import(/* @vite-ignore */ /* webpackIgnore: true */ entry).catch((cause) => {
    throw new UnsupportedError("a page cannot write files; pass { store, key }", { cause });
  });
  const made =
    typeof found === "object" && found !== null && "FileSystemStore" in found ? found.FileSystemStore : "";
  if (typeof made !== "function") throw new UnsupportedError("internal error: no FileSystemStore");
  const store: Readable = Reflect.construct(made, [folder === "" ? "/" : folder]);
  return { store, key: `/${name}` };
}

/** xarray expects a `_FillValue` of floats as base64 of a double in Zarr v3. */
export function withFillInBase64(document: JsonObject): JsonObject {
  const { attributes, data_type: dataType } = document;
  if (!isJsonObject(attributes) || typeof dataType !== "string" || !dataType.startsWith("float"))
    return document;
  const fill = ownMember(attributes, "_FillValue");
  if (typeof fill !== "number") return document;
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, fill, true);
  return { ...document, attributes: { ...attributes, _FillValue: base64Of(bytes) } };
}

function base64Of(bytes: Uint8Array): string {
  let text = "";
  // In pieces: a call has at most so many arguments.
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
