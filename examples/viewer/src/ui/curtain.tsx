/** The line between two things that are compared, which a drag moves; what is on either side of it. */
import type { Layer } from "../data/layers.js";
import { chosenIndex } from "../data/layers.js";
import { stepInWords } from "../data/places.js";
import { comparedInWords, comparedWith, timelineOf } from "../picture/comparison.js";
import { decodedRange } from "../picture/contrast.js";
import { coloursFor } from "../picture/scales.js";
import { COMPARED } from "../picture/scene.js";
import { act, seen } from "../session.js";
import { page, remember } from "../state-of-page.js";
import { SmallRamp } from "./small-ramp.js";

/** Of a key. */
const STEP = 0.02;

export function Curtain() {
  const shown = act.value;
  if (shown.kind !== "picture") return null;
  const compared = comparedWith(shown.layer);
  const { curtain } = page.value;
  if (!compared || curtain === undefined) return null;
  const isOther = compared.layer !== shown.layer;
  const words = comparedInWords(compared);
  const move = (part: number): void => remember({ curtain: Math.min(0.98, Math.max(0.02, part)) });
  return (
    <div class="curtain" style={{ left: `${100 * curtain}%` }}>
      <span class="side left">
        {words}
        {isOther && <OtherColours layer={compared.layer} />}
      </span>
      <span class="side">{nameOf(shown.layer, isOther)}</span>
      <div
        class="handle"
        role="slider"
        tabIndex={0}
        aria-label="Curtain"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(100 * curtain)}
        aria-valuetext={`${words} to the left, ${nameOf(shown.layer, isOther)} to the right`}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={(event) => {
          const width = document.getElementById("picture")?.clientWidth ?? innerWidth;
          if (event.currentTarget.hasPointerCapture(event.pointerId)) move(event.clientX / width);
        }}
        onKeyDown={(event) => {
          const by = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
          if (by === undefined) return;
          event.preventDefault();
          move(curtain + by);
        }}
      />
    </div>
  );
}

/** The step on the screen, or the name of the variable. */
function nameOf(layer: Layer, isOther: boolean): string {
  const main = timelineOf(layer);
  return isOther || !main
    ? (layer.longName ?? layer.title)
    : stepInWords(main, chosenIndex(main, page.value.indices));
}

/** The colours of the other variable, which no panel shows. */
function OtherColours({ layer }: { readonly layer: Layer }) {
  const stored = seen.value.ranges.get(COMPARED);
  if (!stored) return null;
  return <SmallRamp layer={layer} colours={coloursFor(layer, {})} range={decodedRange(layer, stored)} />;
}
