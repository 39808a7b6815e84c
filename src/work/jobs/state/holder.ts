/**
 * Which plan holds a target. A run writes the id of its plan there before it does anything else, and removes
 * it when the plan is done. Of two plans that begin at the same moment one goes on: the file is created by
 * one of them only.
 */
import { JOBS, keyBelow, whileLocked } from "../../../core/for-work.js";
import { CheckedStore, isJsonObject, parseJson, stringifyJson } from "../../../extend.js";
import {
  type AbsolutePath,
  AlreadyExistsError,
  isZarrError,
  Location,
  type StoreOptions,
  type WritableStore,
} from "../../../index.js";

/** How often a plan tries to take a target that others give up and take meanwhile. */
const ATTEMPTS = 8;
/** More than any holder has. */
const LONGEST = 1 << 20;

export interface Hold {
  /** Whether no plan held the target before. */
  readonly isFirst: boolean;
  /** Whether another plan holds the target now: it has begun to replace what is there. */
  isLost(): Promise<boolean>;
  release(): Promise<void>;
}

/** The key of the file that names the plan. */
export function holderKey(target: AbsolutePath): AbsolutePath {
  return keyBelow(target, `${JOBS}/holder.json`);
}

/** The id of the plan that holds a target; "" for a file that a crash has damaged, undefined for none. */
export async function holderOf(
  { store, path }: Location,
  { signal }: StoreOptions,
): Promise<string | undefined> {
  const key = holderKey(path);
  const options = { signal, maximumBytes: LONGEST, current: true };
  const bytes = await new CheckedStore(store).get(key, options);
  if (bytes === undefined) return undefined;
  try {
    const document = parseJson(bytes, { key });
    return isJsonObject(document) && typeof document.plan === "string" ? document.plan : "";
  } catch (error) {
    if (!isZarrError(error)) throw error;
    return "";
  }
}

/**
 * Takes a target for a plan. Runs of one plan share it.
 * @param replaces whether the plan may take it from another one
 * @throws AlreadyExistsError if another plan holds it
 */
export async function holdTarget(
  target: Location<WritableStore>,
  plan: string,
  replaces: boolean,
  options: StoreOptions,
): Promise<Hold> {
  const values = new CheckedStore(target.store);
  const key = holderKey(target.path);
  const hold = (isFirst: boolean): Hold => ({
    isFirst,
    async isLost() {
      // Without a file, those of another run of this plan are gone, too: the ledger tells.
      return ((await holderOf(target, {})) ?? plan) !== plan;
    },
    async release() {
      if ((await holderOf(target, {})) === plan) await values.delete(key);
    },
  });
  const bytes = new TextEncoder().encode(stringifyJson({ plan }));
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const holder = await holderOf(target, options);
    if (holder === plan) return hold(false);
    if (holder !== undefined) {
      if (!replaces && holder !== "") throw heldError(target.path);
      await values.delete(key, options);
    }
    if (await setIfMissing(target, key, bytes, options)) return hold(holder === undefined);
  }
  throw heldError(target.path);
}

function heldError(path: string): AlreadyExistsError {
  return new AlreadyExistsError(
    "another plan was begun here and is in progress or unfinished; run one plan at a time, or plan with overwrite: true to replace what it has written",
    { path },
  );
}

/**
 * Stores a value if the key has none, so that one of several writers does: by a conditional write, by a file
 * that is created, or under the locks of the store. A store with none of these excludes the writers of this
 * process only.
 */
async function setIfMissing(
  { store, path }: Location<WritableStore>,
  key: AbsolutePath,
  value: Uint8Array,
  { signal }: StoreOptions,
): Promise<boolean> {
  const values = new CheckedStore(store);
  if (store.conditionalWrites === true) {
    try {
      await store.set(key, value, { signal, ifVersion: null });
      return true;
    } catch (error) {
      if (isZarrError(error, "ConflictError")) return false;
      throw error;
    }
  }
  return whileLocked(new Location(store, path), key, { signal }, async () => {
    if (store.setIfMissing !== undefined) return store.setIfMissing(key, value, { signal });
    if (await values.has(key, { signal, current: true })) return false;
    await values.set(key, value, { signal });
    return true;
  });
}
