/**
 * Consolidated metadata: all documents of a hierarchy in one document, so that opening and listing take one
 * request.
 */

import { untilAborted } from "../../base/abort.js";
import {
  describe,
  InvalidArgumentError,
  isZarrError,
  NotFoundError,
  type StoreError,
  UnsupportedError,
} from "../../base/errors.js";
import { checkNames, type NamesOf } from "../../base/option-names.js";
import { exists } from "../../core/stores/capabilities.js";
import { checkStore, checkWritable, describeStore } from "../../core/stores/check-store.js";
import { wayOf } from "../../core/stores/faster-ways.js";
import { putInFrontOfStore } from "../../core/stores/in-front.js";
import { partsOf } from "../../core/stores/open-bytes.js";
import { isUnanswered, unrepeated } from "../../core/stores/requests/retry.js";
import { storageOf } from "../../core/stores/storage-identity.js";
import type {
  AbsolutePath,
  PartsOptions,
  RangeQuery,
  Store,
  StoreOptions,
  WritableStore,
} from "../../core/stores/store.js";
import { STORE_OPTIONS } from "../../core/stores/store-option-names.js";
import { askParts, valuesOf } from "../../core/stores/values.js";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../metadata/json.js";
import { encodeJson } from "../../metadata/json-text.js";
import { keepSpellings } from "../../metadata/number-spellings.js";
import { writeDocument } from "../create/write-documents.js";
import type { Group } from "../nodes/nodes.js";
import { open } from "../open/open.js";
import type { NodeKind } from "../open/open-options.js";
import { readDocument } from "../open/read-document.js";
import {
  consolidatedKey,
  type Documents,
  documentKeys,
  documentsIn,
  entryOf,
  isDocumentKey,
} from "./consolidated-format.js";
import { members } from "./hierarchy.js";
import { asTheyAreNow, whileLocked } from "./rewrite-documents.js";

/** The formats that have consolidated metadata. */
export type ConsolidatedFormat = "v2" | "v3";

