/** A volume as its maximum projection, which a drag turns. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { chosenIndex, type Layer } from "../data/layers.js";
import { readVolume } from "../data/volume.js";
import { wordsOf } from "../open/opening.js";
import { cutDimensions } from "../picture/choose-stage.js";
import { coloursOf } from "../picture/colour-maps.js";
import { createProjection } from "../picture/projection.js";
import { coloursFor } from "../picture/scales.js";
import { ONLY } from "../picture/scene.js";
import { seen } from "../session.js";
import { page, remember } from "../state-of-page.js";

/** Radians of a pixel of a drag, and of a key. */
const [DRAG, KEY] = [0.008, 0.1];

/** From the side and a little from above. */
const FIRST_TURN = [0.6, 0.5, 1] as const;

type Projection = ReturnType<typeof createProjection>;

export function VolumeView({ layer }: { readonly layer: Layer }) {
  const place = useRef<HTMLCanvasElement>(null);
  const projection = useRef<Projection | undefined>(undefined);
  const [around, up, zoom] = page.value.turn ?? FIRST_TURN;
  const words = useSignal("Reading the volume…");
  const size = useSignal("");
  const dimensions = cutDimensions(layer).slice(-3);
  const indices = layer.dimensions.map((dimension) => chosenIndex(dimension, page.value.indices));
  const others = indices.filter((_, d) => !dimensions.includes(d)).join();
  const range = seen.value.ranges.get(ONLY);
  const colours = coloursFor(layer, page.value);
  useEffect(() => {
    const canvas = place.current;
    if (!canvas) return;
    try {
      projection.current = createProjection(canvas);
    } catch (error) {
      words.value = wordsOf(error);
    }
    const observer = new ResizeObserver(() => {
      const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((side) =>
        Math.round(side * devicePixelRatio),
      );
      Object.assign(canvas, { width, height });
      size.value = `${width} ${height}`;
    });
    observer.observe(canvas);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const [depth, height, width] = dimensions;
    if (depth === undefined || height === undefined || width === undefined || !range) return;
    const reading = new AbortController();
    readVolume(layer, [depth, height, width], indices, range, reading.signal).then(
      (volume) => {
        projection.current?.setVolume(volume);
        words.value = "";
      },
      (error: unknown) => {
        if (!reading.signal.aborted) words.value = wordsOf(error);
      },
    );
    return () => reading.abort();
  }, [layer, others, range?.join()]);
  useEffect(() => {
    projection.current?.setColours(coloursOf(colours));
    projection.current?.draw({ around, up }, zoom);
  }, [colours, around, up, zoom, words.value, size.value]);
  const rotate = (right: number, down: number): void =>
    remember({ turn: [around + right, Math.min(1.57, Math.max(-1.57, up + down)), zoom] });
  const zoomBy = (factor: number): void =>
    remember({ turn: [around, up, Math.min(8, Math.max(0.5, zoom * factor))] });
  return (
    <>
      <canvas
        ref={place}
        id="volume"
        class="stage"
        tabIndex={0}
        role="img"
        aria-label={`${layer.title}: maximum projection. Arrow keys turn it, plus and minus zoom.`}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId))
            rotate(event.movementX * DRAG, event.movementY * DRAG);
        }}
        onWheel={(event) => zoomBy(Math.exp(-event.deltaY * 0.002))}
        onKeyDown={({ key }) => {
          const [right, down] =
            { ArrowLeft: [-KEY, 0], ArrowRight: [KEY, 0], ArrowUp: [0, -KEY], ArrowDown: [0, KEY] }[key] ??
            [];
          if (right !== undefined && down !== undefined) rotate(right, down);
          else if (key === "+" || key === "=") zoomBy(1.5);
          else if (key === "-") zoomBy(1 / 1.5);
        }}
      />
      {words.value && (
        <p class="picture-words" role="status">
          {words.value}
        </p>
      )}
    </>
  );
}
