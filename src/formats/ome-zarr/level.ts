/** One resolution of an image: its array, its transformation to coordinates, and its tiles. */
import { checkObject, describe, itemAt } from "../../extend.js";
import {
  type Chunk,
  type DataTypeName,
  type GetOptions,
  get,
  getOrthogonal,
  InvalidArgumentError,
  type OrthogonalEntry,
  type SelectionEntry,
  type Slice,
  type Store,
  UnsupportedError,
  type Array as ZarrArray,
} from "../../index.js";
import type { DrawnChunk, DrawOptions } from "../../main/reading.js";
import { type Axis, axisNamed, planeAxes } from "./axes.js";
import type { Channel } from "./rendering.js";
import { type AffineMap, applyMap, invert, stepLengths } from "./transformations.js";

/** One level of an image: its array and its place in physical space. */
export class Level<S extends Store = Store> {
  /** Index in `levels` of the image. */
  readonly index: number;
  /** Path below the group of the image. */
  readonly path: string;
  /** The array of this resolution. */
  readonly array: ZarrArray<DataTypeName, S>;
  /**
   * Affine map from indices to coordinates: one row per coordinate, with a factor per index and then the
   * offset.
   */
  readonly transformation: AffineMap;
  /** Size of a pixel along each axis, in the unit of the axis. */
  readonly pixelSize: readonly number[];
  #inverse: AffineMap | undefined;

  constructor(index: number, path: string, array: ZarrArray<DataTypeName, S>, transformation: AffineMap) {
    this.index = index;
    this.path = path;
    this.array = array;
    this.transformation = transformation;
    this.pixelSize = stepLengths(transformation);
  }

  /** Lengths of the dimensions, in the order of the axes. */
  get shape(): number[] {
    return this.array.shape;
  }

