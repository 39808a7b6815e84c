/**
 * Selections by lists and masks: single elements, by their coordinates or a mask over the whole array, and orthogonal selections, in which
 * each dimension has its own entry.
 */
import { at, noItem } from "../at.js";
import type { ArrayLikeView } from "../data-types/data-type.js";
import type { IntegerArray } from "../data-types/typed-array.js";
import { InvalidSelectionError } from "../errors.js";
import { cOrderStrides } from "../shape.js";
import {
  type BasicSelection,
  type DimensionSelection,
  normaliseSelection,
  type Selection,
  type SelectionEntry,
} from "./selection.js";

/** A mask over a whole array, such as the chunk that `get` returns for an array of `bool`: true (or any byte but 0) selects an element. */
export interface ArrayMask {
  readonly data: readonly boolean[] | Uint8Array | ArrayLikeView<boolean>;
  /** The shape of the array. */
  readonly shape: readonly number[];
  /** Distances in elements from one index to the next, by dimension; C order by default. */
  readonly stride?: readonly number[];
}

/** One list of indices for each dimension, all of one length; an integer stands for a list that repeats it. Or a mask: its points are in C order. */
export type CoordinateSelection = readonly (number | IndexList)[] | ArrayMask;

interface SelectedPoints {
  readonly count: number;
  /** Indices by dimension. */
  readonly coordinates: readonly Places[];
  /** The selection of the result: one dimension of all points. */
  readonly result: BasicSelection;
}

/** @throws InvalidSelectionError for an index out of range, lists that differ in length, and masks of another shape */
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
    `expected a list of indices for each dimension, or a mask { data, shape }, got ${String(selection)}`,
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
        `dimension ${d}: expected a list of indices or an integer, got ${String(entry)}; getOrthogonal and setOrthogonal take slices, null and "..."`,
      );
    }
    count ??= entry.length;
    if (entry.length === count) continue;
    throw new InvalidSelectionError(
      `dimension ${d}: expected a list of ${count} indices, as many as in the lists before, got ${entry.length}`,
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
    strides.length === expected.length && strides.every((step) => Number.isInteger(step) && step >= 0);
  const last = expected.reduce((sum, extent, d) => sum + (extent - 1) * (strides[d] ?? Number.NaN), 0);
  if (bytes !== undefined && (expected.includes(0) || (isMany && last < bytes.length))) return bytes;
  throw new InvalidSelectionError(
    `expected booleans for all of [${expected.join(", ")}] with strides [${strides.join(", ")}], got ${bytes?.length ?? "something else"}`,
  );
}

function bytesOf(data: ArrayMask["data"]): Uint8Array | undefined {
  if (data instanceof Uint8Array) return data;
  if (Array.isArray(data)) {
    return data.every((entry) => typeof entry === "boolean") ? Uint8Array.from(data, Number) : undefined;
  }
  // A BoolArray is recognised by its members, so that this file does not load its module.
  const isBytes = "get" in data && data.byteLength === data.length;
  return isBytes ? new Uint8Array(data.buffer, data.byteOffset, data.length) : undefined;
}

/** @param visit called with the offset of the first element of a row and the indices of the row, in the same list each time */
function forEachRow(
  shape: readonly number[],
  strides: readonly number[],
  visit: (start: number, row: readonly number[]) => void,
): void {
  const row = shape.slice(0, -1).fill(0);
  const walk = (d: number, start: number): void => {
    if (d === row.length) visit(start, row);
    else
      for (let i = 0; i < (shape[d] ?? noItem(shape, d)); i++) {
        row[d] = i;
        walk(d + 1, start + i * (strides[d] ?? noItem(strides, d)));
      }
  };
  walk(0, 0);
}

// Lists of indices: checks of the caller's lists, and arithmetic on them.
/** Indices in any order, repeated or not; negative ones count from the end. */
export type IndexList = readonly number[] | IntegerArray | Float64Array;

/** @throws InvalidSelectionError that names the entry, unless all are integers from -length to length - 1 */
function placesOfList(list: IndexList, length: number, dimension: number): Places {
  const numbers =
    list instanceof BigInt64Array || list instanceof BigUint64Array ? Float64Array.from(list, Number) : list;
  const places = placesBelow(length, numbers.length);
  for (let i = 0; i < numbers.length; i++) {
    const given = numbers[i];
    const index = given !== undefined && given < 0 ? given + length : given;
    if (index === undefined || !Number.isInteger(index) || index < 0 || index >= length) {
      throw new InvalidSelectionError(
        `dimension ${dimension}, entry ${i} of the list: expected an integer from ${-length} to ${length - 1}, got ${String(given)}`,
      );
    }
    places[i] = index;
  }
  return places;
}

