/** What is on the stage as a PNG file. */
import { page } from "../page.js";

/** The picture with its axes. */
export function pngOfPicture(): Promise<Blob> {
  const { canvas, axes } = page;
  return pngOf(canvas.width, canvas.height, (context) => {
    context.drawImage(canvas, 0, 0);
    context.drawImage(axes, 0, 0);
  });
}

export async function pngOfChart(svg: SVGSVGElement): Promise<Blob> {
  const { width, height } = svg.viewBox.baseVal;
  const style = getComputedStyle(svg);
  // Styles of the page do not reach into a picture.
  const code = new XMLSerializer()
    .serializeToString(svg)
    .replace(/var\((--\w+)\)/g, (_, name: string) => resolved(svg, name))
    .replaceAll("currentColor", style.color)
    .replace("<svg ", `<svg width="${width}" height="${height}" font-family="sans-serif" `);
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(code)}`;
  await image.decode();
  const ratio = devicePixelRatio;
  return pngOf(Math.round(width * ratio), Math.round(height * ratio), (context) =>
    context.drawImage(image, 0, 0, width * ratio, height * ratio),
  );
}

/** The colour of a variable: `light-dark` is one of two only where it is used. */
function resolved(element: Element, name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  element.parentElement?.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function pngOf(
  width: number,
  height: number,
  draw: (context: CanvasRenderingContext2D) => void,
): Promise<Blob> {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser gives no canvas to draw on");
  context.fillStyle = resolved(page.stage, "--back");
  context.fillRect(0, 0, width, height);
  draw(context);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) =>
      blob ? resolve(blob) : reject(new Error("the picture is too large for a PNG file")),
    ),
  );
}
