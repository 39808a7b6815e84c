/**
 * Copies whose target or source lies outside WASM memory, in the simplest ways: a dense source goes in as a whole (wasm.ts), and
 * anything else run by run, until bounce.ts is there, which is better at it.
 */
import type { CopyPlan } from "./kernels.js";
import { BOUNCE_LENGTH, SOURCE_BOUNCE, TARGET_BOUNCE } from "./memory.js";
import { forEachRun } from "./runs.js";

/** A piece may span this many bytes for each of its payload: at 40 GB/s still faster than one `set` a row, 47 ns. */
export const SPARSE = 4;
/** Rows from here up are best copied from outside to outside by `set` alone. */
const LONG_ROW = 1024;

export interface Side {
  readonly bytes: Uint8Array;
  /** Where in `bytes` the plan's dimensions start. */
  readonly start: number;
  /** Address of `bytes` in WASM memory; undefined when it lies outside. */
  readonly pointer: number | undefined;
}

/** Runs the plan for a box (an extent for each dimension, then the bytes of a run) at addresses of WASM memory. */
export type RunBox = (box: readonly number[], target: number, source: number) => void;

/** Whether only `set` moves bytes. */
export const isDirect = ({ kind, run, request }: CopyPlan): boolean =>
  kind === "rows" && request.swapUnit === 1 && run >= LONG_ROW;

/** Whether a source from outside is dense enough to go in as a whole, so that the target alone decides how pieces are cut. */
export function entersWhole(plan: CopyPlan): boolean {
  const length = plan.sourceBefore + plan.sourceAfter;
  let payload = plan.run;
  for (let i = 0; i < plan.dimensions.length; i += 3) payload *= plan.dimensions[i] ?? 1;
  return length <= BOUNCE_LENGTH && length <= SPARSE * payload && !isDirect(plan);
}

/** A quarter of a microsecond a run. */
export function copyByRuns(
  plan: CopyPlan,
  target: Side,
  source: Side,
  wasm: Uint8Array,
  runBox: RunBox,
): void {
  const { dimensions, run } = plan;
  const rank = dimensions.length / 3;
  const box = new Array<number>(rank + 1).fill(1);
  forEachRun(plan, target.start, source.start, (targetAt, sourceAt) => {
    // Runs are cut at vectors, and so never inside an element.
    for (let at = 0; at < run; at += BOUNCE_LENGTH) {
      const t = targetAt + at;
      const s = sourceAt + at;
      const length = Math.min(run - at, BOUNCE_LENGTH);
      box[rank] = length;
      if (source.pointer === undefined) wasm.set(source.bytes.subarray(s, s + length), SOURCE_BOUNCE);
      runBox(
        box,
        target.pointer === undefined ? TARGET_BOUNCE : target.pointer + t,
        source.pointer === undefined ? SOURCE_BOUNCE : source.pointer + s,
      );
      if (target.pointer === undefined) {
        target.bytes.set(wasm.subarray(TARGET_BOUNCE, TARGET_BOUNCE + length), t);
      }
    }
  });
}
