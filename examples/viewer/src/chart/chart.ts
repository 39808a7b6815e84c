/** An array of one dimension as a chart that fills the stage. */
import { decodedElements, decodedNumbers, wordsOfElement } from "../data/decode.js";
import { type Layer, labelOf } from "../data/layers.js";
import { wordsOfNumber } from "../data/values.js";
import { type Interval, readWindow } from "../data/window.js";
import { element } from "../element.js";
import { makePager } from "../panel/pager.js";
import { type DrawnLine, drawLine, type Line } from "./line.js";

/** Values that are read and drawn at one time. */
const MOST = 1 << 20;

export interface ChartEvents {
  /** Words about the value under the pointer; empty: none. */
  onWords(words: string): void;
  onFail(error: unknown, retry: () => void): void;
  onDone(): void;
}

/** @returns what is shown, and an end to it */
export function showChart(place: HTMLElement, layer: Layer, events: ChartEvents) {
  const [dimension] = layer.dimensions;
  if (!dimension) throw new Error("a chart of no dimension");
  const ending = new AbortController();
  let interval: Interval = [0, Math.min(MOST, dimension.length)];
  let line: Line | undefined;
  let drawn: DrawnLine | undefined;
  /** Integers of 64 bits, which a line rounds. */
  let exact: unknown[] | undefined;
  let marked = 0;
  const frame = element("div", {
    class: "line",
    tabindex: 0,
    role: "group",
    "aria-label": `${layer.title}: arrow keys tell values`,
  });
  place.replaceChildren(
    frame,
    ...makePager("Values", dimension.length, MOST, (next) => {
      interval = next;
      void read();
    }),
  );

  async function read(): Promise<void> {
    try {
      const stored = await readWindow(layer, [0], { x: interval, y: interval }, ending.signal);
      const values = decodedNumbers(layer, stored);
      exact = /^u?int64$/.test(layer.dtype) ? decodedElements(layer, stored) : undefined;
      line = {
        dimension: dimension ?? { name: "", length: 0 },
        first: interval[0],
        values,
        unit: layer.unit,
        caption: `${layer.title} along ${dimension?.name}`,
      };
      marked = interval[0];
      draw();
      if (values.every(Number.isNaN))
        frame.replaceChildren(element("p", { class: "words" }, "No values here: all are NaN or missing."));
      events.onDone();
    } catch (error) {
      if (!ending.signal.aborted) events.onFail(error, () => void read());
    }
  }

  function draw(): void {
    if (!line || frame.clientWidth === 0) return;
    drawn = drawLine(line, frame.clientWidth, Math.max(120, frame.clientHeight));
    frame.replaceChildren(drawn.svg);
  }

  function tell(index: number | undefined): void {
    const value = index === undefined ? undefined : line?.values[index - line.first];
    if (index === undefined || value === undefined || !dimension) {
      events.onWords("");
      return;
    }
    marked = index;
    drawn?.mark(index);
    const where = `${dimension.name} ${labelOf(dimension, index)}${dimension.labels ? ` [${index}]` : ""}`;
    const words = exact ? wordsOfElement(exact[index - (line?.first ?? 0)]) : wordsOfNumber(value);
    events.onWords(`${where}: ${Number.isNaN(value) ? "no value" : words} ${layer.unit ?? ""}`.trim());
  }

  const { signal } = ending;
  frame.addEventListener(
    "pointermove",
    ({ clientX }) => tell(drawn?.indexAt(clientX - frame.getBoundingClientRect().left)),
    { signal },
  );
  frame.addEventListener("pointerleave", () => events.onWords(""), { signal });
  frame.addEventListener(
    "keydown",
    (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      tell(Math.min(interval[1] - 1, Math.max(interval[0], marked + step)));
    },
    { signal },
  );
  const observer = new ResizeObserver(draw);
  observer.observe(frame);
  void read();
  return {
    interval: () => interval,
    svg: () => drawn?.svg,
    close(): void {
      ending.abort();
      observer.disconnect();
      place.replaceChildren();
    },
  };
}
