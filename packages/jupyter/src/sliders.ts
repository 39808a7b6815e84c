/** A slider for each dimension that is not on the canvas, with the label of its step. */
import { element } from "./element.js";

export interface Dimensions {
  readonly lengths: Readonly<Record<string, number>>;
  /** The labels of a dimension; undefined without a coordinate. */
  labelsOf(name: string): Promise<readonly string[] | undefined>;
}

export class Sliders {
  readonly root: HTMLElement = element("div", { className: "wazarr-sliders" });
  #show: ((name: string, index: number) => void)[] = [];

  /** @param onStep when the reader moves a slider */
  fill({ lengths, labelsOf }: Dimensions, onStep: (name: string, index: number) => void): void {
    this.#show = [];
    const rows = Object.entries(lengths)
      .filter(([, length]) => length > 1)
      .map(([name, length]) => {
        const input = element("input", { type: "range", min: "0", max: String(length - 1), value: "0" });
        const text = element("output", { textContent: "0" });
        let labels: readonly string[] | undefined;
        const show = (index: number): void => {
          input.value = String(index);
          text.textContent = labels?.[index] ?? String(index);
        };
        input.addEventListener("input", () => onStep(name, input.valueAsNumber));
        this.#show.push((changed, index) => changed === name && show(index));
        // Without labels, a step has its number.
        void labelsOf(name).then(
          (found) => {
            labels = found;
            show(input.valueAsNumber);
          },
          () => {},
        );
        const row = element("label", {});
        row.append(name, input, text);
        return row;
      });
    this.root.replaceChildren(...rows);
  }

  show(step: Readonly<Record<string, number>>): void {
    for (const [name, index] of Object.entries(step)) for (const each of this.#show) each(name, index);
  }
}
