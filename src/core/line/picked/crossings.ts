/**
 * Plans orthogonal selections: the elements at the crossings of one line (a list or a range) for each
 * dimension, cut into chunks.
 */
import { at, int32At, noItem, numberAt } from "../../../base/at.js";
import { product } from "../../../base/shape.js";
import { type ChunkRuns, chunkAlong, chunkAt, regularRuns } from "../../../grid/chunk-grid.js";
import { boundsOf, type Places, times } from "../../../grid/index-lists.js";
import { countOf, type Line } from "../../../grid/orthogonal.js";
import type { DimensionProjection } from "../../../grid/projection.js";
import { projectRuns } from "../../../grid/run-projection.js";
import { coordinatesAt } from "../../../grid/walk.js";
import type { Placement } from "../placement.js";
import type { BandPlan, Picked } from "../shared/bands.js";
import { sortPoints } from "./sort-points.js";

/** The part of a line in one chunk; its own line counts from the chunk's first element. */
interface LinePart {
  readonly projection: DimensionProjection;
  readonly line: Line;
  /** Length of the chunk, padding beyond the array's edge included. */
  readonly length: number;
}

/**
 * Plans the crossings; every chunk is a band.
 * @param lines by dimension
 * @param shape of the array, or of a shard
 */
export function planCrossings(
  lines: readonly Line[],
  shape: readonly number[],
  runs: readonly ChunkRuns[],
): BandPlan {
  const isEmpty = lines.some((line) => countOf(line) === 0);
  // If one line is empty, another dimension may still be too long to cut into a list.
  const lists = lines.map((line, d) =>
    isEmpty ? [] : cut(line, numberAt(shape, d), runs[d] ?? noItem(runs, d)),
  );
  const lengths = lists.map(({ length }) => length);
  const chunkCount = product(lengths);
  return {
    chunkCount,
    chunksPerBand: 1,
    bandCount: chunkCount,
    band(index) {
      const place = coordinatesAt(lengths, index);
      const picked = lists.map((list, d) => at(list, at(place, d)));
      const parts = picked.map(({ projection }) => projection);
      const chunk = parts.map((part) => part.chunk);
      const counts = picked.map(({ line }) => countOf(line));
      const whole = parts.every((part) => part.whole);
      return {
        start: parts.map(() => 0),
        shape: counts,
        chunks: [{ chunk, parts, whole, picked: pickedCrossings(picked, counts) }],
      };
    },
  };
}

function cut(line: Line, extent: number, runs: ChunkRuns): LinePart[] {
  return "indices" in line ? cutList(line, extent, runs) : cutRange(line, runs);
}

function cutRange(range: Extract<Line, { step: number }>, runs: ChunkRuns): LinePart[] {
  const { step } = range;
  return projectRuns({ ...range, drop: false }, runs).map((part) => {
    const { source, count } = part;
    const last = source + (count - 1) * step;
    return {
      projection: {
        ...part,
        source: Math.min(source, last),
        count: Math.abs(last - source) + 1,
        target: 0,
        step: 1,
      },
      line: { start: source, step, count, target: range.target + part.target },
      length: chunkAlong(runs, part.chunk).length,
    };
  });
}

function cutList(
  { indices, targets }: Extract<Line, { indices: Places }>,
  extent: number,
  runs: ChunkRuns,
): LinePart[] {
  const { starts, order, within } = sortPoints(indices.length, [indices], [extent], [runs]);
  const parts: LinePart[] = [];
  for (let i = 0; i + 1 < starts.length; i++) {
    const [start, end] = [int32At(starts, i), int32At(starts, i + 1)];
    const own = within.subarray(start, end);
    const [first, last] = boundsOf(own);
    const chunk = chunkAt(runs, at(indices, at(order, start)));
    const { length } = chunkAlong(runs, chunk);
    const whole = own.length >= length && new Set(own).size === length;
    parts.push({
      projection: { chunk, source: first, count: last - first + 1, target: 0, step: 1, whole },
      line: { indices: own, targets: order.subarray(start, end).map((point) => targets?.[point] ?? point) },
      length,
    });
  }
  return parts;
}

function pickedCrossings(parts: readonly LinePart[], counts: readonly number[]): Picked {
  const lines = parts.map(({ line }) => line);
  return {
    count: product(counts),
    inChunk: (strides) =>
      placed(
        counts,
        0,
        strides,
        lines.map((line) => ("indices" in line ? line.indices : line)),
      ),
    inResult: ({ offset, strides }) =>
      placed(
        counts,
        offset,
        strides,
        lines.map((line) =>
          "indices" in line ? (line.targets ?? line.indices) : { start: line.target, step: 1 },
        ),
      ),
    plan: (_selection, innerShape) =>
      planCrossings(
        lines,
        parts.map(({ length }) => length),
        regularRuns(innerShape),
      ),
  };
}

/** @param along for each dimension a list of indices, or an evenly spaced range */
function placed(
  shape: readonly number[],
  offset: number,
  strides: readonly number[],
  along: readonly (Places | { readonly start: number; readonly step: number })[],
): Placement {
  let first = offset;
  const steps: number[] = [];
  const places = along.map((line, d) => {
    const stride = numberAt(strides, d);
    const isList = !("step" in line);
    first += isList ? 0 : line.start * stride;
    steps.push(isList ? 0 : line.step * stride);
    if (!isList) return undefined;
    return times(line, stride);
  });
  return { shape, offset: first, strides: steps, places };
}
