/** The metadata documents of a node in the store, for the final formats 2 and 3. */
import { withAllDataTypes } from "../data-types/registry.js";
import { storeFailure } from "../engine/prepared.js";
import { StoreError } from "../errors.js";
import { encodeJson, type JsonObject, parseJson } from "../metadata/json.js";
import type { NodeMetadata } from "../metadata/model.js";
import { keyBelow } from "../metadata/path.js";
import { parseV2Array, parseV2Group, writeV2Array, writeV2Group } from "../metadata/v2.js";
import { parseV3, writeV3 } from "../metadata/v3.js";
import type { StoreOptions, WritableStore } from "../stores/store.js";
import type { Location } from "./location.js";

export type NodeKind = "array" | "group";

async function readBytes(
  location: Location,
  name: string,
  options: StoreOptions,
): Promise<Uint8Array | undefined> {
  const key = keyBelow(location.path, name);
  try {
    return await location.store.get(key, options);
  } catch (error) {
    throw storeFailure(error, key, options.signal);
  }
}

/** `zarr.json`; undefined when there is none. One request. */
export async function readV3(location: Location, options: StoreOptions): Promise<NodeMetadata | undefined> {
  const bytes = await readBytes(location, "zarr.json", options);
  if (bytes === undefined) return undefined;
  const context = { key: keyBelow(location.path, "zarr.json") };
  return withAllDataTypes(() => parseV3(parseJson(bytes, context), context));
}

/** `.zarray` or `.zgroup`, with `.zattrs` requested beside it; undefined when there is neither. Two or three requests. */
export async function readV2(
  location: Location,
  kind: NodeKind | undefined,
  attrs: boolean,
  options: StoreOptions,
): Promise<NodeMetadata | undefined> {
  const read = async (name: string): Promise<JsonObjectLike | undefined> => {
    const bytes = await readBytes(location, name, options);
    const context = { key: keyBelow(location.path, name) };
    return bytes === undefined ? undefined : { json: parseJson(bytes, context), context };
  };
  const attributes = attrs ? read(".zattrs") : Promise.resolve(undefined);
  const document = read(kind === "group" ? ".zgroup" : ".zarray");
  const [zattrs, first] = await Promise.all([attributes, document]);
  if (first !== undefined && kind !== "group") {
    return withAllDataTypes(() => parseV2Array(first.json, zattrs?.json, first.context));
  }
  const zgroup = kind === "group" ? first : kind === undefined ? await read(".zgroup") : undefined;
  return zgroup === undefined ? undefined : parseV2Group(zgroup.json, zattrs?.json, zgroup.context);
}

interface JsonObjectLike {
  readonly json: ReturnType<typeof parseJson>;
  readonly context: { readonly key: string };
}

/** Writes a node's documents, the one that makes it a node last. */
export async function writeDocuments(
  location: Location<WritableStore>,
  metadata: NodeMetadata,
  options: StoreOptions,
): Promise<void> {
  for (const [name, document] of documentsOf(metadata)) {
    const key = keyBelow(location.path, name);
    try {
      await location.store.set(key, encodeJson(document), options);
    } catch (error) {
      throw storeFailure(error, key, options.signal);
    }
  }
}

/** @throws UnsupportedError for what the format cannot hold */
export function documentsOf(metadata: NodeMetadata): [name: string, document: JsonObject][] {
  if (metadata.zarrFormat === 3) return [["zarr.json", writeV3(metadata)]];
  if (metadata.zarrFormat !== 2)
    throw new StoreError(`cannot write documents of format ${metadata.zarrFormat}`);
  const documents =
    metadata.nodeType === "array"
      ? Object.entries<JsonObject>({ ...writeV2Array(metadata) })
      : Object.entries<JsonObject>({ ...writeV2Group(metadata) });
  return documents
    .filter(([name, document]) => name !== ".zattrs" || Object.keys(document).length > 0)
    .sort(([a]) => (a === ".zattrs" ? -1 : 1));
}
