/** What the picture is compared with: another step of the same variable, or another variable at the same step. */
import { chosenIndex, type Layer, sliderDimensions } from "../data/layers.js";
import { stepInWords } from "../data/places.js";
import { otherVariable } from "../session.js";
import { page } from "../state-of-page.js";
import { stageFor } from "./choose-stage.js";

export interface Compared {
  readonly layer: Layer;
  /** Of the timeline; undefined: the step that is shown. */
  readonly step: number | undefined;
  /** What its stored values are multiplied with to be of the same unit. */
  readonly factor: number;
  /** From 0 to 1 across the picture: what is compared with is to the left. Undefined: the difference is shown. */
  readonly curtain: number | undefined;
}

/** Amounts can be taken from each other; classes and colours cannot. Planes of a volume are compared already. */
export function canCompare(layer: Layer): boolean {
  const form = stageFor(layer, page.value);
  return !layer.channels && !layer.classes && form !== "planes" && form !== "volume";
}

/** Undefined without a comparison, and until another variable is open. */
export function comparedWith(layer: Layer): Compared | undefined {
  const { compared, curtain } = page.value;
  if (!compared || !canCompare(layer)) return undefined;
  if ("path" in compared) {
    const other = otherVariable.value;
    if (other?.of !== layer) return undefined;
    return { layer: other.layer, step: undefined, factor: other.layer.scale / layer.scale, curtain };
  }
  const main = timelineOf(layer);
  if (!main) return undefined;
  const step = Math.min(main.length - 1, Math.max(0, compared.step));
  return { layer, step, factor: 1, curtain };
}

/** The first dimension with a slider. */
export const timelineOf = (layer: Layer): Layer["dimensions"][number] | undefined =>
  layer.dimensions[sliderDimensions(layer)[0] ?? -1];

/** Along each dimension of what is compared with. */
export function comparedIndices({ layer, step }: Compared): number[] {
  const [main] = sliderDimensions(layer);
  const indices = layer.dimensions.map((dimension) => chosenIndex(dimension, page.value.indices));
  return step === undefined || main === undefined ? indices : indices.with(main, step);
}

/** "5 January 2026", or the name of the other variable. */
export function comparedInWords({ layer, step }: Compared): string {
  const main = timelineOf(layer);
  return step === undefined || !main ? (layer.longName ?? layer.title) : stepInWords(main, step);
}

/** The layer as its colours and legend show it: a difference has another offset, and its colours are around zero. */
export function shownLayer(layer: Layer): Layer {
  const compared = comparedWith(layer);
  if (!compared || compared.curtain !== undefined) return layer;
  return { ...layer, offset: layer.offset - compared.layer.offset, standardName: "anomaly" };
}
