/** The two sides of the curtain. */
import { page } from "../state-of-page.js";

/** First pixel, and the one behind the last, of a side of a picture. */
export function sidesOf(side: "left" | "right", width: number): readonly [first: number, end: number] {
  const middle = Math.round(Math.min(1, Math.max(0, page.peek().curtain ?? 0)) * width);
  return side === "left" ? [0, middle] : [middle, width];
}
