/** Which stored values get the first and the last colour. */
import type { Layer } from "../data/layers.js";

export type Range = readonly [low: number, high: number];

/** Two of a hundred values on either side may be anything. Undefined without values. */
export function usualRange(samples: readonly number[]): Range | undefined {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (part: number): number | undefined => sorted[Math.round(part * (sorted.length - 1))];
  const [low, high] = [at(0.02), at(0.98)];
  if (low === undefined || high === undefined) return undefined;
  if (low < high) return [low, high];
  // Beside a large value one half is nothing.
  const margin = Math.max(0.5, Math.abs(low) / 2 ** 20);
  return [low - margin, high + margin];
}

export const storedRange = ({ scale, offset }: Layer, [low, high]: Range): Range => [
  (low - offset) / scale,
  (high - offset) / scale,
];

export const decodedRange = ({ scale, offset }: Layer, [low, high]: Range): Range => [
  low * scale + offset,
  high * scale + offset,
];
