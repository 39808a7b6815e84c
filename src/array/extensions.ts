/** Extensions that applications define: members that take the place of those of a store or an array. */

import { innerChunkShape } from "../codecs/sharding/layout.js";
import type { DataTypeName } from "../data-types/names.js";
import type { PreparedArray } from "../engine/prepared.js";
import { InvalidArgumentError } from "../errors.js";
import { chunkBoxOf } from "../grid/chunk-grid.js";
import { slice } from "../grid/selection.js";
import type { ArrayMetadata, ChunkGrid, CodecMetadata } from "../metadata/model.js";
import { cOrderStrides, product } from "../shape.js";
import { checkStore } from "../stores/check-store.js";
import { putInFront, putInFrontOfStore } from "../stores/in-front.js";
import type { AbsolutePath, Awaitable, RangeQuery, Readable, Store, StoreOptions } from "../stores/store.js";
import { checkArray } from "./check-arguments.js";
import type { GetOptions } from "./get-options.js";
import { type Chunk, ZarrArray } from "./nodes.js";
import { set } from "./set.js";

type AnyArray = ZarrArray<DataTypeName, Readable>;

/** What makes an array of an array, as functions of `defineArrayExtension` do. */
export type ArrayExtension = (array: AnyArray) => Awaitable<AnyArray>;

interface StoreMembers {
  get?(key: AbsolutePath, options?: StoreOptions): Awaitable<Uint8Array | undefined>;
  getRange?(key: AbsolutePath, range: RangeQuery, options?: StoreOptions): Awaitable<Uint8Array | undefined>;
  /** What `open` puts in front of every array of the store, the last one outermost; those of the store itself come before. */
  readonly arrayExtensions?: readonly ArrayExtension[];
  readonly [member: string]: unknown;
}
interface ArrayMembers {
  getChunk?(coordinates: number[], options?: GetOptions, more?: GetOptions): Promise<Chunk>;
  readonly [member: string]: unknown;
}

/** What a factory takes besides the store or array. */
type Options = readonly [options?: unknown];
/** What an extension makes of `Target`, now or later. */
type Extended<Target, Members> =
  Members extends Promise<infer Later> ? Promise<Target & Later> : Target & Members;
/** Members but `getChunk`, which keeps the type that it has in the array. */
type Further<Members> =
  Members extends Promise<infer Later> ? Promise<Omit<Later, "getChunk">> : Omit<Members, "getChunk">;

/**
 * A function that puts what `factory` makes for a store in front of it. `factory` may be asynchronous. An inner store's
 * `arrayExtensions` are kept, and come before the new ones.
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
 * A function that puts what `factory` makes for an array in front of it. A `getChunk` among it (by chunk coordinates, inner chunks of
 * a sharded array; a chunk may have any strides, and end at the array's edge) is what every read of the array goes through, with the
 * read's `signal`, `priority`, `workers`, `concurrency`, `coalesce`, `invalidText` and `maximumDecodedBytes`: hand its options on. Writing does not: `set` reads and
 * writes the array itself.
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

/** The result of extensions of which any may be asynchronous: a promise when one of them gives one. */
type Chained<Results extends readonly unknown[], Last> =
  Extract<Results[number], Promise<unknown>> extends never ? Last : Promise<Awaited<Last>>;

/** Puts extensions in front of a store or an array, the last one outermost; a promise when one of them gives one. */
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

/** Options of a read that say how its chunks are read; `getChunk` is given them, the signal and the priority. The others are about the result. */
const HANDED_ON = ["workers", "concurrency", "coalesce", "invalidText", "maximumDecodedBytes"] as const;
export type HandedOn = Pick<GetOptions, (typeof HANDED_ON)[number]>;

/** The decoded chunks of an array, as values of a store: by keys of the default encoding ("/c/0/1", "/c" without dimensions). */
export interface DecodedChunks {
  /** Of the array that has these values, and no codec but `bytes` where its elements have one size. */
  readonly metadata: ArrayMetadata;
  read(key: string, options: GetOptions): Promise<Uint8Array | undefined>;
}

/**
 * `prepare` of an array that is read by way of its decoded chunks. Reads with the same options one after the other share what was
 * prepared, and requests.
 * @param storeOf what gives the chunks for reads with these options
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

/** A codec for elements as they are in memory: bytes, ZEP 7 for those of variable length, and for objects of v2 what they are stored with. */
function plainCodec({ dataType: { variable, objectCodec }, codecs }: ArrayMetadata): CodecMetadata {
  const own = codecs.find(({ name }) => name === `numcodecs.${objectCodec}`);
  if (variable === "object" && own !== undefined) return own;
  return { name: "bytes", configuration: { endian: "little" } };
}

/** @param metadata of an array that is this chunk */
async function encode(chunk: Chunk<unknown>, metadata: ArrayMetadata): Promise<Uint8Array | undefined> {
  const { shape, dataType } = metadata;
  const { data, stride } = chunk;
  const isWhole = isSame(chunk.shape, shape) && isSame(stride, cOrderStrides(shape, 1));
  const bytes = isWhole ? dataType.bytesOf(data) : undefined;
  if (bytes?.length === product(shape, dataType.itemSize)) return bytes;
  // Strides, a chunk that ends at the array's edge, values to be cast, errors: all that `set` knows about.
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
