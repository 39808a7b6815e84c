/** Reading elements of an array. */

import { chunkBoxOf, gridShapeOf } from "../chunk-grids/runs.js";
import { cOrderStrides } from "../codecs/array-stage.js";
import type { Column } from "../data-types/column.js";
import type { DataOf, ScalarOf } from "../data-types/names.js";
import type { InvalidText } from "../data-types/text.js";
import type { OnProgress, PreparedArray } from "../engine/prepared.js";
import { type ReadOptions, readSelection } from "../engine/read.js";
import type { ChunkWorkers } from "../engine/remote.js";
import { InvalidArgumentError, InvalidSelectionError } from "../errors.js";
import { type BasicSelection, normaliseSelection, type Selection } from "../indexing/selection.js";
import type { ResultOf } from "../indexing/selection-result.js";
import { lazy } from "../lazy.js";
import { product } from "../product.js";
import type { CoalesceOptions } from "../stores/coalesce.js";
import type { Store } from "../stores/store.js";
import { allocateResult } from "./allocate-result.js";
import type { Chunk, ZarrArray } from "./nodes.js";

export interface GetOptions<D> {
  /** Stops reading; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Reads from the store under way at once; 32 unless given. */
  readonly concurrency?: number | undefined;
  /** Memory for the result: an array of the data type with exactly as many elements as are selected. */
  readonly out?: DataOf<D> | undefined;
  /**
   * Puts the result into a SharedArrayBuffer, which `workers` write themselves and other threads can look at. UnsupportedError
   * where there is none: a page has to be cross-origin isolated. An `out` says for itself where it lies.
   */
  readonly shared?: boolean | undefined;
  /** Sharded arrays: which byte ranges of a shard become one request. 32 KiB apart and 16 MiB in all unless given. */
  readonly coalesce?: Partial<CoalesceOptions> | undefined;
  /** A WorkerPool of `wazarr/workers`: chunks are decoded on other cores. */
  readonly workers?: ChunkWorkers | undefined;
  /** Told after every chunk, or shard. */
  readonly onProgress?: OnProgress | undefined;
  /** Text that is not UTF-8 is an error unless it is to be read with U+FFFD in place of what is wrong. */
  readonly invalidText?: InvalidText | undefined;
}

/**
 * Elements of variable length as one column, offsets and data as in Arrow; nothing is decoded. Where a single chunk is read whole
 * whose codecs keep that layout (ZEP 7 without a compressor), the column is a view of what the store gave: not to be changed.
 */
export interface ColumnOptions<D> extends Omit<GetOptions<D>, "out" | "shared"> {
  readonly as: "column";
}
/** A column in C order with its shape; strides count elements. */
export interface ColumnChunk<D> {
  data: Column<ScalarOf<D>>;
  shape: number[];
  stride: number[];
}
/** A selection of integers alone gives a scalar. */
export type GetColumnResult<D, Sel> = ResultOf<Sel, ColumnChunk<D>, ScalarOf<D>>;

/** 32 hides the latency of object stores and stays below what browsers queue for one host over HTTP/2. */
const DEFAULT_CONCURRENCY = 32;

/**
 * 64-bit integers as numbers: a Float64Array, or a number. UnsupportedError for one beyond 2^53 - 1. Other data types stay
 * what they are.
 */
export interface SafeIntegersOptions<D> extends Omit<GetOptions<D>, "out" | "shared"> {
  readonly safeIntegers: true;
}
/** The data type whose arrays and scalars `safeIntegers` gives. */
export type SafeIntegers<D> = D extends "int64" | "uint64" | `${"<" | ">"}${"i" | "u"}8` ? "float64" : D;

/** A selection of integers alone gives a scalar. Where TypeScript cannot tell, the type says both: see ResultOf. */
export type GetResult<D, Sel> = ResultOf<Sel, Chunk<D>, ScalarOf<D>>;

/**
 * Reads a selection: null (or none) for everything, or one entry a dimension, an integer, a `slice`, null, or "..." once.
 * The result is in C order; integers drop their dimension, and integers alone (or a 0-dimensional array) give the scalar.
 * @throws InvalidSelectionError, InvalidArgumentError (out), CodecError, StoreError, UnknownCodecError, InvalidMetadataError
 */
