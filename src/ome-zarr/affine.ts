/** Affine maps between coordinates: what scales, translations, rotations and permutations of axes compose to. */

/** A row for each output coordinate: a factor for each input coordinate, then the offset. */
export type AffineMap = readonly (readonly number[])[];

export function identity(rank: number): AffineMap {
  return scaling(new Array<number>(rank).fill(1));
}

export function scaling(factors: readonly number[]): AffineMap {
  return factors.map((factor, i) => [...factors.map((_, j) => (i === j ? factor : 0)), 0]);
}

export function translation(offsets: readonly number[]): AffineMap {
  return offsets.map((offset, i) => [...offsets.map((_, j) => (i === j ? 1 : 0)), offset]);
}

export function applyMap(map: AffineMap, point: readonly number[]): number[] {
  return map.map((row) =>
    point.reduce(
      (sum, value, j) => (row[j] === 0 ? sum : sum + (row[j] ?? 0) * value),
      row[point.length] ?? 0,
    ),
  );
}

/** `first`, and then `second` on what it gives. */
export function compose(first: AffineMap, second: AffineMap): AffineMap {
  const inputs = (first[0]?.length ?? 1) - 1;
  const column = (j: number) => first.map((row) => row[j] ?? 0);
  return second.map((row) => {
    const factors = row.slice(0, -1);
    const dot = (values: readonly number[]) =>
      factors.reduce((sum, factor, i) => (factor === 0 ? sum : sum + factor * (values[i] ?? 0)), 0);
    const linear = Array.from({ length: inputs }, (_, j) => dot(column(j)));
    return [...linear, dot(column(inputs)) + (row[factors.length] ?? 0)];
  });
}

/** The map back, by Gauss and Jordan with the largest pivot; undefined where there is none. */
export function invert(map: AffineMap): AffineMap | undefined {
  const rank = map.length;
  if (map.some((row) => row.length !== rank + 1)) return undefined;
  const work = map.map((row, i) => [...row.slice(0, rank), ...map.map((_, j) => (i === j ? 1 : 0))]);
  for (let column = 0; column < rank; column++) {
    const size = (i: number) => Math.abs(work[i]?.[column] ?? 0);
    let best = column;
    for (let i = column + 1; i < rank; i++) if (size(i) > size(best)) best = i;
    const pivotRow = work[best];
    const pivot = pivotRow?.[column] ?? 0;
    const other = work[column];
    if (pivotRow === undefined || other === undefined || pivot === 0) return undefined;
    work[best] = other;
    work[column] = pivotRow.map((value) => value / pivot);
    for (let i = 0; i < rank; i++) {
      const factor = work[i]?.[column] ?? 0;
      if (i === column || factor === 0) continue;
      work[i] = (work[i] ?? []).map((value, j) => value - factor * (work[column]?.[j] ?? 0));
    }
  }
  const inverse = work.map((row) => row.slice(rank));
  const offsets = map.map((row) => row[rank] ?? 0);
  return inverse.map((row) => [
    ...row,
    0 - row.reduce((sum, factor, j) => sum + factor * (offsets[j] ?? 0), 0),
  ]);
}

/** The length of a step along each input coordinate: of a map that only scales, its factors without signs. */
export function stepLengths(map: AffineMap): number[] {
  const inputs = (map[0]?.length ?? 1) - 1;
  return Array.from({ length: inputs }, (_, j) => Math.hypot(...map.map((row) => row[j] ?? 0)));
}
