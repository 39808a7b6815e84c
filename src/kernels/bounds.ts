import type { CopyPlan } from "./kernels.js";

/** The check that lets kernels trust their pointers: a plan stays inside both arrays, or nothing happens. */
export function checkBounds(
  plan: CopyPlan,
  targetLength: number,
  targetOffset: number,
  sourceLength: number,
  sourceOffset: number,
): void {
  const targetStart = targetOffset - plan.targetBefore;
  const targetEnd = targetOffset + plan.targetAfter;
  const sourceStart = sourceOffset - plan.sourceBefore;
  const sourceEnd = sourceOffset + plan.sourceAfter;
  // Said so that a NaN offset fails too.
  if (targetStart >= 0 && targetEnd <= targetLength && sourceStart >= 0 && sourceEnd <= sourceLength) return;
  throw new RangeError(
    `copy expected ranges in both arrays, got bytes ${targetStart} to ${targetEnd} of ${targetLength} from ${sourceStart} to ${sourceEnd} of ${sourceLength}`,
  );
}

/** @throws RangeError unless the lengths are equal and a multiple of `unit` */
export function checkSwap(target: Uint8Array, source: Uint8Array, unit: number): void {
  if (target.length !== source.length || source.length % unit !== 0) {
    throw new RangeError(
      `swap expected the same multiple of ${unit} bytes, got ${target.length} and ${source.length} bytes`,
    );
  }
}

/** @throws RangeError unless `length` is a multiple of the pattern's length */
export function checkPattern(length: number, pattern: Uint8Array): void {
  if (pattern.length === 0 || length % pattern.length !== 0) {
    throw new RangeError(`fill expected a multiple of ${pattern.length} bytes, got ${length} bytes`);
  }
}
