/** The viewer in the output of a cell: a picture, sliders, a legend, and the value at a point. */
import { legendSvg } from "@wazarr/colors";
import { root, type Store } from "wazarr";
import { element } from "./element.js";
import { type Look, Picture } from "./picture.js";
import { listen } from "./pointer.js";
import { Sliders } from "./sliders.js";
import { change, type Model, pairOf, selectionOf, textOf, textsOf } from "./traits.js";

const STYLE = `
.wazarr-picture { position: relative; overflow: hidden; background: #8882 }
.wazarr-picture canvas { width: 100%; height: 100%; display: block; cursor: crosshair; touch-action: none }
.wazarr-point { position: absolute; width: 9px; height: 9px; margin: -6px; border: 2px solid #fff; border-radius: 50%; outline: 1px solid #000; pointer-events: none }
.wazarr-sliders label { display: flex; gap: 8px; align-items: center }
.wazarr-sliders input { flex: 1 }
.wazarr-words { min-height: 1.4em }`;

export class ViewerElement {
  readonly root: HTMLElement = element("div", { className: "wazarr" });
  readonly #model: Model;
  readonly #store: Store;
  readonly #canvas = element("canvas", { tabIndex: 0, ariaLabel: "Picture of the array" });
  readonly #frame = element("div", { className: "wazarr-picture" });
  readonly #marker = element("div", { className: "wazarr-point", hidden: true });
  readonly #variable = element("select", { ariaLabel: "Variable" });
  readonly #sliders = new Sliders();
  readonly #legend = element("div", {});
  readonly #words = element("div", { className: "wazarr-words", role: "status" });
  readonly #size = new ResizeObserver(() => this.#show());
  #picture: Picture | undefined;
  #opened = 0;
  #asking = new AbortController();
  readonly #listeners: readonly (readonly [trait: string, listener: () => void])[] = [
    ["variable", () => void this.open()],
    ["selection", () => void this.#select()],
    ["colors", () => void this.#recolor()],
    ["range", () => void this.#recolor()],
    ["point", () => void this.#ask()],
    ["height", () => this.#resize()],
  ];

  constructor(model: Model, store: Store) {
    this.#model = model;
    this.#store = store;
    for (const [trait, listener] of this.#listeners) model.on(`change:${trait}`, listener);
    this.#frame.append(this.#canvas, this.#marker);
    const parts = [this.#variable, this.#frame, this.#sliders.root, this.#legend, this.#words];
    this.root.append(element("style", { textContent: STYLE }), ...parts);
    this.#fillVariables();
    this.#resize();
    this.#size.observe(this.#canvas);
    listen(this.#canvas, {
      pan: (by) => {
        this.#picture?.view.pan(by);
        this.#show();
      },
      zoom: (factor, at) => this.#picture?.zoom(factor, at),
      click: (at) => this.#picture && change(this.#model, { point: this.#picture.view.placeOf(at) }),
      reset: () => {
        this.#picture?.view.reset();
        this.#show();
      },
    });
  }

  /** Opens the variable that the model names. */
  async open(): Promise<void> {
    const turn = ++this.#opened;
    this.#picture?.close();
    this.#picture = undefined;
    this.#words.textContent = "Reading…";
    const variable = textOf(this.#model, "variable");
    this.#variable.value = variable;
    const place = root(this.#store).resolve(textOf(this.#model, "_path") || "/");
    const given = { selection: selectionOf(this.#model), look: this.#look, onDraw: () => this.#drawn() };
    try {
      const picture = await Picture.open(this.#canvas, [place, variable], given);
      if (turn !== this.#opened) return picture.close();
      this.#picture = picture;
      const { dimensions } = picture.data;
      const labelsOf = (name: string) => picture.data.labelsOf(name);
      this.#sliders.fill({ lengths: dimensions, labelsOf }, (name, index) =>
        change(this.#model, { selection: { ...selectionOf(this.#model), [name]: index } }),
      );
      this.#show();
      void this.#ask();
    } catch (error) {
      if (turn === this.#opened) this.#say(error);
    }
  }

  close(): void {
    this.#opened++;
    this.#asking.abort();
    this.#size.disconnect();
    for (const [trait, listener] of this.#listeners) this.#model.off(`change:${trait}`, listener);
    this.#picture?.close();
  }

  get #look(): Look {
    return { colors: textOf(this.#model, "colors"), range: pairOf(this.#model, "range") };
  }

  #fillVariables(): void {
    const names = textsOf(this.#model, "variables");
    this.#variable.replaceChildren(
      ...names.map((name) => element("option", { value: name, textContent: name })),
    );
    this.#variable.hidden = names.length < 2;
    // Another variable has other dimensions.
    this.#variable.addEventListener("change", () =>
      change(this.#model, { selection: {}, point: null, variable: this.#variable.value }),
    );
  }

  #resize(): void {
    this.#frame.style.height = `${Number(this.#model.get("height"))}px`;
  }

  #show(): void {
    this.#picture?.show();
    this.#mark();
  }

  #drawn(): void {
    const { data } = this.#picture ?? {};
    if (data === undefined) return;
    const [failure] = data.failures;
    if (failure !== undefined) this.#say(failure);
    else if (this.#words.textContent === "Reading…") this.#words.textContent = "";
    this.#sliders.show(data.step);
    const legend = legendSvg(data.scale, { title: textOf(this.#model, "variable"), unit: data.unit });
    if (this.#legend.innerHTML !== legend) this.#legend.innerHTML = legend;
    if (this.#model.get("is_complete") !== data.isComplete)
      change(this.#model, { is_complete: data.isComplete });
  }

  async #select(): Promise<void> {
    try {
      await this.#picture?.data.select(selectionOf(this.#model));
      this.#picture?.draw();
      await this.#ask();
    } catch (error) {
      this.#say(error);
    }
  }

  async #recolor(): Promise<void> {
    await this.#picture?.setLook(this.#look).catch((error: unknown) => this.#say(error));
  }

  #mark(): void {
    const point = pairOf(this.#model, "point");
    this.#marker.hidden = point === undefined || this.#picture === undefined;
    if (point === undefined || this.#picture === undefined) return;
    const [left, top] = this.#picture.view.pixelOf(point);
    Object.assign(this.#marker.style, { left: `${left}px`, top: `${top}px` });
  }

  /** Reads the value at the point, and tells Python. */
  async #ask(): Promise<void> {
    this.#mark();
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    const point = pairOf(this.#model, "point");
    if (point === undefined || this.#picture === undefined) return;
    try {
      const cell = await this.#picture.query(point, signal);
      if (signal.aborted) return;
      this.#words.textContent = cell?.label ?? "outside of the data";
      change(this.#model, { value: cell ?? {} });
    } catch (error) {
      if (!signal.aborted) this.#say(error);
    }
  }

  #say(error: unknown): void {
    this.#words.textContent = error instanceof Error ? error.message : String(error);
  }
}
