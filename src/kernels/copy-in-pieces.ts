/**
 * Copies whose target or source lies outside WASM memory. A dense source is staged as a whole. Other operands
 * go through two staging buffers inside WASM memory, piece by piece. A piece is a box of the plan's
 * dimensions, small enough that few bytes between its elements are copied.
 */
import { numberAt } from "../base/at.js";
import { product } from "../base/shape.js";
import type { CopyPlan } from "./kernels.js";
import { SOURCE_STAGING, STAGING_LENGTH, TARGET_STAGING } from "./memory.js";

/**
 * A piece may span this many bytes for each byte of its elements: at 40 GB/s that takes less time than one
 * `set` a row, 47 ns.
 */
const SPARSE = 4;
/** Rows of at least this many bytes are copied from outside to outside by `set` alone. */
const LONG_ROW = 1024;

export interface Side {
  readonly bytes: Uint8Array;
  /** Offset in `bytes` at which the plan's dimensions start. */
  readonly start: number;
  /** Address of `bytes` in WASM memory; undefined if they lie outside. */
  readonly pointer: number | undefined;
}

/**
 * Runs the plan for a box (an extent for each dimension, then the bytes of a run) at addresses in WASM
 * memory.
 */
type RunBox = (box: readonly number[], target: number, source: number) => void;

/** Whether the plan is copied by `set` alone. */
const isDirect = (plan: CopyPlan): boolean => isPlainRows(plan) && plan.run >= LONG_ROW;
/** Whether `set` can copy every row. */
const isPlainRows = ({ kind, request }: CopyPlan): boolean => kind === "rows" && request.swapUnit === 1;

/**
 * Whether a source outside WASM memory is dense enough to be staged whole, so that only the target decides
 * how pieces are cut.
 */
export function entersWhole(plan: CopyPlan): boolean {
  const length = plan.sourceBefore + plan.sourceAfter;
  let payload = plan.run;
  for (let i = 0; i < plan.dimensions.length; i += 3) payload *= numberAt(plan.dimensions, i);
  return length <= STAGING_LENGTH && length <= SPARSE * payload && !isDirect(plan);
}

/**
 * A piece may span this many bytes however few its elements have: copying them takes as long as starting
 * another piece.
 */
const SMALL = 16384;
/** Position of the target stride and the source stride in a dimension of a CopyPlan. */
const TARGET = 1;
const SOURCE = 2;

export function copyInPieces(
  plan: CopyPlan,
  target: Side,
  source: Side,
  wasm: Uint8Array,
  runBox: RunBox,
): void {
  const { dimensions, run } = plan;
  const whole = [...dimensions.filter((_, i) => i % 3 === 0), run];
  const last = whole.length - 1;
  const steps = isDirect(plan)
    ? whole.map((extent, d) => (d < last ? 1 : extent))
    : chooseBox(plan, whole, target, source);
  // Staging a single row, as between the elements of shared memory, takes longer than a `set`.
  const direct = isPlainRows(plan) && product(steps) === run;
  /** The piece that is copied now: at the end of a dimension what is left of it. */
  const piece = [...whole];

  function visit(dimension: number, t: number, s: number): void {
    const extent = whole[dimension];
    if (extent === undefined) {
      if (direct) target.bytes.set(source.bytes.subarray(s, s + run), t);
      else copyPiece(t, s);
      return;
    }
    const step = numberAt(steps, dimension);
    for (let i = 0; i < extent; i += step) {
      piece[dimension] = Math.min(step, extent - i);
      visit(
        dimension + 1,
        t + i * strideOf(plan, dimension, TARGET),
        s + i * strideOf(plan, dimension, SOURCE),
      );
    }
  }

  function copyPiece(t: number, s: number): void {
    let from = s;
    if (source.pointer === undefined) {
      const { before, length } = spanOf(plan, piece, SOURCE);
      wasm.set(source.bytes.subarray(s - before, s - before + length), SOURCE_STAGING);
      from = SOURCE_STAGING + before;
    } else {
      from += source.pointer;
    }
    if (target.pointer !== undefined) {
      runBox(piece, target.pointer + t, from);
      return;
    }
    const { before, length } = spanOf(plan, piece, TARGET);
    const low = t - before;
    // The bytes between the elements are staged too, and written back unchanged.
    if (length > product(piece)) wasm.set(target.bytes.subarray(low, low + length), TARGET_STAGING);
    runBox(piece, TARGET_STAGING + before, from);
    target.bytes.set(wasm.subarray(TARGET_STAGING, TARGET_STAGING + length), low);
  }

  visit(0, target.start, source.start);
}

/** Chooses the extents of a piece: halves those of the whole copy until both sides of it fit into staging. */
function chooseBox(plan: CopyPlan, whole: readonly number[], target: Side, source: Side): readonly number[] {
  const box = [...whole];
  const last = box.length - 1;
  const sides = [TARGET, SOURCE].filter((side) => (side === TARGET ? target : source).pointer === undefined);
  // Other threads may write between the elements of shared memory, so only pieces without gaps are written
  // back.
  const isShared =
    typeof SharedArrayBuffer !== "undefined" && target.bytes.buffer instanceof SharedArrayBuffer;
  const fits = (side: number): boolean => {
    const { length } = spanOf(plan, box, side);
    const payload = product(box);
    if (length > STAGING_LENGTH) return false;
    return side === TARGET && isShared ? length === payload : length <= SMALL || length <= SPARSE * payload;
  };
  const reach = (dimension: number, extent: number): number =>
    extent === 1
      ? 0
      : extent * sides.reduce((sum, side) => sum + Math.abs(strideOf(plan, dimension, side)), 0);
  while (!sides.every(fits)) {
    // Halves the dimension with the largest reach; a run is cut only when nothing else is left.
    let widest = last;
    let furthest = 0;
    for (const [d, extent] of box.entries()) {
      if (d === last || reach(d, extent) <= furthest) continue;
      furthest = reach(d, extent);
      widest = d;
    }
    // Runs are cut at multiples of vectors, and so never inside an element.
    box[widest] = widest === last ? STAGING_LENGTH : Math.ceil(numberAt(box, widest) / 2);
  }
  return box;
}

/** Bytes from one index to the next; 1 in the run, which is after the plan's dimensions. */
function strideOf({ dimensions }: CopyPlan, dimension: number, side: number): number {
  return dimensions[dimension * 3 + side] ?? 1;
}

/** The bytes that a box spans on one side: bytes before its first element, and bytes in all. */
function spanOf(
  plan: CopyPlan,
  box: readonly number[],
  side: number,
): { readonly before: number; readonly length: number } {
  let before = 0;
  let length = 1;
  for (const [dimension, extent] of box.entries()) {
    const reach = (extent - 1) * strideOf(plan, dimension, side);
    length += Math.abs(reach);
    if (reach < 0) before -= reach;
  }
  return { before, length };
}
