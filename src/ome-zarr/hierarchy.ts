/** What holds images: plates, wells, label groups, and the collections that bioformats2raw writes. */
import type { Group } from "../array/nodes.js";
import { InvalidArgumentError } from "../errors.js";
import type { Store, StoreOptions } from "../stores/store.js";
import type { OmeImage } from "./image.js";
import type { Field, PlateLayout, WellPosition } from "./plate.js";
import type { OmeZarrVersion } from "./version.js";

/** Opens what is at a path below a group. */
export interface OpenBelow<S extends Store> {
  image(path: string, options: StoreOptions): Promise<OmeImage<S>>;
  well(path: string, options: StoreOptions): Promise<OmeWell<S>>;
}

/** Images by name: the label images of an image, or the series that bioformats2raw converted. */
export class OmeImageList<
  S extends Store = Store,
  Kind extends "labels" | "collection" = "labels" | "collection",
> {
  readonly kind: Kind;
  readonly group: Group<S>;
  readonly version: OmeZarrVersion | undefined;
  /** The paths of the images below the group. */
  readonly names: readonly string[];
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

  /** @throws InvalidArgumentError for a name that is not among `names`; otherwise as `openOmeZarr` */
  async image(name: string, options: StoreOptions = {}): Promise<OmeImage<S>> {
    if (this.names.includes(name)) return this.#open.image(name, options);
    throw new InvalidArgumentError(
      `expected one of ${this.names.join(", ") || "no names"}, got ${JSON.stringify(name)}`,
      {
        path: this.group.path,
      },
    );
  }
}

export class OmePlate<S extends Store = Store> {
  readonly kind = "plate";
  readonly group: Group<S>;
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

  get name(): string | undefined {
    return this.layout.name;
  }

  get wells(): readonly WellPosition[] {
    return this.layout.wells;
  }

  /**
   * @param well its path: "A/1"
   * @throws InvalidArgumentError for a well that the plate does not name, NotFoundError for one that is not there
   */
  async well(well: string | WellPosition, options: StoreOptions = {}): Promise<OmeWell<S>> {
    const path = typeof well === "string" ? well : well.path;
    if (this.wells.some((each) => each.path === path)) return this.#open.well(path, options);
    throw new InvalidArgumentError(
      `expected the path of a well of the plate, such as "A/1", got ${JSON.stringify(path)}`,
      {
        path: this.group.path,
      },
    );
  }
}

export class OmeWell<S extends Store = Store> {
  readonly kind = "well";
  readonly group: Group<S>;
  readonly version: OmeZarrVersion | undefined;
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

  /** The image of a field of view. @throws InvalidArgumentError for a field that the well does not name */
  async image(field: number | Field = 0, options: StoreOptions = {}): Promise<OmeImage<S>> {
    const found = typeof field === "number" ? this.fields[field] : field;
    if (found !== undefined) return this.#open.image(found.path, options);
    throw new InvalidArgumentError(`expected a field below ${this.fields.length}, got ${String(field)}`, {
      path: this.group.path,
    });
  }
}
