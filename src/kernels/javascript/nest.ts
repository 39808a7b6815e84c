/** Dimensions as in CopyPlan: extent, target stride, source stride of each, outermost first. */
export type Dimensions = readonly number[];

/** Calls `visit` with both positions for every index of the first `rank` dimensions, in order. */
export function forEachIndex(
  dimensions: Dimensions,
  rank: number,
  target: number,
  source: number,
  visit: (target: number, source: number) => void,
): void {
  const walk = (dimension: number, t: number, s: number): void => {
    if (dimension === rank) {
      visit(t, s);
      return;
    }
    const extent = dimensions[dimension * 3] ?? 0;
    const targetStride = dimensions[dimension * 3 + 1] ?? 0;
    const sourceStride = dimensions[dimension * 3 + 2] ?? 0;
    for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) walk(dimension + 1, t, s);
  };
  walk(0, target, source);
}
