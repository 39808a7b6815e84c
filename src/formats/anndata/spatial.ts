/** SpatialData: images, labels, points, shapes and tables of one sample. https://spatialdata.scverse.org */
import { checkNames, describe, isJsonArray, STORE_OPTIONS, untilAborted } from "../../extend.js";
import {
  type Group,
  type Location,
  NotFoundError,
  type Store,
  type StoreOptions,
  UnsupportedError,
} from "../../index.js";
import { type AnnData, annDataAt } from "./annotated.js";
import { asGroup, attributesOf, namesIn, nodeAt, startOf } from "./encoding.js";

/** What a table annotates. */
export interface TableTarget {
  /** The elements, by their names. */
  readonly regions: readonly string[];
  /** The column of `obs` with the name of the element. */
  readonly regionKey: string;
  /**
   * The column of `obs` with the number or name of the instance in the element: a label, or the row of a
   * shape.
   */
  readonly instanceKey: string;
}

/** A table, and what it annotates. */
export interface SpatialTable {
  /** The table itself. */
  readonly table: AnnData;
  /** Undefined for a table that annotates nothing. */
  readonly target: TableTarget | undefined;
}

/** The groups of elements. Points and shapes are files of Parquet, which other libraries read. */
export type SpatialKind = "images" | "labels" | "points" | "shapes" | "tables";

/** A group of SpatialData. It holds no elements. */
export class SpatialData {
  /** The group of the object in its store. */
  readonly group: Group;
  /**
   * Names of the elements. Images and labels are OME-Zarr: pass `location("images", name)` to `openOmeZarr`
   * of `wazarr/ome-zarr`.
   */
  readonly names: Readonly<Record<SpatialKind, readonly string[]>>;

  constructor(group: Group, names: Readonly<Record<SpatialKind, readonly string[]>>) {
    this.group = group;
    this.names = names;
  }

  /** The place of an element. @throws NotFoundError for one that is not there */
  location(kind: SpatialKind, name: string): Location {
    const names = Object.hasOwn(this.names, kind) ? this.names[kind] : [];
    if (names.includes(name)) return this.group.resolve(`${kind}/${name}`);
    throw new NotFoundError(
      `no ${describe(name)} in ${describe(kind)}; there are ${names.join(", ") || "none"}`,
      {
        path: this.group.path,
      },
    );
  }

  /** Opens a table. @throws NotFoundError for one that is not there, and as `openAnnData` */
  async table(name: string, options: StoreOptions = {}): Promise<SpatialTable> {
    checkNames(options, "table", STORE_OPTIONS);
    return untilAborted(options.signal, async () => {
      const table = await annDataAt(this.location("tables", name), options.signal);
      return { table, target: targetOf(table.group) };
    });
  }
}

/** @throws InvalidMetadataError for attributes of which some are missing */
function targetOf(group: Group): TableTarget | undefined {
  const attributes = attributesOf(group);
  const region = attributes.get("region");
  if (region.isNull) return undefined;
  return {
    regions: isJsonArray(region.json) ? region.list().map((each) => each.string()) : [region.string()],
    regionKey: attributes.get("region_key").string(),
    instanceKey: attributes.get("instance_key").string(),
  };
}

/**
 * Opens SpatialData as spatialdata 0.1 and newer write them, and lists their elements.
 * @example
 * ```ts
 * const sample = await openSpatialData(store);
 * const { table, target } = await sample.table("table");
 * ```
 * @throws NotFoundError for a missing group; UnsupportedError for a group that is not SpatialData, and for a
 * store that cannot be listed and has no consolidated metadata
 */
export async function openSpatialData<S extends Store>(
  where: Location<S> | S,
  options: StoreOptions = {},
): Promise<SpatialData> {
  checkNames(options, "openSpatialData", STORE_OPTIONS);
  return untilAborted(options.signal, async () => {
    const group = asGroup(await nodeAt(await startOf(where, options), options.signal));
    const namesOf = (kind: SpatialKind): Promise<string[]> => namesIn(group.resolve(kind), options);
    const [images, labels, points, shapes, tables] = await Promise.all([
      namesOf("images"),
      namesOf("labels"),
      namesOf("points"),
      namesOf("shapes"),
      namesOf("tables"),
    ]);
    const names = { images, labels, points, shapes, tables };
    const isSpatial = !attributesOf(group).get("spatialdata_attrs").isNull;
    if (isSpatial || Object.values(names).some((list) => list.length > 0))
      return new SpatialData(group, names);
    throw new UnsupportedError("expected SpatialData: groups images, labels, points, shapes or tables", {
      path: group.path,
    });
  });
}
