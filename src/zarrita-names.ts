/** What zarrita has under other names, or that wazarr itself does not need: for code that was written for it. docs/from-zarrita.md. */

import type { Consolidated } from "./array/consolidated.js";
import type { NarrowDataType } from "./array/nodes.js";
import type { DataOf, DataTypeName, ScalarOf } from "./data-types/names.js";
import {
  type CodecError,
  type InvalidMetadataError,
  type InvalidSelectionError,
  isZarrError,
  type NotFoundError,
  type UnknownCodecError,
  type UnknownDataTypeError,
  type UnsupportedError,
  type ZarrError,
  type ZarrErrorTag,
} from "./errors.js";
import { cOrderStrides } from "./shape.js";
import type { AbsolutePath, RangeQuery, Readable, StoreOptions } from "./stores/store.js";

/** zarrita's kinds of errors. */
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

/** `isZarrError` with zarrita's names: true for an error of wazarr, of one of the given kinds when any are given. */
export function isZarritaError(error: unknown): error is ZarrError;
export function isZarritaError<Kind extends keyof ErrorOfKind>(
  error: unknown,
  ...kinds: Kind[]
): error is ErrorOfKind[Kind];
export function isZarritaError(error: unknown, ...kinds: (keyof ErrorOfKind)[]): boolean {
  return isZarrError(error, ...kinds.flatMap((kind) => TAGS[kind] ?? kind));
}

/**
 * Strides in elements of dimensions that are stored in this order, the last one the fastest. Programs for zarrita make the
 * `stride` of what they `set` with it; here that may be left out where it is C order.
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

export type Bool = "bool";
export type Int8 = "int8";
export type Int16 = "int16";
export type Int32 = "int32";
export type Int64 = "int64";
export type Uint8 = "uint8";
export type Uint16 = "uint16";
export type Uint32 = "uint32";
export type Uint64 = "uint64";
export type Float16 = "float16";
export type Float32 = "float32";
export type Float64 = "float64";
export type String = "string";
/** What `array.is("number")` narrows to, and so on. */
export type NumberDataType = NarrowDataType<DataTypeName, "number">;
export type BigintDataType = NarrowDataType<DataTypeName, "bigint">;
export type StringDataType = NarrowDataType<DataTypeName, "string">;

/** What zarrita calls `v2:U5` is `<U5` here. */
export type UnicodeStr = `${"<" | ">"}U${number}`;

export type Scalar<D> = ScalarOf<D>;
export type TypedArray<D> = DataOf<D>;
/** Of an array without a length of its own, of numbers or of bytes in memory that is there. */
export interface TypedArrayConstructor<D> {
  readonly name: string;
  new (length: number): TypedArray<D>;
  new (elements: ArrayLike<Scalar<D>> | ArrayBufferLike, byteOffset?: number, length?: number): TypedArray<D>;
}
export type Attributes = Record<string, unknown>;
/** A slice of a dimension that is known: start, stop and step as integers. */
export type Indices = [start: number, stop: number, step: number];

/** A store whose nodes are known, as `withConsolidatedMetadata` makes it. */
export type Listable<S extends Readable> = S & Consolidated;

/** A store whose answers are promises. */
export interface AsyncReadable {
  get(key: AbsolutePath, options?: StoreOptions): Promise<Uint8Array | undefined>;
  getRange?(key: AbsolutePath, range: RangeQuery, options?: StoreOptions): Promise<Uint8Array | undefined>;
}
/** A store that answers at once. */
export interface SyncReadable {
  get(key: AbsolutePath, options?: StoreOptions): Uint8Array | undefined;
  getRange?(key: AbsolutePath, range: RangeQuery, options?: StoreOptions): Uint8Array | undefined;
}
export interface AsyncWritable {
  set(key: AbsolutePath, value: Uint8Array): Promise<void>;
}
export interface SyncWritable {
  set(key: AbsolutePath, value: Uint8Array): void;
}
export type AsyncMutable = AsyncReadable & AsyncWritable;
export type SyncMutable = SyncReadable & SyncWritable;
export type Mutable = AsyncMutable | SyncMutable;
