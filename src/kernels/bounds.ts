/** Checks of operands, so that kernels can trust their pointers, and the fill, which both implementations share. */
import type { CopyPlan } from "./kernels.js";

/** @throws RangeError unless the plan stays inside both arrays */
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
  // Written as a conjunction so that a NaN offset fails too.
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

/** `fill` copies blocks of at least this length: a source that stays in the level-1 cache. */
const BLOCK_LENGTH = 16 * 1024;

/**
 * Fills by the engine's own fill and memmove, which run at memory speed: no kernel would be faster.
 *
 * @throws RangeError unless the target's length is a multiple of the pattern's
 */
export function fill(target: Uint8Array, pattern: Uint8Array): void {
  checkPattern(target.length, pattern);
  const first = pattern[0] ?? 0;
  if (pattern.every((byte) => byte === first)) {
    target.fill(first);
    return;
  }
  if (target.length === 0) return;
  target.set(pattern);
  let filled = pattern.length;
  for (; filled < target.length && filled < BLOCK_LENGTH; filled *= 2) {
    target.copyWithin(filled, 0, Math.min(filled, target.length - filled));
  }
  for (const block = filled; filled < target.length; filled += block) {
    target.copyWithin(filled, 0, Math.min(block, target.length - filled));
  }
}
