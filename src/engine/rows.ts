/**
 * Copies that end or begin outside the arena, where a kernel cannot reach: a JavaScript `set` a row. Worth it for rows from
 * about 1 KiB (47 ns a row against 2 to 7 ns in WASM); shorter rows are joined in a band first.
 */
import { type ElementOrder, planStoredCopy, type StoredCopy } from "../codecs/layout.js";
import { forEachIndex, planCopy } from "../kernels/copy-plan.js";
import type { CopyPlan, Kernels } from "../kernels/kernels.js";
import type { ChunkDecoder, ResultWindow } from "./assembler.js";

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

// A cache of row views: chunk after chunk is decoded to the same address, and a view of a row takes longer to make than its bytes take to
// copy. Measured (Node 20, rows of 1 KiB into a result of 128 MiB): 250 ns a row with a new view for each, 140 with cached ones.
/** Fewer rows are copied sooner than looked for. */
const FEWEST_ROWS = 16;
/** More views in all would be memory worth speaking of, some 100 bytes each. Those of the edges of arrays and windows are others. */
const MOST_ROWS = 8192;
const MOST_KNOWN = 32;
const MOST_VIEWS = 32768;
/** What encoders may add to a chunk in which they find nothing. */
const GROWTH = 4096;
/** Longer chunks have rows enough each; room for them is not to be had for nothing. */
const LONGEST = 16 << 20;

/** By where rows are, their views; none when they were met for the first time. */
const known = new Map<string, readonly Uint8Array[]>();
/** Of all of them. */
let viewCount = 0;
/** Where all of them are: scratch memory, which is there as long as its thread, and another when it has grown. */
let knownIn: ArrayBufferLike | undefined;

/** The window, with rows copied in that way; itself for elements that are no rows of bytes, and for long chunks. */
export function knownRows(window: ResultWindow, { kernels, pipeline }: ChunkDecoder): ResultWindow {
  if (window.assembler || pipeline.byteLength > LONGEST) return window;
  const room = pipeline.byteLength + GROWTH;
  return {
    ...window,
    // However short a chunk is encoded: what is decoded behind it is always in the same place.
    allocate: (encoded) => kernels.allocate(Math.max(encoded, room)).subarray(0, encoded),
    copy(plan, target, targetOffset, source, sourceOffset) {
      const views = viewsOf(plan, source, sourceOffset + plan.sourceStart, kernels);
      if (views === undefined) {
        copyRows(plan, target, targetOffset, source, sourceOffset);
        return;
      }
      const { outer, inner } = nestOf(plan);
      let at = targetOffset + plan.targetStart;
      for (let i = 0, row = 0; i < outer.count; i++, at += outer.target) {
        for (let j = 0, to = at; j < inner.count; j++, row++, to += inner.target) {
          const view = views[row];
          if (view !== undefined) target.set(view, to);
        }
      }
    },
  };
}

interface Loop {
  readonly count: number;
  readonly target: number;
  readonly source: number;
}

/** The rows of a plan of one dimension or two. */
function nestOf({ dimensions }: CopyPlan): { readonly outer: Loop; readonly inner: Loop } {
  const loop = ([count = 1, target = 0, source = 0]: readonly number[]): Loop => ({ count, target, source });
  return { outer: loop(dimensions.slice(0, -3)), inner: loop(dimensions.slice(-3)) };
}

/** Views of the rows of a plan; undefined where they are to be copied in another way. */
function viewsOf(
  plan: CopyPlan,
  { buffer, byteOffset }: Uint8Array,
  from: number,
  kernels: Kernels,
): readonly Uint8Array[] | undefined {
  const { kind, run, dimensions } = plan;
  if (kind === "empty" || dimensions.length < 3 || dimensions.length > 6) return undefined;
  const { outer, inner } = nestOf(plan);
  const count = outer.count * inner.count;
  if (count < FEWEST_ROWS || count > MOST_ROWS) return undefined;
  if (buffer !== kernels.allocate(0).buffer) return undefined;
  if (buffer !== knownIn || known.size > MOST_KNOWN || viewCount > MOST_VIEWS) {
    known.clear();
    viewCount = 0;
  }
  knownIn = buffer;
  const start = byteOffset + from;
  const where = [start, outer.count, outer.source, inner.count, inner.source, run].join();
  const views = known.get(where);
  if (views === undefined) {
    known.set(where, []);
    return undefined;
  }
  if (views.length > 0) return views;
  viewCount += count;
  const made = Array.from({ length: count }, (_, row) => {
    const i = Math.floor(row / inner.count);
    return new Uint8Array(buffer, start + i * outer.source + (row % inner.count) * inner.source, run);
  });
  known.set(where, made);
  return made;
}
