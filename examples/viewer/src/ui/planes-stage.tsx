/** Three planes through one element of a volume, and its projection. A click moves the element in all. */
import { effect, untracked, useSignal } from "@preact/signals";
import { Minus, Plus } from "lucide";
import { useEffect, useRef } from "preact/hooks";
import { chosenIndex, type Layer, turned } from "../data/layers.js";
import { stepInWords } from "../data/places.js";
import { showProblem } from "../open/opening.js";
import { cutDimensions } from "../picture/choose-stage.js";
import { createPicture } from "../picture/picture.js";
import { createRenderer } from "../picture/renderer.js";
import { createScene } from "../picture/scene.js";
import { roomIn, type Stage, stage } from "../picture/stage.js";
import { readAt } from "../probe.js";
import { chooseIndex, page, remember } from "../state-of-page.js";
import { Icon } from "./icon.js";
import { theme } from "./theme.js";
import { VolumeView } from "./volume-view.js";

/** Planes do not lie under panels. */
function useRoom() {
  const style = useSignal<Readonly<Record<string, string>>>({});
  useEffect(() => {
    const picture = document.getElementById("picture");
    if (!picture) return;
    const measure = (): void => {
      const { left, top, right, bottom } = roomIn(picture);
      style.value = {
        left: `${left + 12}px`,
        top: `${top + 12}px`,
        width: `${right - left - 24}px`,
        height: `${bottom - top - 24}px`,
      };
    };
    requestAnimationFrame(measure);
    const observer = new ResizeObserver(measure);
    observer.observe(picture);
    return () => observer.disconnect();
  }, []);
  return style.value;
}

export function VolumeStage({ layer }: { readonly layer: Layer }) {
  const style = useRoom();
  // The range of the colours comes from a plane.
  const [first, second, third] = cutDimensions(layer).slice(-3);
  return (
    <div class="planes one" style={style}>
      <div class="plane">
        <VolumeView layer={layer} />
      </div>
      {first !== undefined && second !== undefined && third !== undefined && (
        <div class="plane unseen" aria-hidden="true">
          <Plane layer={layer} cut={first} down={second} across={third} isMain />
        </div>
      )}
    </div>
  );
}

export function PlanesStage({ layer }: { readonly layer: Layer }) {
  const style = useRoom();
  useEffect(() => goToMiddle(layer), [layer]);
  const [first, second, third] = cutDimensions(layer).slice(-3);
  if (first === undefined || second === undefined || third === undefined) return null;
  return (
    <div class="planes" style={style}>
      <div class="plane">
        <Plane layer={layer} cut={first} down={second} across={third} isMain />
      </div>
      <div class="plane">
        <VolumeView layer={layer} />
      </div>
      <div class="plane">
        <Plane layer={layer} cut={second} down={first} across={third} />
      </div>
      <div class="plane">
        <Plane layer={layer} cut={third} down={first} across={second} />
      </div>
    </div>
  );
}

/** Planes through the first corner of a volume show little of it. */
function goToMiddle(layer: Layer): void {
  const { indices } = page.peek();
  const chosen = new Map(indices);
  for (const d of cutDimensions(layer).slice(-3)) {
    const dimension = layer.dimensions[d];
    if (dimension && !indices.has(dimension.name)) chosen.set(dimension.name, dimension.length >> 1);
  }
  if (chosen.size > indices.size) remember({ indices: chosen });
}

interface PlaneProps {
  readonly layer: Layer;
  /** Dimensions of the layer. */
  readonly cut: number;
  readonly down: number;
  readonly across: number;
  /** Whether the panels are about this one. */
  readonly isMain?: boolean;
}

