/** Reads a selection: plans it, and places it in the way of the caller's choice. */

import { lazy } from "../../base/loading.js";
import { cOrderStrides } from "../../base/shape.js";
import type { BasicSelection } from "../../grid/selection.js";
import { type DecodePair, pairsOf } from "./pairs.js";
import { BytePlacer } from "./place.js";
import { cutSelection, planRead } from "./plan.js";
import type { Awaitable, Target } from "./ports.js";
import { lineOf } from "./prepare.js";
import type { Placing, Planned, PreparedArray } from "./prepared.js";
import { countProgress } from "./progress.js";
import { read } from "./read.js";
import type { ReadOptions } from "./shared/options.js";

/**
 * Reads `selection` into `bytes`, in C order and memory byte order. `isBlank` says that `bytes` contains only
 * zeros.
 */
export function readSelection(
  array: PreparedArray,
  selection: BasicSelection,
  bytes: Uint8Array,
  isBlank: boolean,
  options: ReadOptions,
): Promise<void> {
  const { dimensions } = selection;
  const { itemSize } = array.metadata.dataType;
  const counts: number[] = [];
  for (const { count } of dimensions) counts.push(count);
  const strides = cOrderStrides(counts, itemSize);
  return readInto(array, selection, { bytes, offset: 0, strides, isBlank }, options, AS_STORED);
}

const loadElsewhere = /* @__PURE__ */ lazy(() => import("./elsewhere.js"));

/** Elements as they are, in memory order. */
const AS_STORED: Placing = {
  itemSize: undefined,
  run(planned) {
    const { line, plan, target, options, done } = planned;
    // One chunk has no pair.
    const pairs = plan.chunks > 1 ? pairsOf(line.pipeline, line.kernels) : undefined;
    if (options.workers == null && !(pairs instanceof Promise))
      return read(line, plan, new BytePlacer(line, target, pairs), options, done);
    return runLater(planned, pairs);
  },
};

/** With code that is still to be loaded: of pairs, or of reads with workers. */
async function runLater(planned: Planned, pairs: Awaitable<DecodePair | undefined>): Promise<void> {
  const { line, plan, target, options, done } = planned;
  const placer = new BytePlacer(line, target, await pairs);
  if (options.workers == null) await read(line, plan, placer, options, done);
  else await (await loadElsewhere()).readElsewhere(planned, placer, undefined);
}

/** @throws as `read` */
export function readInto(
  array: PreparedArray,
  selection: BasicSelection,
  target: Target,
  options: ReadOptions,
  placing: Placing,
): Promise<void> {
  if (array.blocks !== undefined) return array.blocks.read(array, selection, target, options, placing);
  const line = lineOf(array);
  const cut = array.cut ?? cutSelection(selection.dimensions, line.pipeline.shape);
  const plan = planRead(line, cut, placing.itemSize ?? line.fill.length, options.coalesce?.maximumSize);
  const done = options.onProgress && countProgress(options.onProgress, line, cut);
  return placing.run({ array, line, plan, target, options, done });
}
