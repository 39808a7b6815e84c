/**
 * Copies whose target or source lies outside WASM memory: in pieces through two buffers inside it. A piece is a box of the
 * plan's dimensions, cut so that its spans fit and few bytes travel that nobody asked for.
 */
import type { CopyPlan } from "./kernels.js";
import { BOUNCE_LENGTH, SOURCE_BOUNCE, TARGET_BOUNCE } from "./memory.js";

/** What a piece costs before its first byte, in bytes that could be copied meanwhile (about 100 ns at 40 GB/s). */
const PIECE_COST = 4096;
/** The same for one `set(subarray)` in JavaScript (measured 47 ns). */
const ROW_COST = 2048;
/** A source span up to this many times its payload is copied in whole, before the target is cut into pieces. */
const SPARSE = 4;

export interface Side {
  readonly bytes: Uint8Array;
  /** Offset in `bytes` of the element at index [0, 0, ...] of the plan's request. */
  readonly offset: number;
  /** Address of `bytes` in WASM memory; undefined when it lies outside. */
  readonly pointer: number | undefined;
}

/** A box: the extent along each dimension of the plan, then the bytes of a run. */
export type Box = readonly number[];

/** Runs the plan for one box at addresses of WASM memory. */
export type RunBox = (box: Box, target: number, source: number) => void;

/** Where in a CopyPlan's dimension the stride of a side stands. */
export const TARGET = 1;
export const SOURCE = 2;

export function copyInPieces(
  plan: CopyPlan,
  target: Side,
  source: Side,
  wasm: Uint8Array,
  runBox: RunBox,
): void {
  const whole = wholeBox(plan);
  let sourceStart = source.offset + plan.sourceStart;
  if (source.pointer === undefined && isDense(plan, SOURCE)) {
    const span = spanOf(plan, whole, SOURCE);
    const low = sourceStart - span.before;
    wasm.set(source.bytes.subarray(low, low + span.length), SOURCE_BOUNCE);
    source = { bytes: wasm, offset: 0, pointer: 0 };
    sourceStart = SOURCE_BOUNCE + span.before;
  }
  const box = chooseBox(plan, whole, target, source);
  const piece = [...whole];

  const visit = (dimension: number, t: number, s: number): void => {
    const extent = whole[dimension];
    if (extent === undefined) {
      if (box === undefined) target.bytes.set(source.bytes.subarray(s, s + plan.run), t);
      else copyBox(t, s);
      return;
    }
    const step = box?.[dimension] ?? (dimension === whole.length - 1 ? plan.run : 1);
    const targetStride = strideOf(plan, dimension, TARGET);
    const sourceStride = strideOf(plan, dimension, SOURCE);
    for (let i = 0; i < extent; i += step) {
      piece[dimension] = Math.min(step, extent - i);
      visit(dimension + 1, t + i * targetStride, s + i * sourceStride);
    }
  };

  const copyBox = (t: number, s: number): void => {
    let from = (source.pointer ?? 0) + s;
    if (source.pointer === undefined) {
      const span = spanOf(plan, piece, SOURCE);
      const low = s - span.before;
      wasm.set(source.bytes.subarray(low, low + span.length), SOURCE_BOUNCE);
      from = SOURCE_BOUNCE + span.before;
    }
    if (target.pointer !== undefined) {
      runBox(piece, target.pointer + t, from);
      return;
    }
    const span = spanOf(plan, piece, TARGET);
    const low = t - span.before;
    if (span.length > payloadOf(piece))
      wasm.set(target.bytes.subarray(low, low + span.length), TARGET_BOUNCE);
    runBox(piece, TARGET_BOUNCE + span.before, from);
    target.bytes.set(wasm.subarray(TARGET_BOUNCE, TARGET_BOUNCE + span.length), low);
  };

  visit(0, target.offset + plan.targetStart, sourceStart);
}

