/** OME-Zarr images of several resolutions. */
import { checkNames, describe, type ErrorContext, itemAt } from "../../extend.js";
import {
  type Group,
  InvalidArgumentError,
  isZarrError,
  NotFoundError,
  open,
  type Store,
  type StoreOptions,
} from "../../index.js";
import { type Axis, axisNamed } from "./axes.js";
import { type ShownChannel, shownChannels } from "./channels.js";
import { fitLevels, type ImageContent } from "./content.js";
import {
  coarsestWithin,
  type DrawnTile,
  type DrawnTileOptions,
  Level,
  readTile,
  type Tile,
  type TileOptions,
} from "./level.js";
import type { OmeMetadata, OmeZarrVersion } from "./metadata.js";
import type { ImageLabel, Rendering } from "./rendering.js";
import type { CoordinateSystem, Systems, SystemTransformation } from "./systems.js";

interface ImageParts<S extends Store> {
  readonly metadata: OmeMetadata;
  readonly group: Group<S>;
  readonly name: string | undefined;
  readonly axes: readonly Axis[];
  readonly levels: readonly Level<S>[];
  readonly rendering: Rendering | undefined;
  readonly label: ImageLabel | undefined;
  readonly systems: Systems;
}

/** An image of one or more levels. `openOmeZarr` makes it. */
export class OmeImage<S extends Store = Store> {
  readonly kind = "image";
  /** The group with the metadata of the image. */
  readonly group: Group<S>;
  /** Version in the metadata; undefined if they have none. */
  readonly version: OmeZarrVersion | undefined;
  /** Name in the metadata; undefined if they have none. */
  readonly name: string | undefined;
  /** One axis per dimension of the arrays. */
  readonly axes: readonly Axis[];
  /** The levels that are open, in the order of the metadata, which is finest first. */
  readonly levels: readonly Level<S>[];
  /** Rendering settings of `omero`: colours and windows of channels, initial t and z. */
  readonly rendering: Rendering | undefined;
  /** For a label image: colours and properties of its label values. */
  readonly label: ImageLabel | undefined;
  /** Coordinate systems since 0.6. `axes` are those of one of them. */
  readonly systems: readonly CoordinateSystem[];
  /** How coordinates of these systems become those of others. */
  readonly transformations: readonly SystemTransformation[];
  /** Deviations from the specification that reading tolerates. */
  readonly warnings: readonly string[];

  constructor({ metadata, group, name, axes, levels, rendering, label, systems }: ImageParts<S>) {
    this.group = group;
    this.version = metadata.version;
    this.name = name;
    this.axes = axes;
    this.levels = levels;
    this.rendering = rendering;
    this.label = label;
    this.systems = systems.systems;
    this.transformations = systems.transformations;
    this.warnings = metadata.warnings;
  }

  /**
   * The channels with a label, a colour and a window each: those of `omero` (`rendering.channels`), and
   * defaults for what it does not state.
   * @throws NotFoundError if a channel has no window and no level is open
   */
  get channels(): readonly ShownChannel[] {
    const array = this.levels[0]?.array;
    const axis = this.axes.findIndex(({ type }) => type === "channel");
    const count = array && (axis < 0 ? 1 : itemAt(array.shape, axis));
    return shownChannels(this.rendering?.channels ?? [], count, array);
  }

  /**
   * The coarsest level whose pixels are at most this large; the finest level if all are larger.
   * @param options `pixelSize` in units of the axes: one number for y and x, or one by the name of an axis,
   * `{ z: 2, y: 0.5 }`
   * @throws InvalidArgumentError for a size that is not above 0, and for an unknown axis
   */
  levelFor(options: { readonly pixelSize: number | Readonly<Record<string, number>> }): Level<S> {
    checkNames(options, "levelFor", { pixelSize: true });
    const { pixelSize } = options;
    const found = coarsestWithin(this.levels, this.axes, pixelSize);
    if (found !== undefined) return found;
    throw new NotFoundError("the image has no levels", { path: this.group.path });
  }

