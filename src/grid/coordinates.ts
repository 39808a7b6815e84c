/** Selections of single elements: by their coordinates, or by a mask over the whole array. */
import { at, numberAt } from "../base/at.js";
import { describe, InvalidSelectionError } from "../base/errors.js";
import { cOrderStrides } from "../base/shape.js";
import type { ArrayLikeView } from "../data-types/data-type.js";
import { type IndexList, type Places, placesBelow, placesOfList } from "./index-lists.js";
import type { BasicSelection } from "./selection.js";

/**
 * A mask over a whole array, such as the chunk that `get` returns for an array of `bool`: true (or any byte
 * but 0) selects an element.
 */
export interface ArrayMask {
  /** In C order; bytes are true unless 0. */
  readonly data: readonly boolean[] | Uint8Array | ArrayLikeView<boolean>;
  /** The shape of the array. */
  readonly shape: readonly number[];
  /** Distances in elements from one index to the next, by dimension; C order by default. */
  readonly stride?: readonly number[];
}

/**
 * One list of indices for each dimension, all of one length; an integer stands for a list that repeats it. Or
 * a mask: its points are in C order.
 */
export type CoordinateSelection = readonly (number | IndexList)[] | ArrayMask;

interface SelectedPoints {
  readonly count: number;
  /** Indices by dimension. */
  readonly coordinates: readonly Places[];
  /** The selection of the result: one dimension of all points. */
  readonly result: BasicSelection;
}

/**
 * @throws InvalidSelectionError for an index out of range, lists that differ in length, and masks of another
 * shape
 */
export function normaliseCoordinates(
  selection: CoordinateSelection,
  shape: readonly number[],
): SelectedPoints {
  const coordinates = isLists(selection) ? ofLists(selection, shape) : ofMask(selection, shape);
  const count = coordinates[0]?.length ?? 1;
  const dimensions = [{ start: 0, step: 1, count, drop: false }];
  return { count, coordinates: coordinates.slice(0, shape.length), result: { dimensions, shape: [count] } };
}

function isLists(selection: CoordinateSelection): selection is readonly (number | IndexList)[] {
  if (typeof selection === "object" && selection !== null) return Array.isArray(selection);
  throw new InvalidSelectionError(
    `expected a list of indices for each dimension, or a mask { data, shape }, got ${describe(selection)}`,
  );
}

function ofLists(selection: readonly (number | IndexList)[], shape: readonly number[]): readonly Places[] {
  if (selection.length !== shape.length) {
    throw new InvalidSelectionError(
      `expected ${shape.length} lists of indices for an array of rank ${shape.length}, got ${selection.length}`,
    );
  }
  let count: number | undefined;
  for (const [d, entry] of selection.entries()) {
    if (typeof entry === "number") continue;
    if (!isIndexList(entry)) {
      throw new InvalidSelectionError(
        `dimension ${d}: expected a list of indices or an integer, got ${describe(entry)}; getOrthogonal and setOrthogonal take slices, null and "..."`,
      );
    }
    count ??= entry.length;
    if (entry.length === count) continue;
    throw new InvalidSelectionError(
      `dimension ${d}: expected a list of ${count} indices, as many as in the lists before it, got ${entry.length}`,
    );
  }
  return selection.map((entry, d) => {
    const length = at(shape, d);
    if (typeof entry !== "number") return placesOfList(entry, length, d);
    const [index = 0] = placesOfList([entry], length, d);
    return placesBelow(length, count ?? 1).fill(index);
  });
}

function isIndexList(entry: unknown): boolean {
  return Array.isArray(entry) || (ArrayBuffer.isView(entry) && !(entry instanceof DataView));
}

function ofMask(mask: ArrayMask, shape: readonly number[]): readonly Places[] {
  const bytes = checkMask(mask, shape);
  const strides = mask.stride ?? cOrderStrides(shape, 1);
  const length = shape.at(-1) ?? 1;
  const stride = strides.at(-1) ?? 1;
  let count = 0;
  forEachRow(shape, strides, (start) => {
    for (let i = 0; i < length; i++) if (bytes[start + i * stride] !== 0) count++;
  });
  // A scalar has one point or none.
  const coordinates = (shape.length === 0 ? [1] : shape).map((extent) => placesBelow(extent, count));
  const last = coordinates.at(-1);
  let end = 0;
  forEachRow(shape, strides, (start, row) => {
    const first = end;
    for (let i = 0; i < length && last !== undefined; i++)
      if (bytes[start + i * stride] !== 0) last[end++] = i;
    for (let d = 0; d < row.length && end > first; d++) at(coordinates, d).fill(at(row, d), first, end);
  });
  return coordinates;
}

/** @returns one byte for every element, not 0 if the element is selected */
function checkMask({ data, shape, stride }: ArrayMask, expected: readonly number[]): Uint8Array {
  if (!Array.isArray(shape) || String(shape) !== String(expected)) {
    throw new InvalidSelectionError(
      `expected lists of indices, or a mask of the array's shape [${expected.join(", ")}], got one of [${String(shape)}]`,
    );
  }
  const bytes = bytesOf(data);
  const strides = stride ?? cOrderStrides(expected, 1);
  const isMany =
    Array.isArray(strides) &&
    strides.length === expected.length &&
    strides.every((step) => Number.isInteger(step) && step >= 0);
  const last = expected.reduce((sum, extent, d) => sum + (extent - 1) * (strides[d] ?? Number.NaN), 0);
  if (bytes !== undefined && (expected.includes(0) || (isMany && last < bytes.length))) return bytes;
  throw new InvalidSelectionError(
    `expected booleans for all of [${expected.join(", ")}] with strides ${describe(strides)}, got ${bytes?.length ?? describe(data)}`,
  );
}

function bytesOf(data: ArrayMask["data"]): Uint8Array | undefined {
  if (data instanceof Uint8Array) return data;
  if (Array.isArray(data)) {
    return data.every((entry) => typeof entry === "boolean") ? Uint8Array.from(data, Number) : undefined;
  }
  // A BoolArray is recognised by its members, so that this file does not load its module.
  const isBytes =
    typeof data === "object" && data !== null && "get" in data && data.byteLength === data.length;
  return isBytes ? new Uint8Array(data.buffer, data.byteOffset, data.length) : undefined;
}

/**
 * @param visit called with the offset of the first element of a row and the indices of the row, in the same
 * list each time
 */
function forEachRow(
  shape: readonly number[],
  strides: readonly number[],
  visit: (start: number, row: readonly number[]) => void,
): void {
  const row = shape.slice(0, -1).fill(0);
  const walk = (d: number, start: number): void => {
    if (d === row.length) visit(start, row);
    else
      for (let i = 0; i < numberAt(shape, d); i++) {
        row[d] = i;
        walk(d + 1, start + i * numberAt(strides, d));
      }
  };
  walk(0, 0);
}
