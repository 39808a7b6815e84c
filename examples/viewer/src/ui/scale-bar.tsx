/** How long something is on the screen, where pixels have a size. */
import type { Dimension } from "../data/layers.js";
import { frames, stage } from "../picture/stage.js";
import { act } from "../session.js";

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

export function ScaleBar() {
  // The bar follows the zoom.
  void frames.value;
  const shown = act.value;
  if (shown.kind !== "picture") return null;
  const dimension = shown.layer.dimensions[shown.layer.x];
  const size = dimension && pixelSizeOf(dimension);
  const [from, to] = [stage.value?.edgeOf(0, 0), stage.value?.edgeOf(1, 0)];
  if (!dimension?.unit || size === undefined || !from || !to) return null;
  const pixels = Math.abs(to[0] - from[0]) / size;
  const length = roundBelow(LONGEST / pixels);
  if (!Number.isFinite(length) || length <= 0) return null;
  return (
    <div class="scale-bar wide" role="img" aria-label={`${length} ${dimension.unit}`}>
      {length} {SHORT[dimension.unit] ?? dimension.unit}
      <i style={{ width: `${length * pixels}px` }} />
    </div>
  );
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
