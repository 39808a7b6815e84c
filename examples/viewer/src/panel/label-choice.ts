/** Which label images lie over an image, and how strongly. */
import { element } from "../element.js";
import type { LabelChoice } from "../state.js";
import { opacityRow } from "./channels.js";

export function makeLabelChoices(
  place: HTMLElement,
  choices: ReadonlyMap<string, LabelChoice>,
  onChoice: (name: string, change: Partial<LabelChoice>) => void,
): void {
  for (const [name, { isVisible, opacity }] of choices) {
    const input = element("input", { id: `label-${name}`, type: "checkbox", checked: isVisible });
    input.addEventListener("change", () => onChoice(name, { isVisible: input.checked }));
    place.append(
      element(
        "fieldset",
        { class: "channel" },
        element("legend", {}, input, element("label", { for: input.id }, ` Labels: ${name}`)),
        opacityRow(`labels ${name}`, opacity, (value) => onChoice(name, { opacity: value })),
      ),
    );
  }
}