function Plane({ layer, cut, down, across, isMain = false }: PlaneProps) {
  const [canvas, axes] = [useRef<HTMLCanvasElement>(null), useRef<HTMLCanvasElement>(null)];
  const own = useSignal<Stage | undefined>(undefined);
  const drawn = useSignal(0);
  useEffect(() => {
    if (!canvas.current || !axes.current) return;
    const [y, x] = [layer.dimensions[down]?.name ?? "", layer.dimensions[across]?.name ?? ""];
    const onFrame = (): void => {
      drawn.value++;
    };
    try {
      return mount(canvas.current, axes.current, turned(layer, [y, x]), {
        isMain,
        onFrame,
        onStage: (made) => {
          own.value = made;
        },
      });
    } catch (error) {
      showProblem(error, () => location.reload());
    }
  }, [layer]);
  void drawn.value;
  const indexOf = (d: number): number => {
    const dimension = layer.dimensions[d];
    return dimension ? chosenIndex(dimension, page.value.indices) : 0;
  };
  const dimension = layer.dimensions[cut];
  const place = own.value?.edgeOf(indexOf(across) + 0.5, indexOf(down) + 0.5);
  const go = (by: number): void => {
    if (!dimension) return;
    const next = indexOf(cut) + by;
    if (next >= 0 && next < dimension.length) chooseIndex(dimension.name, next);
  };
  return (
    <>
      <canvas
        ref={canvas}
        class="stage"
        tabIndex={0}
        role="img"
        aria-label={`Plane of ${layer.dimensions[down]?.name} and ${layer.dimensions[across]?.name}`}
      />
      <span class="mute" aria-hidden="true">
        <canvas ref={axes} class="plane-axes" />
      </span>
      {place?.every(Number.isFinite) && (
        <svg class="over" aria-hidden="true">
          <line x1={place[0]} x2={place[0]} y1="0" y2="100%" stroke={`var(--cut-${across % 3})`} />
          <line x1="0" x2="100%" y1={place[1]} y2={place[1]} stroke={`var(--cut-${down % 3})`} />
        </svg>
      )}
      {dimension && (
        <div class="island plane-name">
          <span class="swatch" style={{ background: `var(--cut-${cut % 3})` }} />
          <span class="cut">
            {dimension.name}{" "}
            <b class="number">{stepInWords(dimension, indexOf(cut)).replace(`${dimension.name} `, "")}</b>
          </span>
          <button
            type="button"
            class="button small bare"
            aria-label={`Previous ${dimension.name}`}
            onClick={() => go(-1)}
          >
            <Icon of={Minus} />
          </button>
          <button
            type="button"
            class="button small bare"
            aria-label={`Next ${dimension.name}`}
            onClick={() => go(1)}
          >
            <Icon of={Plus} />
          </button>
        </div>
      )}
    </>
  );
}

interface PlaneEvents {
  readonly isMain: boolean;
  readonly onFrame: () => void;
  readonly onStage: (made: Stage) => void;
}

function mount(
  canvas: HTMLCanvasElement,
  axes: HTMLCanvasElement,
  layer: Layer,
  { isMain, onFrame, onStage }: PlaneEvents,
): () => void {
  const renderer = createRenderer(canvas);
  const [down, across] = [layer.dimensions[layer.y]?.name ?? "", layer.dimensions[layer.x]?.name ?? ""];
  const picture = createPicture(canvas, axes, renderer, {
    onView: () => {},
    onFrame,
    onPoint: (point) => void readAt(scene, point),
    onPick: ({ x, y }) => remember({ indices: new Map(page.peek().indices).set(down, y).set(across, x) }),
    onKey: () => {},
  });
  const scene = createScene({ layer, onChange: picture.draw, isMain });
  picture.show(scene);
  const made: Stage = {
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
  onStage(made);
  if (isMain) stage.value = made;
  const end = effect(() => {
    const { indices, colours, curve, range } = page.value;
    void [indices, colours, curve, range, theme.value];
    untracked(picture.update);
  });
  return () => {
    end();
    scene.close();
    picture.close();
    if (stage.peek() === made) stage.value = undefined;
  };
}
