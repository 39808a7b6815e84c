/**
 * Copies whose target or source lies outside WASM memory: in pieces through two buffers inside it that stay in cache.
 * The pieces are whole inner dimensions, as many as fit, chosen so that few bytes travel that nobody asked for.
 */
import type { CopyPlan } from "./kernels.js";
import { BOUNCE_LENGTH, SOURCE_BOUNCE, TARGET_BOUNCE } from "./memory.js";

/** What a piece costs before its first byte, in bytes that could be copied meanwhile (about 100 ns at 40 GB/s). */
const PIECE_COST = 4096;
/** The same for one `set(subarray)` in JavaScript (measured 47 ns). */
const ROW_COST = 2048;

/** Where a plan is cut: `extent` indices at a time of dimension `dimension` (the plan's rank means bytes of a run). */
interface Cut {
  readonly dimension: number;
  readonly extent: number;
}

/** Runs the dimensions of a plan from `dimension` on, `extent` of the first, at addresses of WASM memory. */
export type RunPiece = (dimension: number, extent: number, target: number, source: number) => void;

export interface Side {
  readonly bytes: Uint8Array;
  /** Offset in `bytes` of where the plan's dimensions start. */
  readonly start: number;
  /** Address of `bytes` in WASM memory; undefined when it lies outside. */
  readonly pointer: number | undefined;
}

export function copyInPieces(
  plan: CopyPlan,
  target: Side,
  source: Side,
  wasm: Uint8Array,
  runPiece: RunPiece,
): void {
  const cut = chooseCut(plan, target, source);
  const { dimensions, run } = plan;
  const rank = dimensions.length / 3;

  const visit = (dimension: number, t: number, s: number): void => {
    const isRun = dimension === rank;
    const extent = isRun ? run : (dimensions[dimension * 3] ?? 1);
    const targetStride = isRun ? 1 : (dimensions[dimension * 3 + 1] ?? 0);
    const sourceStride = isRun ? 1 : (dimensions[dimension * 3 + 2] ?? 0);
    if (cut === undefined ? isRun : dimension === cut.dimension) {
      if (cut === undefined) {
        target.bytes.set(source.bytes.subarray(s, s + run), t);
        return;
      }
      for (let i = 0; i < extent; i += cut.extent) {
        const count = Math.min(cut.extent, extent - i);
        copyPiece(dimension, count, t + i * targetStride, s + i * sourceStride);
      }
      return;
    }
    for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) visit(dimension + 1, t, s);
  };

  const copyPiece = (dimension: number, extent: number, t: number, s: number): void => {
    const targetSpan = spanOf(plan, dimension, extent, 1);
    const sourceSpan = spanOf(plan, dimension, extent, 2);
    let targetPointer = (target.pointer ?? 0) + t;
    let sourcePointer = (source.pointer ?? 0) + s;
    if (source.pointer === undefined) {
      const low = s - sourceSpan.before;
      wasm.set(source.bytes.subarray(low, low + sourceSpan.length), SOURCE_BOUNCE);
      sourcePointer = SOURCE_BOUNCE + sourceSpan.before;
    }
    if (target.pointer !== undefined) {
      runPiece(dimension, extent, targetPointer, sourcePointer);
      return;
    }
    const low = t - targetSpan.before;
    targetPointer = TARGET_BOUNCE + targetSpan.before;
    if (!targetSpan.dense) wasm.set(target.bytes.subarray(low, low + targetSpan.length), TARGET_BOUNCE);
    runPiece(dimension, extent, targetPointer, sourcePointer);
    target.bytes.set(wasm.subarray(TARGET_BOUNCE, TARGET_BOUNCE + targetSpan.length), low);
  };

  visit(0, target.start, source.start);
}

interface Span {
  readonly length: number;
  /** Bytes of it before the start. */
  readonly before: number;
  /** Every byte of it belongs to the copy. */
  readonly dense: boolean;
}

/** The memory that `extent` indices of `dimension` with all inner dimensions touch; `side` is 1 for target, 2 for source. */
function spanOf({ dimensions, run }: CopyPlan, dimension: number, extent: number, side: 1 | 2): Span {
  const rank = dimensions.length / 3;
  if (dimension === rank) return { length: extent, before: 0, dense: true };
  let length = run;
  let before = 0;
  let payload = run;
  for (let i = rank - 1; i >= dimension; i--) {
    const count = i === dimension ? extent : (dimensions[i * 3] ?? 1);
    const reach = (count - 1) * (dimensions[i * 3 + side] ?? 0);
    length += Math.abs(reach);
    if (reach < 0) before -= reach;
    payload *= count;
  }
  return { length, before, dense: length === payload };
}

/** The cheapest cut by bytes moved for a byte of payload; undefined when plain `set` of every run is cheaper still. */
function chooseCut(plan: CopyPlan, target: Side, source: Side): Cut | undefined {
  const { dimensions, run, kind, request } = plan;
  const rank = dimensions.length / 3;
  // Other threads may be writing between the elements of shared memory: only dense pieces may be written back.
  const shared = typeof SharedArrayBuffer !== "undefined" && target.bytes.buffer instanceof SharedArrayBuffer;
  const plain = kind === "rows" && request.swapUnit === 1;
  let best: Cut | undefined;
  let bestCost = plain ? (ROW_COST + run) / run : Number.POSITIVE_INFINITY;
  for (let dimension = rank; dimension >= 0; dimension--) {
    const whole = dimension === rank ? run : (dimensions[dimension * 3] ?? 1);
    const extent = Math.min(
      whole,
      target.pointer === undefined ? extentThatFits(plan, dimension, 1) : whole,
      source.pointer === undefined ? extentThatFits(plan, dimension, 2) : whole,
    );
    if (extent === 0) break;
    let moved = PIECE_COST;
    let usable = true;
    if (target.pointer === undefined) {
      const span = spanOf(plan, dimension, extent, 1);
      moved += span.dense ? span.length : span.length * 2;
      usable = span.dense || !shared;
    }
    if (source.pointer === undefined) moved += spanOf(plan, dimension, extent, 2).length;
    const cost = moved / payloadOf(plan, dimension, extent);
    if (usable && cost < bestCost) {
      best = { dimension, extent };
      bestCost = cost;
    }
    if (extent < whole) break;
  }
  return best;
}

function payloadOf({ dimensions, run }: CopyPlan, dimension: number, extent: number): number {
  const rank = dimensions.length / 3;
  if (dimension === rank) return extent;
  let payload = run * extent;
  for (let i = dimension + 1; i < rank; i++) payload *= dimensions[i * 3] ?? 1;
  return payload;
}

/** How many indices of `dimension` span no more than a bounce buffer; 0 when not even one does. */
function extentThatFits(plan: CopyPlan, dimension: number, side: 1 | 2): number {
  if (dimension === plan.dimensions.length / 3) return BOUNCE_LENGTH;
  const one = spanOf(plan, dimension, 1, side).length;
  if (one > BOUNCE_LENGTH) return 0;
  const stride = Math.abs(plan.dimensions[dimension * 3 + side] ?? 0);
  return stride === 0 ? Number.POSITIVE_INFINITY : Math.floor((BOUNCE_LENGTH - one) / stride) + 1;
}
