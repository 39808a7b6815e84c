/** The colours of a layer in a line, with the values at both ends. */
import type { Layer } from "../data/layers.js";
import { short } from "../data/numbers.js";
import { type ColourMapName, coloursOf } from "../picture/colour-maps.js";
import type { Range } from "../picture/contrast.js";

interface SmallRampProps {
  readonly layer: Layer;
  readonly colours: ColourMapName;
  /** Values at the first and the last colour. */
  readonly range: Range;
}

export function SmallRamp({ layer, colours, range: [low, high] }: SmallRampProps) {
  const table = coloursOf(colours);
  const stops = Array.from({ length: 9 }, (_, i) => {
    const at = 4 * Math.round((255 * i) / 8);
    return `rgb(${table.subarray(at, at + 3).join()})`;
  });
  return (
    <span class="number small-ramp">
      {short(low)}
      <i style={{ background: `linear-gradient(90deg, ${stops.join()})` }} />
      {short(high)} {layer.unit}
    </span>
  );
}