/** Indices of 0 or more, or offsets computed from them; a Float64Array if 31 bits are not enough. */
export type Places = Int32Array | Float64Array;

/** A zero-filled list for numbers below `end`. */
export function placesBelow(end: number, count: number): Places {
  return end <= 2 ** 31 ? new Int32Array(count) : new Float64Array(count);
}

/** The least and the greatest; 0 and 0 for an empty list. */
export function boundsOf(places: Places): readonly [least: number, most: number] {
  if (places.length === 0) return [0, 0];
  let least = places[0] ?? noItem(places, 0);
  let most = least;
  for (let i = 1; i < places.length; i++) {
    const place = places[i] ?? noItem(places, i);
    if (place < least) least = place;
    if (place > most) most = place;
  }
  return [least, most];
}

/** The products with a factor; the list itself for 1. */
export function times(places: Places, factor: number): Places {
  if (factor === 1) return places;
  const [, most] = boundsOf(places);
  const products = placesBelow(most * factor + 1, places.length);
  for (let i = 0; i < places.length; i++) products[i] = (places[i] ?? noItem(places, i)) * factor;
  return products;
}

// Orthogonal selections: each dimension has its own entry, which may be a list of indices or a mask.
/** One boolean for each index of the dimension; true selects it. */
export type Mask = readonly boolean[];
export type OrthogonalEntry = SelectionEntry | IndexList | Mask;

/** The selected indices of one dimension and their indices in the result. */
export type Line =
  | (Omit<DimensionSelection, "drop"> & {
      /** Index of the first selected element in the result; the others follow it. */
      readonly target: number;
    })
  | {
      readonly indices: Places;
      /** Indices in the result; undefined means 0, 1, 2, ... */
      readonly targets?: Places | undefined;
    };

interface OrthogonalSelection {
  /** By dimension. */
  readonly lines: readonly Line[];
  /** The box of the result, and which dimensions are dropped from it. */
  readonly result: BasicSelection;
}

/** @throws InvalidSelectionError as for a basic selection, for an index out of range and a mask of another length */
export function normaliseOrthogonal(
  selection: readonly OrthogonalEntry[],
  shape: readonly number[],
): OrthogonalSelection {
  if (!Array.isArray(selection)) {
    throw new InvalidSelectionError(`expected a list of entries, one a dimension, got ${String(selection)}`);
  }
  const basic: SelectionEntry[] = [];
  const lists = new Map<number, IndexList | Mask>();
  const rest = selection.indexOf("...");
  for (const [i, entry] of selection.entries()) {
    basic.push(isList(entry) ? null : entry);
    // After "...", entries count from the last dimension.
    if (isList(entry)) lists.set(rest >= 0 && i > rest ? shape.length - selection.length + i : i, entry);
  }
  const given: Selection = basic;
  const ranges = normaliseSelection(given, shape).dimensions;
  const lines = ranges.map((range, d): Line => {
    const list = lists.get(d);
    if (list === undefined) return { ...range, target: 0 };
    const length = at(shape, d);
    return { indices: isMask(list) ? indicesOfMask(list, length, d) : placesOfList(list, length, d) };
  });
  const dimensions = lines.map((line, d) => ({
    start: 0,
    step: 1,
    count: countOf(line),
    drop: ranges[d]?.drop === true && !lists.has(d),
  }));
  return {
    lines,
    result: { dimensions, shape: dimensions.filter(({ drop }) => !drop).map(({ count }) => count) },
  };
}

export function countOf(line: Line): number {
  return "indices" in line ? line.indices.length : line.count;
}

function isList(entry: OrthogonalEntry): entry is IndexList | Mask {
  return Array.isArray(entry) || ArrayBuffer.isView(entry);
}

function isMask(list: IndexList | Mask): list is Mask {
  return typeof list[0] === "boolean";
}

function indicesOfMask(mask: Mask, length: number, dimension: number): Places {
  const entries: readonly unknown[] = mask;
  if (mask.length !== length || entries.some((entry) => typeof entry !== "boolean")) {
    throw new InvalidSelectionError(
      `dimension ${dimension}: expected a mask of ${length} booleans, got a list of ${mask.length}`,
    );
  }
  return Int32Array.from(mask.flatMap((selected, index) => (selected ? [index] : [])));
}
