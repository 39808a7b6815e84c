/** What is on the stage as a PNG file. */

import { attributionOf } from "../data/attribution.js";
import type { Layer } from "../data/layers.js";
import { chosenIndex, sliderDimensions } from "../data/layers.js";
import { shortWithin } from "../data/numbers.js";
import { stepInWords } from "../data/places.js";
import { coloursOf } from "../picture/colour-maps.js";
import { shownLayer } from "../picture/comparison.js";
import { decodedRange } from "../picture/contrast.js";
import { scaleBarOf } from "../picture/scale-bar.js";
import { coloursFor } from "../picture/scales.js";
import { ONLY } from "../picture/scene.js";
import { type Stage, stage } from "../picture/stage.js";
import { seen } from "../session.js";
import { page } from "../state-of-page.js";
import { pngOf } from "./reels.js";

/** Height of the caption, in CSS pixels. */
const CAPTION = 44;

/** The picture with its axes; below it what it is, its step, its scale and its colours. */
export function canvasOfPicture(shown: Stage, layer: Layer): HTMLCanvasElement {
  const [width, height] = shown.size;
  const ratio = devicePixelRatio;
  return canvasOf(width, height + CAPTION * ratio, (context) => {
    shown.paint(context);
    context.setTransform(ratio, 0, 0, ratio, 0, height);
    drawCaption(context, layer, width / ratio);
  });
}

export const pngOfPicture = (shown: Stage, layer: Layer): Promise<Blob> =>
  pngOf(canvasOfPicture(shown, layer));

function drawCaption(context: CanvasRenderingContext2D, layer: Layer, width: number): void {
  const style = getComputedStyle(document.documentElement);
  context.fillStyle = style.getPropertyValue("--surface");
  context.fillRect(0, 0, width, CAPTION);
  context.fillStyle = style.getPropertyValue("--ink");
  context.font = "600 13px system-ui, sans-serif";
  context.fillText(layer.longName ?? layer.title, 12, 19);
  const steps = sliderDimensions(layer).flatMap((d) => {
    const dimension = layer.dimensions[d];
    return dimension ? [stepInWords(dimension, chosenIndex(dimension, page.value.indices))] : [];
  });
  context.font = "12px system-ui, sans-serif";
  const { base } = page.value;
  const owner = base && stage.peek()?.metresOfPixel ? [attributionOf(base.address)] : [];
  context.fillText([...steps, ...owner].join(", "), 12, 36);
  drawScaleBar(context, layer, width / 2);
  const stored = seen.value.ranges.get(ONLY);
  if (!stored || layer.classes) return;
  const shown = shownLayer(layer);
  const [low, high] = decodedRange(shown, stored);
  const table = coloursOf(coloursFor(shown, page.value));
  const left = width - 212;
  for (let i = 0; i < 200; i++) {
    const at = 4 * Math.round((255 * i) / 199);
    context.fillStyle = `rgb(${table.subarray(at, at + 3).join()})`;
    context.fillRect(left + i, 8, 1.5, 10);
  }
  context.fillStyle = style.getPropertyValue("--ink");
  context.fillText(shortWithin(low, high - low), left, 34);
  context.textAlign = "right";
  context.fillText(`${shortWithin(high, high - low)} ${layer.unit ?? ""}`.trim(), left + 200, 34);
}

function drawScaleBar(context: CanvasRenderingContext2D, layer: Layer, middle: number): void {
  const bar = scaleBarOf(layer);
  if (!bar) return;
  const left = middle - bar.pixels / 2;
  context.fillText(bar.words, left, 19);
  context.fillRect(left, 26, bar.pixels, 2);
  context.fillRect(left, 22, 2, 6);
  context.fillRect(left + bar.pixels - 2, 22, 2, 6);
}

/** A chart, as it is on the screen. */
export const pngOfChart = (canvas: HTMLCanvasElement): Promise<Blob> =>
  pngOf(canvasOf(canvas.width, canvas.height, (context) => context.drawImage(canvas, 0, 0)));

/** @throws Error where there is no canvas */
function canvasOf(
  width: number,
  height: number,
  draw: (context: CanvasRenderingContext2D) => void,
): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: Math.round(width), height: Math.round(height) });
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser gives no canvas to draw on");
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--stage");
  context.fillRect(0, 0, canvas.width, canvas.height);
  draw(context);
  return canvas;
}
