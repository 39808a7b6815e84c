/** Nearer, further, everything. */
import { Maximize, Minus, Plus } from "lucide";
import { stage } from "../picture/stage.js";
import { Icon } from "./icon.js";

const STEP = 1.5;

export function Zoom() {
  const { value } = stage;
  if (!value) return null;
  return (
    <fieldset class="island zoom push wide" aria-label="Zoom">
      <button type="button" class="button bare" aria-label="Zoom in" onClick={() => value.zoom(STEP)}>
        <Icon of={Plus} />
      </button>
      <button type="button" class="button bare" aria-label="Zoom out" onClick={() => value.zoom(1 / STEP)}>
        <Icon of={Minus} />
      </button>
      <button type="button" class="button bare" aria-label="Show everything" onClick={value.showAll}>
        <Icon of={Maximize} />
      </button>
    </fieldset>
  );
}
