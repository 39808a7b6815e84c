/** Extensions that applications define: members that replace those of a store or an array. */

import { InvalidArgumentError, invalid } from "../../base/errors.js";
import { checkStore } from "../../core/stores/check-store.js";
import { putInFront, putInFrontOfStore } from "../../core/stores/in-front.js";
import type {
  AbsolutePath,
  AsyncStore,
  Awaitable,
  RangeQuery,
  Readable,
  RequestOptions,
  Store,
  StoreOptions,
} from "../../core/stores/store.js";
import type { DataTypeName } from "../../data-types/names.js";
import type { GetOptions } from "../read/get-options.js";
import { checkArray } from "./check-arguments.js";
import { prepareThroughChunks } from "./decoded-chunks.js";
import type { Chunk, ZarrArray } from "./nodes.js";

type AnyArray = ZarrArray<DataTypeName, Readable>;

/** Takes an array and returns an array, as functions made by `defineArrayExtension` do. */
export type ArrayExtension = (array: AnyArray) => Awaitable<AnyArray>;

/** Members that name no type of `options` get zarrita's, whose `signal` is not null. */
interface StoreMembers {
  get?(key: AbsolutePath, options?: Pick<StoreOptions, "signal">): Awaitable<Uint8Array | undefined>;
  getRange?(
    key: AbsolutePath,
    range: RangeQuery,
    options?: Pick<StoreOptions, "signal">,
  ): Awaitable<Uint8Array | undefined>;
  /** Extensions that `open` applies to every array of the store, in order, after those of the inner store. */
  readonly arrayExtensions?: readonly ArrayExtension[];
  readonly [member: string]: unknown;
}
interface ArrayMembers {
  getChunk?(coordinates: number[], options?: GetOptions, more?: GetOptions): Promise<Chunk>;
  readonly [member: string]: unknown;
}

/** The arguments of a factory after the store or array. */
type Options = readonly [options?: unknown];

/** `Target` with an extension's members; a promise of it if the factory is asynchronous. */
type Extended<Target, Members> =
  Members extends Promise<infer Later> ? Promise<Target & Later> : Target & Members;

/** The members without `getChunk`, which keeps its type in the array. */
type Further<Members> =
  Members extends Promise<infer Later> ? Promise<Omit<Later, "getChunk">> : Omit<Members, "getChunk">;

/**
 * Makes a function that puts the members returned by `factory` in front of a store. `factory` gets the store
 * with a `get` and `getRange` that return promises, and may be asynchronous. The inner store's
 * `arrayExtensions` are kept, and are applied before the new ones.
 */
export function defineStoreExtension<Members extends Awaitable<StoreMembers>, Arguments extends Options>(
  factory: (store: AsyncStore, ...options: Arguments) => Members,
): <S extends Store>(store: S, ...options: Arguments) => Extended<S, Members>;
export function defineStoreExtension(
  factory: (store: AsyncStore, ...options: Options) => Awaitable<StoreMembers>,
): (store: Store, ...options: Options) => Awaitable<Store> {
  const ofAny = (store: Store, ...options: Options) => factory(answeringLater(store), ...options);
  return define(checkStore, ofAny, (store, members) => {
    const inner = store.arrayExtensions;
    const outer = members.arrayExtensions;
    const front = putInFrontOfStore(store, members);
    if (inner === undefined || outer === undefined) return front;
    return putInFrontOfStore(front, { place: front.place, arrayExtensions: [...inner, ...outer] });
  });
}

/**
 * Makes a function that puts the members returned by `factory` in front of an array. All reads of the array
 * go through a `getChunk` member; `set` does not, and reads and writes the inner array. `getChunk` takes
 * chunk coordinates (of inner chunks in a sharded array) and the read's `signal`, `priority`, `workers`,
 * `concurrency`, `coalesce`, `invalidText` and `maximumDecodedBytes`: pass these options on. Its chunk may
 * have any strides, and end at the array's edge.
 */
export function defineArrayExtension<Members extends Awaitable<ArrayMembers>, Arguments extends Options>(
  factory: (array: AnyArray, ...options: Arguments) => Members,
): <A extends AnyArray>(array: A, ...options: Arguments) => Extended<A, Further<Members>>;
export function defineArrayExtension(
  factory: (array: AnyArray, ...options: Options) => Awaitable<ArrayMembers>,
): (array: AnyArray, ...options: Options) => Awaitable<AnyArray> {
  return define(checkArray, factory, (array, members) => {
    const front = putInFront(array, members);
    if (members.getChunk === undefined) return front;
    return putInFront(front, { inner: array.inner ?? array, prepare: prepareThroughChunks(front) });
  });
}

/** The store with a `get` and `getRange` that return promises. */
function answeringLater(store: Store): AsyncStore {
  const { getRange } = store;
  return putInFront(store, {
    get: async (key: AbsolutePath, options?: RequestOptions) => store.get(key, options),
    ...(getRange && {
      getRange: async (key: AbsolutePath, range: RangeQuery, options?: RequestOptions) =>
        getRange.call(store, key, range, options),
    }),
  });
}

function define<Target, Members extends object>(
  check: (target: unknown) => void,
  factory: (target: Target, ...options: Options) => Awaitable<Members>,
  extend: (target: Target, members: Members) => Target,
): (target: Target, ...options: Options) => Awaitable<Target> {
  const checked = (target: Target, members: Members): Target => {
    if (typeof members === "object" && members !== null) return extend(target, members);
    throw new InvalidArgumentError(
      `the factory of an extension: expected an object of members, got ${members}`,
    );
  };
  return (target, ...options) => {
    check(target);
    const members = factory(target, ...options);
    return members instanceof Promise
      ? members.then((later) => checked(target, later))
      : checked(target, members);
  };
}

/** The type of the last result: a promise if any extension returns a promise. */
type Chained<Results extends readonly unknown[], Last> =
  Extract<Results[number], Promise<unknown>> extends never ? Last : Promise<Awaited<Last>>;

/**
 * Applies extensions to a store or an array, the last one outermost.
 * @returns a promise if any extension returns one
 */
export function extend<T>(target: T): T;
export function extend<T, A>(target: T, a: (target: T) => A): A;
export function extend<T, A, B>(
  target: T,
  a: (target: T) => A,
  b: (target: Awaited<A>) => B,
): Chained<[A, B], B>;
export function extend<T, A, B, C>(
  target: T,
  a: (target: T) => A,
  b: (target: Awaited<A>) => B,
  c: (target: Awaited<B>) => C,
): Chained<[A, B, C], C>;
export function extend<T, A, B, C, D>(
  target: T,
  a: (target: T) => A,
  b: (target: Awaited<A>) => B,
  c: (target: Awaited<B>) => C,
  d: (target: Awaited<C>) => D,
): Chained<[A, B, C, D], D>;
export function extend<T, A, B, C, D, E>(
  target: T,
  a: (target: T) => A,
  b: (target: Awaited<A>) => B,
  c: (target: Awaited<B>) => C,
  d: (target: Awaited<C>) => D,
  e: (target: Awaited<D>) => E,
): Chained<[A, B, C, D, E], E>;
export function extend(target: unknown, ...extensions: readonly ((target: unknown) => unknown)[]): unknown {
  for (const extension of extensions)
    if (typeof extension !== "function") throw invalid("extension", "a function", extension);
  return extensions.reduce<unknown>(
    (inner, extension) => (inner instanceof Promise ? inner.then(extension) : extension(inner)),
    target,
  );
}
