/** What is asked of elements that a caller hands over, of fixed size or not. */
import type { DataType } from "../data-types/data-type.js";
import { InvalidArgumentError } from "../errors.js";
import type { ChunkLike } from "./set.js";

export function isChunkLike(value: unknown): value is ChunkLike<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    "data" in value &&
    "shape" in value &&
    Array.isArray(value.shape)
  );
}

/** @throws InvalidArgumentError for strides, in elements, that leave `length` elements */
export function checkStrides(stride: readonly number[], shape: readonly number[], length: number): void {
  const last = shape.reduce((sum, extent, d) => sum + (extent - 1) * (stride[d] ?? Number.NaN), 0);
  const valid = stride.length === shape.length && stride.every((step) => Number.isInteger(step) && step >= 0);
  if (shape.includes(0) || (valid && last < length)) return;
  throw new InvalidArgumentError(
    `expected data that the strides [${stride.join(", ")}] of shape [${shape.join(", ")}] stay inside, got ${length} elements`,
  );
}

/** Elements as something to index. @throws InvalidArgumentError */
export function arrayOf(dataType: DataType, data: unknown): ArrayLike<unknown> {
  if (isArrayLike(data)) return data;
  throw new InvalidArgumentError(`expected an array of ${dataType.name} elements, got ${typeof data}`);
}

function isArrayLike(data: unknown): data is ArrayLike<unknown> {
  return typeof data === "object" && data !== null && "length" in data && typeof data.length === "number";
}
