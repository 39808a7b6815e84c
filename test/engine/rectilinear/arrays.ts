/** Arbitrary arrays with a rectilinear grid, and the chunks that they must have. */
import fc from "fast-check";
import type { Selection } from "../../../src/index.js";
import type { ChunkLengths } from "../../../src/metadata/model.js";
import { anyEntry } from "../selections.js";

export interface Dimension {
  readonly extent: number;
  readonly lengths: ChunkLengths;
  /** Of the chunks inside of shards: divides all lengths. */
  readonly inner: number;
}

/** Lengths of all chunks of a dimension that have elements of the array, the plain way. */
export function expand(lengths: ChunkLengths, extent: number): number[] {
  const all: number[] = [];
  if (typeof lengths === "number") {
    for (let end = 0; end < extent; end += lengths) all.push(lengths);
    return all;
  }
  let end = 0;
  for (const item of lengths) {
    const [length, count] = typeof item === "number" ? [item, 1] : item;
    for (let i = 0; i < count && end < extent; i++, end += length) all.push(length);
  }
  return all;
}

const listOf = (inner: number) =>
  fc.array(
    fc.oneof(
      fc.integer({ min: 1, max: 4 }).map((length) => length * inner),
      fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 })).map(
        // Pairs as documents have them.
        ([length, count]): readonly [number, number] => [length * inner, count],
      ),
    ),
    { minLength: 1, maxLength: 4 },
  );

const sumOf = (lengths: Exclude<ChunkLengths, number>): number =>
  lengths.reduce<number>((sum, item) => sum + (typeof item === "number" ? item : item[0] * item[1]), 0);

export const dimension: fc.Arbitrary<Dimension> = fc.integer({ min: 1, max: 3 }).chain((inner) =>
  fc.oneof(
    // Trailing chunks beyond the end, a last one that crosses it, and no elements at all.
    listOf(inner).chain((lengths) =>
      fc
        .nat(Math.min(14, sumOf(lengths)))
        .map((cut): Dimension => ({ extent: sumOf(lengths) - cut, lengths, inner })),
    ),
    fc.record({
      extent: fc.nat(14),
      lengths: fc.integer({ min: 1, max: 4 }).map((n) => n * inner),
      inner: fc.constant(inner),
    }),
  ),
);

/** At least one dimension has a list, so that the grid is a rectilinear one. */
export const dimensions = fc
  .array(dimension, { minLength: 1, maxLength: 3 })
  .filter((all) => all.some(({ lengths }) => typeof lengths !== "number"));

export function selectionOf(shape: readonly number[]): fc.Arbitrary<Selection> {
  return fc.tuple(...shape.map((length) => anyEntry(length, 15)));
}

/**
 * Keys of all chunks with the number of elements that each is stored with, in a grid with the default keys.
 */
export function chunkSizes(all: readonly Dimension[]): Map<string, number> {
  let keys: (readonly [key: string, size: number])[] = [["/c", 1]];
  for (const { lengths, extent } of all) {
    keys = keys.flatMap(([key, size]) =>
      expand(lengths, extent).map((length, i) => [`${key}/${i}`, size * length] as const),
    );
  }
  return new Map(keys);
}
