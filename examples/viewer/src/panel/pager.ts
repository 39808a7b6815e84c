/** Buttons that go through a long list page by page. */
import type { Interval } from "../data/window.js";
import { element } from "../element.js";

/** No buttons for what fits on one page. @param name what there is many of: "Rows" */
export function makePager(
  name: string,
  length: number,
  most: number,
  onPage: (page: Interval) => void,
): readonly HTMLElement[] {
  if (length <= most) return [];
  let first = 0;
  const words = element("span", { role: "status" });
  const [before, after] = ["Previous", "Next"].map((label) =>
    element("button", { type: "button", "aria-label": `${label} ${name.toLowerCase()}` }, label),
  );
  const tell = (): void => {
    const last = Math.min(first + most, length) - 1;
    words.textContent = `${name} ${first.toLocaleString("en")} to ${last.toLocaleString("en")} of ${length.toLocaleString("en")}`;
    before?.toggleAttribute("disabled", first === 0);
    after?.toggleAttribute("disabled", last === length - 1);
  };
  const go = (by: number): void => {
    first += by;
    tell();
    onPage([first, Math.min(first + most, length)]);
  };
  before?.addEventListener("click", () => go(-most));
  after?.addEventListener("click", () => go(most));
  tell();
  return [element("div", { class: "pager" }, words, ...(before && after ? [before, after] : []))];
}
