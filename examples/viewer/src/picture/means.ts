/** The mean of each step that has been on the screen: the stripes of the timeline. No step is read for it. */
import { signal } from "@preact/signals";
import type { Layer } from "../data/layers.js";

/** Of decoded values, by index. */
export const means = signal<ReadonlyMap<number, number>>(new Map());
let of: Layer | undefined;

export function rememberMean(layer: Layer, index: number, samples: readonly number[]): void {
  if (of !== layer) {
    of = layer;
    means.value = new Map();
  }
  if (samples.length === 0) return;
  const mean = samples.reduce((sum, value) => sum + value, 0) / samples.length;
  const decoded = mean * layer.scale + layer.offset;
  if (means.peek().get(index) !== decoded) means.value = new Map(means.peek()).set(index, decoded);
}
