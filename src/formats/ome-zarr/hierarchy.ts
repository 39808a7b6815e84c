/**
 * Groups of images: plates, wells and fields of view (high-content screening), label groups, and collections
 * of bioformats2raw.
 */
import { type Group, InvalidArgumentError, type Store, type StoreOptions } from "../../index.js";
import type { OmeImage, OpenImageOptions } from "./image.js";
import type { OmeZarrVersion } from "./metadata.js";
import type { Field, PlateLayout, WellPosition } from "./plate.js";
import type { CoordinateSystem, Systems, SystemTransformation } from "./systems.js";

/** Opens an image or a well at a path below a group. */
export interface OpenBelow<S extends Store> {
  image(path: string, options: OpenImageOptions): Promise<OmeImage<S>>;
  well(path: string, options: StoreOptions): Promise<OmeWell<S>>;
}

/**
 * Images by name: the label images of an image, the series that bioformats2raw converted, or those of a
 * scene.
 */
export class OmeImageList<
  S extends Store = Store,
  Kind extends "labels" | "collection" | "scene" = "labels" | "collection" | "scene",
> {
  readonly kind: Kind;
  /** The group that lists the images. */
  readonly group: Group<S>;
  /** Version in the metadata; undefined if they have none. */
  readonly version: OmeZarrVersion | undefined;
  /** Paths of the images below the group. */
  readonly names: readonly string[];
  /** Deviations from the specification that reading tolerates. */
  readonly warnings: readonly string[];
  readonly #open: OpenBelow<S>;

  constructor(
    kind: Kind,
    group: Group<S>,
    names: readonly string[],
    {
      version,
      warnings,
    }: { readonly version: OmeZarrVersion | undefined; readonly warnings: readonly string[] },
    openBelow: OpenBelow<S>,
  ) {
    this.kind = kind;
    this.group = group;
    this.names = names;
    this.version = version;
    this.warnings = warnings;
    this.#open = openBelow;
  }

  /**
   * Opens an image.
   * @throws InvalidArgumentError for a name that is not in `names`, and what `openOmeZarr` throws
   */
  async image(name: string, options: OpenImageOptions = {}): Promise<OmeImage<S>> {
    if (this.names.includes(name)) return this.#open.image(name, options);
    throw new InvalidArgumentError(
      `no image ${JSON.stringify(name)}; the images are ${this.names.join(", ") || "none"}`,
      {
        path: this.group.path,
      },
    );
  }
}

/** Images that lie in common coordinate systems, since 0.6. `openOmeZarr` makes it. */
export class OmeScene<S extends Store = Store> extends OmeImageList<S, "scene"> {
  /** The systems of the scene itself; the images have others. */
  readonly systems: readonly CoordinateSystem[];
  /** How coordinates of the systems of images become those of others. */
  readonly transformations: readonly SystemTransformation[];

  constructor(
    group: Group<S>,
    { names, systems, transformations }: Systems & { readonly names: readonly string[] },
    list: { readonly version: OmeZarrVersion | undefined; readonly warnings: readonly string[] },
    openBelow: OpenBelow<S>,
  ) {
    super("scene", group, names, list, openBelow);
    this.systems = systems;
    this.transformations = transformations;
  }
}

/** A plate with its wells. `openOmeZarr` makes it. */
export class OmePlate<S extends Store = Store> {
  readonly kind = "plate";
  /** The group of the plate. */
  readonly group: Group<S>;
  /** Version in the metadata; undefined if they have none. */
  readonly version: OmeZarrVersion | undefined;
  /** Rows, columns, wells and acquisitions. */
  readonly layout: PlateLayout;
  readonly #open: OpenBelow<S>;

  constructor(
    group: Group<S>,
    version: OmeZarrVersion | undefined,
    layout: PlateLayout,
    openBelow: OpenBelow<S>,
  ) {
    this.group = group;
    this.version = version;
    this.layout = layout;
    this.#open = openBelow;
  }

  /** Name in the metadata; undefined if they have none. */
  get name(): string | undefined {
    return this.layout.name;
  }

  /** The wells that have images. */
  get wells(): readonly WellPosition[] {
    return this.layout.wells;
  }

  /**
   * Opens a well.
   * @param well a path, "A/1", or an item of `wells`
   * @throws InvalidArgumentError for a well that the plate does not list, NotFoundError for a missing group
   */
  async well(well: string | WellPosition, options: StoreOptions = {}): Promise<OmeWell<S>> {
    const path = typeof well === "string" ? well : well.path;
    if (this.wells.some((each) => each.path === path)) return this.#open.well(path, options);
    throw new InvalidArgumentError(
      `no well ${JSON.stringify(path)} in the plate, whose wells have paths such as "A/1"`,
      {
        path: this.group.path,
      },
    );
  }
}

/** A well with its fields of view. `openOmeZarr` makes it. */
export class OmeWell<S extends Store = Store> {
  readonly kind = "well";
  /** The group of the well. */
  readonly group: Group<S>;
  /** Version in the metadata; undefined if they have none. */
  readonly version: OmeZarrVersion | undefined;
  /** The fields of view, in order. */
  readonly fields: readonly Field[];
  readonly #open: OpenBelow<S>;

  constructor(
    group: Group<S>,
    version: OmeZarrVersion | undefined,
    fields: readonly Field[],
    openBelow: OpenBelow<S>,
  ) {
    this.group = group;
    this.version = version;
    this.fields = fields;
    this.#open = openBelow;
  }

  /**
   * Opens the image of a field of view, given as an item or index of `fields`. A picture of a whole plate
   * needs one level of each image: `{ levels: [-1] }`.
   * @throws InvalidArgumentError for an index beyond the end
   */
  async image(field: number | Field = 0, options: OpenImageOptions = {}): Promise<OmeImage<S>> {
    const found = typeof field === "number" ? this.fields[field] : field;
    if (found !== undefined) return this.#open.image(found.path, options);
    throw new InvalidArgumentError(
      `expected the index of a field below ${this.fields.length}, got ${String(field)}`,
      {
        path: this.group.path,
      },
    );
  }
}
