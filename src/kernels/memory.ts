/**
 * The one WebAssembly.Memory of this thread, which every kernel module works on, and what lies where in it:
 *
 *     1 KiB to 320 KiB   static data of the modules, a region each (memoryBase in scripts/build-wasm.mjs)
 *     ARENA_BASE         what kernels need besides their operands: dimension table, transposition block, buffers for
 *                        operands from outside
 *     PIECES_BASE        pieces of the arena
 */
import { ARENA_MAXIMUM, Arena } from "./arena.js";

const PAGE = 65536;
const MAXIMUM_PAGES = 65536;
/** Growth is rounded up to this, so that a slightly larger batch does not detach every view again. */
const GROWTH_PAGES = 16;

const ARENA_BASE = 320 * 1024;

/** Entries of 16 bytes (extent, target stride, source stride, counter): 64 dimensions, more than 2^53 elements can have. */
export const TABLE = ARENA_BASE;
/** Two blocks of a transposition, of 64 rows of 64 bytes each. */
export const BLOCK = TABLE + PAGE / 2;
/** Two buffers for operands from outside. Pages that are never written cost address space only. */
export const BOUNCE_LENGTH = 2 ** 21;
export const TARGET_BOUNCE = ARENA_BASE + PAGE;
export const SOURCE_BOUNCE = TARGET_BOUNCE + BOUNCE_LENGTH;
const PIECES_BASE = SOURCE_BOUNCE + BOUNCE_LENGTH;

export interface KernelMemory {
  readonly memory: WebAssembly.Memory;
  readonly arena: Arena;
}

/** @throws RangeError where the engine cannot reserve the memory */
export function createMemory(): KernelMemory {
  const memory = new WebAssembly.Memory({ initial: PIECES_BASE / PAGE, maximum: MAXIMUM_PAGES });
  const whole = () => new Uint8Array(memory.buffer);
  const grow = (byteLength: number) => {
    const wanted = Math.min(byteLength, PIECES_BASE + ARENA_MAXIMUM);
    const pages = Math.ceil(wanted / PAGE / GROWTH_PAGES) * GROWTH_PAGES - memory.buffer.byteLength / PAGE;
    try {
      if (pages > 0) memory.grow(pages);
    } catch {
      // No more memory to be had: `allocate` hands out ordinary memory for what does not fit.
    }
    return whole();
  };
  return { memory, arena: new Arena(PIECES_BASE, whole(), grow) };
}
