/** A slider of time below a map, and a button that plays. */
import type { MapSource } from "./raster.js";

/**
 * @param show shows the view of the map, from then on with these options
 * @param frame resolves once the next frame of the map is drawn
 * @returns to be called after each frame
 */
export function addTime(
  source: MapSource,
  show: (step: { selectors?: { time: number }; ahead?: { time: number } }) => void,
  frame: () => Promise<unknown>,
): () => void {
  const { time: steps = 1 } = source.dimensions;
  const button = Object.assign(document.createElement("button"), { textContent: "Play" });
  const range = { type: "range", max: `${steps - 1}`, value: "0" };
  const slider = Object.assign(document.createElement("input"), range);
  const output = document.createElement("output");
  document.body.append(button, slider, output);
  const showStep = () =>
    show(steps > 1 ? { selectors: { time: slider.valueAsNumber }, ahead: { time: 2 } } : {});
  slider.addEventListener("input", showStep);

  /** From step to step, each as soon as the one before is on the screen. */
  let isPlaying = false;
  async function play(): Promise<void> {
    while (isPlaying) {
      await source.complete();
      await frame();
      if (!isPlaying) return;
      slider.value = String((slider.valueAsNumber + 1) % steps);
      showStep();
    }
  }
  button.addEventListener("click", () => {
    isPlaying = !isPlaying;
    button.textContent = isPlaying ? "Stop" : "Play";
    void play();
  });
  showStep();
  return () => {
    const { step, isComplete } = source.picture();
    output.value = `${step.time ?? 0}${isComplete ? "" : " (loading)"}`;
  };
}
