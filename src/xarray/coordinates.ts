/** Which variables are coordinates, in attributes `coordinates`, as the CF conventions and xarray write it. https://cfconventions.org (5) */
import type { JsonObject } from "../metadata/json.js";

interface Named {
  readonly name: string;
  readonly dims: readonly string[];
  readonly attrs: JsonObject;
  readonly encoding: JsonObject;
  readonly isCoordinate: boolean;
}

export interface CoordinateNames {
  /** By variable. */
  readonly own: ReadonlyMap<string, string>;
  /** Of the group: those that no variable names. */
  readonly group: string | undefined;
}

/** A coordinate of its own dimension needs no attribute; others are named by each variable that has their dimensions. */
export function coordinateNames(variables: readonly Named[]): CoordinateNames {
  const others = variables.filter(
    ({ name, dims, isCoordinate }) => isCoordinate && !(dims.length === 1 && dims[0] === name),
  );
  const own = new Map<string, string>();
  const written = new Set<string>();
  for (const { name, dims, attrs, encoding, isCoordinate } of variables) {
    const given = encoding.coordinates ?? attrs.coordinates;
    const found = others.filter((other) => other.dims.every((dimension) => dims.includes(dimension)));
    const text =
      typeof given === "string"
        ? given
        : isCoordinate
          ? ""
          : found
              .map((other) => other.name)
              .sort()
              .join(" ");
    if (text === "") continue;
    own.set(name, text);
    for (const word of text.split(/\s+/)) written.add(word);
  }
  const rest = others.filter(({ name }) => !written.has(name)).map(({ name }) => name);
  return { own, group: rest.length === 0 ? undefined : rest.sort().join(" ") };
}
