import type { StridedBox } from "./codec.js";

/** One dimension of a box: bytes from one element to the next, whichever way it is walked, and how many. */
export interface Loop {
  readonly step: number;
  readonly count: number;
}

/** The dimensions of a box in which there are several elements, the longest step first. */
export function loopsOf({ shape, steps }: StridedBox): Loop[] {
  return shape
    .map((count, d) => ({ count, step: Math.abs(steps[d] ?? 0) }))
    .filter(({ count }) => count > 1)
    .sort((a, b) => b.step - a.step);
}
