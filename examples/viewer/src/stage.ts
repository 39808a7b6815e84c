/** The middle of the page, which shows one of: the picture, a chart, a table, or words. */
import { page } from "./page.js";

export type Act = "picture" | "chart" | "table" | "words";

/** @param words over the picture, or in place of it */
export function setStage(act: Act, words = ""): void {
  page.canvas.hidden = act !== "picture";
  page.axes.hidden = act !== "picture";
  page.chart.hidden = act !== "chart";
  page.table.hidden = act !== "table";
  page.words.textContent = words;
  page.stage.dataset.act = act;
}
