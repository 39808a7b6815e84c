/**
 * The values of any store as the engine reads them: all its reads go through this adapter, which knows which
 * methods of reading a store may lack, and checks what it answers. A store of zarrita, with `get` and perhaps
 * `getRange`, needs nothing else. Code that calls `get` of a store directly calls `checkBytes`.
 */
import { describeGiven, StoreError } from "../../base/errors.js";
import { checkByteLength, checkBytes, storeFailure } from "./check-store.js";
import { wayOf } from "./faster-ways.js";
import { OpenBytes, partsOf } from "./open-bytes.js";
import { identityOf } from "./storage-identity.js";
import type {
  AbsolutePath,
  Allocate,
  Awaitable,
  OpenValue,
  PartsOptions,
  RangeQuery,
  Store,
  StoreKind,
  StoreOptions,
  ValueParts,
} from "./store.js";

export interface Values {
  readonly store: Store;
  readonly kind: StoreKind;
  /** Whether byte ranges can be read without the rest of the value. */
  readonly readsRanges: boolean;
  /**
   * As `Store.getParts`.
   * @throws StoreError also for answers that are not bytes or too long; the signal's reason
   */
  getParts(
    key: AbsolutePath,
    ranges: readonly RangeQuery[] | undefined,
    options: PartsOptions,
  ): Promise<ValueParts | undefined>;
  /** As `Store.openNow`; "later" if the store cannot. @throws StoreError */
  openNow(key: AbsolutePath, maximumBytes?: number): OpenValue | "later" | undefined;
}

export function kindOf(store: Store): StoreKind {
  return store.kind ?? (store instanceof Map ? "memory" : "network");
}

/**
 * Whether a request is worth sending before it is known that it is needed. A store that can be written and
 * does not say that it is behind a network is probably near.
 */
export function isFar(store: Store): boolean {
  return store.kind === "network" || (kindOf(store) === "network" && store.set === undefined);
}

export function valuesOf(store: Store): Values {
  const isMap = store.get === Map.prototype.get;
  const openNow = wayOf(store, "openNow");
  const inParts = wayOf(store, "getParts");
  return {
    store,
    kind: kindOf(store),
    readsRanges: store.getRange !== undefined || inParts !== undefined,

    async getParts(key, ranges, options) {
      const { signal, maximumBytes } = options;
      try {
        signal?.throwIfAborted();
        const answer = inParts
          ? await partsOfStore(inParts.call(store, key, ranges, options), key)
          : await partsByGet(store, key, ranges, options);
        // A store may not heed the signal, and the caller may use its memory again.
        signal?.throwIfAborted();
        if (ranges === undefined)
          for (const part of answer?.parts ?? []) checkByteLength(part.length, maximumBytes, key);
        return answer;
      } catch (error) {
        throw storeFailure(error, key, signal);
      }
    },

    openNow(key, maximumBytes) {
      try {
        if (isMap) {
          const bytes = checkBytes(store.get(key), key);
          return bytes && new OpenBytes(bytes, key, { maximumBytes });
        }
        return openNow ? openNow.call(store, key, { maximumBytes }) : "later";
      } catch (error) {
        throw storeFailure(error, key, undefined);
      }
    },
  };
}

/**
 * Opens a value for reads that answer at once, and closes it after `use`.
 * @returns what `use` returns; undefined when the key is missing; "later" @throws StoreError
 */
export function readNow<Result>(
  { openNow }: Values,
  key: AbsolutePath,
  maximumBytes: number | undefined,
  use: (value: OpenValue) => Result,
): Result | "later" | undefined {
  const value = openNow(key, maximumBytes);
  if (value === undefined || value === "later") return value;
  try {
    return use(value);
  } catch (error) {
    throw storeFailure(error, key, undefined);
  } finally {
    value.close();
  }
}

/**
 * Reads a whole value, if the store answers at once.
 * @param probableLength as in `OpenValue.whole`
 * @returns, and throws, as `readNow`
 */
export function wholeNow(
  values: Values,
  key: AbsolutePath,
  maximumBytes: number,
  allocate: Allocate,
  probableLength?: number,
): Uint8Array | "later" | undefined {
  return readNow(values, key, maximumBytes, (value) => {
    const bytes = value.whole(allocate, probableLength);
    if (bytes === undefined) return "later";
    checkPart(bytes, key);
    checkByteLength(bytes.length, maximumBytes, key);
    return bytes;
  });
}

/** @throws StoreError for a part that is not bytes */
function checkPart(part: Uint8Array, key: string): void {
  if (checkBytes(part, key) !== undefined) return;
  throw new StoreError(`expected a Uint8Array from the store, got ${describeGiven(part)}`, { key });
}

/**
 * `getParts` of any store, with the errors of the store itself.
 * @throws StoreError for answers that are not bytes
 */
export async function askParts(
  store: Store,
  key: AbsolutePath,
  ranges: readonly RangeQuery[] | undefined,
  options: PartsOptions = {},
): Promise<ValueParts | undefined> {
  const getParts = wayOf(store, "getParts");
  return getParts === undefined
    ? partsByGet(store, key, ranges, options)
    : partsOfStore(getParts.call(store, key, ranges, options), key);
}

async function partsOfStore(
  asked: Awaitable<ValueParts | undefined>,
  key: AbsolutePath,
): Promise<ValueParts | undefined> {
  const answer = await asked;
  for (const part of answer?.parts ?? []) checkPart(part, key);
  return answer ?? undefined;
}

/** `getParts` for stores that only have zarrita's methods. */
async function partsByGet(
  store: Store,
  key: AbsolutePath,
  ranges: readonly RangeQuery[] | undefined,
  { signal, priority, maximumBytes, current }: StoreOptions,
): Promise<ValueParts | undefined> {
  const options = { signal, priority, maximumBytes, current };
  const { getRange } = store;
  if (ranges === undefined || getRange === undefined) {
    const bytes = checkBytes(await store.get(key, options), key);
    // A store that reads no ranges may keep its values, as a Map does: then a value that was replaced is
    // another array.
    const version = getRange === undefined && bytes ? identityOf(bytes) : undefined;
    return bytes && partsOf(bytes, ranges, version);
  }
  const parts: Uint8Array[] = [];
  for (const answer of await Promise.all(
    ranges.map(async (range) => getRange.call(store, key, range, options)),
  )) {
    const part = checkBytes(answer, key);
    // A value that is deleted between two requests counts as missing.
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return { parts };
}
