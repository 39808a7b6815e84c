/**
 * A few points of large chunks that are stored as they are: each is read by itself, with those near it, instead of all that lies between
 * them. 100 points in 64 files of 1 MiB took 39 ms before, of which most was reading.
 */
import { cOrderStrides } from "../../shape.js";
import type { PreparedArray } from "../prepared.js";
import { isReadInParts } from "../stored-parts.js";
import type { SortedPoints } from "./sort.js";

/** Bytes between two points that are read for nothing in less time than a file is opened once more. */
const GAP_BYTES = 64 << 10;

/** Elements between points from which on each is read by itself; undefined where chunks are better read whole. */
export function fewGap(array: PreparedArray): number | undefined {
  const { pipeline, fillPattern, blocks } = array;
  if (blocks !== undefined || !isReadInParts(array)) return undefined;
  // Where elements that follow one another lie together.
  const strides = cOrderStrides(pipeline.shape, fillPattern.length);
  const isRow = strides.every((stride, d) => stride === pipeline.strides[d]);
  return isRow ? GAP_BYTES / fillPattern.length : undefined;
}

/** Parts of chunks in place of chunks, where no two points of one chunk are near. */
export function splitFew(
  { starts, order, within }: SortedPoints,
  gap: number,
  chunkLength: number,
): SortedPoints {
  const parts: number[] = [];
  for (let i = 0; i + 1 < starts.length; i++) {
    const [start, end] = [starts[i] ?? 0, starts[i + 1] ?? 0];
    parts.push(start);
    if (end - start < 2 || (end - start) * gap > chunkLength) continue;
    const own = Array.from(
      { length: end - start },
      (_, k) => [within[start + k] ?? 0, order[start + k] ?? 0] as const,
    );
    own.sort(([a], [b]) => a - b);
    for (const [k, [place, point]] of own.entries()) {
      within[start + k] = place;
      order[start + k] = point;
      if (k > 0 && place - (own[k - 1]?.[0] ?? 0) > gap) parts.push(start + k);
    }
  }
  parts.push(order.length);
  return { starts: Int32Array.from(parts), order, within };
}