/** Whether a plan's bytes on one side are worth moving in one piece. */
export function isDense(plan: CopyPlan, side: number): boolean {
  const whole = wholeBox(plan);
  const { length } = spanOf(plan, whole, side);
  return length <= BOUNCE_LENGTH && length <= SPARSE * payloadOf(whole);
}

/**
 * Halves the dimension that spans most until the spans fit, and on until one run is left; takes the cheapest box on the
 * way, by bytes moved for a byte of payload. Undefined when plain `set` of every run is cheaper still.
 */
function chooseBox(plan: CopyPlan, whole: Box, target: Side, source: Side): Box | undefined {
  // Other threads may be writing between the elements of shared memory: only dense boxes may be written back.
  const shared = typeof SharedArrayBuffer !== "undefined" && target.bytes.buffer instanceof SharedArrayBuffer;
  const plain = plan.kind === "rows" && plan.request.swapUnit === 1;
  let best: Box | undefined;
  let bestCost = plain ? (ROW_COST + plan.run) / plan.run : Number.POSITIVE_INFINITY;
  const box = [...whole];
  for (;;) {
    const payload = payloadOf(box);
    const targetSpan = target.pointer === undefined ? spanOf(plan, box, TARGET).length : 0;
    const sourceSpan = source.pointer === undefined ? spanOf(plan, box, SOURCE).length : 0;
    const dense = targetSpan <= payload;
    if (targetSpan <= BOUNCE_LENGTH && sourceSpan <= BOUNCE_LENGTH && (dense || !shared)) {
      const cost = (PIECE_COST + sourceSpan + (dense ? targetSpan : 2 * targetSpan)) / payload;
      if (cost < bestCost) {
        best = [...box];
        bestCost = cost;
      }
      if (dense && sourceSpan <= payload) return best;
    }
    const widest = widestDimension(plan, box, targetSpan > 0, sourceSpan > 0);
    if (widest === undefined) return best;
    // Runs are cut at vectors, and so never inside an element.
    const half = (box[widest] ?? 1) / 2;
    box[widest] = widest === whole.length - 1 ? Math.ceil(half / 16) * 16 : Math.ceil(half);
  }
}

/** The dimension that reaches furthest outside WASM memory and can still be halved; the run only to make it fit. */
function widestDimension(plan: CopyPlan, box: Box, target: boolean, source: boolean): number | undefined {
  let widest: number | undefined;
  let widestReach = 0;
  for (let d = 0; d < box.length; d++) {
    const extent = box[d] ?? 1;
    if (d === box.length - 1 ? extent <= BOUNCE_LENGTH : extent === 1) continue;
    const reach =
      (target ? 2 * Math.abs(strideOf(plan, d, TARGET)) : 0) +
      (source ? Math.abs(strideOf(plan, d, SOURCE)) : 0);
    if (widest === undefined || reach * extent > widestReach) {
      widest = d;
      widestReach = reach * extent;
    }
  }
  return widest;
}

export function wholeBox({ dimensions, run }: CopyPlan): number[] {
  return [...dimensions.filter((_, i) => i % 3 === 0), run];
}

/** Bytes from one index to the next; along a run, 1. */
function strideOf({ dimensions }: CopyPlan, dimension: number, side: number): number {
  return dimensions[dimension * 3 + side] ?? 1;
}

export function payloadOf(box: Box): number {
  return box.reduce((product, extent) => product * extent, 1);
}

/** The memory that a box touches on one side, and how much of it lies before the box's first element. */
function spanOf(
  plan: CopyPlan,
  box: Box,
  side: number,
): { readonly length: number; readonly before: number } {
  let length = 1;
  let before = 0;
  for (let d = 0; d < box.length; d++) {
    const reach = ((box[d] ?? 1) - 1) * strideOf(plan, d, side);
    length += Math.abs(reach);
    if (reach < 0) before -= reach;
  }
  return { length, before };
}
