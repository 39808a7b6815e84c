/** The channels of an image: which are seen, between which values, and how strongly. */
import { short } from "../chart/line.js";
import type { Channel } from "../data/layers.js";
import { element } from "../element.js";
import type { Range } from "../picture/contrast.js";

/**
 * @param onChange is given what changed of a channel; a range of undefined: as the values on the screen are
 */
export function makeChannels(
  place: HTMLElement,
  channels: readonly Channel[],
  onChange: (index: number, change: Partial<Channel>) => void,
) {
  place.replaceChildren();
  const ends = channels.map(({ name, colour, isVisible, opacity }, c) => {
    const input = element("input", { id: `channel-${c}`, type: "checkbox", checked: isVisible });
    input.addEventListener("change", () => onChange(c, { isVisible: input.checked }));
    const swatch = `rgb(${colour.map((part) => Math.round(part * 255)).join()})`;
    const [low, high] = ["First", "Last"].map((which) =>
      element("input", { type: "number", step: "any", "aria-label": `${which} value of ${name}` }),
    );
    const tell = (): void => {
      const [from, to] = [low?.valueAsNumber ?? Number.NaN, high?.valueAsNumber ?? Number.NaN];
      if (Number.isFinite(from) && Number.isFinite(to)) onChange(c, { range: [from, to] });
    };
    for (const each of [low, high]) each?.addEventListener("change", tell);
    const auto = element(
      "button",
      { type: "button", "aria-label": `Contrast of ${name} as its values are` },
      "Auto",
    );
    auto.addEventListener("click", () => onChange(c, { range: undefined }));
    place.append(
      element(
        "fieldset",
        { class: "channel" },
        element(
          "legend",
          {},
          input,
          element(
            "label",
            { for: input.id },
            ` ${name} `,
            element("span", { style: `color:${swatch}`, "aria-hidden": "true" }, "■"),
          ),
        ),
        element("div", { class: "row range" }, "Contrast", ...(low && high ? [low, high] : []), auto),
        opacityRow(name, opacity, (value) => onChange(c, { opacity: value })),
      ),
    );
    return { low, high };
  });
  return {
    /** @param range of stored values */
    show(index: number, range: Range): void {
      const { low, high } = ends[index] ?? {};
      for (const [input, value] of [
        [low, range[0]],
        [high, range[1]],
      ] as const)
        if (input && document.activeElement !== input) input.value = short(value);
    },
  };
}

export function opacityRow(name: string, opacity: number, onOpacity: (opacity: number) => void): HTMLElement {
  const input = element("input", {
    type: "range",
    min: 0,
    max: 1,
    step: 0.05,
    value: opacity,
    "aria-label": `Opacity of ${name}`,
  });
  input.addEventListener("input", () => onOpacity(input.valueAsNumber));
  return element("div", { class: "row" }, "Opacity", input);
}
