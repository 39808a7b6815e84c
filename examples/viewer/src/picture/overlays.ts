/** The label images over an image: their tiles, and what somebody chose for them. */
import { indicesOver, onSameScreen } from "../data/label-layer.js";
import type { LabelImage, Layer } from "../data/layers.js";
import type { Numbers } from "../data/values.js";
import type { LabelChoice } from "../state.js";
import { page, remember } from "../state-of-page.js";
import { labelColours } from "./label-colours.js";
import type { Pass } from "./scene.js";
import { createTiles, type Tiles } from "./tiles.js";

export interface Overlay {
  readonly label: LabelImage;
  readonly tiles: Tiles;
}

/** Those that have the dimensions on the screen. */
export function makeOverlays(
  labels: readonly LabelImage[],
  over: Layer,
  onChange: () => void,
): readonly Overlay[] {
  return labels.flatMap((label) => {
    const layer = onSameScreen(label.layer, over);
    if (!layer) return [];
    const toTexture = (values: Numbers) => ({ rgba: labelColours(values, label) });
    return [{ label, tiles: createTiles({ layer, toTexture, onChange }) }];
  });
}

/** What the URL says of a label image; the first is shown otherwise. */
export const choiceOf = (names: readonly string[], name: string): LabelChoice =>
  page.value.labels.get(name) ?? { isVisible: names[0] === name, isOutlined: false, opacity: 0.5 };

export function choose(names: readonly string[], name: string, change: Partial<LabelChoice>): void {
  const choice = { ...choiceOf(names, name), ...change };
  remember({ labels: new Map(page.peek().labels).set(name, choice) });
}

export const namesOf = (overlays: readonly Overlay[]): readonly string[] =>
  overlays.map(({ label }) => label.name);

export function overlayPasses(overlays: readonly Overlay[], over: Layer, indices: readonly number[]): Pass[] {
  return overlays.flatMap(({ label, tiles }) => {
    const { isVisible, isOutlined, opacity } = choiceOf(namesOf(overlays), label.name);
    if (!isVisible || opacity === 0) return [];
    const paint = { range: [0, 1], missing: [], opacity, isOutlined } as const;
    return [{ tiles, indices: indicesOver(tiles.layer, over, indices), paint }];
  });
}
