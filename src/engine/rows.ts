/**
 * Copies that end or begin outside the arena, where a kernel cannot reach: a JavaScript `set` a row. Worth it for rows from
 * about 1 KiB (47 ns a row against 2 to 7 ns in WASM); shorter rows are joined in a band first.
 */
import { type ElementOrder, planStoredCopy, type StoredCopy } from "../codecs/stored-copy.js";
import { forEachIndex, planCopy } from "../kernels/copy-plan.js";
import type { CopyPlan } from "../kernels/kernels.js";

export const LONG_ROW_BYTES = 1024;

/**
 * Runs a plan without a swap between any two arrays, a `set` for each contiguous run: made for long ones, right for any.
 * The caller has made sure that the plan stays inside both.
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

const same = (a: readonly number[], b: readonly number[]): boolean => a.every((value, i) => value === b[i]);

type MakePlan<Plan> = (
  shape: readonly number[],
  targetStrides: readonly number[],
  sourceStrides: readonly number[],
) => Plan;

/** Plans of one read or write. Inner chunks share one plan and each kind of edge chunk another, so a few suffice. */
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
        same(shape, entry.shape) &&
        same(targetStrides, entry.targetStrides) &&
        same(sourceStrides, entry.sourceStrides)
      ) {
        return entry.plan;
      }
    }
    const plan = this.#make(shape, targetStrides, sourceStrides);
    if (this.#entries.length >= 16) this.#entries.shift();
    this.#entries.push({ shape, targetStrides, sourceStrides, plan });
    return plan;
  }
}

/** Elements of `width` bytes, moved as they are. */
export function movePlans(width: number): PlanCache<CopyPlan> {
  return new PlanCache((shape, targetStrides, sourceStrides) =>
    planCopy({ shape, targetStrides, sourceStrides, width, swapUnit: 1 }),
  );
}

/** Elements on their way between the order in which they are stored and memory's. */
export function storedPlans(itemSize: number, order: ElementOrder): PlanCache<StoredCopy> {
  return new PlanCache((shape, targetStrides, sourceStrides) =>
    planStoredCopy(shape, targetStrides, sourceStrides, itemSize, order),
  );
}
