import { checkPattern } from "./bounds.js";

/** Once this much is filled it is copied as a block: a source that stays in the level-1 cache. */
const BLOCK_LENGTH = 16 * 1024;

/**
 * Fills by the engine's own fill and memmove, which already run at memory speed (no kernel would be faster); shared by
 * both implementations.
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
