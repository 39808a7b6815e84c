/**
 * Changes a document. If another process replaced it in the meantime, on a store with conditional writes, the
 * change is made again.
 */

import { untilNoConflict, versionToKeep } from "../../core/stores/conflicts.js";
import { wayOf } from "../../core/stores/faster-ways.js";
import type {
  AbsolutePath,
  Awaitable,
  StoreOptions,
  WritableStore,
  WriteOptions,
} from "../../core/stores/store.js";
import { askParts } from "../../core/stores/values.js";
import type { JsonObject } from "../../metadata/json.js";
import { writeDocument } from "../create/write-documents.js";
import { type Document, readDocument } from "../open/read-document.js";

/**
 * @param change may be called several times; undefined leaves the document as it is
 * @throws ConflictError, StoreError, InvalidMetadataError, and what `change` throws
 */
export async function replaceDocument(
  store: WritableStore,
  key: AbsolutePath,
  options: StoreOptions,
  change: (document: Document | undefined) => Awaitable<JsonObject | undefined>,
): Promise<void> {
  const { signal } = options;
  await untilNoConflict(key, signal, async () => {
    let ifVersion: WriteOptions["ifVersion"];
    const noting: Pick<WritableStore, "get"> = {
      async get(each, requestOptions?: StoreOptions) {
        const found = await askParts(store, each, undefined, requestOptions);
        ifVersion = versionToKeep(store, found, each);
        return found?.parts[0];
      },
    };
    const source = wayOf(store, "conditionalWrites") === true ? noting : store;
    const document = await change(await readDocument(source, key, { signal, current: true }));
    if (document !== undefined) await writeDocument(store, key, document, { signal, ifVersion });
  });
}
