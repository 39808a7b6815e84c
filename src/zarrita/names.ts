/**
 * zarrita's exports that have other names in wazarr, or that wazarr does not need, for code written for
 * zarrita. See docs/from-zarrita.md.
 */

import {
  type AbsolutePath,
  ArrayView,
  type AsyncReadable,
  type Chunk,
  type CodecError,
  type Consolidated,
  cOrderStrides,
  type DataOf,
  type DataTypeName,
  type GetOptions,
  get,
  InvalidArgumentError,
  type InvalidMetadataError,
  InvalidSelectionError,
  isZarrError,
  memoryOfTexts,
  type NarrowDataType,
  NotFoundError,
  product,
  type RangeQuery,
  type Readable,
  type RequestOptions,
  type ScalarOf,
  type Selection,
  type SetOptions,
  type Slice,
  type Store,
  set,
  type UnknownCodecError,
  type UnknownDataTypeError,
  type UnsupportedError,
  withConsolidatedMetadata,
  withMaybeConsolidatedMetadata,
  type ZarrArray,
  type ZarrError,
  type ZarrErrorTag,
} from "../core/for-zarrita.js";

/**
 * A codec of a document, as applications of zarrita describe one: `configuration` may be any object. Those of
 * `array.metadata.codecs` are some.
 */
export interface CodecMetadata {
  /** Name in a document of v3, such as "gzip". */
  readonly name: string;
  readonly configuration: Readonly<Record<string, unknown>>;
}

/** The error classes of wazarr for each of zarrita's kinds of errors. */
interface ErrorOfKind {
  NotFoundError: NotFoundError;
  InvalidMetadataError: InvalidMetadataError | UnknownDataTypeError;
  UnknownCodecError: UnknownCodecError;
  CodecPipelineError: CodecError;
  InvalidSelectionError: InvalidSelectionError;
  UnsupportedError: UnsupportedError;
}
const TAGS: { readonly [Kind in keyof ErrorOfKind]: readonly ZarrErrorTag[] } = {
  NotFoundError: ["NotFoundError"],
  InvalidMetadataError: ["InvalidMetadataError", "UnknownDataTypeError"],
  UnknownCodecError: ["UnknownCodecError"],
  CodecPipelineError: ["CodecError"],
  InvalidSelectionError: ["InvalidSelectionError"],
  UnsupportedError: ["UnsupportedError"],
};

/**
 * `isZarrError` with zarrita's names: whether `error` is an error of wazarr; with `kinds`, of one of these
 * kinds.
 */
export function isZarritaError(error: unknown): error is ZarrError;
export function isZarritaError<Kind extends keyof ErrorOfKind>(
  error: unknown,
  ...kinds: Kind[]
): error is ErrorOfKind[Kind];
export function isZarritaError(error: unknown, ...kinds: (keyof ErrorOfKind)[]): boolean {
  return isZarrError(error, ...kinds.flatMap((kind) => TAGS[kind] ?? kind));
}

/**
 * Strides, in elements, of dimensions stored in this order, the last one the fastest. Programs for zarrita
 * compute the `stride` of values for `set` with it; wazarr does not need a `stride` for C order.
 */
export function _zarrita_internal_getStrides(
  shape: readonly number[],
  order: "C" | "F" | readonly number[],
): number[] {
  const all = [...shape.keys()];
  const dimensions = order === "C" ? all : order === "F" ? all.reverse() : order;
  const strides = cOrderStrides(
    dimensions.map((d) => shape[d] ?? 1),
    1,
  );
  return shape.map((_, d) => strides[dimensions.indexOf(d)] ?? 1);
}

/** zarrita's name of the data type. */
export type Bool = "bool";
/** zarrita's name of the data type. */
export type Int8 = "int8";
/** zarrita's name of the data type. */
export type Int16 = "int16";
/** zarrita's name of the data type. */
export type Int32 = "int32";
/** zarrita's name of the data type. */
export type Int64 = "int64";
/** zarrita's name of the data type. */
export type Uint8 = "uint8";
/** zarrita's name of the data type. */
export type Uint16 = "uint16";
/** zarrita's name of the data type. */
export type Uint32 = "uint32";
/** zarrita's name of the data type. */
export type Uint64 = "uint64";
/** zarrita's name of the data type. */
export type Float16 = "float16";
/** zarrita's name of the data type. */
export type Float32 = "float32";
/** zarrita's name of the data type. */
export type Float64 = "float64";
/** zarrita's name of the data type. */
export type String = "string";
/** The data types to which `array.is("number")` narrows. */
export type NumberDataType = NarrowDataType<DataTypeName, "number">;
/** The data types to which `array.is("bigint")` narrows. */
export type BigintDataType = NarrowDataType<DataTypeName, "bigint">;
/** The data types to which `array.is("string")` narrows. */
export type StringDataType = NarrowDataType<DataTypeName, "string">;

