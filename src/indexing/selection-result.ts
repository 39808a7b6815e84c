/** What TypeScript can know about the result of a selection. */
import type { SelectionEntry, Slice } from "./selection.js";

declare const dropsNamed: unique symbol;
/** Says of a selection that all entries that were named are integers: whether a dimension stays depends on the array's rank. */
interface DropsNamed {
  readonly [dropsNamed]?: true;
}

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
  ([keyof Entries] extends [never] ? unknown : [KeptNames<Entries>] extends [never] ? DropsNamed : unknown);

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
 * `Many` for a selection that keeps a dimension, `One` for integers alone, and either where that depends on the array's rank: integers
 * beside "...", which may stand for no dimension, or named by `select`. An array of entries that may be slices or null, other than a
 * tuple, is taken to have one, as in zarrita, and so is a selection that TypeScript knows nothing of (`any`).
 */
export type ResultOf<Sel, Many, One> = 0 extends 1 & Sel ? Many : KnownResultOf<Sel, Many, One>;

type KnownResultOf<Sel, Many, One> = Sel extends null
  ? Many
  : Sel extends readonly number[]
    ? One
    : typeof dropsNamed extends keyof Sel
      ? Many | One
      : Sel extends readonly unknown[]
        ? number extends Sel["length"]
          ? Many
          : Sel extends readonly (Kept | "...")[]
            ? Many
            : HasKept<Sel> extends true
              ? Many
              : Many | One
        : Many | One;
