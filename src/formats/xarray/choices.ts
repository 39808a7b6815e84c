/** Turns choices of dimensions into selections of an array. A choice that is null is all of its dimension. */
import { type GetOptions, get, getOrthogonal, type Array as ZarrArray } from "../../index.js";
import type { Chosen } from "./select.js";

/** Reads elements; an index is read as a slice of length 1, so that the result always has `data`. */
export async function readChosen(
  array: ZarrArray,
  choices: readonly (Chosen | null)[],
  options: GetOptions,
): Promise<unknown> {
  if (!isBox(choices)) {
    const entries = choices.map((choice) => (choice?.kind === "list" ? choice.indices : sliceOf(choice)));
    return (await getOrthogonal(array, entries, options)).data;
  }
  return (await get(array, choices.map(sliceOf), options)).data;
}

/** Whether `get` reads it, and gives more than a scalar. */
export function isBox(choices: readonly (Chosen | null)[]): boolean {
  return choices.length > 0 && choices.every((choice) => choice?.kind !== "list");
}

/** An index is a slice of length 1; a list, and no choice, is all of the dimension. */
export function sliceOf(choice: Chosen | null): {
  start: number | null;
  stop: number | null;
  step: number | null;
} {
  if (choice === null || choice.kind === "list") return { start: null, stop: null, step: null };
  if (choice.kind === "index") return { start: choice.index, stop: choice.index + 1, step: 1 };
  const { start, step, count } = choice;
  if (count === 0) return { start: 0, stop: 0, step: 1 };
  const stop = start + step * count;
  // With a negative step the slice may end at index 0. A stop of -1 would mean the last element, so it is
  // null.
  return { start, stop: stop < 0 ? null : stop, step };
}

/** The number of indices. */
export function countOf(choice: Chosen): number {
  return choice.kind === "index" ? 1 : choice.kind === "list" ? choice.indices.length : choice.count;
}

export function indicesOf(choice: Chosen): readonly number[] {
  if (choice.kind === "list") return choice.indices;
  if (choice.kind === "index") return [choice.index];
  return Array.from({ length: choice.count }, (_, i) => choice.start + i * choice.step);
}