/** zarrita's `v2:U5` is `<U5` in wazarr. */
export type UnicodeStr = `${"<" | ">"}U${number}`;

/** zarrita's name of `ScalarOf`. */
export type Scalar<D> = ScalarOf<D>;
/** zarrita's name of `DataOf`. */
export type TypedArray<D> = DataOf<D>;

/** Constructs an array of a length, of elements, or over existing memory. */
export interface TypedArrayConstructor<D> {
  readonly name: string;
  new (length: number): TypedArray<D>;
  new (elements: ArrayLike<Scalar<D>> | ArrayBufferLike, byteOffset?: number, length?: number): TypedArray<D>;
}

/** The attributes of a node. */
export type Attributes = Record<string, unknown>;
/** A slice of a dimension of known length: start, stop and step as integers. */
export type Indices = [start: number, stop: number, step: number];

/** A store with consolidated metadata, as `withConsolidatedMetadata` returns it. */
export type Listable<S extends Readable> = Consolidated & S;

/** A store that returns values at once. */
export interface SyncReadable {
  /** The value of a key; undefined if there is none. */
  get(key: AbsolutePath, options?: RequestOptions): Uint8Array | undefined;
  /** A byte range of a value; undefined if there is no value. */
  getRange?(key: AbsolutePath, range: RangeQuery, options?: RequestOptions): Uint8Array | undefined;
}

/** zarrita's name of a store that is written later. */
export interface AsyncWritable {
  /** Stores the value of a key. */
  set(key: AbsolutePath, value: Uint8Array): Promise<void>;
}

/** zarrita's name of a store that is written at once. */
export interface SyncWritable {
  /** Stores the value of a key. */
  set(key: AbsolutePath, value: Uint8Array): void;
}

/** zarrita's name of a store that is read and written later. */
export type AsyncMutable = AsyncReadable & AsyncWritable;
/** zarrita's name of a store that is read and written at once. */
export type SyncMutable = SyncReadable & SyncWritable;
/** zarrita's name of a store that is read and written. */
export type Mutable = AsyncMutable | SyncMutable;

/** The selected indices of one dimension, in a chunk (`from`) and in the result (`to`). */
export type Projection =
  | { from: null; to: number }
  | { from: number; to: null }
  | { from: Indices; to: Indices };

/** @deprecated Use `withConsolidatedMetadata`, which also reads v3. */
export function withConsolidated<S extends Store>(
  store: S,
  options: { readonly metadataKey?: string } = {},
): Promise<S & Consolidated> {
  return withConsolidatedMetadata(store, { ...options, format: "v2" });
}

/** @deprecated Use `withMaybeConsolidatedMetadata`, which also reads v3. */
export function tryWithConsolidated<S extends Store>(
  store: S,
  options: { readonly metadataKey?: string } = {},
): Promise<S | (S & Consolidated)> {
  return withMaybeConsolidatedMetadata(store, { ...options, format: "v2" });
}

/** @deprecated `NotFoundError`, which is also the error's `name`. */
export const NodeNotFoundError = NotFoundError;
/** @deprecated */
export type NodeNotFoundError = NotFoundError;
/** @deprecated `NotFoundError`, which is also the error's `name`. */
export const KeyError = NotFoundError;
/** @deprecated */
export type KeyError = NotFoundError;
/** @deprecated `InvalidSelectionError`, which is also the error's `name`. */
export const IndexError = InvalidSelectionError;
/** @deprecated */
export type IndexError = InvalidSelectionError;

/**
 * Strings of at most `chars` bytes of UTF-8 over a buffer, to write to arrays of a type such as `|S5`.
 * @deprecated `get` returns a `FixedBytesArray`, whose elements are bytes; its `toStrings()` decodes them.
 * `set` also takes strings.
 */
export class ByteStringArray extends ArrayView<string> {
  readonly chars: number;

