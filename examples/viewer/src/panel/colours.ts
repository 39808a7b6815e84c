/** The colour map with its legend. */

import { short } from "../chart/line.js";
import type { Layer } from "../data/layers.js";
import { element } from "../element.js";
import { baseOf, COLOUR_MAPS, type ColourMapName, coloursOf, isColourMap } from "../picture/colour-maps.js";

export interface ColourEvents {
  onColours(name: ColourMapName): void;
  /** Undefined: as the values on the screen are. */
  onRange(range: readonly [number, number] | undefined): void;
}

export function makeColours(place: HTMLElement, layer: Layer, chosen: ColourMapName, events: ColourEvents) {
  place.replaceChildren();
  const { base, isReversed } = baseOf(chosen);
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
  const select = element(
    "select",
    { id: "map", "aria-label": "Colour map" },
    ...COLOUR_MAPS.map((name) => element("option", { selected: name === base }, name)),
  );
  const reversed = element("input", { id: "reversed", type: "checkbox", checked: isReversed });
  const choose = (): void => {
    const name = `${select.value}${reversed.checked ? "_r" : ""}`;
    if (isColourMap(name)) events.onColours(name);
  };
  select.addEventListener("change", choose);
  reversed.addEventListener("change", choose);
  place.append(
    element(
      "div",
      { class: "row" },
      element("label", { for: "map" }, "Colours"),
      select,
      element("label", {}, reversed, " reversed"),
    ),
    legend,
    ends,
    element("div", { class: "row range" }, "Range", low, high, auto),
  );
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
