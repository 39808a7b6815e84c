/**
 * The kernels without WebAssembly: the same bits as wasm.ts. load.ts imports this module dynamically, only if
 * it is needed.
 */

import { checkBounds, forEachIndex } from "../copy-plan.js";
import type { CopyPlan, Kernels } from "../kernels.js";
import { ARENA_MAXIMUM, Arena } from "../memory.js";
import { checkSwap, fill } from "../operands.js";
import { type CopyRow, row1, row2, row4, row8, row16, rowOfBytes } from "./copy-rows.js";

export function createJavaScriptKernels(): Kernels {
  const arena = new Arena(
    0,
    new Uint8Array(0),
    (byteLength) => new Uint8Array(Math.min(byteLength, ARENA_MAXIMUM)),
  );
  return {
    name: "javascript",
    within: (byteLength, work) => arena.within(byteLength, work),
    begin: (byteLength) => arena.begin(byteLength),
    allocate: (byteLength) => arena.allocate(byteLength),
    isScratch: (bytes) => arena.has(bytes),
    mark: () => arena.mark(),
    release: (mark) => arena.release(mark),

    swap(target, source, unit) {
      checkSwap(target, source, unit);
      if (unit === 1) target.set(source);
      else copyElements([source.length / unit, unit, unit], unit, unit, target, 0, source, 0);
    },

    copy(plan, target, targetOffset, source, sourceOffset) {
      if (plan.kind === "empty") return;
      checkBounds(plan, target.length, targetOffset, source.length, sourceOffset);
      copyPlanned(plan, target, targetOffset + plan.targetStart, source, sourceOffset + plan.sourceStart);
    },

    fill,

    loadTransposition: () => Promise.resolve(),
    loadModule: () => Promise.resolve(undefined),
  };
}

/** Runs of at least this many bytes take less time by `set(subarray)`, which costs about 47 ns each. */
const SET_LENGTH = 128;

/** Runs a plan whose bounds have been checked. */
function copyPlanned(
  plan: CopyPlan,
  target: Uint8Array,
  targetStart: number,
  source: Uint8Array,
  sourceStart: number,
): void {
  const { dimensions, kind, run, request } = plan;
  const unit = request.swapUnit;
  if (kind !== "rows") {
    copyElements(dimensions, run, unit, target, targetStart, source, sourceStart);
    return;
  }
  if (unit === 1 && run >= SET_LENGTH) {
    forEachIndex(dimensions, dimensions.length / 3, targetStart, sourceStart, (t, s) => {
      target.set(source.subarray(s, s + run), t);
    });
    return;
  }
  const width = unit > 1 ? unit : run % 4 === 0 ? 4 : run % 2 === 0 ? 2 : 1;
  copyElements(
    [...dimensions, run / width, width, width],
    width,
    unit,
    target,
    targetStart,
    source,
    sourceStart,
  );
}

/** Copies elements of `width` bytes (1, 2, 4, 8 or 16), by words if every address is aligned. */
function copyElements(
  dimensions: readonly number[],
  width: number,
  unit: number,
  target: Uint8Array,
  targetStart: number,
  source: Uint8Array,
  sourceStart: number,
): void {
  const word = Math.min(width, 4);
  // Positions count from the start of the buffers, at which words are aligned.
  const to = target.byteOffset + targetStart;
  const from = source.byteOffset + sourceStart;
  const isWhole = (bytes: number) => bytes % word === 0;
  const aligned =
    isWhole(to) && isWhole(from) && dimensions.every((value, i) => i % 3 === 0 || isWhole(value));
  const scale = aligned ? word : 1;
  const scaled = dimensions.map((value, i) => (i % 3 === 0 ? value : value / scale));
  const outerRank = Math.max(0, scaled.length / 3 - 1);
  // Without dimensions there is one element.
  const [extent = 1, targetStride = 0, sourceStride = 0] = scaled.slice(outerRank * 3);
  const run = <Words>(row: CopyRow<Words>, targetWords: Words, sourceWords: Words): void =>
    forEachIndex(scaled, outerRank, to / scale, from / scale, (t, s) =>
      row(targetWords, t, targetStride, sourceWords, s, sourceStride, extent, unit),
    );

  if (!aligned || width === 1) {
    const row = width === 1 ? row1 : rowOfBytes(width);
    run(row, new Uint8Array(target.buffer), new Uint8Array(source.buffer));
  } else if (width === 2) {
    const wordsOf = (buffer: ArrayBufferLike) =>
      new Uint16Array(buffer, 0, Math.floor(buffer.byteLength / 2));
    run(row2, wordsOf(target.buffer), wordsOf(source.buffer));
  } else {
    const wordsOf = (buffer: ArrayBufferLike) =>
      new Uint32Array(buffer, 0, Math.floor(buffer.byteLength / 4));
    run(width === 4 ? row4 : width === 8 ? row8 : row16, wordsOf(target.buffer), wordsOf(source.buffer));
  }
}
