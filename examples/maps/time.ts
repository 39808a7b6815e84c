/** A slider of time below a map, a button that plays, and one that reads failed tiles again. */
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
    try {
      for await (const { step } of source.play("time")) {
        slider.value = `${step.time}`;
        await draw();
        if (!isPlaying) break;
      }
    } catch {
      // A tile failed, as `again` says.
      isPlaying = false;
      button.textContent = "Play";
    }
  });
  const again = document.createElement("button");
  again.addEventListener("click", () => {
    source.retry();
    void draw();
  });
  return () => {
    const { step, isComplete, failures } = source.picture();
    output.value = `${step.time ?? 0}${isComplete ? "" : " (loading)"}`;
    again.textContent = `${failures.length} tiles failed: try again`;
    if (failures.length === 0) again.remove();
    else if (!again.isConnected) output.after(again);
  };
}