/** Options of `withConsolidatedMetadata`. */
export interface ConsolidatedMetadataOptions {
  /** The formats to look for, in order; v3, then v2 unless given. */
  readonly format?: ConsolidatedFormat | readonly ConsolidatedFormat[] | undefined;
  /** The key of v2's consolidated document; ".zmetadata" unless given. */
  readonly metadataKey?: string | undefined;
  /** Aborts the requests; the promise rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

const OPTIONS: NamesOf<ConsolidatedMetadataOptions> = { format: true, metadataKey: true, signal: true };

/** A node in consolidated metadata. */
export interface Content {
  /** Absolute path in the store: "/group/array". */
  readonly path: AbsolutePath;
  /** "array" or "group". */
  readonly kind: NodeKind;
}

/** The method that consolidated metadata add to a store. */
export interface Consolidated {
  /**
   * The nodes of the hierarchy, sorted by path; makes no request. The same list until a document is written
   * or deleted: copy it to change it.
   */
  contents(): Content[];
}

/**
 * Reads the consolidated metadata of a hierarchy, with one request per format. On the returned store `open`,
 * `children`, `members` and `tree` make no requests, so they work without listing (HTTP). Nodes missing from
 * the consolidated metadata count as missing. Documents written through the returned store are seen, but new
 * and deleted nodes do not change the stored consolidated metadata: see `consolidateMetadata`.
 * @example
 * ```ts
 * const store = await withConsolidatedMetadata(new HttpStore("https://example.com/data.zarr"));
 * for (const node of await children(store)) console.log(node.path);
 * ```
 * @throws NotFoundError when the store has no consolidated metadata, InvalidMetadataError, StoreError
 */
export async function withConsolidatedMetadata<S extends Store>(
  store: S,
  options: ConsolidatedMetadataOptions = {},
): Promise<S & Consolidated> {
  checkNames(options, "withConsolidatedMetadata", OPTIONS);
  return untilAborted(options.signal, async () => {
    const { format = ["v3", "v2"], metadataKey = ".zmetadata" } = options;
    const formats = [format].flat();
    const wrong = formats.find((each) => each !== "v3" && each !== "v2");
    if (wrong !== undefined)
      throw new InvalidArgumentError(`format: expected "v3" or "v2", got ${describe(wrong)}`);
    const keyOf = (each: ConsolidatedFormat): AbsolutePath =>
      each === "v3" ? "/zarr.json" : `/${metadataKey}`;
    const find = async (each: ConsolidatedFormat, isProbe: boolean) => {
      const document = await readDocument(store, keyOf(each), { ...options, isProbe });
      const documents = document && documentsIn(document, "/", each === "v3" ? 3 : 2);
      return documents && putInFrontOfStore(store, inFrontOf(store, documents));
    };
    const keys = formats.map(keyOf);
    let lost: { readonly format: ConsolidatedFormat; readonly error: StoreError } | undefined;
    for (const [i, each] of formats.entries()) {
      try {
        const found = await find(each, i + 1 < formats.length);
        if (found !== undefined) return found;
      } catch (error) {
        // In a page it may be a missing document: the other format may be there.
        if (!isUnanswered(error)) throw error;
        lost ??= { format: each, error };
      }
    }
    if (lost !== undefined) {
      if (!unrepeated.has(lost.error)) throw lost.error;
      const found = await find(lost.format, false);
      if (found !== undefined) return found;
    }
    throw new NotFoundError(
      `no consolidated metadata in ${describeStore(store)}: looked for ${keys.join(", ")}; consolidateMetadata writes them`,
      { key: keys[0] },
    );
  });
}

/**
 * `withConsolidatedMetadata`; returns `store` itself if it has no consolidated metadata.
 * @throws InvalidMetadataError, StoreError
 */
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

/** The methods that replace those of `store`. Writes through them update `documents`. */
function inFrontOf(store: Store, documents: Documents) {
  let contents: Content[] | undefined;
  const forget = (isGone: (key: string) => boolean): void => {
    contents = undefined;
    for (const key of [...documents.keys()]) if (isGone(key)) documents.delete(key);
  };
  const { set, delete: remove } = store;
  const deletePrefix = wayOf(store, "deletePrefix");
  const values = valuesOf(store);
  const get = (key: AbsolutePath, options?: StoreOptions) => {
    if (!isDocumentKey(key) || options?.current === true) return store.get(key, options);
    const document = documents.get(key);
    return document === undefined ? undefined : encodeJson(document);
  };
  return {
    get,
    place: storageOf(store),
    contents(): Content[] {
      contents ??= [...documents]
        .flatMap(([key, document]) => contentOf(key, document))
        .sort((a, b) => (a.path < b.path ? -1 : 1));
      return contents;
    },
    has: (key: AbsolutePath, options?: StoreOptions) =>
      isDocumentKey(key) && options?.current !== true ? documents.has(key) : exists(store, key, options),
    async getParts(key: AbsolutePath, ranges: readonly RangeQuery[] | undefined, options?: PartsOptions) {
      if (!isDocumentKey(key) || options?.current === true) return askParts(store, key, ranges, options);
      const document = documents.get(key);
      return document === undefined ? undefined : partsOf(encodeJson(document), ranges);
    },
    openNow: (key: AbsolutePath, options?: Pick<StoreOptions, "maximumBytes">) =>
      isDocumentKey(key) ? "later" : values.openNow(key, options?.maximumBytes),
    kind: values.kind,
    files: wayOf(store, "files"),
    copiesValues: wayOf(store, "copiesValues"),
    ...(set && {
      async set(key: AbsolutePath, value: Uint8Array, options?: StoreOptions) {
        const document = isDocumentKey(key) ? parseJson(value, { key }) : undefined;
        await set.call(store, key, value, options);
        if (document === undefined) return;
        documents.set(key, document);
        contents = undefined;
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
 * Writes the consolidated metadata of a v2 hierarchy (`.zmetadata`) or v3 hierarchy (in the root group's
 * `zarr.json`), as zarr-python does. It reads the documents of all nodes: call it after they were written,
 * and again after nodes were created or deleted. `append`, `resize` and `updateAttributes` keep consolidated
 * metadata up to date. Meanwhile, changes of the root group's attributes and other consolidations wait.
 * @returns the number of nodes
 * @throws UnsupportedError for the 2020 draft and for a store that cannot be written or listed, NotFoundError
 * without a group at the root, StoreError
 */
export async function consolidateMetadata(store: WritableStore, options: StoreOptions = {}): Promise<number> {
  checkStore(store);
  checkNames(options, "consolidateMetadata", STORE_OPTIONS);
  return untilAborted(options.signal, async () => {
    // Neither documents nor the list of nodes come from consolidated metadata in front of the store, which
    // may be older.
    const now = asTheyAreNow(store);
    const group = await open(now, { kind: "group", signal: options.signal });
    checkWritable(store, group.path);
    const { zarrFormat } = group.metadata;
    if (zarrFormat === "draft") {
      throw new UnsupportedError("the 2020 draft has no consolidated metadata; convert the hierarchy to v3", {
        path: "/",
      });
    }
    return whileLocked(group, consolidatedKey(group.path, zarrFormat), options, () =>
      writeConsolidated(store, now, group, zarrFormat, options),
    );
  });
}

async function writeConsolidated(
  store: WritableStore,
  now: WritableStore,
  group: Group,
  zarrFormat: 2 | 3,
  options: StoreOptions,
): Promise<number> {
  const key = consolidatedKey(group.path, zarrFormat);
  const found: [name: string, document: Json][] = [];
  let count = 0;
  const remember = async ({ path }: { readonly path: AbsolutePath }): Promise<void> => {
    count++;
    for (const each of documentKeys(path, zarrFormat)) {
      const document = await readDocument(now, each, options);
      if (document !== undefined)
        found.push([zarrFormat === 3 ? path.slice(1) : each.slice(1), entryOf(document.json)]);
    }
  };
  await remember(group);
  for await (const member of members(group, options)) await remember(member);
  // Assignment to a member named "__proto__" would set the prototype; `fromEntries` makes a property.
  const documents: JsonObject = Object.fromEntries(found);
  if (zarrFormat === 2) {
    const document = { metadata: documents, zarr_consolidated_format: 1 };
    await writeDocument(store, key, document, options);
    return count;
  }
  const { "": root, ...metadata } = documents;
  const rest = isJsonObject(root) ? root : {};
  const consolidated = { kind: "inline", must_understand: false, metadata };
  const document = keepSpellings({ ...rest, consolidated_metadata: consolidated }, rest);
  await writeDocument(store, key, document, options);
  return count;
}
