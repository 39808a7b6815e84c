/** What failed, each with a button that tries again. */
import { element } from "../element.js";

export interface Problem {
  readonly message: string;
  readonly retry: () => void;
}

/** One line each, and a button that tries again. At most five. */
export function showProblems(place: HTMLElement, problems: readonly Problem[]): void {
  const shown = problems.slice(0, 5).map(({ message, retry }) => {
    const button = element("button", { type: "button" }, "Try again");
    button.addEventListener("click", retry);
    return element("p", {}, `${message} `, button);
  });
  const rest = problems.length - shown.length;
  const all = element("button", { type: "button" }, `Try all ${problems.length} again`);
  all.addEventListener("click", () => {
    for (const { retry } of problems) retry();
  });
  const text = shown.map((paragraph) => paragraph.textContent).join() + rest;
  // A screen reader would read it all again.
  if (place.dataset.text === text) return;
  place.dataset.text = text;
  place.replaceChildren(...shown, ...(rest > 0 ? [element("p", {}, `and ${rest} more `, all)] : []));
}
