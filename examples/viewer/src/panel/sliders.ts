/** A slider and a play button for every dimension that is not on the screen. */
import { type Layer, labelOf } from "../data/layers.js";
import { element } from "../element.js";
import { currentState, remember } from "../link.js";

/** Milliseconds between two steps of a dimension that is played. */
const STEP = 250;

const PLAY = "▶";
/** Two letters: few fonts have the sign of a pause. */
const PAUSE = "II";

export interface Slider {
  readonly dimension: number;
  step(by: number): void;
  play(): void;
}

export interface SliderEvents {
  /** @returns whether the picture of the last index is complete, and the next may come */
  isReady(): boolean;
  /** `indices` has changed. */
  onIndex(): void;
}

export function makeSliders(
  place: HTMLElement,
  layer: Layer,
  indices: number[],
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
      { type: "button", class: "play", "aria-label": `Play ${dimension.name}` },
      PLAY,
    );
    const output = element("output", { for: id });
    const tell = (): void => {
      const words = labelOf(dimension, input.valueAsNumber);
      const index = dimension.labels ? ` [${input.value}]` : "";
      output.textContent = `${words}${index} of 0 to ${dimension.length - 1}`;
      input.setAttribute("aria-valuetext", words);
    };
    const choose = (): void => {
      tell();
      indices[d] = input.valueAsNumber;
      remember({ indices: new Map(currentState().indices).set(dimension.name, input.valueAsNumber) });
      events.onIndex();
    };
    const step = (by: number): void => {
      input.valueAsNumber = (input.valueAsNumber + by + dimension.length) % dimension.length;
      choose();
    };
    let timer = 0;
    const play = (): void => {
      const isPlaying = timer === 0;
      button.textContent = isPlaying ? PAUSE : PLAY;
      button.setAttribute("aria-label", `${isPlaying ? "Pause" : "Play"} ${dimension.name}`);
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
    input.addEventListener("input", choose);
    button.addEventListener("click", play);
    tell();
    place.append(
      element("div", { class: "row" }, element("label", { for: id }, dimension.name), input, button, output),
    );
    sliders.push({ dimension: d, step, play });
  }
  return sliders;
}