  /**
   * @param source a number of elements, memory to view without copying (`length` elements of it), or strings
   */
  constructor(chars: number, source: number | Iterable<string>);
  constructor(chars: number, memory: ArrayBufferLike, byteOffset?: number, length?: number);
  constructor(
    chars: number,
    source: number | Iterable<string> | ArrayBufferLike,
    byteOffset?: number,
    length?: number,
  ) {
    const { bytes, texts } = memoryOfTexts(source, chars, byteOffset, length);
    super(bytes, chars);
    this.chars = chars;
    for (const [index, text] of texts.entries()) this.set(index, text);
  }
  /** The string at `index`, without zero bytes. */
  get(index: number): string {
    return new TextDecoder().decode(this.element(index)).replaceAll("\0", "");
  }
  /** @throws InvalidArgumentError for a string of more than `chars` bytes */
  set(index: number, value: string): void {
    const bytes = new TextEncoder().encode(value);
    if (bytes.length > this.chars)
      throw new InvalidArgumentError(`expected a string of at most ${this.chars} bytes, got ${bytes.length}`);
    const element = this.element(index);
    element.set(bytes);
    element.fill(0, bytes.length);
  }
  subarray(begin?: number, end?: number): ByteStringArray {
    const { buffer, byteOffset, byteLength } = this.range(begin, end);
    return new ByteStringArray(this.chars, buffer, byteOffset, byteLength / this.chars);
  }
}

/** @deprecated `_zarrita_internal_getStrides` */
export const _zarrita_internal_get_strides: typeof _zarrita_internal_getStrides =
  _zarrita_internal_getStrides;

/**
 * Start, stop and step of a slice as integers, bounded by a dimension of `length` elements.
 * @deprecated `get` and `set` do that themselves.
 * @throws InvalidSelectionError for a step of 0
 */
export function _zarrita_internal_sliceIndices({ start, stop, step }: Slice, length: number): Indices {
  const by = step ?? 1;
  if (by === 0) throw new InvalidSelectionError("slice step: expected an integer other than 0");
  const [lowest, highest] = by < 0 ? [-1, length - 1] : [0, length];
  const bounded = (at: number): number => Math.min(Math.max(at < 0 ? at + length : at, lowest), highest);
  const [first, last] = by < 0 ? [highest, lowest] : [lowest, highest];
  return [start === null ? first : bounded(start), stop === null ? last : bounded(stop), by];
}

/** @deprecated `_zarrita_internal_sliceIndices` */
export const _zarrita_internal_slice_indices: typeof _zarrita_internal_sliceIndices =
  _zarrita_internal_sliceIndices;

/**
 * Functions that an array library passes to zarrita's `get` and `set`: they make a result of data, and copy
 * elements.
 */
export interface Setter<D, Result> {
  prepare(data: DataOf<D>, shape: number[], stride: number[]): Result;
  setFromChunk?(target: Result, source: Result, projections: Projection[]): void;
  /** The name of `setFromChunk` before zarrita 0.7. */
  set_from_chunk?(target: Result, source: Result, projections: Projection[]): void;
}

/**
 * `get` that passes the result through `setter.prepare`.
 * @deprecated Convert the result of `get`; `wazarr/ndarray` has `get` and `set` for ndarrays.
 */
export async function _zarrita_internal_get<D, S extends Store, Result>(
  array: ZarrArray<D, S>,
  selection: Selection,
  options: GetOptions<D>,
  setter: Pick<Setter<D, Result>, "prepare">,
): Promise<Result | ScalarOf<D>> {
  const result = await get(array, selection, options);
  return isChunk<D>(result) ? setter.prepare(result.data, result.shape, result.stride) : result;
}

function isChunk<D>(result: Chunk<D> | ScalarOf<D>): result is Chunk<D> {
  return typeof result === "object" && result !== null && "data" in result && "stride" in result;
}

/**
 * `set` of a scalar, or of elements that `setter` copies.
 * @deprecated `set` takes `{ data, shape, stride }`; `wazarr/ndarray` has `get` and `set` for ndarrays.
 */
export async function _zarrita_internal_set<
  D,
  S extends Store,
  Result extends { readonly shape: readonly number[] },
>(
  array: ZarrArray<D, S>,
  selection: Selection,
  value: ScalarOf<D> | Result,
  options: SetOptions,
  setter: Setter<D, Result>,
): Promise<void>;
export async function _zarrita_internal_set(
  array: ZarrArray<unknown>,
  selection: Selection,
  value: unknown,
  options: SetOptions,
  setter: Setter<unknown, unknown>,
): Promise<void> {
  if (typeof value !== "object" || value === null || !("shape" in value) || !isShape(value.shape))
    return set(array, selection, value, options);
  const { dataType } = array;
  const shape = [...value.shape];
  const length = product(shape);
  const data =
    dataType.itemSize === 0
      ? new Array<unknown>(length)
      : dataType.view(new Uint8Array(length * dataType.itemSize));
  const stride = cOrderStrides(shape, 1);
  const copy = setter.setFromChunk ?? setter.set_from_chunk;
  const whole = shape.map((end): Projection => ({ from: [0, end, 1], to: [0, end, 1] }));
  copy?.call(setter, setter.prepare(data, shape, stride), value, whole);
  return set(array, selection, { data, shape, stride }, options);
}

function isShape(shape: unknown): shape is readonly number[] {
  return Array.isArray(shape);
}
