/** Elements to write, as callers pass them. Code that only reads does not need this file. */

import { InvalidArgumentError } from "../../base/errors.js";
import { ArrayView } from "../../data-types/array-view.js";
import type { ArrowVector } from "../../data-types/arrow-vector.js";
import type { ColumnData } from "../../data-types/column.js";
import type { ArrayLikeView, DataType } from "../../data-types/data-type.js";
import type { DataOf, ScalarOf } from "../../data-types/names.js";

/** Strings are also accepted where scalars are bytes, and are encoded as UTF-8. */
type TextsFor<D> = ScalarOf<D> extends Uint8Array ? ArrayLikeView<string> | readonly string[] : never;

/** Elements to write: data, shape, and strides that count elements (C order unless given). */
export interface ChunkLike<D> {
  /** The elements: as many as `shape` says, or more if `stride` skips some. */
  readonly data: DataOf<D> | ArrayLike<ScalarOf<D>> | TextsFor<D> | ColumnData | ArrowVector;
  /** Lengths of the dimensions. */
  readonly shape: readonly number[];
  /** Elements from one index to the next, for each dimension. C order unless given. */
  readonly stride?: readonly number[];
}

/**
 * Whether a value has `data` and `shape`: a result of `get`, a chunk for `set`, or an ndarray. The data are
 * not checked.
 */
export function isChunkLike(value: unknown): value is ChunkLike<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    "data" in value &&
    "shape" in value &&
    Array.isArray(value.shape)
  );
}

/**
 * @throws InvalidArgumentError for strides (in elements) that are invalid or reach beyond `length` elements
 */
export function checkStrides(stride: readonly number[], shape: readonly number[], length: number): void {
  const last = shape.reduce((sum, extent, d) => sum + (extent - 1) * (stride[d] ?? Number.NaN), 0);
  const valid = stride.length === shape.length && stride.every((step) => Number.isInteger(step) && step >= 0);
  if (shape.includes(0) || (valid && last < length)) return;
  throw new InvalidArgumentError(
    `expected data long enough for shape [${shape.join(", ")}] and strides [${stride.join(", ")}], got ${length} elements`,
  );
}

/** The elements as an array-like that can be indexed. @throws InvalidArgumentError for other data */
export function arrayOf(dataType: DataType, data: unknown): ArrayLike<unknown> {
  if (data instanceof ArrayView) {
    // The same ticks in another unit would be other times.
    if ("unit" in data)
      throw new InvalidArgumentError(`expected ${dataType.name} in the array's unit, got "${data.unit}"`);
    return data.toArray();
  }
  if (isArrayLike(data)) return data;
  throw new InvalidArgumentError(`expected an array of ${dataType.name} elements, got ${typeof data}`);
}

function isArrayLike(data: unknown): data is ArrayLike<unknown> {
  return typeof data === "object" && data !== null && "length" in data && typeof data.length === "number";
}
