/** An array as a table that fills the stage, page by page. */
import { wordsOfElement } from "../data/decode.js";
import type { Layer } from "../data/layers.js";
import { type Interval, readWindow } from "../data/window.js";
import { element } from "../element.js";
import { makePager } from "../panel/pager.js";
import { tableOf } from "./rows.js";

const [ROWS, COLUMNS] = [100, 20];
/** Characters of a cell: texts may be whole documents. */
const LONGEST = 200;

export interface TableEvents {
  onFail(error: unknown, retry: () => void): void;
  onDone(): void;
}

/** @param indices along the dimensions that are not in the table; `update` after they changed */
export function showTable(place: HTMLElement, layer: Layer, indices: readonly number[], events: TableEvents) {
  const lengthOf = (d: number): number => layer.dimensions[d]?.length ?? 1;
  const [width, height] = [lengthOf(layer.x), lengthOf(layer.y)];
  let rows: Interval = [0, Math.min(ROWS, height)];
  let columns: Interval = [0, Math.min(COLUMNS, width)];
  let reading = new AbortController();
  const frame = element("div", {
    class: "cells",
    tabindex: 0,
    role: "region",
    "aria-label": `${layer.title}: table`,
  });
  place.replaceChildren(
    frame,
    ...makePager("Rows", height, ROWS, (page) => {
      rows = page;
      void update();
    }),
    ...makePager("Columns", width, COLUMNS, (page) => {
      columns = page;
      void update();
    }),
  );

  async function update(): Promise<void> {
    reading.abort();
    reading = new AbortController();
    const { signal } = reading;
    try {
      const window = { x: columns, y: rows };
      const stored = await readWindow(layer, indices, window, signal);
      signal.throwIfAborted();
      const table = tableOf(layer, window, stored);
      const cell = (value: unknown): HTMLElement => {
        const isNumber = typeof value === "number" || typeof value === "bigint";
        return element(
          "td",
          { class: value === undefined ? "none" : isNumber ? "number" : "" },
          clipped(wordsOfElement(value)),
        );
      };
      const head = [table.corner, ...table.columns].map((name) =>
        element("th", { scope: "col" }, clipped(name)),
      );
      const body = table.rows.map(({ name, cells }) =>
        element("tr", {}, element("th", { scope: "row" }, clipped(name)), ...cells.map(cell)),
      );
      frame.replaceChildren(
        element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body)),
      );
      events.onDone();
    } catch (error) {
      if (!signal.aborted) events.onFail(error, () => void update());
    }
  }

  void update();
  return {
    update: () => void update(),
    close(): void {
      reading.abort();
      place.replaceChildren();
    },
  };
}

const clipped = (words: string): string => (words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words);