  /**
   * Converts an index to coordinates, one number per axis, in the units of the axes. As OME-Zarr defines, an
   * integer index is the centre of a pixel.
   * @throws InvalidArgumentError for a list of another length
   */
  toPhysical(index: readonly number[]): number[] {
    return applyMap(this.transformation, this.#check(index, this.array.shape.length));
  }

  /**
   * Converts coordinates to an index, with fractions.
   * @throws InvalidArgumentError for a list of another length, UnsupportedError for a transformation without
   * an inverse
   */
  toIndex(coordinates: readonly number[]): number[] {
    this.#inverse ??= invert(this.transformation);
    if (this.#inverse !== undefined) {
      return applyMap(this.#inverse, this.#check(coordinates, this.transformation.length));
    }
    throw new UnsupportedError("the transformation of this level has no inverse", {
      path: this.array.path,
    });
  }

  #check(numbers: readonly number[], rank: number): readonly number[] {
    if (Array.isArray(numbers) && numbers.length === rank && numbers.every((value) => Number.isFinite(value)))
      return numbers;
    throw new InvalidArgumentError(`expected ${rank} finite numbers, got ${describe(numbers)}`, {
      path: this.array.path,
    });
  }
}

/**
 * The coarsest level within a pixel size, else the finest. A single number applies to the two axes of a tile.
 */
export function coarsestWithin<L extends Level>(
  levels: readonly L[],
  axes: readonly Axis[],
  pixelSize: number | Readonly<Record<string, number>>,
): L | undefined {
  const ranges: readonly (readonly [number, number])[] =
    typeof pixelSize === "number"
      ? planeAxes(axes).map((axis) => [axis, pixelSize])
      : Object.entries(pixelSize ?? {}).map(([name, size]) => [axisNamed(axes, name), size]);
  if (ranges.length === 0 || ranges.some(([, size]) => !(size > 0))) {
    throw new InvalidArgumentError("pixelSize: expected a number above 0, or such numbers by axis name");
  }
  const area = (level: L) => ranges.reduce((product, [axis]) => product * itemAt(level.pixelSize, axis), 1);
  // Pixel sizes are products with rounding errors: 0.1 * 3 must count as 0.3.
  const fits = (level: L) =>
    ranges.every(([axis, size]) => itemAt(level.pixelSize, axis) <= size * (1 + 1e-9));
  const sorted = [...levels].sort((a, b) => area(a) - area(b));
  return sorted.filter(fits).at(-1) ?? sorted[0];
}

/**
 * Selection along an axis: an index, a list of indices, a slice, or null for all. Channels can be selected by
 * label too.
 */
export type AxisChoice = number | string | readonly (number | string)[] | Slice | null;

/** Options of `tile`. */
export interface TileOptions extends Omit<GetOptions, "out" | "shared" | "useSharedArrayBuffer"> {
  /** Elements along each side, or [width, height]. Default: the size of a chunk of the level. */
  readonly size?: number | readonly [width: number, height: number] | undefined;
  /**
   * Selections by axis name: `{ t: 3, z: 10, c: ["DAPI", "GFP"] }`. Default: all channels, and one index of
   * every other axis.
   */
  readonly at?: Readonly<Record<string, AxisChoice>> | undefined;
}

/** Options of a tile of numbers that are ready to draw, in another type. */
export type DrawnTileOptions = DrawOptions & Pick<TileOptions, "size" | "at">;
/** A tile with the elements, and the statistics, that the options ask for. */
export type DrawnTile<Options extends DrawnTileOptions> = DrawnChunk<Options> & TilePlace;

/** A rectangle of a level. */
export interface Tile extends Chunk, TilePlace {}

interface TilePlace {
  /** Names of the axes of `shape`. Axes selected by a single index are dropped. */
  readonly axes: readonly string[];
  /** Index of the first column and the first row in the level. */
  readonly origin: readonly [x: number, y: number];
}

/** The parts of an image that `readTile` needs. */
interface TiledImage {
  readonly axes: readonly Axis[];
  readonly channels: readonly Channel[];
  /** Default selection per axis: an index, or null for all. */
  readonly defaults: readonly (number | null)[];
}

/**
 * @throws InvalidArgumentError for a tile beyond the level and an unknown axis or channel, and what
 * `getOrthogonal` throws
 */
export async function readTile(
  image: TiledImage,
  level: Level,
  x: number,
  y: number,
  tileOptions: TileOptions | DrawnTileOptions,
): Promise<Tile> {
  checkObject(tileOptions, "tile");
  const { size, at = {}, ...options } = tileOptions;
  const { axes } = image;
  // An image of one axis has a single row.
  const plane = planeAxes(axes);
  const [columns, rows] = [plane.at(-1) ?? -1, plane.at(-2) ?? -1];
  const { shape } = level.array;
  const [width, height] = typeof size === "number" ? [size, size] : (size ?? chunkSize(level, columns, rows));
  const choices = new Map(
    Object.entries(at).map(([name, choice]) => [axisNamed(axes, name), choice] as const),
  );
  const side = (axis: number, tile: number, length: number) => {
    const extent = axis < 0 ? 1 : itemAt(shape, axis);
    const count = Math.ceil(extent / length);
    if (!Number.isInteger(length) || length < 1)
      throw new InvalidArgumentError(`size: expected integers of at least 1, got ${describe(size)}`);
    if (!Number.isInteger(tile) || tile < 0 || tile >= count) {
      throw new InvalidArgumentError(
        `expected a tile below ${count} along ${axes[axis]?.name}, got ${tile}`,
        { path: level.array.path },
      );
    }
    if (choices.has(axis))
      throw new InvalidArgumentError(`at: the tile selects along ${axes[axis]?.name} itself`);
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
    return entryOf(choice === undefined ? itemAt(image.defaults, i) : choice, axis, image.channels);
  });
  const chunk: Chunk = isDrawn(options)
    ? await get(level.array, selection.map(boxEntry), options)
    : await getOrthogonal(level.array, selection, options);
  return {
    ...chunk,
    axes: axes.filter((_, i) => typeof selection[i] !== "number").map(({ name }) => name),
    origin: [x * width, y * height],
  };
}

function isDrawn(options: GetOptions | DrawOptions): options is DrawOptions {
  return "as" in options && options.as !== undefined;
}

/** An entry that `get` takes. @throws InvalidArgumentError for a list */
function boxEntry(entry: OrthogonalEntry): SelectionEntry {
  if (entry === null || typeof entry !== "object" || "start" in entry) return entry;
  throw new InvalidArgumentError(
    "at: expected an index, a slice or null for a tile with `as`, got a list; read a tile for each index",
  );
}

function chunkSize({ array: { chunks } }: Level, columns: number, rows: number): [number, number] {
  const length = (axis: number) => (axis < 0 ? 1 : itemAt(chunks, axis));
  return [length(columns), length(rows)];
}

function entryOf(choice: AxisChoice, axis: Axis, channels: readonly Channel[]): OrthogonalEntry {
  if (typeof choice === "string") return indexOf(choice, axis, channels);
  return isList(choice) ? choice.map((one) => indexOf(one, axis, channels)) : choice;
}

function isList(choice: AxisChoice): choice is readonly (number | string)[] {
  return Array.isArray(choice);
}

/** Index of a channel by its label. */
function indexOf(choice: number | string, axis: Axis, channels: readonly Channel[]): number {
  if (typeof choice === "number") return choice;
  const labels = axis.type === "channel" ? channels.map(({ label }) => label) : [];
  const found = labels.indexOf(choice);
  if (found >= 0) return found;
  const known =
    labels.length === 0 ? "an index, because the channels have no labels" : `a label of ${describe(labels)}`;
  throw new InvalidArgumentError(`at: expected ${known} along ${axis.name}, got ${describe(choice)}`);
}
