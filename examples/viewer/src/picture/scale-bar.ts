/** How long something is on the screen, where pixels have a size. */
import type { Dimension, Layer } from "../data/layers.js";
import { stage } from "./stage.js";

/** CSS pixels of the longest bar. */
const LONGEST = 140;
const SHORT: Readonly<Record<string, string>> = {
  micrometer: "µm",
  nanometer: "nm",
  millimeter: "mm",
  centimeter: "cm",
  meter: "m",
  kilometer: "km",
  metre: "m",
};

interface Bar {
  readonly words: string;
  /** CSS pixels. */
  readonly pixels: number;
}

/** Of a map in its middle; undefined where pixels have no size. */
export function scaleBarOf(layer: Layer): Bar | undefined {
  const metres = stage.peek()?.metresOfPixel?.();
  if (metres !== undefined)
    return metres * LONGEST > 1000 ? barOf(1000 / metres, "km") : barOf(1 / metres, "m");
  const dimension = layer.dimensions[layer.x];
  const size = dimension && pixelSizeOf(dimension);
  const [from, to] = [stage.peek()?.edgeOf(0, 0), stage.peek()?.edgeOf(1, 0)];
  if (!dimension?.unit || size === undefined || !from || !to) return undefined;
  return barOf(Math.abs(to[0] - from[0]) / size, SHORT[dimension.unit] ?? dimension.unit);
}

/** @param pixels of one unit */
function barOf(pixels: number, unit: string): Bar | undefined {
  const length = roundBelow(LONGEST / pixels);
  if (!Number.isFinite(length) || length <= 0) return undefined;
  return { words: `${length} ${unit}`, pixels: length * pixels };
}

/** Undefined for uneven steps, and for degrees, which have no length of their own. */
function pixelSizeOf({ values, unit, length, isTime }: Dimension): number | undefined {
  if (!values || !unit || isTime || length < 2 || /degree/i.test(unit)) return undefined;
  const [first, second, last] = [Number(values[0]), Number(values[1]), Number(values[length - 1])];
  const size = Math.abs(second - first);
  const isEven = Math.abs(Math.abs(last - first) - size * (length - 1)) < size / 2;
  return isEven && size > 0 ? size : undefined;
}

/** 1, 2 or 5 times a power of ten. */
function roundBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [5, 2, 1].find((each) => each * power <= value) ?? 1;
  return Number((factor * power).toPrecision(1));
}
