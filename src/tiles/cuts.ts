/** Where tiles are cut along a dimension: at the edges of chunks, as far as chunks have a size to draw. */

/** Shorter chunks are put together, as many as fit. */
const SHORT = 256;
/** Longer chunks are cut: every WebGL2 has textures of this length. */
const LONG = 2048;

export class Cuts {
  readonly length: number;
  /** Tiles along the dimension. */
  readonly count: number;
  /** Elements of the longest tile. */
  readonly longest: number;
  /** One chunk or several, and the tiles into which these are cut. */
  readonly #unit: number;
  readonly #parts: number;

  constructor(length: number, chunk: number) {
    this.length = length;
    this.#unit = Math.min(chunk * Math.max(1, Math.floor(SHORT / chunk)), Math.max(length, 1));
    this.#parts = Math.ceil(this.#unit / LONG);
    this.longest = Math.ceil(this.#unit / this.#parts);
    this.count = length === 0 ? 0 : this.indexOf(length - 1) + 1;
  }

  /** Whether chunks are cut. */
  get isWithinChunks(): boolean {
    return this.#parts > 1;
  }

  /** The elements of a tile. */
  range(index: number): readonly [start: number, stop: number] {
    return [this.#start(index), Math.min(this.#start(index + 1), this.length)];
  }

  /** The tile in which an element is. */
  indexOf(element: number): number {
    const unit = Math.floor(element / this.#unit);
    const inside = element - unit * this.#unit;
    return unit * this.#parts + Math.ceil(((inside + 1) * this.#parts) / this.#unit) - 1;
  }

  #start(index: number): number {
    const unit = Math.floor(index / this.#parts);
    const part = index - unit * this.#parts;
    return unit * this.#unit + Math.floor((part * this.#unit) / this.#parts);
  }
}
