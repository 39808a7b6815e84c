/** Axes to write, by the rules of the version, and numbers for each of them. */
import { describe, itemAt, ownMember } from "../../extend.js";
import { InvalidArgumentError, type JsonObject } from "../../index.js";
import { TYPES } from "./axes.js";
import type { WrittenVersion } from "./metadata.js";
import { bodyAxis, type Orientation, orientationNamed } from "./orientation.js";

/** An axis to write: its name, or an object with more. */
export type AxisOption =
  | string
  | {
      readonly name: string;
      /** Default: that of the names t, c, z, y and x. Other axes of version 0.9 may have none. */
      readonly type?: string | undefined;
      readonly unit?: string | undefined;
      /** Direction in the body in which the coordinate grows (RFC-4), of an axis of type "space" in 0.9. */
      readonly orientation?: Orientation | undefined;
    };

export interface WrittenAxis {
  readonly name: string;
  readonly type: string | undefined;
  readonly unit: string | undefined;
  readonly orientation: Orientation | undefined;
}

const ORDER: readonly string[] = ["time", "channel", "space"];

/** @throws InvalidArgumentError for axes that the specification forbids */
export function checkAxes(
  axisOptions: readonly AxisOption[],
  rank: number,
  version: WrittenVersion = "0.5",
): WrittenAxis[] {
  if (!Array.isArray(axisOptions) || axisOptions.length !== rank) {
    throw new InvalidArgumentError(
      `axes: expected ${rank}, one for each dimension, got ${describe(axisOptions)}`,
    );
  }
  const axes = axisOptions.map(writtenAxis);
  if (version === "0.9") checkAnyAxes(axes);
  else checkOrderedAxes(axes);
  return axes;
}

/** The rules of 0.9: any axes (RFC-3), and at most one along each axis of a body (RFC-4). */
function checkAnyAxes(axes: readonly WrittenAxis[]): void {
  const names = axes.map(({ name }) => name);
  if (axes.length === 0 || names.includes("") || new Set(names).size < names.length)
    throw new InvalidArgumentError(
      `axes: expected at least one, all with different names, got ${describe(names)}`,
    );
  const oriented = axes.flatMap(({ orientation, type }) =>
    orientation === undefined ? [] : [{ orientation, type, along: bodyAxis(orientation) }],
  );
  const isUnique = new Set(oriented.map(({ along }) => along)).size === oriented.length;
  if (!isUnique || oriented.some(({ type }) => type !== "space"))
    throw new InvalidArgumentError(
      `axes: expected orientations of axes of type space, one for each axis of the body, got ${oriented.map(({ orientation, type }) => `${orientation} (${type})`).join(", ")}`,
    );
}

/** The rules before 0.9. A custom type takes the place of "channel". */
function checkOrderedAxes(axes: readonly WrittenAxis[]): void {
  const oriented = axes.find(({ orientation }) => orientation !== undefined);
  if (oriented !== undefined)
    throw new InvalidArgumentError(
      `axes: expected no orientation before version 0.9, got ${describe(oriented.orientation)} for ${describe(oriented.name)}`,
    );
  const types = axes.map(({ name, type }) => type ?? missingType(name));
  const places = types.map((type) => (ORDER.includes(type) ? ORDER.indexOf(type) : 1));
  const [times = 0, channels = 0, spaces = 0] = ORDER.map((_, i) => places.filter((p) => p === i).length);
  const isOrdered = places.every((place, i) => i === 0 || place >= itemAt(places, i - 1));
  const isNamedOnce = new Set(axes.map(({ name }) => name)).size === axes.length;
  if (times > 1 || channels > 1 || spaces < 2 || spaces > 3 || !isOrdered || !isNamedOnce) {
    throw new InvalidArgumentError(
      `axes: expected at most one of type time, then at most one of type channel or a type of your own, then two or three of type space, all with different names (version 0.9 takes any axes), got ${axes.map(({ name, type }) => `${name} (${type})`).join(", ")}`,
    );
  }
}

function missingType(name: string): never {
  throw new InvalidArgumentError(
    `axes: expected a type for ${describe(name)}, such as "space", got undefined`,
  );
}

function writtenAxis(option: AxisOption): WrittenAxis {
  const axis = typeof option === "string" ? { name: option } : option;
  if (typeof axis?.name !== "string") {
    throw new InvalidArgumentError(`axes: expected names, or objects with a name, got ${describe(option)}`);
  }
  const { name, type = TYPES.get(name), unit, orientation } = axis;
  if (type !== undefined && typeof type !== "string") {
    throw new InvalidArgumentError(
      `axes: expected a type for ${describe(name)}, such as "space", got ${describe(type)}`,
    );
  }
  if (orientation !== undefined && orientationNamed(orientation) === undefined) {
    throw new InvalidArgumentError(
      `axes: expected an orientation of RFC-4 for ${describe(name)}, such as "left-to-right", got ${describe(orientation)}`,
    );
  }
  return { name, type, unit, orientation };
}

/** An axis as documents have it. */
export function axisJson({ name, type, unit, orientation }: WrittenAxis): JsonObject {
  return {
    name,
    ...(type === undefined ? {} : { type }),
    ...(unit === undefined ? {} : { unit }),
    ...(orientation === undefined ? {} : { orientation: { type: "anatomical", value: orientation } }),
  };
}

/**
 * One number per axis, 1 for axes that are not given.
 * @throws InvalidArgumentError for unknown axes and invalid numbers
 */
export function byAxis(
  values: Readonly<Record<string, number>>,
  axes: readonly WrittenAxis[],
  name: string,
  isValid: (value: number) => boolean,
): number[] {
  for (const [axis, value] of Object.entries(values)) {
    if (!axes.some((each) => each.name === axis) || !isValid(value))
      throw new InvalidArgumentError(`${name}: expected numbers by axis name, got ${describe(values)}`);
  }
  return axes.map((axis) => ownMember(values, axis.name) ?? 1);
}

/**
 * Scale factors of each level relative to the first, one per axis. A number in `given` applies to the last
 * two axes, an object to the axes it names.
 * @throws InvalidArgumentError for factors that are not multiples of those of the level before
 */
export function checkFactors(
  scales: readonly (number | Readonly<Record<string, number>>)[],
  axes: readonly WrittenAxis[],
): number[][] {
  if (!Array.isArray(scales))
    throw new InvalidArgumentError(`scaleFactors: expected a list, got ${describe(scales)}`);
  const isFactor = (value: number) => Number.isSafeInteger(value) && value >= 1;
  const plane = axes.slice(-2).map(({ name }) => name);
  let before = axes.map(() => 1);
  const levels = [before];
  for (const entry of scales as readonly (number | Readonly<Record<string, number>>)[]) {
    const named = typeof entry === "number" ? Object.fromEntries(plane.map((name) => [name, entry])) : entry;
    const factors = byAxis(named, axes, "scaleFactors", isFactor);
    if (factors.some((factor, d) => factor % itemAt(before, d) !== 0)) {
      throw new InvalidArgumentError(
        `scaleFactors: expected factors relative to the first level, multiples of those of the level before, got ${describe(entry)}`,
      );
    }
    levels.push(factors);
    before = factors;
  }
  return levels;
}
