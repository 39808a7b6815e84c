/** How values become colours: the legend with its histogram and limits, classes, channels and labels. */
import type { Layer } from "../data/layers.js";
import { classColour } from "../picture/class-colours.js";
import { shownLayer } from "../picture/comparison.js";
import { act, seen } from "../session.js";
import { Channels } from "./channels.js";
import { Labels } from "./labels.js";
import { Legend } from "./legend.js";
import { Panel } from "./panel.js";

export function Colours() {
  const shown = act.value;
  if (shown.kind !== "picture") return <div id="colours" hidden />;
  const { layer } = shown;
  const name = layer.channels ? "Channels" : layer.classes ? "Classes" : "Colours";
  return (
    <Panel
      id="colours"
      name={name}
      tab="colours"
      class="push shrinks"
      head={<span class="meta cut">{layer.channels ? "" : layer.unit}</span>}
    >
      <ColoursOf layer={layer} />
      <Labels names={seen.value.labels} />
    </Panel>
  );
}

function ColoursOf({ layer }: { readonly layer: Layer }) {
  if (layer.classes) return <Classes classes={layer.classes} />;
  const { channels } = seen.value;
  return layer.channels ? (
    <Channels channels={channels ?? layer.channels.list} />
  ) : (
    <Legend layer={shownLayer(layer)} />
  );
}

const Classes = ({ classes }: { readonly classes: ReadonlyMap<number, string> }) => (
  <ul class="swatches">
    {[...classes].map(([value, name], place) => (
      <li key={value}>
        <span class="swatch" style={{ background: `rgb(${classColour(place).join()})` }} />
        <span class="grow cut">{name}</span>
        <span class="meta number">{value}</span>
      </li>
    ))}
  </ul>
);
