/** The part of a plane that a canvas shows. */
import type { TileView } from "wazarr/tiles";

type Pair = readonly [number, number];

/** From the largest picture of the data to single elements. */
const MOST_PIXELS = 64;

export class PlaneView {
  readonly #extent: { readonly low: Pair; readonly high: Pair };
  readonly #sign: 1 | -1;
  /** Pixels of the style sheet. */
  #size: Pair = [1, 1];
  #middle: Pair;
  /** Units of the plane in a pixel; undefined while all is shown. */
  #resolution: number | undefined;

  /** @param corners of the data, opposite to each other @param isDown whether y goes down */
  constructor([a, b]: readonly [Pair, Pair], isDown: boolean) {
    const low = [Math.min(a[0], b[0]), Math.min(a[1], b[1])] as const;
    const high = [Math.max(a[0], b[0]), Math.max(a[1], b[1])] as const;
    this.#extent = { low, high };
    this.#sign = isDown ? 1 : -1;
    this.#middle = this.#centre;
  }

  resize(width: number, height: number): void {
    this.#size = [Math.max(1, width), Math.max(1, height)];
  }

  get resolution(): number {
    return this.#resolution ?? this.#whole;
  }

  get view(): Pick<TileView, "bounds" | "resolution"> {
    const [x, y] = this.#middle;
    const [width, height] = [(this.#size[0] * this.resolution) / 2, (this.#size[1] * this.resolution) / 2];
    return { bounds: [x - width, y - height, x + width, y + height], resolution: this.resolution };
  }

  /** For a shader: the middle, and what leads from distances to it to the canvas, from -1 to 1. */
  get transform(): [x: number, y: number, byX: number, byY: number] {
    const [width, height] = this.#size;
    const scale = 2 / this.resolution;
    return [...this.#middle, scale / width, (-this.#sign * scale) / height];
  }

  /** The place in the plane of a pixel of the canvas, counted from its left and its top. */
  placeOf([column, row]: Pair): Pair {
    const [width, height] = this.#size;
    const [x, y] = this.#middle;
    return [
      x + (column - width / 2) * this.resolution,
      y + this.#sign * (row - height / 2) * this.resolution,
    ];
  }

  pixelOf([x, y]: Pair): Pair {
    const [width, height] = this.#size;
    const [atX, atY] = this.#middle;
    return [width / 2 + (x - atX) / this.resolution, height / 2 + (this.#sign * (y - atY)) / this.resolution];
  }

  /** Moves the picture by pixels. */
  pan([right, down]: Pair): void {
    const [x, y] = this.#middle;
    this.#middle = [x - right * this.resolution, y - this.#sign * down * this.resolution];
  }

  /** Enlarges the picture around a pixel, which stays where it is. @param finest units in an element */
  zoom(factor: number, at: Pair, finest: number): void {
    const [x, y] = this.placeOf(at);
    const next = Math.max(finest / MOST_PIXELS, Math.min(2 * this.#whole, this.resolution / factor));
    const share = next / this.resolution;
    const [middleX, middleY] = this.#middle;
    this.#resolution = next;
    this.#middle = [x + (middleX - x) * share, y + (middleY - y) * share];
  }

  /** Shows all of the data. */
  reset(): void {
    this.#resolution = undefined;
    this.#middle = this.#centre;
  }

  get #centre(): Pair {
    const { low, high } = this.#extent;
    return [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
  }

  /** The resolution that shows all of the data. */
  get #whole(): number {
    const { low, high } = this.#extent;
    return Math.max((high[0] - low[0]) / this.#size[0], (high[1] - low[1]) / this.#size[1]);
  }
}
