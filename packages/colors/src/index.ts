/**
 * Colour scales of matplotlib, cmocean and ColorBrewer as lookup tables, and their legends.
 *
 *     const scale = await colorScale("thermal", { range: [-38, 34] });
 *     scale.colorAt(18.8); // [203, 98, 76, 255]
 *     document.body.append(legendElement(scale, { title: "Temperature", unit: "°C" }));
 * @module
 */
export { type LegendOptions, legendElement, legendSvg } from "./legend.js";
export { type ColorOptions, type ColorScale, type Colors, colorScale, type Rgba } from "./scale.js";
export { colorNames } from "./tables/names.js";
