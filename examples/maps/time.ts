/** A slider of time below a map, and a button that plays. */
import type { MapSource } from "./raster.js";

/**
 * @param source of which the view of the map is shown
 * @param draw draws the map, and resolves once it is drawn
 * @returns to be called after each frame
 */
export function addTime(source: MapSource, draw: () => Promise<unknown>): () => void {
  const { time: steps = 1 } = source.dimensions;
  const disabled = steps === 1;
  const button = Object.assign(document.createElement("button"), { textContent: "Play", disabled });
  const range = { type: "range", max: `${steps - 1}`, value: "0", disabled };
  const slider = Object.assign(document.createElement("input"), range);
  const output = document.createElement("output");
  document.body.append(button, slider, output);
  if (steps > 1) source.show({ ahead: { time: 2 } });
  slider.addEventListener("input", () => {
    source.show({ selectors: { time: slider.valueAsNumber } });
    void draw();
  });
  let isPlaying = false;
  button.addEventListener("click", async () => {
    isPlaying = !isPlaying;
    button.textContent = isPlaying ? "Stop" : "Play";
    if (!isPlaying) return;
    for await (const { step } of source.play("time")) {
      slider.value = `${step.time}`;
      await draw();
      if (!isPlaying) break;
    }
  });
  return () => {
    const { step, isComplete } = source.picture();
    output.value = `${step.time ?? 0}${isComplete ? "" : " (loading)"}`;
  };
}
