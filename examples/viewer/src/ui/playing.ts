/** Plays a dimension: the next step comes when the last one is whole. */
import { signal } from "@preact/signals";
import { chosenIndex, type Dimension } from "../data/layers.js";
import { played, waiting } from "../session.js";
import { chooseIndex, page } from "../state-of-page.js";

export const SPEEDS = [1, 2, 4] as const;
export const speed = signal<(typeof SPEEDS)[number]>(1);
export const isLooped = signal(true);

/** Milliseconds between two steps at the first speed. */
const PAUSE = 250;

let timer = 0;

/** How fast it plays, where steps come at once. */
export const stepsOfSecond = (): number => (1000 / PAUSE) * speed.peek();

export function togglePlay(dimension: Dimension): void {
  if (played.value === dimension.name) stopPlaying();
  else {
    played.value = dimension.name;
    next(dimension);
  }
}

export function stopPlaying(): void {
  clearTimeout(timer);
  played.value = undefined;
}

function next(dimension: Dimension): void {
  timer = window.setTimeout(() => {
    if (played.peek() !== dimension.name) return;
    if (waiting.peek() !== "0" || step(dimension, 1)) next(dimension);
    else stopPlaying();
  }, PAUSE / speed.value);
}

/** @returns whether there is such a step: after the last one the first comes, if steps are looped */
export function step(dimension: Dimension, by: number): boolean {
  const { name, length } = dimension;
  const index = chosenIndex(dimension, page.peek().indices) + by;
  if (!isLooped.value && (index < 0 || index >= length)) return false;
  chooseIndex(name, (index + length) % length);
  return true;
}
