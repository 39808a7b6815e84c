/** The variables of a group, on dimensions that they share. */
import type { Group } from "../array/nodes.js";
import { describe, InvalidMetadataError } from "../errors.js";
import type { JsonObject } from "../metadata/json.js";
import type { Variable } from "./variable.js";

/** The variables of a group. */
export class Dataset {
  /** Length by name. */
  readonly dims: Readonly<Record<string, number>>;
  readonly variables: Readonly<Record<string, Variable>>;
  /** Variables that say where others are: those named as their dimension, and those that attributes `coordinates` name. */
  readonly coords: Readonly<Record<string, Variable>>;
  /** The variables that are no coordinates. */
  readonly dataVars: Readonly<Record<string, Variable>>;
  readonly attrs: JsonObject;
  readonly encoding: JsonObject;
  readonly group: Group;

  constructor(
    group: Group,
    variables: ReadonlyMap<string, Variable>,
    isCoordinate: (name: string) => boolean,
    attributes: { readonly attrs: JsonObject; readonly encoding: JsonObject },
  ) {
    this.group = group;
    this.variables = Object.fromEntries(variables);
    const entries = [...variables];
    this.coords = Object.fromEntries(entries.filter(([name]) => isCoordinate(name)));
    this.dataVars = Object.fromEntries(entries.filter(([name]) => !isCoordinate(name)));
    this.dims = sizesOf(entries.map(([, variable]) => variable));
    this.attrs = attributes.attrs;
    this.encoding = attributes.encoding;
  }
}

function sizesOf(variables: readonly Variable[]): Record<string, number> {
  const sizes = new Map<string, number>();
  for (const { name, dims, shape, array } of variables) {
    for (const [d, dimension] of dims.entries()) {
      const length = shape[d] ?? 0;
      const known = sizes.get(dimension);
      if (known !== undefined && known !== length) {
        throw new InvalidMetadataError(
          `dimension ${describe(dimension)} has ${length} elements in ${describe(name)} and ${known} in another variable; open the arrays one by one`,
          { path: array.path },
        );
      }
      sizes.set(dimension, length);
    }
  }
  return Object.fromEntries(sizes);
}
