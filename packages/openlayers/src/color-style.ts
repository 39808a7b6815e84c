/** A colour scale as an expression of OpenLayers. */
import type { ColorScale } from "@wazarr/colors";
import type { ExpressionValue } from "ol/expr/expression.js";

/** Stops of a logarithmic scale: OpenLayers has no logarithm. */
const STOPS = 128;

/**
 * The style of a `WebGLTile` layer that colours a band: `new WebGLTileLayer({ source, style: colorStyle(scale) })`.
 * @param value the band, or an expression of bands, such as `["-", ["band", 1], ["band", 2]]`
 */
export function colorStyle(
  { range: [low, high], classes, isLog, table, colorAt }: ColorScale,
  value: ExpressionValue = ["band", 1],
): { readonly color: ExpressionValue } {
  if (isLog) {
    const stops = Array.from({ length: STOPS + 1 }, (_, i) => low * (high / low) ** (i / STOPS));
    const colors = stops.flatMap((stop) => [stop, cssOf(colorAt(stop))]);
    return { color: ["interpolate", ["linear"], value, ...colors] };
  }
  const count = table.length / 4;
  const colors = Array.from({ length: count }, (_, i) => cssOf([...table.subarray(4 * i, 4 * i + 4)]));
  if (classes.length > 0) {
    const cases = classes.slice(1, -1).flatMap((bound, i) => [["<", value, bound], colors[i] ?? ""]);
    return { color: cases.length === 0 ? (colors[0] ?? "") : ["case", ...cases, colors.at(-1) ?? ""] };
  }
  const place: ExpressionValue = ["*", ["/", ["-", value, low], high - low], count];
  return { color: ["palette", ["clamp", ["floor", place], 0, count - 1], colors] };
}

const cssOf = ([red = 0, green = 0, blue = 0, alpha = 255]: readonly number[]): string =>
  `rgba(${red}, ${green}, ${blue}, ${alpha / 255})`;
