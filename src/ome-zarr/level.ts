/** One resolution of an image: its array, where its elements lie, and rectangles of it, as a viewer asks for them. */
import { getOrthogonal } from "../array/fancy-indexing.js";
import type { GetOptions } from "../array/get-options.js";
import type { Chunk, ZarrArray } from "../array/nodes.js";
import type { DataTypeName } from "../data-types/names.js";
import { describe, InvalidArgumentError, UnsupportedError } from "../errors.js";
import type { OrthogonalEntry } from "../grid/fancy-indexing.js";
import type { Slice } from "../grid/selection.js";
import type { Store } from "../stores/store.js";
import { type Axis, axisNamed, planeAxes } from "./axes.js";
import type { Channel } from "./rendering.js";
import { type AffineMap, applyMap, invert, stepLengths } from "./transformations.js";

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

/** What is chosen along an axis: an index, a list of them, a slice, null for all; of channels also their labels. */
export type AxisChoice = number | string | readonly (number | string)[] | Slice | null;

export interface TileOptions extends Omit<GetOptions, "out" | "shared" | "useSharedArrayBuffer"> {
  /** Elements along each side, or [width, height]; those of a chunk of the level unless given. */
  readonly size?: number | readonly [width: number, height: number] | undefined;
  /** By the name of an axis: `{ t: 3, z: 10, c: ["DAPI", "GFP"] }`. Unless given: every channel, and one index of all others. */
  readonly at?: Readonly<Record<string, AxisChoice>> | undefined;
}

export interface Tile extends Chunk {
  /** The names of the axes of `shape`: those with a single index are gone. */
  readonly axes: readonly string[];
  /** The index in the level of the first column and the first row. */
  readonly origin: readonly [x: number, y: number];
}

/** What `readTile` needs of an image. */
interface TiledImage {
  readonly axes: readonly Axis[];
  readonly channels: readonly Channel[];
  /** The index to take along an axis that nothing is said of; all where it is null. */
  readonly defaults: readonly (number | null)[];
}

/** @throws InvalidArgumentError for a tile beyond the level, an axis or channel that is not there; what `getOrthogonal` throws */
export async function readTile(
  image: TiledImage,
  level: Level,
  x: number,
  y: number,
  { size, at = {}, ...options }: TileOptions,
): Promise<Tile> {
  const { axes } = image;
  const [rows = -1, columns = -1] = planeAxes(axes);
  const { shape } = level.array;
  const [width, height] = typeof size === "number" ? [size, size] : (size ?? chunkSize(level, columns, rows));
  const choices = new Map(
    Object.entries(at).map(([name, choice]) => [axisNamed(axes, name), choice] as const),
  );
  const side = (axis: number, tile: number, length: number) => {
    const extent = shape[axis] ?? 1;
    const count = Math.ceil(extent / length);
    if (!Number.isInteger(length) || length < 1)
      throw new InvalidArgumentError(`size: expected integers of at least 1, got ${describe(size)}`);
    if (!Number.isInteger(tile) || tile < 0 || tile >= count) {
      throw new InvalidArgumentError(
        `expected a tile below ${count} along ${axes[axis]?.name}, got ${tile}`,
        { path: level.array.path },
      );
    }
    if (choices.has(axis)) throw new InvalidArgumentError(`at: ${axes[axis]?.name} is chosen by the tile`);
    return { start: tile * length, stop: Math.min(extent, (tile + 1) * length), step: 1 };
  };
  const sides = new Map([
    [columns, side(columns, x, width)],
    [rows, side(rows, y, height)],
  ]);
  const selection = axes.map((axis, i): OrthogonalEntry => {
    const rectangle = sides.get(i);
    if (rectangle !== undefined) return rectangle;
    const choice = choices.get(i);
    return entryOf(choice === undefined ? (image.defaults[i] ?? null) : choice, axis, image.channels);
  });
  const chunk: Chunk = await getOrthogonal(level.array, selection, options);
  return {
    ...chunk,
    axes: axes.filter((_, i) => typeof selection[i] !== "number").map(({ name }) => name),
    origin: [x * width, y * height],
  };
}

function chunkSize({ array: { chunks } }: Level, columns: number, rows: number): [number, number] {
  return [chunks[columns] ?? 1, chunks[rows] ?? 1];
}

function entryOf(choice: AxisChoice, axis: Axis, channels: readonly Channel[]): OrthogonalEntry {
  if (typeof choice === "string") return indexOf(choice, axis, channels);
  return isList(choice) ? choice.map((one) => indexOf(one, axis, channels)) : choice;
}

function isList(choice: AxisChoice): choice is readonly (number | string)[] {
  return Array.isArray(choice);
}

/** The index of a channel by its label. */
function indexOf(choice: number | string, axis: Axis, channels: readonly Channel[]): number {
  if (typeof choice === "number") return choice;
  const labels = axis.type === "channel" ? channels.map(({ label }) => label) : [];
  const found = labels.indexOf(choice);
  if (found >= 0) return found;
  const known = labels.length === 0 ? "an index, as there are no labels" : `a label of ${describe(labels)}`;
  throw new InvalidArgumentError(`at: expected ${known} along ${axis.name}, got ${describe(choice)}`);
}
