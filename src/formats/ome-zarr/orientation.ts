/**
 * The anatomical orientations of RFC-4: the direction in the body in which the coordinate of an axis grows.
 */

/** Each row is an axis of the body in its two directions. */
const DIRECTIONS = [
  ["left-to-right", "right-to-left"],
  ["anterior-to-posterior", "posterior-to-anterior"],
  ["inferior-to-superior", "superior-to-inferior"],
  ["dorsal-to-ventral", "ventral-to-dorsal"],
  ["dorsal-to-palmar", "palmar-to-dorsal"],
  ["dorsal-to-plantar", "plantar-to-dorsal"],
  ["rostral-to-caudal", "caudal-to-rostral"],
  ["cranial-to-caudal", "caudal-to-cranial"],
  ["proximal-to-distal", "distal-to-proximal"],
  ["superficial-to-deep", "deep-to-superficial"],
  ["apical-to-basal", "basal-to-apical"],
  ["apex-to-base", "base-to-apex"],
] as const;

/** One of the 24 values of RFC-4. */
export type Orientation = (typeof DIRECTIONS)[number][number];

export function orientationNamed(name: string): Orientation | undefined {
  return DIRECTIONS.flat().find((known) => known === name);
}

/** Index of the axis of the body along which an orientation runs: opposite orientations have the same. */
export function bodyAxis(orientation: Orientation): number {
  return DIRECTIONS.findIndex((pair) => pair.some((each) => each === orientation));
}
