/** What a click or a drag in the picture asks for: in the bar on a desk, above the values on a phone. */
import { MapPin, SquareDashed, SquareSplitHorizontal } from "lucide";
import type { ComponentChildren } from "preact";
import type { Layer } from "../data/layers.js";
import { act, tool } from "../session.js";
import { page } from "../state-of-page.js";
import { mayCompare, toggleComparison } from "./compare.js";
import { Icon } from "./icon.js";

interface ToolsProps {
  readonly layer: Layer;
  readonly class: string;
  readonly tab?: string;
  readonly children?: ComponentChildren;
}

export const Tools = ({ layer, class: name, tab, children }: ToolsProps) => (
  <fieldset class={name} data-tab-of={tab} aria-label="What is asked">
    <ToolButton of="point" name="Point" icon={MapPin} />
    <ToolButton of="region" name="Region" icon={SquareDashed} />
    {mayCompare(layer) && (
      <button
        type="button"
        class="button"
        aria-pressed={page.value.compared !== undefined}
        onClick={() => toggleComparison(layer)}
      >
        <Icon of={SquareSplitHorizontal} /> Compare
      </button>
    )}
    {children}
  </fieldset>
);

/** Those of a picture, for a phone. */
export function SheetTools() {
  const shown = act.value;
  return shown.kind === "picture" ? <Tools layer={shown.layer} class="tools narrow" tab="answers" /> : null;
}

interface ToolButtonProps {
  readonly of: "point" | "region";
  readonly name: string;
  readonly icon: Parameters<typeof Icon>[0]["of"];
}

const ToolButton = ({ of, name, icon }: ToolButtonProps) => (
  <button
    type="button"
    class="button"
    aria-pressed={tool.value === of}
    onClick={() => {
      tool.value = of;
    }}
  >
    <Icon of={icon} /> {name}
  </button>
);
