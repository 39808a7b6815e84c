import { forEachIndex } from "../copy-plan.js";
import type { CopyPlan } from "../kernels.js";
import { row1, row2, row4, row8, row16, rowBytes } from "./rows.js";

/** Runs from here up are cheaper by `set(subarray)`, which costs about 47 ns each. */
const SET_LENGTH = 128;

/** Runs a plan whose bounds have been checked. */
export function copyPlanned(
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

/** Elements of `width` bytes (1, 2, 4, 8 or 16), by words where every address allows it. */
export function copyElements(
  dimensions: readonly number[],
  width: number,
  unit: number,
  target: Uint8Array,
  targetStart: number,
  source: Uint8Array,
  sourceStart: number,
): void {
  const word = Math.min(width, 4);
  // Positions count from the start of the buffers, where words are aligned.
  const to = target.byteOffset + targetStart;
  const from = source.byteOffset + sourceStart;
  const isWhole = (bytes: number) => bytes % word === 0;
  const aligned =
    isWhole(to) && isWhole(from) && dimensions.every((value, i) => i % 3 === 0 || isWhole(value));
  const scale = aligned ? word : 1;
  const scaled = dimensions.map((value, i) => (i % 3 === 0 ? value : value / scale));
  const outerRank = Math.max(0, scaled.length / 3 - 1);
  const extent = scaled[outerRank * 3] ?? 1;
  const targetStride = scaled[outerRank * 3 + 1] ?? 0;
  const sourceStride = scaled[outerRank * 3 + 2] ?? 0;
  const forEachRow = (visit: (t: number, s: number) => void) =>
    forEachIndex(scaled, outerRank, to / scale, from / scale, visit);

  if (!aligned || width === 1) {
    const targetBytes = new Uint8Array(target.buffer);
    const sourceBytes = new Uint8Array(source.buffer);
    if (width === 1) {
      forEachRow((t, s) => row1(targetBytes, t, targetStride, sourceBytes, s, sourceStride, extent));
    } else {
      forEachRow((t, s) =>
        rowBytes(targetBytes, t, targetStride, sourceBytes, s, sourceStride, extent, width, unit),
      );
    }
    return;
  }
  if (width === 2) {
    const targetWords = new Uint16Array(target.buffer, 0, Math.floor(target.buffer.byteLength / 2));
    const sourceWords = new Uint16Array(source.buffer, 0, Math.floor(source.buffer.byteLength / 2));
    forEachRow((t, s) => row2(targetWords, t, targetStride, sourceWords, s, sourceStride, extent, unit));
    return;
  }
  const targetWords = new Uint32Array(target.buffer, 0, Math.floor(target.buffer.byteLength / 4));
  const sourceWords = new Uint32Array(source.buffer, 0, Math.floor(source.buffer.byteLength / 4));
  const row = width === 4 ? row4 : width === 8 ? row8 : row16;
  forEachRow((t, s) => row(targetWords, t, targetStride, sourceWords, s, sourceStride, extent, unit));
}
