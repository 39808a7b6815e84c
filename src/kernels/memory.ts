/**
 * The one WebAssembly.Memory of this thread, which all kernel modules share. Its layout:
 *
 *     1 KiB to 320 KiB   static data of the modules, a region each (memoryBase in scripts/build-wasm.mjs)
 *     ARENA_BASE         memory for kernels besides their operands: dimension table, transposition block,
 *                        staging buffers
 *     PIECES_BASE        pieces of the arena
 */

const PAGE = 65536;
const MAXIMUM_PAGES = 65536;
/** Growth is rounded up to this, so that a slightly larger batch does not detach every view again. */
const GROWTH_PAGES = 16;

const ARENA_BASE = 320 * 1024;

/**
 * The dimension table. Its entries have 16 bytes (extent, target stride, source stride, counter); 64
 * dimensions suffice for 2^53 elements.
 */
export const TABLE = ARENA_BASE;
/** Two blocks of a transposition, of 64 rows of 64 bytes each. */
export const BLOCK = TABLE + PAGE / 2;
/**
 * Two staging buffers for operands outside WASM memory (wasm.ts). Pages that are never written only cost
 * address space.
 */
export const STAGING_LENGTH = 2 ** 21;
export const TARGET_STAGING = ARENA_BASE + PAGE;
export const SOURCE_STAGING = TARGET_STAGING + STAGING_LENGTH;
const PIECES_BASE = SOURCE_STAGING + STAGING_LENGTH;

export interface KernelMemory {
  readonly memory: WebAssembly.Memory;
  readonly arena: Arena;
}

/** @throws RangeError if the engine cannot reserve the memory */
export function createMemory(): KernelMemory {
  const memory = new WebAssembly.Memory({ initial: PIECES_BASE / PAGE, maximum: MAXIMUM_PAGES });
  const whole = () => new Uint8Array(memory.buffer);
  const grow = (byteLength: number) => {
    const total = Math.min(byteLength, PIECES_BASE + ARENA_MAXIMUM);
    const pages = Math.ceil(total / PAGE / GROWTH_PAGES) * GROWTH_PAGES - memory.buffer.byteLength / PAGE;
    try {
      if (pages > 0) memory.grow(pages);
    } catch {
      // No more memory is available: `allocate` returns ordinary memory for pieces that do not fit.
    }
    return whole();
  };
  return { memory, arena: new Arena(PIECES_BASE, whole(), grow) };
}

/** Pieces start at multiples of this, so that typed arrays of any element type and aligned vectors fit. */
const ALIGNMENT = 16;
/** Bytes beyond what work says that it needs: alignment, and pieces of a row, a table or a fill value. */
const SLACK = 65536;

/**
 * Largest size of an arena, which never shrinks. Beyond it `allocate` returns ordinary memory, which is
 * garbage-collected.
 */
export const ARENA_MAXIMUM = 2 ** 30;

/** A stack in one block of memory. Its top is kept here and not in WASM, so that kernels have no state. */
export class Arena {
  /** The whole block. Replaced when it grows. */
  bytes: Uint8Array;
  readonly #base: number;
  readonly #grow: (byteLength: number) => Uint8Array;
  #top: number;
  /** How many calls of `within` are running, one inside of the other. */
  #depth = 0;
  /** Whether `begin` has opened the arena: its pieces stay below those of later work. */
  #isOpen = false;

  /**
   * @param base offset of the first piece
   * @param grow lengthens the block to at least `byteLength` bytes if possible, and returns it
   */
  constructor(base: number, bytes: Uint8Array, grow: (byteLength: number) => Uint8Array) {
    this.#base = base;
    this.#top = base;
    this.bytes = bytes;
    this.#grow = grow;
  }

  // Functions of their own, without `this`: kernels hand them on as they are.
  readonly within = <Result>(byteLength: number, work: () => Result): Result => {
    if (this.#depth === 0) this.#makeRoom(byteLength);
    const before = this.#top;
    this.#depth++;
    try {
      return work();
    } finally {
      this.#depth--;
      this.#top = before;
    }
  };

  begin(byteLength: number): void {
    if (this.#depth > 0) throw new Error("internal error: scratch memory is in use");
    this.#isOpen = true;
    this.#top = this.#base;
    this.#makeRoom(byteLength);
  }

  #makeRoom(byteLength: number): void {
    const needed = this.#top + byteLength + SLACK;
    if (needed > this.bytes.length) this.bytes = this.#grow(needed);
  }

  readonly allocate = (byteLength: number): Uint8Array => {
    const start = this.#top;
    const end = start + byteLength;
    if (end > this.bytes.length || (this.#depth === 0 && !this.#isOpen)) return new Uint8Array(byteLength);
    this.#top = (end + ALIGNMENT - 1) & -ALIGNMENT;
    return new Uint8Array(this.bytes.buffer, start, byteLength);
  };

  readonly mark = (): number => this.#top;

  readonly release = (mark: number): void => {
    this.#top = mark;
  };

  readonly has = ({ buffer }: { readonly buffer: ArrayBufferLike }): boolean => buffer === this.bytes.buffer;

  /** The address of bytes in the arena; undefined for any other memory. */
  readonly pointer = (bytes: Uint8Array): number | undefined =>
    bytes.buffer === this.bytes.buffer ? bytes.byteOffset : undefined;
}
