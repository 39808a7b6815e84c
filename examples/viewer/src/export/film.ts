/** A picture of each step of a dimension, as PNG files in a zip. */
import { signal } from "@preact/signals";
import { Zip, ZipPassThrough } from "fflate";
import { chosenIndex, type Dimension, type Layer } from "../data/layers.js";
import { stage } from "../picture/stage.js";
import { waiting } from "../session.js";
import { chooseIndex, page } from "../state-of-page.js";
import { save } from "./files.js";
import { pngOfPicture } from "./png.js";

/** Steps that are in the zip, of how many; undefined while none is made. */
export const filmed = signal<{ readonly value: number; readonly max: number } | undefined>(undefined);

let making: AbortController | undefined;

export function stopFilm(): void {
  making?.abort();
}

/**
 * Shows each step once, and saves what is on the screen when it is whole. The step that was shown comes back.
 * @throws Error for a picture that is no PNG file
 */
export async function saveFilm(layer: Layer, dimension: Dimension): Promise<void> {
  stopFilm();
  making = new AbortController();
  const { signal } = making;
  const { name, length } = dimension;
  const before = chosenIndex(dimension, page.peek().indices);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, part) => {
    if (error) throw error;
    parts.push(new Uint8Array(part));
  });
  try {
    for (let index = 0; index < length && !signal.aborted; index++) {
      filmed.value = { value: index, max: length };
      chooseIndex(name, index);
      await isWhole(signal);
      const shown = stage.peek();
      if (!shown) break;
      const png = await pngOfPicture(shown, layer);
      // PNG files are compressed.
      const file = new ZipPassThrough(`${String(index).padStart(String(length - 1).length, "0")}.png`);
      zip.add(file);
      file.push(new Uint8Array(await png.arrayBuffer()), true);
    }
    zip.end();
    if (!signal.aborted) save(new Blob(parts, { type: "application/zip" }), layer, "zip");
  } finally {
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
