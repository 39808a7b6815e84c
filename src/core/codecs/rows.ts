/**
 * Copies to or from memory outside the arena, which a kernel cannot reach: one JavaScript `set` for each row.
 * This pays for rows from about 1 KiB on (47 ns a row, against 2 to 7 ns in WASM); shorter rows are joined in
 * a box first.
 */

import { forEachIndex, planCopy } from "../../kernels/copy-plan.js";
import type { CopyPlan } from "../../kernels/kernels.js";
import { type ElementOrder, planStoredCopy, type StoredCopy } from "./stored-copy.js";

/**
 * Shorter rows between the arena and other memory are copied by a kernel. It stages what lies between the
 * rows too (kernels/wasm.ts), and is still faster than a `set` for each row. Boxes of 64^3 bytes that cross
 * shards are read in 0.72 ms instead of 0.77. Rows of 256 bytes that are 1 KiB apart are written in two
 * thirds of the time; at 2 KiB apart there is no difference.
 */
export const SHORT_ROW_BYTES = 512;

/**
 * Runs a plan without a byte swap between any two arrays, one `set` for each contiguous run: fast for long
 * runs, correct for all. The caller makes sure that the plan stays inside both arrays.
 */
export function copyRows(
  plan: CopyPlan,
  target: Uint8Array,
  targetOffset: number,
  source: Uint8Array,
  sourceOffset: number,
): void {
  if (plan.kind === "empty") return;
  const { dimensions, run } = plan;
  const [to, from] = [targetOffset + plan.targetStart, sourceOffset + plan.sourceStart];
  forEachIndex(dimensions, dimensions.length / 3, to, from, (t, s) =>
    target.set(source.subarray(s, s + run), t),
  );
}

/** Without a callback: it is called often before the engine has compiled anything. */
function isSame(a: readonly number[], b: readonly number[]): boolean {
  if (a === b) return true;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

const MOST_PLANS = 4;

type MakePlan<Plan> = (
  shape: readonly number[],
  targetStrides: readonly number[],
  sourceStrides: readonly number[],
) => Plan;

/**
 * Copy plans of one read or write. Chunks come row by row, and only the first and the last of a row may have
 * another shape than those between, so few plans suffice. In a small box all chunks differ: there, looking
 * through more plans would only take time.
 */
export class PlanCache<Plan> {
  readonly #entries: {
    readonly shape: readonly number[];
    readonly targetStrides: readonly number[];
    readonly sourceStrides: readonly number[];
    readonly plan: Plan;
  }[] = [];
  readonly #make: MakePlan<Plan>;

  constructor(make: MakePlan<Plan>) {
    this.#make = make;
  }

  plan(shape: readonly number[], targetStrides: readonly number[], sourceStrides: readonly number[]): Plan {
    for (const entry of this.#entries) {
      if (
        isSame(shape, entry.shape) &&
        isSame(targetStrides, entry.targetStrides) &&
        isSame(sourceStrides, entry.sourceStrides)
      ) {
        return entry.plan;
      }
    }
    const plan = this.#make(shape, targetStrides, sourceStrides);
    if (this.#entries.length >= MOST_PLANS) this.#entries.shift();
    this.#entries.push({ shape, targetStrides, sourceStrides, plan });
    return plan;
  }
}

/** Plans that move elements of `width` bytes unchanged. */
export function movePlans(width: number): PlanCache<CopyPlan> {
  return new PlanCache((shape, targetStrides, sourceStrides) =>
    planCopy({ shape, targetStrides, sourceStrides, width, swapUnit: 1 }),
  );
}

/** Plans that copy elements between the stored order and memory order. */
export function storedPlans(itemSize: number, order: ElementOrder): PlanCache<StoredCopy> {
  return new PlanCache((shape, targetStrides, sourceStrides) =>
    planStoredCopy(shape, targetStrides, sourceStrides, itemSize, order),
  );
}
