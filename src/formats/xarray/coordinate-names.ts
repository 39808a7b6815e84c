/** Which coordinates the variables of a data set name in their attribute `coordinates`. */
import type { JsonObject } from "../../index.js";

/** A variable that is written. */
interface Named {
  readonly name: string;
  readonly dims: readonly string[];
  readonly attrs: JsonObject;
  readonly encoding: JsonObject;
  readonly isCoordinate: boolean;
}

/**
 * Values of the attribute `coordinates`, as the CF conventions and xarray write it. https://cfconventions.org
 * (5)
 */
interface CoordinateNames {
  /** By name of the variable. */
  readonly byVariable: ReadonlyMap<string, string>;
  /** For the group: coordinates that no variable names. */
  readonly group: string | undefined;
}

/**
 * Each variable names the coordinates whose dimensions it has. A coordinate named like its only dimension
 * needs no attribute.
 */
export function coordinateNames(variables: readonly Named[]): CoordinateNames {
  const others = variables.filter(
    ({ name, dims, isCoordinate }) => isCoordinate && !(dims.length === 1 && dims[0] === name),
  );
  const byVariable = new Map<string, string>();
  const written = new Set<string>();
  for (const { name, dims, attrs, encoding, isCoordinate } of variables) {
    const names = encoding.coordinates ?? attrs.coordinates;
    const found = others.filter((other) => other.dims.every((dimension) => dims.includes(dimension)));
    const text =
      typeof names === "string"
        ? names
        : isCoordinate
          ? ""
          : found
              .map((other) => other.name)
              .sort()
              .join(" ");
    if (text === "") continue;
    byVariable.set(name, text);
    for (const word of text.split(/\s+/)) written.add(word);
  }
  const rest = others.filter(({ name }) => !written.has(name)).map(({ name }) => name);
  return { byVariable, group: rest.length === 0 ? undefined : rest.sort().join(" ") };
}
