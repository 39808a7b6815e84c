/**
 * Axes of images. Versions 0.1 and 0.2 imply them, 0.3 has names, 0.4 and later have objects, which 0.6 puts
 * into coordinate systems.
 */
import { isJsonObject, MAXIMUM_RANK, type Member } from "../../extend.js";
import { InvalidArgumentError } from "../../index.js";
import { optionalString, refused } from "./members.js";
import { type Orientation, orientationNamed } from "./orientation.js";

/** One dimension of an image. */
export interface Axis {
  /** Such as "t", "c", "z", "y", "x". */
  readonly name: string;
  /** "space", "time", "channel", or any other type in the file. */
  readonly type: string | undefined;
  /** A unit of UDUNITS-2 such as "micrometer", or any other string in the file. */
  readonly unit: string | undefined;
  /** Direction in the body in which the coordinate grows (RFC-4); undefined if the file has none. */
  readonly orientation: Orientation | undefined;
}

/** Types of axes by their names. A Map: an object would have a type for "constructor". */
export const TYPES: ReadonlyMap<string, string> = new Map([
  ["t", "time"],
  ["c", "channel"],
  ["z", "space"],
  ["y", "space"],
  ["x", "space"],
]);

/** The axes of 0.1 and 0.2, also assumed for an image of five dimensions without axes. */
export const IMPLIED_AXES: readonly Axis[] = [..."tczyx"].map(axisOfName);

function axisOfName(name: string): Axis {
  return { name, type: TYPES.get(name), unit: undefined, orientation: undefined };
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
    orientation: orientationOf(item.get("orientation")),
  };
}

/** Other vocabularies than the anatomical one are left out, as are words that it lacks. */
function orientationOf(member: Member): Orientation | undefined {
  if (!isJsonObject(member.json)) return undefined;
  const { type, value } = member.json;
  return type === "anatomical" && typeof value === "string" ? orientationNamed(value) : undefined;
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
