/** What the colours mean, in a line over the picture: where there is no room for the panel of colours. */
import { chosenIndex } from "../data/layers.js";
import { stepInWords } from "../data/places.js";
import { classColour } from "../picture/class-colours.js";
import { shownLayer, timelineOf } from "../picture/comparison.js";
import { decodedRange } from "../picture/contrast.js";
import { coloursFor } from "../picture/scales.js";
import { ONLY } from "../picture/scene.js";
import { act, seen } from "../session.js";
import { page } from "../state-of-page.js";
import { SmallRamp } from "./small-ramp.js";

/** The rest is in the panel. */
const MOST = 4;

interface MiniLegendProps {
  /** Where nothing else says what is shown: with the name and the step. */
  readonly isAlone?: boolean;
}

export function MiniLegend({ isAlone = false }: MiniLegendProps) {
  const shown = act.value;
  if (shown.kind !== "picture") return null;
  const { layer } = shown;
  const main = timelineOf(layer);
  // It has its height before values are read: pictures are fitted above it.
  return (
    <section class={isAlone ? "mini" : "mini narrow"} aria-label="Legend" data-edge="bottom">
      {isAlone && <b>{layer.longName ?? layer.title}</b>}
      {isAlone && main && <span>{stepInWords(main, chosenIndex(main, page.value.indices))}</span>}
      <Meaning />
    </section>
  );
}

function Meaning() {
  const shown = act.value;
  const { ranges, channels } = seen.value;
  if (shown.kind !== "picture") return null;
  const layer = shownLayer(shown.layer);
  if (layer.classes) {
    const classes = [...layer.classes.values()].map((name, place) => ({ name, colour: classColour(place) }));
    return <Swatches of={classes} />;
  }
  if (layer.channels) {
    const visible = (channels ?? layer.channels.list).filter(({ isVisible }) => isVisible);
    return (
      <Swatches
        of={visible.map(({ name, colour }) => ({
          name,
          colour: colour.map((part) => Math.round(255 * part)),
        }))}
      />
    );
  }
  const stored = ranges.get(ONLY);
  return stored ? (
    <SmallRamp layer={layer} colours={coloursFor(layer, page.value)} range={decodedRange(layer, stored)} />
  ) : null;
}

interface SwatchesProps {
  readonly of: readonly { readonly name: string; readonly colour: readonly number[] }[];
}

const Swatches = ({ of }: SwatchesProps) => (
  <>
    {of.slice(0, MOST).map(({ name, colour }) => (
      <span class="meaning" key={name}>
        <i class="swatch" style={{ background: `rgb(${colour.join()})` }} />
        <span class="cut">{name}</span>
      </span>
    ))}
    {of.length > MOST && <span>and {of.length - MOST} more</span>}
  </>
);
