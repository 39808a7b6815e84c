/**
 * Keeps what a store answers after the page is closed.
 *
 * ```ts
 * import { get, HttpStore, open } from "wazarr";
 * import { withPersistentCache } from "wazarr/stores/persistent-cache";
 *
 * const http = new HttpStore("https://example.com/heights.zarr");
 * const store = withPersistentCache(http, { maxBytes: 256 << 20 });
 * const array = await open.v3(store, { kind: "array" });
 * console.log(await get(array, [0, 0])); // the next time without a request
 * ```
 *
 * It keeps answers in the browser's Cache Storage, which workers and pages have if they come from https or
 * from this machine.
 * @module
 */

import {
  type AbsolutePath,
  askParts,
  checkByteLength,
  checkNames,
  checkStore,
  InvalidArgumentError,
  identityOf,
  invalid,
  lazy,
  type NamesOf,
  putInFrontOfStore,
  type RangeQuery,
  type Readable,
  refuseWrites,
  SharedAnswers,
  type Store,
  type StoreOptions,
  storeOptionsOf,
  untilAborted,
  type ValueParts,
} from "../../core/for-stores.js";
import { KeptAnswers } from "./kept-answers.js";
import type { CacheName } from "./open-cache.js";

/** Options of `withPersistentCache`. */
export interface PersistentCacheOptions {
  /** Maximum number of bytes to keep. The oldest go first, unless this page used them since. */
  readonly maxBytes: number;
  /**
   * True: before a value that was kept by an earlier page is used, its version is asked for, by a request for
   * one byte. A value of another version, or of none, is read again. Default false, for data that do not
   * change.
   */
  readonly validate?: boolean | undefined;
  /**
   * Stores of one name share what is kept for one user. Default: the URL of the store; stores without one
   * need a name.
   */
  readonly name?: string | undefined;
  /**
   * Whose values these are, such as the id of a user: no other scope is given what is kept. Default: the
   * headers that the store sends. It is needed if only a function or the browser knows who asks (`authorize`,
   * a function as `headers`, the credentials of buckets, `overrides: { credentials: "include" }`), and for
   * servers that know users by cookies of their own origin. A constant is right for values that are the same
   * for everybody.
   */
  readonly scope?: string | undefined;
}

const OPTIONS: NamesOf<PersistentCacheOptions> = { maxBytes: true, validate: true, name: true, scope: true };

/** Milliseconds that reads wait for the browser to open what is kept. After that they do without. */
const LONGEST_OPENING = 2000;

/**
 * Wraps a store so that its answers are kept by the browser: whole values, ranges, and which keys are
 * missing. Without Cache Storage (Node, pages from http) nothing is kept, and all is read as
 * without the wrapper. A browser may remove what is kept when it needs space. Errors are not kept. A read
 * with `current` goes to the store, and its answer replaces what is kept.
 *
 * Everybody who uses the browser's profile can read what is kept. Writes throw an UnsupportedError.
 * @throws InvalidArgumentError unless `store` is a store, `maxBytes` a number of bytes, and it is known which
 * and whose values the store has: by `name` and `scope`, or by the store's URL and headers
 */
export function withPersistentCache<S extends Store>(
  store: S,
  options: PersistentCacheOptions,
): S & Required<Pick<Readable, "get" | "getRange" | "getParts">> {
  checkStore(store);
  const { maxBytes, validate, name } = checkOptions(store, options);
  const keptAnswers = lazy(() => within(LONGEST_OPENING, KeptAnswers.open(name, maxBytes)));
  /** Values whose versions are being asked for. */
  const underWay = new SharedAnswers<void>();

  /** Forgets what is kept of a value if it is another now. */
  const validated = (answers: KeptAnswers, key: AbsolutePath): Promise<void> =>
    underWay.ask(key, async () => {
      const found = await askParts(store, key, [{ offset: 0, length: 1 }]);
      await answers.keepOnly(key, found === undefined ? null : found.version);
    });

  async function getParts(
    key: AbsolutePath,
    ranges: readonly RangeQuery[] | undefined,
    requestOptions: StoreOptions = {},
  ): Promise<ValueParts | undefined> {
    const { signal, maximumBytes, current } = requestOptions;
    // Others may be those of `fetch`, for the store alone.
    const storeOptions = storeOptionsOf(requestOptions);
    const answers = await untilAborted(signal, keptAnswers);
    if (answers === undefined) return askParts(store, key, ranges, storeOptions);
    if (current !== true) {
      if (validate && answers.areOld(key)) await validated(answers, key);
      signal?.throwIfAborted();
      const found = await answers.find(key, ranges);
      if (found === "missing") return undefined;
      if (found !== undefined) {
        if (ranges === undefined)
          for (const part of found.parts) checkByteLength(part.length, maximumBytes, key);
        return found;
      }
    }
    const found = await askParts(store, key, ranges, storeOptions);
    answers.keep(key, ranges, found);
    return found;
  }

  return putInFrontOfStore(store, {
    getParts,
    get: async (key: AbsolutePath, requestOptions?: StoreOptions) =>
      (await getParts(key, undefined, requestOptions))?.parts[0],
    getRange: async (key: AbsolutePath, range: RangeQuery, requestOptions?: StoreOptions) =>
      (await getParts(key, [range], requestOptions))?.parts[0],
    ...refuseWrites(store),
  });
}

interface CheckedOptions {
  readonly maxBytes: number;
  readonly validate: boolean;
  readonly name: CacheName;
}

function checkOptions(store: Store, settings: PersistentCacheOptions): CheckedOptions {
  checkNames(settings ?? {}, "withPersistentCache", OPTIONS);
  const options: { readonly [Name in keyof PersistentCacheOptions]?: unknown } = Object(settings);
  const { maxBytes, validate = false, name, scope } = options;
  const refused = (option: string, expected: string, got: unknown) =>
    invalid(`withPersistentCache: ${option}`, expected, got);
  if (!(typeof maxBytes === "number" && maxBytes >= 0))
    throw refused("maxBytes", "a number of bytes", maxBytes);
  if (typeof validate !== "boolean") throw refused("validate", "true or false", validate);
  if (name !== undefined && (typeof name !== "string" || name === "")) throw refused("name", "a name", name);
  if (scope !== undefined && typeof scope !== "string") throw refused("scope", "a text", scope);
  const url = urlOf(store);
  const user = scope ?? (url === undefined ? "" : userOf(url));
  if (name !== undefined) return { maxBytes, validate, name: { place: name, variants: [user] } };
  if (url === undefined)
    throw new InvalidArgumentError(
      "withPersistentCache: name: expected a name for what is kept, because the store has no URL",
    );
  const place = url.origin + url.pathname;
  return { maxBytes, validate, name: { place, variants: [user, url.search] } };
}

function urlOf(store: Store): URL | undefined {
  const url: unknown = "url" in store ? store.url : undefined;
  return url instanceof URL ? url : undefined;
}

/** @throws InvalidArgumentError for a store whose user is only known when it asks */
function userOf(url: URL): string {
  const identity = identityOf(url);
  if (identity !== undefined) return identity;
  throw new InvalidArgumentError(
    "withPersistentCache: scope: expected whose values these are, such as the id of a user, because only a function or the browser knows the credentials of the store",
  );
}

/** The result of `work`, or undefined if it takes longer. */
function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
