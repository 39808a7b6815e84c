/** Axes of images: implied in 0.1 and 0.2, names in 0.3, objects since 0.4, in coordinate systems since 0.6. */
import type { Member } from "../metadata/member.js";
import { optionalString } from "./members.js";

/** One dimension of an image. */
export interface Axis {
  readonly name: string;
  /** "space", "time", "channel", or what the file says. */
  readonly type: string | undefined;
  /** A unit of UDUNITS-2 such as "micrometer", or what the file says. */
  readonly unit: string | undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  t: "time",
  c: "channel",
  z: "space",
  y: "space",
  x: "space",
};

/** The axes of 0.1 and 0.2, and what is assumed of five dimensions without axes. */
export const IMPLIED_AXES: readonly Axis[] = [..."tczyx"].map(axisOfName);

function axisOfName(name: string): Axis {
  return { name, type: TYPES[name], unit: undefined };
}

/** @throws InvalidMetadataError for an axis without a name, and for two of one name */
export function axesOf(list: Member): Axis[] {
  const names = new Set<string>();
  return list.list().map((item) => {
    const axis = typeof item.json === "string" ? axisOfName(item.json) : axisOfObject(item);
    if (names.has(axis.name)) throw item.invalid("an axis of another name than those before");
    names.add(axis.name);
    return axis;
  });
}

function axisOfObject(item: Member): Axis {
  const name = item.get("name").string();
  return {
    name,
    type: optionalString(item.get("type")) ?? TYPES[name],
    unit: optionalString(item.get("unit")),
  };
}
