/** The selection of one dimension, and parts of it. */
import { type Slice, slice } from "../../index.js";

export type Choice =
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "slice"; readonly start: number; readonly step: number; readonly count: number }
  | { readonly kind: "list"; readonly indices: readonly number[] };

/** The number of indices. */
export function countOf(choice: Choice): number {
  if (choice.kind === "index") return 1;
  return choice.kind === "list" ? choice.indices.length : choice.count;
}

/** The index at a position of the choice. */
function indexAt(choice: Choice, position: number): number {
  if (choice.kind === "index") return choice.index;
  const index = choice.kind === "list" ? choice.indices[position] : choice.start + position * choice.step;
  if (index === undefined) throw new RangeError(`internal error: no position ${position}`);
  return index;
}

/** `count` indices of a choice, from position `from`. */
export function partOf(choice: Choice, from: number, count: number): Choice {
  if (choice.kind === "index") return choice;
  if (choice.kind === "list") return { kind: "list", indices: choice.indices.slice(from, from + count) };
  return { ...choice, start: choice.start + from * choice.step, count };
}

/** The choice as an entry of a selection. */
export function entryOf(choice: Choice): number | Slice | readonly number[] {
  if (choice.kind === "index") return choice.index;
  if (choice.kind === "list") return choice.indices;
  const { start, step, count } = choice;
  if (count === 0) return slice(0, 0);
  const stop = start + step * count;
  // A stop of -1 would count from the end; null means "to the beginning".
  return slice(start, stop < 0 ? null : stop, step);
}

/**
 * Cuts a choice into parts of about `most` indices. Parts end where chunks end, and a part covers at least
 * what is selected of one chunk, so that no chunk is read twice.
 */
export function* partsOf(
  choice: Choice,
  chunkLength: number,
  most: number,
): Generator<Choice, void, undefined> {
  const total = countOf(choice);
  for (let from = 0; from < total; ) {
    const count = Math.min(total - from, partLength(choice, from, chunkLength, Math.max(1, most)));
    yield partOf(choice, from, count);
    from += count;
  }
}

function partLength(choice: Choice, from: number, chunkLength: number, most: number): number {
  if (choice.kind !== "slice") return most;
  const { step } = choice;
  if (step < 0) return Math.max(most, Math.ceil(chunkLength / -step));
  const index = indexAt(choice, from);
  const end = Math.floor((index + most * step) / chunkLength) * chunkLength;
  const next = (Math.floor(index / chunkLength) + 1) * chunkLength;
  return Math.ceil((Math.max(end, next) - index) / step);
}
