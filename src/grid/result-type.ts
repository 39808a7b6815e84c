/** The TypeScript types of results, by the type of the selection. */
import type { SelectionEntry, Slice } from "./selection.js";

/** An entry that keeps its dimension in the result. */
type Dimension = Slice | null;
/** Entries by dimension name; dimensions that are not named are selected whole. */
export type NamedEntries = Readonly<Record<string, Exclude<SelectionEntry, "...">>>;
/** The selection that `select` makes: an entry for each dimension. */
export type NamedSelection = Exclude<SelectionEntry, "...">[];

/** Whether a tuple has a slice or null, before or after "...". */
type HasKept<Sel> = Sel extends readonly [infer First, ...infer Rest]
  ? [First] extends [Dimension]
    ? true
    : HasKept<Rest>
  : Sel extends readonly [...infer Rest, infer Last]
    ? [Last] extends [Dimension]
      ? true
      : HasKept<Rest>
    : false;

/**
 * The result type of a selection: `Many` if it keeps a dimension, `One` for only integers, and `Many | One`
 * if that depends on the array's rank: integers with "...", which may stand for no dimension. An array (not a
 * tuple) of entries that may be slices or null counts as `Many`, as in zarrita. So does the result of
 * `select`, which keeps no dimension if each gets an integer, and a selection of type `any` or
 * `any[]`.
 */
export type ResultOf<Sel, Many, One> = 0 extends 1 & Sel ? Many : KnownResultOf<Sel, Many, One>;
type KnownResultOf<Sel, Many, One> = Sel extends null
  ? Many
  : Sel extends readonly number[]
    ? 0 extends 1 & Sel[number]
      ? Many
      : One
    : Sel extends readonly unknown[]
      ? number extends Sel["length"]
        ? Many
        : Sel extends readonly (Dimension | "...")[]
          ? Many
          : HasKept<Sel> extends true
            ? Many
            : Many | One
      : Many | One;
