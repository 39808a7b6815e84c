/**
 * Consolidated metadata: all documents of a hierarchy in one document, so that opening and listing take one request. v2 has `.zmetadata`,
 * v3 the member `consolidated_metadata` of the root group, as zarr-python writes them (neither is in a specification).
 */

import { untilAborted } from "../abort.js";
import { isZarrError, NotFoundError, UnsupportedError } from "../errors.js";
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type NumberSpellings,
  parseJson,
} from "../metadata/json.js";
import { encodeJson } from "../metadata/json-text.js";
import { Member } from "../metadata/member.js";
import { keyBelow } from "../metadata/path.js";
import { exists } from "../stores/capabilities.js";
import { checkWritable, describeStore } from "../stores/check-store.js";
import { putInFrontOfStore } from "../stores/extensions.js";
import { storageOf } from "../stores/storage-identity.js";
import type { AbsolutePath, Store, StoreOptions, WritableStore } from "../stores/store.js";
import { members } from "./hierarchy.js";
import { type Document, type NodeKind, open, readDocument } from "./open.js";
import { asTheyAreNow } from "./rewrite.js";
import { writeDocument } from "./write-documents.js";

export type ConsolidatedFormat = "v2" | "v3";

export interface ConsolidatedMetadataOptions {
  /** The formats to look for, in order; v3, then v2 unless given. */
  readonly format?: ConsolidatedFormat | readonly ConsolidatedFormat[] | undefined;
  /** The key of v2's consolidated document; ".zmetadata" unless given. */
  readonly metadataKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A node in consolidated metadata. */
export interface Content {
  readonly path: AbsolutePath;
  readonly kind: NodeKind;
}

/** The method that consolidated metadata add to a store. */
export interface Consolidated {
  /** The nodes of the hierarchy, sorted by path; makes no request. */
  contents(): Content[];
}

const DOCUMENT = /\/(zarr\.json|\.zarray|\.zgroup|\.zattrs)$/;

type Documents = Map<string, Json>;

/**
 * Reads the consolidated metadata of a hierarchy, with one request per format. On the returned store `open`, `children`, `members` and `tree`
 * make no requests, so they work without listing (HTTP). Nodes missing from the consolidated metadata count as missing. Documents written
 * through the returned store are seen, but the stored consolidated metadata do not change: see `consolidateMetadata`.
 * @throws NotFoundError when the store has no consolidated metadata, InvalidMetadataError, StoreError
 */
export async function withConsolidatedMetadata<S extends Store>(
  store: S,
  options: ConsolidatedMetadataOptions = {},
): Promise<S & Consolidated> {
  return untilAborted(options.signal, async () => {
    const { format = ["v3", "v2"], metadataKey = ".zmetadata" } = options;
    const keys: AbsolutePath[] = [];
    for (const each of typeof format === "string" ? [format] : format) {
      const key: AbsolutePath = each === "v3" ? "/zarr.json" : `/${metadataKey}`;
      keys.push(key);
      const document = await readDocument(store, key, options);
      const documents = document && (each === "v3" ? documentsOfV3(document) : documentsOfV2(document));
      if (documents !== undefined) return putInFrontOfStore(store, inFrontOf(store, documents));
    }
    throw new NotFoundError(
      `no consolidated metadata in ${describeStore(store)}: looked for ${keys.join(", ")}; consolidateMetadata writes them`,
      { key: keys[0] },
    );
  });
}

/** `withConsolidatedMetadata`; returns `store` itself if it has no consolidated metadata. @throws InvalidMetadataError, StoreError */
export async function withMaybeConsolidatedMetadata<S extends Store>(
  store: S,
  options?: ConsolidatedMetadataOptions,
): Promise<S | (S & Consolidated)> {
  try {
    return await withConsolidatedMetadata(store, options);
  } catch (error) {
    if (isZarrError(error, "NotFoundError")) return store;
    throw error;
  }
}

function documentsOfV2({ json, context }: Document): Documents {
  const document = new Member(json, context);
  document.get("zarr_consolidated_format").oneOf(1);
  return new Map(Object.entries(document.get("metadata").object()).map(([key, each]) => [`/${key}`, each]));
}

function documentsOfV3({ json, context }: Document): Documents | undefined {
  const root = new Member(json, context);
  const consolidated = root.get("consolidated_metadata");
  if (consolidated.isNull) return undefined;
  consolidated.get("kind").oneOf("inline");
  const documents: Documents = new Map([["/zarr.json", json]]);
  for (const [path, each] of Object.entries(consolidated.get("metadata").object())) {
    const name = path.replace(/^\/|\/$/g, "");
    if (name !== "") documents.set(`/${name}/zarr.json`, each);
  }
  return documents;
}

/** The methods that replace those of `store`. Writes through them update `documents`. */
function inFrontOf(store: Store, documents: Documents) {
  const forget = (isGone: (key: string) => boolean): void => {
    for (const key of [...documents.keys()]) if (isGone(key)) documents.delete(key);
  };
  const { set, delete: remove, deletePrefix } = store;
  const get = (key: AbsolutePath, options?: StoreOptions) => {
    if (!DOCUMENT.test(key) || options?.current === true) return store.get(key, options);
    const document = documents.get(key);
    return document === undefined ? undefined : encodeJson(document);
  };
  return {
    get,
    place: storageOf(store),
    contents(): Content[] {
      const contents = [...documents].flatMap(([key, document]) => contentOf(key, document));
      return contents.sort((a, b) => (a.path < b.path ? -1 : 1));
    },
    has: (key: AbsolutePath, options?: StoreOptions) =>
      DOCUMENT.test(key) && options?.current !== true ? documents.has(key) : exists(store, key, options),
    // Chunks are read with the store's own methods.
    getInto: store.getInto?.bind(store),
    getRangeInto: store.getRangeInto?.bind(store),
    getRangesInto: store.getRangesInto?.bind(store),
    openNow: store.openNow?.bind(store),
    files: store.files,
    copiesValues: store.copiesValues,
    ...(set && {
      async set(key: AbsolutePath, value: Uint8Array, options?: StoreOptions) {
        const document = DOCUMENT.test(key) ? parseJson(value, { key }) : undefined;
        await set.call(store, key, value, options);
        if (document !== undefined) documents.set(key, document);
      },
    }),
    ...(remove && {
      async delete(key: AbsolutePath, options?: StoreOptions) {
        await remove.call(store, key, options);
        forget((each) => each === key);
      },
    }),
    ...(deletePrefix && {
      async deletePrefix(prefix: AbsolutePath, options?: StoreOptions) {
        await deletePrefix.call(store, prefix, options);
        forget((each) => each.startsWith(prefix));
      },
    }),
  };
}

/** The node that a document describes; none for `.zattrs`. */
function contentOf(key: string, document: Json): Content[] {
  const end = key.lastIndexOf("/");
  const name = key.slice(end + 1);
  if (name === ".zattrs") return [];
  const isArray =
    name === ".zarray" || (name === "zarr.json" && isJsonObject(document) && document.node_type === "array");
  return [{ path: `/${key.slice(1, Math.max(end, 1))}`, kind: isArray ? "array" : "group" }];
}

/**
 * Writes the consolidated metadata of a v2 hierarchy (`.zmetadata`) or v3 hierarchy (in the root group's `zarr.json`), as zarr-python does.
 * It reads the documents of all nodes: call it after they were written, and again after they change.
 * @returns the number of nodes
 * @throws UnsupportedError for the 2020 draft and for a store that cannot be written or listed, NotFoundError without a group at
 *   the root, StoreError
 */
export async function consolidateMetadata(store: WritableStore, options: StoreOptions = {}): Promise<number> {
  return untilAborted(options.signal, async () => {
    // Neither documents nor the list of nodes come from consolidated metadata in front of the store, which may be older.
    const now = asTheyAreNow(store);
    const group = await open(now, { kind: "group", signal: options.signal });
    checkWritable(store, group.path);
    const { zarrFormat } = group.metadata;
    if (zarrFormat === "draft") {
      throw new UnsupportedError("the 2020 draft has no consolidated metadata: convert the hierarchy to v3", {
        path: "/",
      });
    }
    const spellings: NumberSpellings = new WeakMap();
    const found: [name: string, document: Json][] = [];
    let count = 0;
    const names = zarrFormat === 3 ? ["zarr.json"] : [".zarray", ".zgroup", ".zattrs"];
    const remember = async ({ path }: { readonly path: AbsolutePath }): Promise<void> => {
      count++;
      for (const name of names) {
        const key = keyBelow(path, name);
        const document = await readDocument(now, key, options, spellings);
        if (document !== undefined)
          found.push([zarrFormat === 3 ? path.slice(1) : key.slice(1), document.json]);
      }
    };
    await remember(group);
    for await (const member of members(group, options)) await remember(member);
    // Assignment to a member named "__proto__" would set the prototype; `fromEntries` makes a property.
    const documents: JsonObject = Object.fromEntries(found);
    if (zarrFormat === 2) {
      const document = { metadata: documents, zarr_consolidated_format: 1 };
      await writeDocument(store, "/.zmetadata", document, options, spellings);
      return count;
    }
    const { "": root, ...metadata } = documents;
    const rest = isJsonObject(root) ? root : {};
    const consolidated = { kind: "inline", must_understand: false, metadata };
    const document = { ...rest, consolidated_metadata: consolidated };
    await writeDocument(store, "/zarr.json", document, options, spellings);
    return count;
  });
}
