/**
 * Copies to or from memory outside the arena, which a kernel cannot reach: one JavaScript `set` for each row.
 * This pays for rows from about 1 KiB on (47 ns a row, against 2 to 7 ns in WASM); shorter rows are joined in
 * a band first.
 */
import { type ElementOrder, planStoredCopy, type StoredCopy } from "../codecs/layout.js";
import { forEachIndex, planCopy } from "../kernels/copy-plan.js";
import type { CopyPlan, Kernels } from "../kernels/kernels.js";
import type { ChunkDecoder, ResultWindow } from "./assembler.js";

export const LONG_ROW_BYTES = 1024;
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

// A cache of row views. Each chunk is decoded to the same address, and making the view of a row takes longer
// than copying its bytes. Measured (Node 20, rows of 1 KiB into a result of 128 MiB): 250 ns a row with a new
// view for each, 140 with cached ones.
/** Copying fewer rows takes less time than looking for their views. */
const FEWEST_ROWS = 16;
/**
 * Limits of rows per plan, of plans, and of views in all: a view takes some 100 bytes. Chunks at edges of
 * arrays and windows have other views.
 */
const MOST_ROWS = 8192;
const MOST_KNOWN = 32;
const MOST_VIEWS = 32768;
/** Bytes that encoders may add to a chunk that they cannot compress. */
const GROWTH = 4096;
/** Longer chunks have enough rows each, and `allocate` below would reserve too much memory for them. */
const LONGEST = 16 << 20;

/** Row views by the position of the rows; an empty list after the first use. */
const known = new Map<string, readonly Uint8Array[]>();
/** Number of views in `known`. */
let viewCount = 0;
/**
 * The memory of all views: scratch memory. It lives as long as its thread, and is another buffer after it has
 * grown.
 */
let knownIn: ArrayBufferLike | undefined;

/**
 * Returns the window with a `copy` that uses cached views; the window itself for elements of variable length,
 * and for long chunks.
 */
export function withRowViewCache(window: ResultWindow, { kernels, pipeline }: ChunkDecoder): ResultWindow {
  if (window.assembler || pipeline.byteLength > LONGEST) return window;
  const room = pipeline.byteLength + GROWTH;
  return {
    ...window,
    // Reserves the same room for every chunk, so that decoded bytes behind it always have the same address.
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

/** The loops over rows of a plan with one or two dimensions. */
function nestOf({ dimensions }: CopyPlan): { readonly outer: Loop; readonly inner: Loop } {
  const loop = ([count = 1, target = 0, source = 0]: readonly number[]): Loop => ({ count, target, source });
  return { outer: loop(dimensions.slice(0, -3)), inner: loop(dimensions.slice(-3)) };
}

/** Views of the rows of a plan; undefined if the rows should be copied with `copyRows`. */
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
  if (!kernels.isScratch({ buffer })) return undefined;
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
