/** What TypeScript can know about the result of a selection. */
import type { SelectionEntry, Slice } from "./selection.js";

declare const keepsDimension: unique symbol;
/** Says of a selection, whose entries stand in an order that TypeScript does not know, that a slice or null is among them. */
export interface KeepsDimension {
  readonly [keepsDimension]?: true;
}

/** A selection with entries in an array, of which whoever writes it knows that a slice or null is among them: `get` gives a Chunk. */
export type RangeSelection = (readonly SelectionEntry[] & KeepsDimension) | null;

/** An entry that keeps its dimension in the result. */
type Kept = Slice | null;

/** One entry a dimension by its name; of dimensions that are not named everything is taken. */
export type NamedEntries = Readonly<Record<string, Exclude<SelectionEntry, "...">>>;

/** Names whose entry is a slice or null whatever else it may be. */
type KeptNames<Entries> = {
  [Name in keyof Entries]: Entries[Name] extends Kept ? Name : never;
}[keyof Entries];

/** The selection that `select` makes. With no name given it is everything; with integers alone it depends on the array's rank. */
export type NamedSelection<Entries> = Exclude<SelectionEntry, "...">[] &
  ([keyof Entries] extends [never]
    ? KeepsDimension
    : [KeptNames<Entries>] extends [never]
      ? unknown
      : KeepsDimension);

/** Whether a tuple has a slice or null, before and behind an ellipsis too. */
type HasKept<Sel> = Sel extends readonly [infer First, ...infer Rest]
  ? [First] extends [Kept]
    ? true
    : HasKept<Rest>
  : Sel extends readonly [...infer Rest, infer Last]
    ? [Last] extends [Kept]
      ? true
      : HasKept<Rest>
    : false;

/**
 * `Many` for a selection that surely keeps a dimension, `One` for integers alone, and either for one of which TypeScript does not
 * know: entries in an array instead of a tuple, or integers beside "...", which may stand for no dimension.
 */
export type ResultOf<Sel, Many, One> = Sel extends null
  ? Many
  : Sel extends readonly number[]
    ? One
    : Sel extends readonly (Kept | "...")[]
      ? Many
      : typeof keepsDimension extends keyof Sel
        ? Many
        : HasKept<Sel> extends true
          ? Many
          : Many | One;
