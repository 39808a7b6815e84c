/** The controls beside the picture: sliders, colours, failures. */
import { COLOUR_MAPS, type ColourMapName, coloursOf, isColourMap } from "./colour-maps.js";
import { type Channel, type Dimension, type Layer, screenDimensions } from "./layers.js";
import { format } from "./profile.js";

/** Milliseconds between two steps of a dimension that is played. */
const STEP = 250;

type Attributes = Readonly<Record<string, string | number | boolean>>;

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false) continue;
    made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children);
  return made;
}

export interface Slider {
  readonly dimension: number;
  step(by: number): void;
  play(): void;
}

export interface SliderEvents {
  /** @returns whether the picture of the last index is complete, and the next may come */
  isReady(): boolean;
  onIndex(dimension: number, index: number): void;
}

/** A slider and a play button for every dimension that is not on the screen. */
export function makeSliders(
  place: HTMLElement,
  layer: Layer,
  indices: readonly number[],
  events: SliderEvents,
): readonly Slider[] {
  const sliders: Slider[] = [];
  place.replaceChildren();
  for (const [d, dimension] of layer.dimensions.entries()) {
    if (d === layer.x || d === layer.y || d === layer.channels?.dimension || dimension.length < 2) continue;
    const id = `dimension-${d}`;
    const input = element("input", {
      id,
      type: "range",
      min: 0,
      max: dimension.length - 1,
      step: 1,
      value: indices[d] ?? 0,
    });
    const button = element(
      "button",
      { type: "button", "aria-label": `Play ${dimension.name}`, "aria-pressed": "false" },
      "▶",
    );
    const output = element("output", { for: id });
    const tell = (): void => {
      const words = labelOf(dimension, input.valueAsNumber);
      output.textContent = `${words}  (${input.value} of ${dimension.length})`;
      input.setAttribute("aria-valuetext", words);
    };
    const step = (by: number): void => {
      input.valueAsNumber = (input.valueAsNumber + by + dimension.length) % dimension.length;
      tell();
      events.onIndex(d, input.valueAsNumber);
    };
    let timer = 0;
    const play = (): void => {
      const isPlaying = timer === 0;
      button.textContent = isPlaying ? "⏸" : "▶";
      button.setAttribute("aria-pressed", String(isPlaying));
      if (isPlaying) {
        timer = window.setInterval(() => {
          if (!button.isConnected) clearInterval(timer);
          else if (events.isReady()) step(1);
        }, STEP);
      } else {
        clearInterval(timer);
        timer = 0;
      }
    };
    input.addEventListener("input", () => {
      tell();
      events.onIndex(d, input.valueAsNumber);
    });
    button.addEventListener("click", play);
    tell();
    place.append(
      element("div", { class: "row" }, element("label", { for: id }, dimension.name), input, button, output),
    );
    sliders.push({ dimension: d, step, play });
  }
  return sliders;
}

/** Which dimensions are on the screen. @param onAxes is given their names */
export function makeAxes(
  place: HTMLElement,
  layer: Layer,
  onAxes: (axes: readonly [down: string, across: string]) => void,
): void {
  const choices = screenDimensions(layer);
  if (choices.length < 2) return;
  const select = (id: string, chosen: number): HTMLSelectElement =>
    element(
      "select",
      { id },
      ...choices.map((d) =>
        element("option", { value: d, selected: d === chosen }, layer.dimensions[d]?.name ?? ""),
      ),
    );
  const [across, down] = [select("across", layer.x), select("down", layer.y)];
  const tell = (changed: HTMLSelectElement, other: HTMLSelectElement, before: number): void => {
    // Both the same: they change places.
    if (changed.value === other.value) other.value = String(before);
    const [y, x] = [down, across].map(({ value }) => layer.dimensions[Number(value)]?.name ?? "");
    if (y !== undefined && x !== undefined) onAxes([y, x]);
  };
  across.addEventListener("change", () => tell(across, down, layer.x));
  down.addEventListener("change", () => tell(down, across, layer.y));
  place.append(
    element(
      "div",
      { class: "row" },
      element("label", { for: "across" }, "Across"),
      across,
      element("label", { for: "down" }, "Down"),
      down,
    ),
  );
}

export function labelOf({ labels, unit }: Dimension, index: number): string {
  const label = labels?.[index] ?? String(index);
  return unit && labels ? `${label} ${unit}` : label;
}

export interface ColourEvents {
  onColours(name: ColourMapName): void;
  /** Undefined: as the values on the screen are. */
  onRange(range: readonly [number, number] | undefined): void;
  onChannel(index: number, isVisible: boolean): void;
}

/** The colour map with its legend, or the channels of an image. */
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
      const [from, to] = range.map(format);
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

export interface Problem {
  readonly message: string;
  readonly retry: () => void;
}

/** One line each, and a button that tries again. At most five. */
export function showProblems(place: HTMLElement, problems: readonly Problem[]): void {
  const shown = problems.slice(0, 5).map(({ message, retry }) => {
    const button = element("button", { type: "button" }, "Try again");
    button.addEventListener("click", retry);
    return element("p", {}, `${message} `, button);
  });
  const rest = problems.length - shown.length;
  const all = element("button", { type: "button" }, `Try all ${problems.length} again`);
  all.addEventListener("click", () => {
    for (const { retry } of problems) retry();
  });
  const text = shown.map((paragraph) => paragraph.textContent).join() + rest;
  // A screen reader would read it all again.
  if (place.dataset.text === text) return;
  place.dataset.text = text;
  place.replaceChildren(...shown, ...(rest > 0 ? [element("p", {}, `and ${rest} more `, all)] : []));
}
