/** Extensions that applications define: members that replace those of a store or an array. */

import { innerChunkShape } from "../codecs/sharding/layout.js";
import type { DataTypeName } from "../data-types/names.js";
import type { PreparedArray } from "../engine/prepared.js";
import { InvalidArgumentError } from "../errors.js";
import { chunkBoxOf } from "../grid/chunk-grid.js";
import { slice } from "../grid/selection.js";
import type { ArrayMetadata, ChunkGrid, CodecMetadata } from "../metadata/model.js";
import { cOrderStrides, product } from "../shape.js";
import { checkStore } from "../stores/check-store.js";
import { putInFront, putInFrontOfStore } from "../stores/extensions.js";
import type { AbsolutePath, Awaitable, RangeQuery, Readable, Store, StoreOptions } from "../stores/store.js";
import { checkArray } from "./check-arguments.js";
import type { GetOptions } from "./get-options.js";
import { type Chunk, ZarrArray } from "./nodes.js";
import { set } from "./set.js";

type AnyArray = ZarrArray<DataTypeName, Readable>;

/** Takes an array and returns an array, as functions made by `defineArrayExtension` do. */
export type ArrayExtension = (array: AnyArray) => Awaitable<AnyArray>;

interface StoreMembers {
  get?(key: AbsolutePath, options?: StoreOptions): Awaitable<Uint8Array | undefined>;
  getRange?(key: AbsolutePath, range: RangeQuery, options?: StoreOptions): Awaitable<Uint8Array | undefined>;
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
 * Makes a function that puts the members returned by `factory` in front of a store. `factory` may be
 * asynchronous. The inner store's `arrayExtensions` are kept, and are applied before the new ones.
 */
export function defineStoreExtension<Members extends Awaitable<StoreMembers>, Given extends Options>(
  factory: (store: Store, ...options: Given) => Members,
): <S extends Store>(store: S, ...options: Given) => Extended<S, Members>;
export function defineStoreExtension(
  factory: (store: Store, ...options: Options) => Awaitable<StoreMembers>,
): (store: Store, ...options: Options) => Awaitable<Store> {
  return define(checkStore, factory, (store, members) => {
    const inner = store.arrayExtensions;
    const outer = members.arrayExtensions;
    const front = putInFrontOfStore(store, members);
    return inner && outer ? putInFront(front, { arrayExtensions: [...inner, ...outer] }) : front;
  });
}

/**
 * Makes a function that puts the members returned by `factory` in front of an array. All reads of the array
 * go through a `getChunk` member; `set` does not, and reads and writes the inner array. `getChunk` takes
 * chunk coordinates (of inner chunks in a sharded array) and the read's `signal`, `priority`, `workers`,
 * `concurrency`, `coalesce`, `invalidText` and `maximumDecodedBytes`: hand these options on. Its chunk may
 * have any strides, and end at the array's edge.
 */
export function defineArrayExtension<Members extends Awaitable<ArrayMembers>, Given extends Options>(
  factory: (array: AnyArray, ...options: Given) => Members,
): <A extends AnyArray>(array: A, ...options: Given) => Extended<A, Further<Members>>;
export function defineArrayExtension(
  factory: (array: AnyArray, ...options: Options) => Awaitable<ArrayMembers>,
): (array: AnyArray, ...options: Options) => Awaitable<AnyArray> {
  return define(checkArray, factory, (array, members) => {
    const front = putInFront(array, members);
    if (members.getChunk === undefined) return front;
    const chunks = decodedChunks(front);
    const prepare = prepareChunks(chunks.metadata, (handedOn) => ({
      get: (key, { signal, priority } = {}) => chunks.read(key, { ...handedOn, signal, priority }),
    }));
    return putInFront(front, { inner: array.inner ?? array, prepare });
  });
}

function define<Target, Members extends object>(
  check: (target: unknown) => void,
  factory: (target: Target, ...options: Options) => Awaitable<Members>,
  extend: (target: Target, members: Members) => Target,
): (target: Target, ...options: Options) => Awaitable<Target> {
  const checked = (target: Target, members: Members): Target => {
    if (typeof members === "object" && members !== null) return extend(target, members);
    throw new InvalidArgumentError(`an extension's factory: expected an object of members, got ${members}`);
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
  return extensions.reduce<unknown>(
    (inner, extension) => (inner instanceof Promise ? inner.then(extension) : extension(inner)),
    target,
  );
}

/**
 * The read options that are handed on to `getChunk`, besides the signal and the priority. All other options
 * are about the result.
 */
const HANDED_ON = ["workers", "concurrency", "coalesce", "invalidText", "maximumDecodedBytes"] as const;
export type HandedOn = Pick<GetOptions, (typeof HANDED_ON)[number]>;

/**
 * The decoded chunks of an array as values of a store, by keys of the default encoding ("/c/0/1", "/c"
 * without dimensions).
 */
export interface DecodedChunks {
  /**
   * The metadata of an array with these values. Its only codec is `bytes`, or for objects of v2 the array's
   * own object codec.
   */
  readonly metadata: ArrayMetadata;
  read(key: string, options: GetOptions): Promise<Uint8Array | undefined>;
}

/**
 * Makes the `prepare` of an array that is read through its decoded chunks. Consecutive reads with the same
 * options share the prepared array and its requests.
 * @param storeOf makes the store of decoded chunks for reads with these options
 */
export function prepareChunks(
  metadata: ArrayMetadata,
  storeOf: (handedOn: HandedOn) => Readable,
): ZarrArray["prepare"] {
  let last: { readonly given: HandedOn; readonly prepare: () => Promise<PreparedArray> } | undefined;
  return (options: HandedOn = {}) => {
    if (last === undefined || HANDED_ON.some((name) => last?.given[name] !== options[name])) {
      const { workers, concurrency, coalesce, invalidText, maximumDecodedBytes } = options;
      const given = { workers, concurrency, coalesce, invalidText, maximumDecodedBytes };
      const plain = new ZarrArray<unknown>(storeOf(given), "/", metadata);
      last = { given, prepare: () => plain.prepare() };
    }
    return last.prepare();
  };
}

export function decodedChunks(array: ZarrArray<unknown>): DecodedChunks {
  const { metadata } = array;
  const inner = innerChunkShape(metadata);
  const chunkGrid: ChunkGrid =
    inner === undefined ? metadata.chunkGrid : { name: "regular", chunkShape: inner };
  const plain: ArrayMetadata = {
    ...metadata,
    zarrFormat: 3,
    dataType: metadata.dataType.uniform ?? metadata.dataType,
    chunkGrid,
    chunkKeyEncoding: { name: "default", separator: "/" },
    codecs: [plainCodec(metadata)],
    endian: undefined,
  };
  return {
    metadata: plain,
    async read(key, options) {
      const coordinates = key.split("/").slice(2).map(Number);
      const chunk = await array.getChunk(coordinates, options);
      return encode(chunk, { ...plain, shape: chunkBoxOf(chunkGrid, coordinates).shape });
    },
  };
}

/**
 * The codec for decoded elements: `bytes` (ZEP 7 for variable length), and for objects of v2 the codec that
 * stores them.
 */
function plainCodec({ dataType: { variable, objectCodec }, codecs }: ArrayMetadata): CodecMetadata {
  const own = codecs.find(({ name }) => name === `numcodecs.${objectCodec}`);
  if (variable === "object" && own !== undefined) return own;
  return { name: "bytes", configuration: { endian: "little" } };
}

/** Encodes a chunk with `plainCodec`. @param metadata of an array with the chunk's shape */
async function encode(chunk: Chunk<unknown>, metadata: ArrayMetadata): Promise<Uint8Array | undefined> {
  const { shape, dataType } = metadata;
  const { data, stride } = chunk;
  const isWhole = isSame(chunk.shape, shape) && isSame(stride, cOrderStrides(shape, 1));
  const bytes = isWhole ? dataType.bytesOf(data) : undefined;
  if (bytes?.length === product(shape, dataType.itemSize)) return bytes;
  // `set` handles strides, chunks that end at the array's edge, casts and errors.
  const values = new Map<string, Uint8Array>();
  const whole = { ...metadata, chunkGrid: { name: "regular", chunkShape: shape } } as const;
  const target = new ZarrArray<unknown>(values, "/", whole);
  const selection = shape.map((_, d) => slice(0, chunk.shape[d]));
  await set(target, selection, { data, shape: chunk.shape, stride }, { writeEmptyChunks: true });
  return values.values().next().value;
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
