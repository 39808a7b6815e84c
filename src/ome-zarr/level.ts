/** One resolution of an image: its array, and where its elements lie. */
import type { ZarrArray } from "../array/nodes.js";
import type { DataTypeName } from "../data-types/names.js";
import { InvalidArgumentError, UnsupportedError } from "../errors.js";
import type { Store } from "../stores/store.js";
import { type AffineMap, applyMap, invert, stepLengths } from "./affine.js";
import type { Axis } from "./axes.js";

export class Level<S extends Store = Store> {
  /** Of the image's levels, 0 the first. */
  readonly index: number;
  /** Below the image's group. */
  readonly path: string;
  readonly array: ZarrArray<DataTypeName, S>;
  /** From an index to coordinates: a row for each coordinate, a factor for each index and then the offset. */
  readonly transformation: AffineMap;
  /** Coordinates from one element to the next, along each axis: the size of a pixel, in the axis' unit. */
  readonly pixelSize: readonly number[];
  #inverse: AffineMap | undefined;

  constructor(index: number, path: string, array: ZarrArray<DataTypeName, S>, transformation: AffineMap) {
    this.index = index;
    this.path = path;
    this.array = array;
    this.transformation = transformation;
    this.pixelSize = stepLengths(transformation);
  }

  get shape(): number[] {
    return this.array.shape;
  }

  /**
   * The coordinates of an index, one number for each axis, in the axes' units. Elements are points: those of [0, 0] are the middle
   * of the first pixel, as OME-Zarr has it.
   * @throws InvalidArgumentError for a list of another length
   */
  toPhysical(index: readonly number[]): number[] {
    return applyMap(this.transformation, this.#check(index, this.array.shape.length));
  }

  /**
   * The index of coordinates, with fractions.
   * @throws InvalidArgumentError for a list of another length; UnsupportedError for a transformation that cannot be turned round
   */
  toIndex(coordinates: readonly number[]): number[] {
    this.#inverse ??= invert(this.transformation);
    if (this.#inverse !== undefined) {
      return applyMap(this.#inverse, this.#check(coordinates, this.transformation.length));
    }
    throw new UnsupportedError("the transformation of this level cannot be turned round", {
      path: this.array.path,
    });
  }

  #check(numbers: readonly number[], rank: number): readonly number[] {
    if (numbers.length === rank && numbers.every((value) => Number.isFinite(value))) return numbers;
    throw new InvalidArgumentError(`expected ${rank} finite numbers, got [${numbers.join(", ")}]`, {
      path: this.array.path,
    });
  }
}

/** Which axes the size of a pixel is measured along: those of a plane unless named. */
export function coarsestWithin<L extends Level>(
  levels: readonly L[],
  axes: readonly Axis[],
  pixelSize: number | Readonly<Record<string, number>>,
): L | undefined {
  const wanted: readonly (readonly [number, number])[] =
    typeof pixelSize === "number"
      ? planeAxes(axes).map((axis) => [axis, pixelSize])
      : Object.entries(pixelSize).map(([name, size]) => [axisNamed(axes, name), size]);
  if (wanted.length === 0 || wanted.some(([, size]) => !(size > 0))) {
    throw new InvalidArgumentError("pixelSize: expected a number above 0, or one by the name of an axis");
  }
  const area = (level: L) => wanted.reduce((product, [axis]) => product * (level.pixelSize[axis] ?? 1), 1);
  // Sizes are products of decimal fractions: 0.1 * 3 is to be 0.3.
  const fits = (level: L) =>
    wanted.every(([axis, size]) => (level.pixelSize[axis] ?? 1) <= size * (1 + 1e-9));
  const sorted = [...levels].sort((a, b) => area(a) - area(b));
  return sorted.filter(fits).at(-1) ?? sorted[0];
}

/** The two axes of a picture: y and x by name, or the last two of space, or the last two. */
export function planeAxes(axes: readonly Axis[]): readonly number[] {
  const named = ["y", "x"].map((name) => axes.findIndex((axis) => axis.name === name));
  if (!named.includes(-1)) return named;
  const space = axes.flatMap(({ type }, i) => (type === "space" ? [i] : []));
  return (space.length >= 2 ? space : axes.map((_, i) => i)).slice(-2);
}

export function axisNamed(axes: readonly Axis[], name: string): number {
  const found = axes.findIndex((axis) => axis.name === name);
  if (found >= 0) return found;
  throw new InvalidArgumentError(
    `expected the name of an axis (${axes.map((axis) => axis.name).join(", ")}), got ${JSON.stringify(name)}`,
  );
}
