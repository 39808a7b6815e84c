/** A plane of an array or image on a canvas of WebGL2, with its axes. */
import { effect, untracked } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { sliderDimensions } from "../data/layers.js";
import { showProblem } from "../open/opening.js";
import { stageFor } from "../picture/choose-stage.js";
import { createPicture } from "../picture/picture.js";
import { createRenderer, type Renderer } from "../picture/renderer.js";
import { createScene, type Scene } from "../picture/scene.js";
import { frames, stage } from "../picture/stage.js";
import { readAt } from "../probe.js";
import { type Act, act, otherVariable, seen, waiting } from "../session.js";
import type { State } from "../state.js";
import { page, remember } from "../state-of-page.js";
import { pinAt } from "./pins.js";
import { step, togglePlay } from "./playing.js";
import { theme } from "./theme.js";

/** The tab key stops at the picture: what it says there. */
const KEYS =
  "Arrow keys move the cross and show the value there, with Shift they pan; plus and minus zoom, 0 shows everything; Enter pins the point; comma and period step the timeline, Space plays it.";

export function PictureStage() {
  const [canvas, axes] = [useRef<HTMLCanvasElement>(null), useRef<HTMLCanvasElement>(null)];
  useEffect(() => {
    if (canvas.current && axes.current) return mount(canvas.current, axes.current);
  }, []);
  const shown = act.value;
  const isShown = isPlane(shown, page.value);
  const lengths = isShown
    ? shown.layer.dimensions.map(({ name, length }) => `${name} ${length}`).join(", ")
    : "";
  return (
    <>
      <canvas
        ref={canvas}
        id="canvas"
        class="stage"
        tabIndex={0}
        role="img"
        aria-label={isShown ? `${shown.layer.title}: ${lengths}` : "No picture"}
        aria-describedby="keys"
        data-loading={waiting.value}
        hidden={!isShown}
      />
      <span class="mute" aria-hidden="true">
        <canvas ref={axes} id="axes" hidden={!isShown} />
      </span>
      {shown.kind === "picture" && seen.value.words !== "" && (
        <p id="words" class="picture-words" role="status">
          {seen.value.words}
        </p>
      )}
      <p id="keys" class="hidden">
        {KEYS}
      </p>
    </>
  );
}

type ShownLayer = Extract<Act, { readonly kind: "picture" | "chart" | "table" }>;

const isPlane = (shown: Act, state: State): shown is ShownLayer =>
  shown.kind === "picture" && stageFor(shown.layer, state) === "plane";

function mount(canvas: HTMLCanvasElement, axes: HTMLCanvasElement): () => void {
  const renderer = rendererOf(canvas);
  if (!renderer) return () => {};
  let scene: Scene | undefined;
  const picture = createPicture(canvas, axes, renderer, {
    onView: (view) => remember({ view }),
    onFrame: () => {
      frames.value++;
    },
    onPoint: (point) => void readAt(scene, point),
    onPick: (point) => pinAt(point),
    onKey: (key) => onKey(scene, key),
  });
  let last: Act | undefined;
  let wasPlane = false;
  let lastOther: typeof otherVariable.value;
  const end = effect(() => {
    const shown = act.value;
    const state = page.value;
    const other = otherVariable.value;
    const isOfPlane = isPlane(shown, state);
    if (last === shown && wasPlane === isOfPlane && lastOther === other) return;
    last = shown;
    lastOther = other;
    wasPlane = isOfPlane;
    untracked(() => {
      scene?.close();
      scene = undefined;
      picture.clear();
      if (!isOfPlane) return;
      stage.value = undefined;
      // The panels are laid out first: the picture lies between them.
      requestAnimationFrame(() => {
        if (act.peek() === shown) show(shown);
      });
    });
  });
  const endUpdates = effect(() => {
    // Each change of the state is drawn, but not those that the picture makes itself.
    const { indices, colours, curve, range, channels, labels, compared, curtain, comparedRange } = page.value;
    // The axes have the colours of the theme.
    void [indices, colours, curve, range, channels, labels, compared, curtain, comparedRange, theme.value];
    untracked(() => {
      if (scene) picture.update();
    });
  });

  function show({ layer }: ShownLayer): void {
    scene = createScene({
      layer,
      isFloat: otherVariable.peek()?.of === layer,
      onChange: picture.draw,
      onLabels: picture.update,
    });
    picture.show(scene, page.peek().view);
    stage.value = {
      zoom: picture.zoom,
      showAll: picture.showAll,
      window: picture.window,
      placeOf: picture.locate,
      edgeOf: picture.edgeOf,
      pointAt: picture.pointAt,
      get size(): readonly [number, number] {
        return [canvas.width, canvas.height];
      },
      paint(context) {
        context.drawImage(canvas, 0, 0);
        context.drawImage(axes, 0, 0);
      },
    };
  }

  return () => {
    end();
    endUpdates();
    scene?.close();
    picture.close();
    stage.value = undefined;
  };
}

/** Undefined where there is no WebGL2, which the page says. */
function rendererOf(canvas: HTMLCanvasElement): Renderer | undefined {
  try {
    return createRenderer(canvas);
  } catch (error) {
    showProblem(error, () => location.reload());
    return undefined;
  }
}

function onKey(scene: Scene | undefined, key: string): void {
  if (!scene) return;
  const [first = -1] = sliderDimensions(scene.layer);
  const dimension = scene.layer.dimensions[first];
  if (!dimension) return;
  if (key === ",") step(dimension, -1);
  else if (key === ".") step(dimension, 1);
  else if (key === " ") togglePlay(dimension);
}
