/** Which two dimensions are on the screen. */
import { type Layer, screenDimensions } from "../data/layers.js";
import { element } from "../element.js";

/** @param onAxes is given their names */
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
      // A name that is wider than the panel ends in dots.
      { id, title: layer.dimensions[chosen]?.name ?? "" },
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
    element("div", { class: "row axis" }, element("label", { for: "across" }, "Across"), across),
    element("div", { class: "row axis" }, element("label", { for: "down" }, "Down"), down),
  );
}
