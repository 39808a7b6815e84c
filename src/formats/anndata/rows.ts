/** Ranges of rows, as callers give them. */
import { describe, type NamesOf } from "../../extend.js";
import { InvalidSelectionError } from "../../index.js";

/** From the first to one beyond the last. */
export type Rows = readonly [start: number, stop: number];

/** Options of reads of columns and matrices. */
export interface ReadOptions {
  /** Ends the read. */
  readonly signal?: AbortSignal | undefined;
}

export const READ: NamesOf<ReadOptions> = { signal: true };

/** @returns all of them unless given @throws InvalidSelectionError for rows that are not there */
export function checkRows(rows: Rows | undefined, length: number, name = "rows"): Rows {
  if (rows === undefined) return [0, length];
  const [start = -1, stop = -1] = Array.isArray(rows) ? rows : [];
  const isRange = Number.isInteger(start) && Number.isInteger(stop);
  if (isRange && start >= 0 && start <= stop && stop <= length) return [start, stop];
  throw new InvalidSelectionError(
    `${name}: expected [start, stop] from 0 to ${length}, got ${describe(rows)}`,
  );
}
