/**
 * What kernels in WASM and in JavaScript share: checks of operands, and `fill`. Copies are checked in
 * copy-plan.ts.
 */
import { at } from "../base/at.js";

/** @throws RangeError unless the lengths are equal and a multiple of `unit` */
export function checkSwap(target: Uint8Array, source: Uint8Array, unit: number): void {
  if (target.length !== source.length || source.length % unit !== 0) {
    throw new RangeError(`internal error: swap of ${source.length} into ${target.length} bytes by ${unit}`);
  }
}

/** @throws RangeError unless `length` is a multiple of the pattern's length */
export function checkPattern(length: number, pattern: Uint8Array): void {
  if (pattern.length === 0 || length % pattern.length !== 0) {
    throw new RangeError(`internal error: fill of ${length} bytes by ${pattern.length}`);
  }
}

/** `fill` copies blocks of at least this length, which stay in the level-1 cache. */
const BLOCK_LENGTH = 16 * 1024;

/**
 * Fills with the engine's own `fill` and memmove, which run at memory speed: no kernel would be faster.
 *
 * @throws RangeError unless the target's length is a multiple of the pattern's
 */
export function fill(target: Uint8Array, pattern: Uint8Array): void {
  checkPattern(target.length, pattern);
  const first = at(pattern, 0);
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
