/** Colours of the numbers of a label image. */
import type { LabelImage } from "../data/layers.js";
import type { Numbers } from "../data/values.js";

/** Hues of neighbouring numbers are this far apart: never the same again. */
const GOLDEN_ANGLE = 137.508;

/** Red, green, blue and alpha of every element. 0 is nothing, unless the metadata give it a colour. */
export function labelColours(values: Numbers, { colours }: Pick<LabelImage, "colours">): Uint8Array {
  const rgba = new Uint8Array(4 * values.length);
  const known = new Map<number, readonly number[]>(colours);
  for (const [i, value] of values.entries()) {
    let colour = known.get(value);
    if (colour === undefined) {
      colour = value === 0 || Number.isNaN(value) ? [0, 0, 0, 0] : colourOfNumber(value);
      known.set(value, colour);
    }
    rgba.set(colour, 4 * i);
  }
  return rgba;
}

function colourOfNumber(value: number): readonly number[] {
  const hue = (value * GOLDEN_ANGLE) % 360;
  // HSL with a saturation of 0.8 and a lightness of 0.6.
  const part = (n: number): number => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (0.6 - 0.32 * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [part(0), part(8), part(4), 255];
}
