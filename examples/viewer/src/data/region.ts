/** The values in a box or polygon of a layer: mean, extremes, histogram, and the mean of each step. */
import { levelsInPixels, type PolygonValues, TileSource } from "wazarr/tiles";
import type { Point } from "../picture/controls.js";
import { cache, workers } from "../reading.js";
import type { Layer } from "./layers.js";
import { weightOfRow } from "./places.js";

const BARS = 32;

export interface Statistics {
  /** Weighted by area where rows are latitudes. NaN without values. */
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /** Elements with values, and all. */
  readonly count: number;
  readonly total: number;
  /** Elements between low and high, in bars of one width. */
  readonly histogram: readonly number[];
  readonly isWeighted: boolean;
}

/** Corners of a box or polygon around elements: the first two are opposite corners of a box. */
export function polygonOf(region: readonly Point[]): (readonly [x: number, y: number])[] {
  const [first, second] = region;
  if (region.length > 2 || !first || !second) return region.map(({ x, y }) => [x + 0.5, y + 0.5]);
  const [left, right] = [Math.min(first.x, second.x), Math.max(first.x, second.x) + 1];
  const [top, bottom] = [Math.min(first.y, second.y), Math.max(first.y, second.y) + 1];
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
}

export function regionsOf(layer: Layer) {
  const { x, y, dimensions, levels, missing, scale, offset } = layer;
  const source = new TileSource(levelsInPixels(levels, { yAxis: y, xAxis: x }), {
    as: "float64",
    dimensions: dimensions.map(({ name }) => name),
    ...{ missing, scale, offset, cache, workers },
  });
  const selectorsOf = (indices: readonly number[]): Readonly<Record<string, number>> =>
    Object.fromEntries(
      dimensions.flatMap(({ name }, d) =>
        Object.hasOwn(source.dimensions, name) ? [[name, indices[d] ?? 0]] : [],
      ),
    );
  return {
    async statistics(
      region: readonly Point[],
      indices: readonly number[],
      signal: AbortSignal,
    ): Promise<Statistics> {
      const selectors = selectorsOf(indices);
      const found = await source.query([polygonOf(region)], { selectors, signal });
      return statisticsOf(found, weightsOf(layer, found), layer);
    },
    /** The mean of each step along a dimension. */
    async series(
      region: readonly Point[],
      indices: readonly number[],
      along: string,
      signal: AbortSignal,
    ): Promise<Float64Array> {
      const selectors = selectorsOf(indices);
      const found = await source.query([polygonOf(region)], { along, selectors, signal });
      const weights = weightsOf(layer, found);
      const count = weights.length;
      const steps = count === 0 ? 0 : found.values.length / count;
      return Float64Array.from({ length: steps }, (_, step) =>
        meanOf(found.values.subarray(step * count, (step + 1) * count), weights),
      );
    },
    close: () => source.close(),
  };
}

function weightsOf(layer: Layer, { y }: PolygonValues): Float64Array {
  return Float64Array.from(y, (middle) => weightOfRow(layer, Math.floor(middle)));
}

function meanOf(values: Float64Array, weights: Float64Array): number {
  let [sum, total] = [0, 0];
  for (const [i, value] of values.entries()) {
    const weight = weights[i] ?? 0;
    if (!Number.isFinite(value)) continue;
    sum += value * weight;
    total += weight;
  }
  return total === 0 ? Number.NaN : sum / total;
}

function statisticsOf({ values }: PolygonValues, weights: Float64Array, layer: Layer): Statistics {
  const finite = values.filter(Number.isFinite);
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of finite) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const histogram = new Array<number>(BARS).fill(0);
  for (const value of finite) {
    const bar = high === low ? 0 : Math.min(BARS - 1, Math.floor((BARS * (value - low)) / (high - low)));
    histogram[bar] = (histogram[bar] ?? 0) + 1;
  }
  return {
    mean: meanOf(values, weights),
    low: finite.length > 0 ? low : Number.NaN,
    high: finite.length > 0 ? high : Number.NaN,
    count: finite.length,
    total: values.length,
    histogram,
    isWeighted: weightOfRow(layer, 0) !== weightOfRow(layer, (layer.dimensions[layer.y]?.length ?? 1) >> 1),
  };
}
