/** Orthogonal selections: each dimension has its own entry, which may be a list of indices or a mask. */

import { at } from "../base/at.js";
import { describe, InvalidSelectionError } from "../base/errors.js";
import { type IndexList, type Places, placesOfList } from "./index-lists.js";
import {
  type BasicSelection,
  type DimensionSelection,
  normaliseSelection,
  type Selection,
  type SelectionEntry,
} from "./selection.js";

/** One boolean for each index of the dimension; true selects it. */
export type Mask = readonly boolean[];
/** One dimension of a selection of `getOrthogonal`: as for `get`, or a list of indices, or a mask. */
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

/**
 * @throws InvalidSelectionError as for a basic selection, for an index out of range and a mask of another
 * length
 */
export function normaliseOrthogonal(
  selection: readonly OrthogonalEntry[],
  shape: readonly number[],
): OrthogonalSelection {
  if (!Array.isArray(selection)) {
    throw new InvalidSelectionError(
      `expected a list of entries, one for each dimension, got ${describe(selection)}`,
    );
  }
  const basic: SelectionEntry[] = [];
  const lists = new Map<number, IndexList | Mask>();
  const rest = selection.indexOf("...");
  for (const [i, entry] of selection.entries()) {
    basic.push(isList(entry) ? null : entry);
    // After "...", entries count from the last dimension.
    if (isList(entry)) lists.set(rest >= 0 && i > rest ? shape.length - selection.length + i : i, entry);
  }
  const box: Selection = basic;
  const ranges = normaliseSelection(box, shape).dimensions;
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
