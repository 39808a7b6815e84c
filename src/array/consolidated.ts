/**
 * Consolidated metadata: the documents of a whole hierarchy in one, so that opening and listing take one request. `.zmetadata` of
 * v2 and the member `consolidated_metadata` of v3's root group, as zarr-python writes them (neither is in a specification).
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
import { putInFrontOfStore } from "../stores/in-front.js";
import { placeOf } from "../stores/storage-identity.js";
import type { AbsolutePath, Store, StoreOptions, WritableStore } from "../stores/store.js";
import { members } from "./hierarchy.js";
import { type Document, type NodeKind, open, readDocument } from "./open.js";
import { writeDocument } from "./write-documents.js";

export type ConsolidatedFormat = "v2" | "v3";

export interface ConsolidatedMetadataOptions {
  /** Where to look, in order: v3 then v2 without it. */
  readonly format?: ConsolidatedFormat | readonly ConsolidatedFormat[] | undefined;
  /** The key of v2's document: ".zmetadata" without it. */
  readonly metadataKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A node that consolidated metadata tell of. */
export interface Content {
  readonly path: AbsolutePath;
  readonly kind: NodeKind;
}

/** What a store with consolidated metadata has in front. */
export interface Consolidated {
  /** The nodes of the hierarchy, by path; no request. */
  contents(): Content[];
}

const DOCUMENT = /\/(zarr\.json|\.zarray|\.zgroup|\.zattrs)$/;

type Documents = Map<string, Json>;

/**
 * The store with the metadata documents of its hierarchy read from the consolidated one, in one request; `open`, `children`, `members` and
 * `tree` then make none, in stores that cannot be listed (HTTP), too. What it does not tell of is not there. Documents that are
 * written through the store are seen; the consolidated one in the store stays as it is: see `consolidateMetadata`.
 * @throws NotFoundError when there is none, InvalidMetadataError, StoreError
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

/** `withConsolidatedMetadata` where there are any; the store as it is otherwise. */
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

/** The methods that stand in front of those of `store`; `documents` follows what is written through them. */
function inFrontOf(store: Store, documents: Documents) {
  const forget = (isGone: (key: string) => boolean): void => {
    for (const key of [...documents.keys()]) if (isGone(key)) documents.delete(key);
  };
  const { set, delete: remove, deletePrefix, fresh } = store;
  const get = (key: AbsolutePath, options?: StoreOptions) => {
    if (!DOCUMENT.test(key) || options?.current === true) return store.get(key, options);
    const document = documents.get(key);
    return document === undefined ? undefined : encodeJson(document);
  };
  return {
    get,
    place: placeOf(store),
    fresh: fresh?.get === store.get ? { get } : undefined,
    contents(): Content[] {
      const contents = [...documents].flatMap(([key, document]) => contentOf(key, document));
      return contents.sort((a, b) => (a.path < b.path ? -1 : 1));
    },
    has: (key: AbsolutePath, options?: StoreOptions) =>
      DOCUMENT.test(key) ? documents.has(key) : exists(store, key, options),
    // Chunks are still read in the fastest way that the store has.
    getInto: store.getInto?.bind(store),
    getRangeInto: store.getRangeInto?.bind(store),
    files: store.files,
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

/** The node that a document makes, if it makes one. */
function contentOf(key: string, document: Json): Content[] {
  const end = key.lastIndexOf("/");
  const name = key.slice(end + 1);
  if (name === ".zattrs") return [];
  const isArray =
    name === ".zarray" || (name === "zarr.json" && isJsonObject(document) && document.node_type === "array");
  return [{ path: `/${key.slice(1, Math.max(end, 1))}`, kind: isArray ? "array" : "group" }];
}

/**
 * Writes the consolidated metadata of a hierarchy of v2 (`.zmetadata`) or v3 (into the root group's `zarr.json`), as zarr-python does. The
 * documents of all nodes are read: to be called when they have been written, and again when they change.
 * @returns how many nodes there are
 * @throws UnsupportedError for the 2020 draft and for a store that cannot be written or listed, NotFoundError when there is no group at
 *   the root, StoreError
 */
export async function consolidateMetadata(store: WritableStore, options: StoreOptions = {}): Promise<number> {
  return untilAborted(options.signal, async () => {
    const group = await open(store, { kind: "group", signal: options.signal });
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
        const document = await readDocument(store, key, options, spellings);
        if (document !== undefined)
          found.push([zarrFormat === 3 ? path.slice(1) : key.slice(1), document.json]);
      }
    };
    await remember(group);
    for await (const member of members(group, options)) await remember(member);
    // Not by assignment, to which "__proto__" is something else than a name.
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