export function get<D, S extends Store>(
  array: ZarrArray<D, S>,
  selection: null | undefined,
  options: SafeIntegersOptions<D>,
): Promise<Chunk<SafeIntegers<D>>>;
export function get<D, S extends Store, const Sel extends Selection>(
  array: ZarrArray<D, S>,
  selection: Sel,
  options: SafeIntegersOptions<D>,
): Promise<GetResult<SafeIntegers<D>, Sel>>;
export function get<D, S extends Store>(
  array: ZarrArray<D, S>,
  selection: null | undefined,
  options: ColumnOptions<D>,
): Promise<ColumnChunk<D>>;
export function get<D, S extends Store, const Sel extends Selection>(
  array: ZarrArray<D, S>,
  selection: Sel,
  options: ColumnOptions<D>,
): Promise<GetColumnResult<D, Sel>>;
export function get<D, S extends Store>(
  array: ZarrArray<D, S>,
  selection?: null,
  options?: GetOptions<D>,
): Promise<Chunk<D>>;
export function get<D, S extends Store, const Sel extends Selection>(
  array: ZarrArray<D, S>,
  selection: Sel,
  options?: GetOptions<D>,
): Promise<GetResult<D, Sel>>;
export async function get(
  array: ZarrArray<unknown>,
  selection: Selection = null,
  options: GetOptions<unknown> & Partial<SafeIntegersOptions<unknown>> & Partial<ColumnOptions<unknown>> = {},
): Promise<unknown> {
  const present =
    options.safeIntegers === true
      ? (await import("../data-types/safe-integers.js")).presentSafely(options.out)
      : (value: unknown) => value;
  const basic = normaliseSelection(selection, array.shape);
  const { dataType } = array.metadata;
  if (dataType.variable !== undefined || options.as !== undefined) {
    return readVariable(await array.prepare(), basic, options);
  }
  const result = await readBytes(array, await array.prepare(), basic, options);
  if (basic.dimensions.every(({ drop }) => drop)) return present(dataType.readScalar(result));
  return {
    data: present(options.out ?? dataType.view(result)),
    shape: [...basic.shape],
    stride: cOrderStrides(basic.shape, 1),
  };
}

/** Reads one whole chunk by its grid coordinates, the part beyond the array's edge included. */
export async function getChunk<D, S extends Store>(
  array: ZarrArray<D, S>,
  coordinates: readonly number[],
  options?: GetOptions<D>,
): Promise<Chunk<D>>;
export async function getChunk(
  array: ZarrArray<unknown>,
  coordinates: readonly number[],
  options: GetOptions<unknown> = {},
): Promise<unknown> {
  const { metadata } = array;
  const grid = gridShapeOf(metadata);
  const inGrid = grid.every((count, d) => Number.isInteger(coordinates[d]) && isBelow(coordinates[d], count));
  if (coordinates.length !== grid.length || !inGrid) {
    throw new InvalidSelectionError(
      `expected ${grid.length} chunk coordinates below [${grid.join(", ")}], got [${coordinates.join(", ")}]`,
    );
  }
  const box = chunkBoxOf(metadata.chunkGrid, coordinates);
  const dimensions = box.shape.map((count, d) => ({
    start: box.start[d] ?? 0,
    step: 1,
    count,
    drop: false,
  }));
  const basic: BasicSelection = { dimensions, shape: box.shape };
  const prepared = await array.prepare();
  // As if the array went on to the end of this chunk.
  const shape = dimensions.map(({ start, count }) => start + count);
  const padded: PreparedArray = { ...prepared, metadata: { ...metadata, shape } };
  if (metadata.dataType.variable !== undefined) return readVariable(padded, basic, options);
  const result = await readBytes(array, padded, basic, options);
  return {
    data: options.out ?? metadata.dataType.view(result),
    shape: [...box.shape],
    stride: cOrderStrides(box.shape, 1),
  };
}

const loadResultBytes = lazy(() => import("./result-bytes.js"));

/** Bytes of results that stand in memory that was used before, where there is any: smaller ones are cheap however they are made. */
const SMALLEST_USED = 64 << 10;

/** Reads into `out`, or into memory of its own. */
async function readBytes(
  array: ZarrArray<unknown>,
  prepared: PreparedArray,
  selection: BasicSelection,
  options: GetOptions<unknown>,
): Promise<Uint8Array> {
  const byteLength = product(selection.shape) * array.dataType.itemSize;
  const read = readOptions(options);
  const isNew =
    !options.out && !options.shared && (byteLength < SMALLEST_USED || typeof Buffer !== "function");
  const { bytes, fresh } = isNew
    ? { bytes: allocateResult(byteLength), fresh: true }
    : (await loadResultBytes()).resultBytes(array, options, byteLength);
  await readSelection(prepared, selection, bytes, fresh, read);
  return bytes;
}

async function readVariable(
  array: PreparedArray,
  selection: BasicSelection,
  options: GetOptions<unknown> & Partial<ColumnOptions<unknown>>,
): Promise<unknown> {
  const { getVariable } = await import("./get-variable.js");
  return getVariable(array, selection, options, readOptions(options));
}

export function readOptions(options: GetOptions<unknown>): ReadOptions {
  return {
    ...options,
    concurrency: checkConcurrency(options.concurrency),
  };
}

function isBelow(value: number | undefined, end: number): boolean {
  return value !== undefined && value >= 0 && value < end;
}

export function checkConcurrency(concurrency: number = DEFAULT_CONCURRENCY): number {
  if (Number.isInteger(concurrency) && concurrency >= 1) return concurrency;
  throw new InvalidArgumentError(`concurrency: expected an integer of 1 or more, got ${concurrency}`);
}
