/** OME-Zarr images of several resolutions. */
import { checkNames, itemAt } from "../../extend.js";
import {
  type ErrorContext,
  type Group,
  isZarrError,
  NotFoundError,
  open,
  type Store,
  type StoreOptions,
} from "../../index.js";
import { type Axis, axisNamed } from "./axes.js";
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
import type { Channel, ImageLabel, Rendering } from "./rendering.js";
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
  /** Levels in the order of the metadata, which is finest first. */
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

  /** Channels of `omero`; empty without `omero`. */
  get channels(): readonly Channel[] {
    return this.rendering?.channels ?? [];
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
    const found = typeof level === "number" ? this.levels[level] : level;
    if (!(found instanceof Level))
      throw new NotFoundError(`no level ${String(level)}; the image has ${this.levels.length}`, {
        path: this.group.path,
      });
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

/** Opens the arrays of an image, all at once. */
export async function openImage<S extends Store>(
  group: Group<S>,
  metadata: OmeMetadata,
  { multiscale, rendering, label, systems, transformations }: ImageContent,
  options: StoreOptions,
): Promise<OmeImage<S>> {
  const { datasets, name } = multiscale;
  const arrays = await Promise.all(
    datasets.map(({ path, member: named }) => openArray(group, path, named.invalid(""), options)),
  );
  const shapes = arrays.map(({ shape }) => shape);
  const { axes, maps } = fitLevels(multiscale, shapes, metadata.warnings);
  const levels = arrays.flatMap((array, i) => {
    const [dataset, map] = [datasets[i], maps[i]];
    return dataset === undefined || map === undefined ? [] : [new Level(i, dataset.path, array, map)];
  });
  return new OmeImage({
    ...{ metadata, group, name, axes, levels, rendering, label },
    systems: { systems, transformations },
  });
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
