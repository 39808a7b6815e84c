/** What is on the stage as a PNG file. */
import type { Layer } from "../data/layers.js";
import { chosenIndex, sliderDimensions } from "../data/layers.js";
import { shortWithin } from "../data/numbers.js";
import { stepInWords } from "../data/places.js";
import { coloursOf } from "../picture/colour-maps.js";
import { decodedRange } from "../picture/contrast.js";
import { coloursFor } from "../picture/scales.js";
import { ONLY } from "../picture/scene.js";
import type { Stage } from "../picture/stage.js";
import { seen } from "../session.js";
import { page } from "../state-of-page.js";

/** Height of the caption, in CSS pixels. */
const CAPTION = 44;

/** The picture with its axes; below it what it is, its step and its colours. */
export function pngOfPicture(stage: Stage, layer: Layer): Promise<Blob> {
  const [width, height] = stage.size;
  const ratio = devicePixelRatio;
  return pngOf(width, height + CAPTION * ratio, (context) => {
    stage.paint(context);
    context.setTransform(ratio, 0, 0, ratio, 0, height);
    drawCaption(context, layer, width / ratio);
  });
}

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
  context.fillText(steps.join(", "), 12, 36);
  const stored = seen.value.ranges.get(ONLY);
  if (!stored || layer.classes) return;
  const [low, high] = decodedRange(layer, stored);
  const table = coloursOf(coloursFor(layer, page.value));
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

/** A chart, as it is on the screen. */
export function pngOfChart(canvas: HTMLCanvasElement): Promise<Blob> {
  return pngOf(canvas.width, canvas.height, (context) => context.drawImage(canvas, 0, 0));
}

/** @throws Error where there is no canvas, and for a picture that is too large */
function pngOf(
  width: number,
  height: number,
  draw: (context: CanvasRenderingContext2D) => void,
): Promise<Blob> {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: Math.round(width), height: Math.round(height) });
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser gives no canvas to draw on");
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--stage");
  context.fillRect(0, 0, canvas.width, canvas.height);
  draw(context);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) =>
      blob
        ? resolve(blob)
        : reject(new Error("the picture is too large for a PNG file: make the window smaller")),
    ),
  );
}
