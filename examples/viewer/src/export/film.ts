/** Shows each step of a dimension once, and saves a film or the pictures of it. */
import { signal } from "@preact/signals";
import { chosenIndex, type Dimension, type Layer } from "../data/layers.js";
import { stage } from "../picture/stage.js";
import { waiting } from "../session.js";
import { chooseIndex, page } from "../state-of-page.js";
import { stepsOfSecond, stopPlaying } from "../ui/playing.js";
import { save } from "./files.js";
import { canvasOfPicture } from "./png.js";
import { filmReel, pictureReel, type Reel } from "./reels.js";

/** Steps that are in the film, of how many; undefined while none is made. */
export const filmed = signal<{ readonly value: number; readonly max: number } | undefined>(undefined);

let making: AbortController | undefined;

export function stopFilm(): void {
  making?.abort();
}

/** A film at the speed of the timeline; where the browser encodes none, PNG files. */
export async function saveFilm(layer: Layer, dimension: Dimension): Promise<void> {
  const shown = stage.peek();
  if (!shown) return;
  const first = canvasOfPicture(shown, layer);
  const reel = await filmReel([first.width, first.height], stepsOfSecond());
  await record(layer, dimension, reel ?? pictureReel(dimension.length));
}

/** A PNG file of each step, in a zip. */
export const savePictures = (layer: Layer, dimension: Dimension): Promise<void> =>
  record(layer, dimension, pictureReel(dimension.length));

/**
 * Each picture is taken when it is whole. The step that was shown comes back.
 * @throws Error for a picture that cannot be encoded
 */
async function record(layer: Layer, dimension: Dimension, reel: Reel): Promise<void> {
  stopFilm();
  stopPlaying();
  making = new AbortController();
  const { signal } = making;
  const { name, length } = dimension;
  const before = chosenIndex(dimension, page.peek().indices);
  let isSaved = false;
  try {
    for (let index = 0; index < length && !signal.aborted; index++) {
      filmed.value = { value: index, max: length };
      chooseIndex(name, index);
      await isWhole(signal);
      const shown = stage.peek();
      if (!shown) return;
      await reel.add(canvasOfPicture(shown, layer));
    }
    if (signal.aborted) return;
    save(await reel.finish(), layer, reel.ending);
    isSaved = true;
  } finally {
    if (!isSaved) reel.drop();
    filmed.value = undefined;
    chooseIndex(name, before);
  }
}

/** Waits until all tiles of the step have arrived or failed, and are drawn. */
async function isWhole(signal: AbortSignal): Promise<void> {
  const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
  // The next frame asks for the step.
  await frame();
  await frame();
  while (waiting.peek() !== "0" && !signal.aborted) await frame();
  await frame();
}
