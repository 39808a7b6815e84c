/** Pieces start on a multiple of this, so that typed arrays of any element and aligned vectors fit. */
const ALIGNMENT = 16;
/** Room that rounding up the pieces of one batch may take on top of the sum of their lengths: 64 pieces. */
const ROUNDING = 64 * ALIGNMENT;

/** The most an arena grows to. It never shrinks: beyond, `allocate` hands out ordinary memory, which can be collected. */
export const ARENA_MAXIMUM = 2 ** 30;

/** A bump allocator over one block of memory; its top lives here and not in WASM, so that kernels have no state. */
export class Arena {
  /** The whole block. Replaced when `begin` grows it. */
  bytes: Uint8Array<ArrayBuffer>;
  readonly #base: number;
  readonly #grow: (byteLength: number) => Uint8Array<ArrayBuffer>;
  #top: number;

  /**
   * @param base where the first piece may start
   * @param grow makes the block at least `byteLength` bytes long if that is possible and returns it
   */
  constructor(
    base: number,
    bytes: Uint8Array<ArrayBuffer>,
    grow: (byteLength: number) => Uint8Array<ArrayBuffer>,
  ) {
    this.#base = base;
    this.#top = base;
    this.bytes = bytes;
    this.#grow = grow;
  }

  begin(byteLength: number): void {
    this.#top = this.#base;
    const needed = this.#base + byteLength + ROUNDING;
    if (needed > this.bytes.length) this.bytes = this.#grow(needed);
  }

  allocate(byteLength: number): Uint8Array {
    const start = this.#top;
    const end = start + byteLength;
    if (end > this.bytes.length) return new Uint8Array(byteLength);
    this.#top = (end + ALIGNMENT - 1) & -ALIGNMENT;
    return new Uint8Array(this.bytes.buffer, start, byteLength);
  }

  mark(): number {
    return this.#top;
  }

  release(mark: number): void {
    this.#top = mark;
  }
}
