/** Orthogonal selections: what each dimension selects, by lists of indices and masks too, independent of the others. */
import { type ChunkRuns, chunkAt } from "../chunk-grids/runs.js";
import { InvalidSelectionError } from "../errors.js";
import { projectRuns } from "./segments.js";
import {
  type DimensionSelection,
  normaliseSelection,
  type Selection,
  type SelectionEntry,
} from "./selection.js";

/** Indices in any order, as often as they are wanted; negative ones count from the end. */
export type IndexList =
  | readonly number[]
  | Int8Array
  | Int16Array
  | Int32Array
  | Uint8Array
  | Uint16Array
  | Uint32Array;
/** As many as the dimension is long; true selects. */
export type Mask = readonly boolean[];
export type OrthogonalEntry = SelectionEntry | IndexList | Mask;

/** A part of one dimension that is read in one go. */
export interface DimensionPart {
  /** What is read; a dropped dimension is one index. */
  readonly source: DimensionSelection;
  /** Chunks that it lies in. */
  readonly chunkCount: number;
  /** Result index of the first that is read, where all are wanted, in that order. */
  readonly target: number;
  /** Otherwise pairs: which of those that are read goes where in the result. */
  readonly moves?: { readonly from: readonly number[]; readonly to: readonly number[] } | undefined;
}

export interface OrthogonalDimension {
  readonly count: number;
  readonly drop: boolean;
  /** Parts of one chunk each, in the order of the chunks that the selection meets. */
  readonly parts: readonly DimensionPart[];
  /** Whether parts that follow one another can be read as one. */
  readonly isRange: boolean;
}

/** @throws InvalidSelectionError as for a basic selection, for an index out of range and a mask of another length */
export function orthogonalDimensions(
  selection: readonly OrthogonalEntry[],
  shape: readonly number[],
  chunks: readonly ChunkRuns[],
): OrthogonalDimension[] {
  const basic: SelectionEntry[] = [];
  const lists = new Map<number, IndexList | Mask>();
  const rest = selection.indexOf("...");
  for (const [i, entry] of selection.entries()) {
    basic.push(isList(entry) ? null : entry);
    // Behind "..." entries count from the last dimension.
    if (isList(entry)) lists.set(rest >= 0 && i > rest ? shape.length - selection.length + i : i, entry);
  }
  const given: Selection = basic;
  return normaliseSelection(given, shape).dimensions.map((dimension, d) => {
    const list = lists.get(d);
    const runs = chunks[d] ?? [];
    const extent = shape[d] ?? 0;
    return list === undefined ? ofRange(dimension, runs, extent) : ofList(list, extent, runs, d);
  });
}

function isList(entry: OrthogonalEntry): entry is IndexList | Mask {
  return Array.isArray(entry) || ArrayBuffer.isView(entry);
}

function ofRange(selection: DimensionSelection, runs: ChunkRuns, extent: number): OrthogonalDimension {
  const { start, step, count, drop } = selection;
  const parts = projectRuns(selection, runs, extent).map((part) => ({
    source: { start: start + part.target * step, step, count: part.count, drop: false },
    chunkCount: 1,
    target: part.target,
  }));
  return { count, drop, parts, isRange: true };
}

function ofList(
  list: IndexList | Mask,
  length: number,
  runs: ChunkRuns,
  dimension: number,
): OrthogonalDimension {
  const indices = toIndices(list, length, dimension);
  const byChunk = new Map<number, { indices: number[]; to: number[] }>();
  for (const [to, index] of indices.entries()) {
    const chunk = chunkAt(runs, index);
    const group = byChunk.get(chunk) ?? { indices: [], to: [] };
    byChunk.set(chunk, group);
    group.indices.push(index);
    group.to.push(to);
  }
  const parts = [...byChunk]
    .sort(([a], [b]) => a - b)
    .map(([, { indices, to }]) => {
      const start = indices.reduce((least, index) => Math.min(least, index));
      const end = indices.reduce((most, index) => Math.max(most, index));
      return {
        source: { start, step: 1, count: end - start + 1, drop: false },
        chunkCount: 1,
        target: 0,
        moves: { from: indices.map((index) => index - start), to },
      };
    });
  return { count: indices.length, drop: false, parts, isRange: false };
}

function toIndices(list: IndexList | Mask, length: number, dimension: number): readonly number[] {
  const entries: readonly unknown[] = Array.from<unknown>(list);
  if (typeof entries[0] === "boolean") {
    if (entries.length === length && entries.every((entry) => typeof entry === "boolean")) {
      return entries.flatMap((selected, index) => (selected === true ? [index] : []));
    }
    throw new InvalidSelectionError(
      `dimension ${dimension}: expected a mask of ${length} booleans, got a list of ${entries.length}`,
    );
  }
  return entries.map((entry) => {
    const index = typeof entry === "number" && entry < 0 ? entry + length : entry;
    if (typeof index === "number" && Number.isInteger(index) && index >= 0 && index < length) return index;
    throw new InvalidSelectionError(
      `dimension ${dimension}: expected integers from ${-length} to ${length - 1}, or booleans alone, got ${String(entry)}`,
    );
  });
}

/** Parts of a range that follow one another, `group` of them made one. */
export function joinParts({ parts, isRange }: OrthogonalDimension, group: number): readonly DimensionPart[] {
  if (!isRange || group === 1) return parts;
  const joined: DimensionPart[] = [];
  for (let i = 0; i < parts.length; i += group) {
    const members = parts.slice(i, i + group);
    const [first] = members;
    if (first === undefined) break;
    const count = members.reduce((sum, { source }) => sum + source.count, 0);
    joined.push({ ...first, source: { ...first.source, count }, chunkCount: members.length });
  }
  return joined;
}
