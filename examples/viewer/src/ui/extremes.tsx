/** Where along a series its lowest and highest values are, in words. */
import type { Dimension } from "../data/layers.js";
import { shortWithin } from "../data/numbers.js";
import { stepInWords } from "../data/places.js";

interface ExtremesProps {
  readonly dimension: Dimension;
  /** Of each step; NaN for those without a value. */
  readonly values: ArrayLike<number>;
  readonly unit: string | undefined;
}

/** Nothing for a series without two values that differ. */
export function Extremes({ dimension, values, unit }: ExtremesProps) {
  const found = extremesOf(values);
  if (!found) return null;
  const [low, high] = found;
  const words = ({ index, value }: Extreme): string =>
    `${shortWithin(value, high.value - low.value)} ${unit ?? ""}`
      .trim()
      .concat(`, ${stepInWords(dimension, index)}`);
  return (
    <p class="meta extremes">
      Lowest {words(low)}
      <br />
      Highest {words(high)}
    </p>
  );
}

interface Extreme {
  readonly index: number;
  readonly value: number;
}

function extremesOf(values: ArrayLike<number>): readonly [low: Extreme, high: Extreme] | undefined {
  let low: Extreme | undefined;
  let high: Extreme | undefined;
  for (const [index, value] of Array.from(values).entries()) {
    if (!Number.isFinite(value)) continue;
    if (!low || value < low.value) low = { index, value };
    if (!high || value > high.value) high = { index, value };
  }
  return low && high && low.value < high.value ? [low, high] : undefined;
}
