/**
 * Conflicts of writers in several processes, on stores without locks and with conditional writes: a value was
 * changed after it was read, so the read, the change and the write are done again.
 */
import { isZarrError, StoreError } from "../../base/errors.js";
import { wayOf } from "./faster-ways.js";
import { again } from "./requests/retry.js";
import type { Readable, ValueState, Writable, WriteOptions } from "./store.js";

/** As in `WriteOptions`; undefined for a write that depends on nothing. */
export type IfVersion = WriteOptions["ifVersion"];

/** At each attempt one of the writers succeeds, so this many can change one value at the same time. */
const ATTEMPTS = 30;

/**
 * Runs `attempt`, and again after a conflict on a value of the store.
 * @throws ConflictError after too many, and what `attempt` throws
 */
export async function untilNoConflict(
  key: string,
  signal: AbortSignal | undefined,
  attempt: (isFirst: boolean) => Promise<void>,
): Promise<void> {
  try {
    await attempt(true);
  } catch (error) {
    // The conflict of a node, such as two appends, has a path: to do the same again would be wrong.
    const retryIf = (each: unknown): boolean => isZarrError(each, "ConflictError") && each.key !== undefined;
    const waits = { attempts: ATTEMPTS, baseDelay: 5, maxDelay: 1000, retryIf };
    await again(error, () => attempt(false), waits, key, signal);
  }
}

/**
 * What a write depends on that keeps a part of the value that was read.
 * @param found undefined if there was no value
 * @throws StoreError for a store with conditional writes that told no version
 */
export function versionToKeep(
  store: Readable & Pick<Writable, "conditionalWrites">,
  found: Pick<ValueState, "version"> | undefined,
  key: string,
): IfVersion {
  if (wayOf(store, "conditionalWrites") !== true) return undefined;
  if (found === undefined) return null;
  if (found.version !== undefined) return found.version;
  throw new StoreError(
    "the store gave no version of the value, so a part of it cannot be replaced safely; in a browser, CORS has to expose `ETag`",
    { key },
  );
}
