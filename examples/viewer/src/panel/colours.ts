/** The colour map with its legend, or the channels of an image. */

import { short } from "../chart/line.js";
import type { Channel, Layer } from "../data/layers.js";
import { element } from "../element.js";
import { COLOUR_MAPS, type ColourMapName, coloursOf, isColourMap } from "../picture/colour-maps.js";

export interface ColourEvents {
  onColours(name: ColourMapName): void;
  /** Undefined: as the values on the screen are. */
  onRange(range: readonly [number, number] | undefined): void;
  onChannel(index: number, isVisible: boolean): void;
}

export function makeColours(
  place: HTMLElement,
  layer: Layer,
  chosen: ColourMapName,
  channels: readonly Channel[] | undefined,
  events: ColourEvents,
) {
  place.replaceChildren();
  for (const [c, { name, colour, isVisible }] of (channels ?? []).entries()) {
    const input = element("input", { id: `channel-${c}`, type: "checkbox", checked: isVisible });
    input.addEventListener("change", () => events.onChannel(c, input.checked));
    const swatch = `rgb(${colour.map((part) => Math.round(part * 255)).join()})`;
    const label = element(
      "label",
      { for: input.id },
      ` ${name} `,
      element("span", { style: `color:${swatch}`, "aria-hidden": "true" }, "■"),
    );
    place.append(element("div", {}, input, label));
  }
  const low = element("input", {
    id: "low",
    type: "number",
    step: "any",
    "aria-label": "Value of the first colour",
  });
  const high = element("input", {
    id: "high",
    type: "number",
    step: "any",
    "aria-label": "Value of the last colour",
  });
  const auto = element("button", { type: "button" }, "Auto");
  const legend = element("canvas", { id: "legend", width: 256, height: 1, role: "img" });
  const ends = element("div", { class: "ends" });
  const tell = (): void => {
    if (Number.isFinite(low.valueAsNumber) && Number.isFinite(high.valueAsNumber))
      events.onRange([low.valueAsNumber, high.valueAsNumber]);
  };
  low.addEventListener("change", tell);
  high.addEventListener("change", tell);
  auto.addEventListener("click", () => events.onRange(undefined));
  if (!channels) {
    const select = element(
      "select",
      { id: "map", "aria-label": "Colour map" },
      ...COLOUR_MAPS.map((name) => element("option", { selected: name === chosen }, name)),
    );
    select.addEventListener("change", () => {
      if (isColourMap(select.value)) events.onColours(select.value);
    });
    place.append(element("div", { class: "row" }, element("label", { for: "map" }, "Colours"), select, auto));
    place.append(legend, ends, element("div", { class: "row range" }, "Range", low, high));
  }
  return {
    /** @param range of decoded values */
    show(name: ColourMapName, range: readonly [number, number]): void {
      const context = legend.getContext("2d");
      const image = new ImageData(256, 1);
      image.data.set(coloursOf(name));
      context?.putImageData(image, 0, 0);
      const [from, to] = range.map(short);
      legend.setAttribute("aria-label", `Colours from ${from} to ${to} ${layer.unit ?? ""}`);
      ends.replaceChildren(
        element("span", {}, from ?? ""),
        element("span", {}, layer.unit ?? ""),
        element("span", {}, to ?? ""),
      );
      if (document.activeElement !== low) low.value = from ?? "";
      if (document.activeElement !== high) high.value = to ?? "";
    },
  };
}
