/**
 * Axes of images. Versions 0.1 and 0.2 imply them, 0.3 has names, 0.4 and later have objects, which 0.6 puts
 * into coordinate systems. Axes to write, and values per axis, are checked by the rules of 0.4 and 0.5.
 */
import { describe, itemAt, MAXIMUM_RANK, type Member, ownMember } from "../../extend.js";
import { InvalidArgumentError } from "../../index.js";
import { optionalString, refused } from "./members.js";

/** One dimension of an image. */
export interface Axis {
  /** Such as "t", "c", "z", "y", "x". */
  readonly name: string;
  /** "space", "time", "channel", or any other type in the file. */
  readonly type: string | undefined;
  /** A unit of UDUNITS-2 such as "micrometer", or any other string in the file. */
  readonly unit: string | undefined;
}

/** Types of axes by their names. A Map: an object would have a type for "constructor". */
const TYPES: ReadonlyMap<string, string> = new Map([
  ["t", "time"],
  ["c", "channel"],
  ["z", "space"],
  ["y", "space"],
  ["x", "space"],
]);

/** The axes of 0.1 and 0.2, also assumed for an image of five dimensions without axes. */
export const IMPLIED_AXES: readonly Axis[] = [..."tczyx"].map(axisOfName);

function axisOfName(name: string): Axis {
  return { name, type: TYPES.get(name), unit: undefined };
}

/**
 * @throws InvalidMetadataError for more axes than an array may have, one without a name, and two with the
 * same name
 */
export function axesOf(list: Member): Axis[] {
  const names = new Set<string>();
  const items = list.list();
  if (items.length > MAXIMUM_RANK)
    throw refused(list, `expected at most ${MAXIMUM_RANK} axes, got ${items.length}`);
  return items.map((item) => {
    const axis = typeof item.json === "string" ? axisOfName(item.json) : axisOfObject(item);
    if (names.has(axis.name)) throw item.invalid("an axis whose name differs from those before");
    names.add(axis.name);
    return axis;
  });
}

function axisOfObject(item: Member): Axis {
  const name = item.get("name").string();
  return {
    name,
    type: optionalString(item.get("type")) ?? TYPES.get(name),
    unit: optionalString(item.get("unit")),
  };
}

/**
 * Indices of the two axes of a tile: y and x by name, else the last two axes of type "space", else the last
 * two axes.
 */
export function planeAxes(axes: readonly Axis[]): readonly number[] {
  const named = ["y", "x"].map((name) => axes.findIndex((axis) => axis.name === name));
  if (!named.includes(-1)) return named;
  const space = axes.flatMap(({ type }, i) => (type === "space" ? [i] : []));
  return (space.length >= 2 ? space : axes.map((_, i) => i)).slice(-2);
}

export function axisNamed(axes: readonly Axis[], name: string): number {
  const found = axes.findIndex((axis) => axis.name === name);
  if (found >= 0) return found;
  throw new InvalidArgumentError(
    `no axis ${JSON.stringify(name)}; the axes are ${axes.map((axis) => axis.name).join(", ")}`,
  );
}

/** An axis to write: its name, or an object with `type` and `unit`. */
export type AxisOption =
  | string
  | { readonly name: string; readonly type?: string | undefined; readonly unit?: string | undefined };

export interface WrittenAxis {
  readonly name: string;
  readonly type: string;
  readonly unit?: string;
}

const ORDER: readonly string[] = ["time", "channel", "space"];

/**
 * The rules of 0.4 and 0.5 for axes. A custom type takes the place of "channel".
 * @throws InvalidArgumentError for axes that the specification forbids
 */
export function checkAxes(given: readonly AxisOption[], rank: number): WrittenAxis[] {
  if (!Array.isArray(given) || given.length !== rank) {
    throw new InvalidArgumentError(`axes: expected ${rank}, one for each dimension, got ${describe(given)}`);
  }
  const axes = given.map(writtenAxis);
  const places = axes.map(({ type }) => (ORDER.includes(type) ? ORDER.indexOf(type) : 1));
  const [times = 0, channels = 0, spaces = 0] = ORDER.map((_, i) => places.filter((p) => p === i).length);
  const isOrdered = places.every((place, i) => i === 0 || place >= itemAt(places, i - 1));
  const isNamedOnce = new Set(axes.map(({ name }) => name)).size === rank;
  if (times > 1 || channels > 1 || spaces < 2 || spaces > 3 || !isOrdered || !isNamedOnce) {
    throw new InvalidArgumentError(
      `axes: expected at most one of type time, then at most one of type channel or a type of your own, then two or three of type space, all with different names, got ${axes.map(({ name, type }) => `${name} (${type})`).join(", ")}`,
    );
  }
  return axes;
}

function writtenAxis(given: AxisOption): WrittenAxis {
  const axis = typeof given === "string" ? { name: given } : given;
  if (typeof axis?.name !== "string") {
    throw new InvalidArgumentError(`axes: expected names, or objects with a name, got ${describe(given)}`);
  }
  const { name, type = TYPES.get(name), unit } = axis;
  if (typeof type !== "string") {
    throw new InvalidArgumentError(
      `axes: expected a type for ${describe(name)}, such as "space", got ${describe(type)}`,
    );
  }
  return unit === undefined ? { name, type } : { name, type, unit };
}

/**
 * One number per axis, 1 for axes that are not given.
 * @throws InvalidArgumentError for unknown axes and invalid numbers
 */
export function byAxis(
  given: Readonly<Record<string, number>>,
  axes: readonly WrittenAxis[],
  name: string,
  isValid: (value: number) => boolean,
): number[] {
  for (const [axis, value] of Object.entries(given)) {
    if (!axes.some((each) => each.name === axis) || !isValid(value))
      throw new InvalidArgumentError(`${name}: expected numbers by axis name, got ${describe(given)}`);
  }
  return axes.map((axis) => ownMember(given, axis.name) ?? 1);
}

/**
 * Scale factors of each level relative to the first, one per axis. A number in `given` applies to the last
 * two axes, an object to the axes it names.
 * @throws InvalidArgumentError for factors that are not multiples of those of the level before
 */
export function checkFactors(
  given: readonly (number | Readonly<Record<string, number>>)[],
  axes: readonly WrittenAxis[],
): number[][] {
  if (!Array.isArray(given))
    throw new InvalidArgumentError(`scaleFactors: expected a list, got ${describe(given)}`);
  const isFactor = (value: number) => Number.isSafeInteger(value) && value >= 1;
  const plane = axes.slice(-2).map(({ name }) => name);
  let before = axes.map(() => 1);
  const levels = [before];
  for (const entry of given as readonly (number | Readonly<Record<string, number>>)[]) {
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
