/**
 * Appends of several processes to one array of a store with conditional writes and without locks. Who appends
 * first claims the end of the array: it replaces the array's document by the same one with other blanks at
 * its end. So a document that was read before cannot be replaced any more on the condition of its version,
 * and whoever claimed the end before cannot finish. Elements are then written so that none that are
 * committed change:
 * - a chunk beyond the old end is created, on the condition that there is none;
 * - one that is there already is read, then the claim is looked at, and then the chunk is replaced, on the
 *   condition that it is the version that was read. A later claim that writes the chunk changes its version,
 *   and one that has written it before is noticed.
 * The shape is written last, on the condition that the document is the claimed one. Who has lost the claim
 * begins again, at the new end.
 */
import { ConflictError, isZarrError, NotFoundError } from "../../base/errors.js";
import { checkWritable, withFailuresAt } from "../../core/stores/check-store.js";
import { wayOf } from "../../core/stores/faster-ways.js";
import { again } from "../../core/stores/requests/retry.js";
import type { AbsolutePath, StoreOptions, ValueParts, WritableStore } from "../../core/stores/store.js";
import { askParts } from "../../core/stores/values.js";
import { parseJson } from "../../metadata/json.js";
import { encodeJson } from "../../metadata/json-text.js";
import { Member } from "../../metadata/member.js";
import { keepSpellings } from "../../metadata/number-spellings.js";
import { asTheyAreNow } from "../hierarchy/rewrite-documents.js";
import type { ZarrArray } from "../nodes/nodes.js";
import { documentWithShape } from "./stored-shape.js";

/** As many appends as may run at the same time: of those, one is finished each time. */
const ATTEMPTS = 30;
const BLANKS = " \t\n\r";
/** Blanks of two bits each: no two claims have the same ones. */
const BLANK_COUNT = 32;

export interface Claim {
  /** @throws ConflictError, without a key, if somebody else has claimed the end, or changed the document */
  confirm(): Promise<void>;
  /** Writes the shape of an array. @throws as `confirm` */
  commit(array: ZarrArray<unknown>): Promise<void>;
}

/** Runs `attempt` with a claim (`claimEnd`), and again if the claim was lost. */
export async function withClaim<Result>(
  array: ZarrArray<unknown>,
  key: AbsolutePath,
  { signal }: StoreOptions,
  attempt: (claim: Claim | undefined) => Promise<Result>,
): Promise<Result> {
  const claimed = async () => attempt(await claimEnd(array, key, { signal }));
  try {
    return await claimed();
  } catch (error) {
    const retryIf = (each: unknown) => isZarrError(each, "ConflictError");
    return again(error, claimed, { attempts: ATTEMPTS, baseDelay: 20, maxDelay: 2000, retryIf }, key, signal);
  }
}

/**
 * Claims the end of an array. Undefined if the store has no conditional writes: then locks keep others out,
 * or nobody does.
 * @param key of the array's document
 * @throws ConflictError if somebody else changed the document meanwhile; NotFoundError, StoreError
 */
export async function claimEnd(
  array: ZarrArray<unknown>,
  key: AbsolutePath,
  { signal }: StoreOptions,
): Promise<Claim | undefined> {
  const { path } = array;
  const store: WritableStore = asTheyAreNow(checkWritable(array.store, path));
  if (wayOf(store, "conditionalWrites") !== true) return undefined;
  const read = async (): Promise<ValueParts & { readonly bytes: Uint8Array }> => {
    const found = await withFailuresAt({ key }, signal, () => askParts(store, key, undefined, { signal }));
    const [bytes] = found?.parts ?? [];
    if (found === undefined || bytes === undefined)
      throw new NotFoundError("the document no longer exists: the node was deleted or moved; open it again", {
        key,
      });
    return { ...found, bytes };
  };
  const replace = (bytes: Uint8Array, { version }: ValueParts): Promise<unknown> =>
    withFailuresAt({ key }, signal, async () => store.set(key, bytes, { signal, ifVersion: version }));

  const before = await read();
  const claimed = withBlanks(before.bytes);
  await replace(claimed, before);
  const current = async (): Promise<ValueParts> => {
    const found = await read();
    const isOurs =
      found.bytes.length === claimed.length && found.bytes.every((byte, i) => byte === claimed[i]);
    if (isOurs) return found;
    throw new ConflictError(
      "another writer appends to the array, or changed its document, at the same time; append again",
      { path },
    );
  };
  return {
    async confirm() {
      await current();
    },
    async commit(array) {
      const found = await current();
      const document = new Member(parseJson(claimed, { key }), { key }).object();
      const changed = keepSpellings(documentWithShape(array, document), document);
      await replace(withBlanks(encodeJson(changed)), found);
    },
  };
}

/** A document with blanks at its end that no other has. */
function withBlanks(document: Uint8Array): Uint8Array {
  const end = document.findLastIndex((byte) => !BLANKS.includes(String.fromCharCode(byte))) + 1;
  const random = crypto.getRandomValues(new Uint8Array(BLANK_COUNT));
  const blanks = Array.from(random, (byte) => BLANKS.charAt(byte & 3)).join("");
  const bytes = new Uint8Array(end + BLANK_COUNT);
  bytes.set(document.subarray(0, end));
  bytes.set(new TextEncoder().encode(blanks), end);
  return bytes;
}
