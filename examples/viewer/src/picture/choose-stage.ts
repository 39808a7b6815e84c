/** Which form of a picture fits: a map for what is placed on Earth, a plane for the rest. */
import type { Array as ZarrArray } from "wazarr";
import { dimensionsOf } from "../data/coordinates.js";
import type { Layer } from "../data/layers.js";
import { isGeographic } from "../data/places.js";
import type { State } from "../state.js";

export type Form = "map" | "globe" | "plane" | "planes" | "volume";

/** Dimensions that can be cut through: three of them are a volume. */
export function cutDimensions({ dimensions, channels }: Layer): readonly number[] {
  return [...dimensions.keys()].filter(
    (d) => d !== channels?.dimension && !dimensions[d]?.isTime && (dimensions[d]?.length ?? 0) > 1,
  );
}

/** The forms that a layer can have. */
export function formsOf(layer: Layer): readonly Form[] {
  if (mayBeOnEarth(layer)) return ["map", "globe", "plane"];
  return cutDimensions(layer).length > 2 && !layer.channels ? ["plane", "planes", "volume"] : ["plane"];
}

/** A link with a view of the plane is of the plane. */
export function stageFor(layer: Layer, { stage, view }: Pick<State, "stage" | "view">): Form {
  const forms = formsOf(layer);
  const chosen = forms.find((form) => form === stage);
  if (chosen) return chosen;
  return view || !forms.includes("map") ? "plane" : "map";
}

/** Whether a link is of a map: no link with a camera is of a plane. */
export const isOfMap = ({ stage, camera }: Pick<State, "stage" | "camera">): boolean =>
  stage === "map" || stage === "globe" || (stage === undefined && camera !== undefined);

/**
 * Whether an array is likely to be shown as a map, by the names of its dimensions: coordinates are not read
 * yet.
 */
export function mayBecomeMap(array: ZarrArray, state: Pick<State, "stage" | "view" | "axes">): boolean {
  const [down = "", across = ""] = dimensionsOf(array)
    .slice(-2)
    .map(({ name }) => name);
  const isPlane = state.axes !== undefined || state.view !== undefined || state.stage === "plane";
  return !isPlane && /^(?:lat|latitude)$/i.test(down) && /^(?:lon|longitude)$/i.test(across);
}

/** Latitudes and longitudes; other systems are found out when the map opens. */
function mayBeOnEarth(layer: Layer): boolean {
  return isGeographic(layer) || layer.isProjected === true;
}