  /**
   * Reads one tile of a level: column `x` and row `y` of the grid of tiles. Tiles at the edge are smaller.
   * @param level a level or its index
   * @param options with `as` the tile is converted, and `at` takes no lists
   * @throws InvalidArgumentError for an unknown tile, level, axis or channel, and what `getOrthogonal` throws
   */
  tile<const Options extends DrawnTileOptions>(
    level: number | Level<S>,
    x: number,
    y: number,
    options: Options,
  ): Promise<DrawnTile<Options>>;
  tile(level: number | Level<S>, x: number, y: number, options?: TileOptions): Promise<Tile>;
  async tile(
    level: number | Level<S>,
    x: number,
    y: number,
    options: TileOptions | DrawnTileOptions = {},
  ): Promise<Tile> {
    const found = typeof level === "number" ? this.levels.find(({ index }) => index === level) : level;
    if (!(found instanceof Level)) {
      const open = this.levels.map(({ index }) => index);
      const isAll = open.every((index, i) => index === i);
      const what = isAll ? `the image has ${open.length}` : `${open.join(", ")} are open`;
      throw new NotFoundError(`no level ${String(level)}; ${what}`, { path: this.group.path });
    }
    const first = new Map([
      ["t", this.rendering?.defaultT],
      ["z", this.rendering?.defaultZ],
    ]);
    const defaults = this.axes.map(({ name, type }, i) =>
      type === "channel"
        ? null
        : Math.min(Math.max(0, first.get(name) ?? 0), Math.max(0, itemAt(found.shape, i) - 1)),
    );
    return readTile({ axes: this.axes, channels: this.channels, defaults }, found, x, y, options);
  }

  /** Dimension index of an axis. @throws InvalidArgumentError for an unknown name */
  axis(name: string): number {
    return axisNamed(this.axes, name);
  }
}

/** Options of opening an image. */
export interface OpenImageOptions extends StoreOptions {
  /**
   * Indices of the levels to open; negative ones count from the end, so that [-1] opens the coarsest level
   * and [] no array at all. Default: all levels.
   */
  readonly levels?: readonly number[] | undefined;
}

/** Opens the arrays of an image, all at once. @throws InvalidArgumentError for a level that there is not */
export async function openImage<S extends Store>(
  group: Group<S>,
  metadata: OmeMetadata,
  { multiscale, rendering, label, systems, transformations }: ImageContent,
  options: OpenImageOptions,
): Promise<OmeImage<S>> {
  const { name } = multiscale;
  const chosenLevels = wantedLevels(options.levels, multiscale.datasets.length, group.path);
  // Without transformations, pixel sizes are those of the finest level times a factor that the shapes tell.
  const needsFinest = [...chosenLevels].some((i) => multiscale.datasets[i]?.map === undefined);
  const opened = multiscale.datasets.flatMap((dataset, index) =>
    chosenLevels.has(index) || (needsFinest && index === 0) ? [{ dataset, index }] : [],
  );
  const arrays = await Promise.all(
    opened.map(({ dataset: { path, member: named } }) => openArray(group, path, named.invalid(""), options)),
  );
  const datasets = opened.map(({ dataset }) => dataset);
  const shapes = arrays.map(({ shape }) => shape);
  const { axes, maps } = fitLevels({ ...multiscale, datasets }, shapes, metadata.warnings);
  const levels = opened.flatMap(({ dataset: { path }, index }, i) => {
    const [array, map] = [arrays[i], maps[i]];
    const isWanted = array !== undefined && map !== undefined && chosenLevels.has(index);
    return isWanted ? [new Level(index, path, array, map)] : [];
  });
  return new OmeImage({
    ...{ metadata, group, name, axes, levels, rendering, label },
    systems: { systems, transformations },
  });
}

function wantedLevels(
  levels: readonly number[] | undefined,
  count: number,
  path: string,
): ReadonlySet<number> {
  if (levels === undefined) return new Set(Array.from({ length: count }, (_, i) => i));
  const indices = levels.map((level) => (level < 0 ? level + count : level));
  if (indices.every((level) => Number.isInteger(level) && level >= 0 && level < count))
    return new Set(indices);
  throw new InvalidArgumentError(
    `levels: expected indices from ${-count} to ${count - 1}, got ${describe(levels)}`,
    { path },
  );
}

/** @throws NotFoundError with the path of the array and the member that names it */
async function openArray<S extends Store>(
  group: Group<S>,
  path: string,
  { member }: ErrorContext,
  { signal }: StoreOptions,
) {
  try {
    return await open(group.resolve(path), { kind: "array", attrs: false, signal });
  } catch (cause) {
    if (!isZarrError(cause, "NotFoundError")) throw cause;
    const where = group.resolve(path).path;
    throw new NotFoundError(`no array at ${JSON.stringify(where)}, which the metadata name`, {
      path: group.path,
      member,
      cause,
    });
  }
}
