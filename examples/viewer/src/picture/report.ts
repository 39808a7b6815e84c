/** What pictures tell the panels: what failed, and how much has arrived. */
import type { Layer } from "../data/layers.js";
import { wordsOf } from "../open/opening.js";
import { type Problem, problems } from "../session.js";
import type { Tiles } from "./tiles.js";

/** What was reported last. */
let reported = "";

/** A list of the same words stays: a screen reader would read it all again, and others add to it. */
export function setProblems(next: readonly Problem[]): void {
  const words = next.map(({ message }) => message).join("\n");
  if (reported === words && (words === "" || problems.peek().length > 0)) return;
  reported = words;
  problems.value = next;
}

/** One of each message: a chunk may be of several tiles. */
export function problemsOf(all: readonly Tiles[], onRetry: () => void): readonly Problem[] {
  const found = new Map<string, Problem>();
  for (const tiles of all) {
    for (const message of new Set(tiles.picture().failures.map(wordsOf))) {
      const before = found.get(message);
      const retry = (): void => {
        before?.retry();
        tiles.retry();
        onRetry();
      };
      found.set(message, { message, retry });
    }
  }
  return [...found.values()];
}

/** A step that is not drawn yet calls for no frame when one of its tiles arrives: then no share is shown. */
export function progressOf(all: readonly Tiles[]): { readonly value: number; readonly max: number } {
  const counts = all.map((tiles) => tiles.progress());
  const max = counts.reduce((sum, { total }) => sum + total, 0) || 1;
  const isCurrent = all.every((tiles) => tiles.picture().isCurrent);
  return { max, value: isCurrent ? counts.reduce((sum, { settled }) => sum + settled, 0) : -1 };
}

/** Coordinates decide about names, dates and which way is up: the page starts anew. */
export const metadataProblems = ({ dimensions, failure, title }: Layer): Problem[] => [
  ...(failure === undefined
    ? []
    : [
        { message: `${title} is shown as it is stored: ${wordsOf(failure)}`, retry: () => location.reload() },
      ]),
  ...dimensions.flatMap(({ name, failure }) =>
    failure === undefined
      ? []
      : { message: `The coordinates of ${name}: ${wordsOf(failure)}`, retry: () => location.reload() },
  ),
];
