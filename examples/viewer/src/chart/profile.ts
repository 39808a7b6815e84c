/** The chart of a profile or series, beside the picture. */
import { element } from "../element.js";
import { drawLine, type Line } from "./line.js";

const HEIGHT = 150;

export function showProfile(figure: HTMLElement, line: Line): void {
  figure.hidden = false;
  const { svg } = drawLine(line, Math.max(200, figure.clientWidth), HEIGHT);
  const caption = line.unit ? `${line.caption}, ${line.unit}` : line.caption;
  figure.replaceChildren(svg, element("figcaption", {}, caption));
}
