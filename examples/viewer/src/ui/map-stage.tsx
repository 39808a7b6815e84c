/** A layer on a map or globe. MapLibre is loaded when the first map is shown. */
import { effect, untracked } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type Layer, sliderDimensions } from "../data/layers.js";
import { loadMap } from "../map/load.js";
import type { ShownMap } from "../map/map.js";
import { frames, stage } from "../picture/stage.js";
import { readAt } from "../probe.js";
import { baseWords, otherVariable } from "../session.js";
import { page, remember } from "../state-of-page.js";
import { pinAt } from "./pins.js";
import { step, togglePlay } from "./playing.js";
import { theme } from "./theme.js";

export function MapStage({ layer, isGlobe }: { readonly layer: Layer; readonly isGlobe: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const other = otherVariable.value?.of === layer ? otherVariable.value.layer : undefined;
  useEffect(() => {
    if (place.current) return mount(place.current, layer, other, isGlobe);
  }, [layer, other, isGlobe]);
  return <div id="map-stage" ref={place} class="stage" />;
}

function mount(container: HTMLElement, layer: Layer, other: Layer | undefined, isGlobe: boolean): () => void {
  let shown: ShownMap | undefined;
  let isClosed = false;
  const open = async (): Promise<void> => {
    const { createMap } = await loadMap();
    const { camera } = page.peek();
    baseWords.value = "";
    if (isClosed) return;
    const made = await createMap(
      container,
      { layer, other, isGlobe, camera },
      {
        onCamera: (next) => remember({ camera: next }),
        onFrame: () => {
          frames.value++;
        },
        onPoint: (point) => void readAt(shown?.scene, point),
        onPick: pinAt,
        onKey: (key) => onKey(layer, key),
        onBaseFailure: () => {
          baseWords.value =
            "The base map cannot be read: see whether its address is right, and this page online.";
        },
      },
    );
    if (isClosed) {
      made.close();
      return;
    }
    shown = made;
    stage.value = made;
  };
  // What has no place on Earth is a plane.
  open().catch((error: unknown) => {
    if (isClosed) return;
    console.warn(error);
    remember({ stage: "plane" });
  });
  const end = effect(() => {
    const { indices, colours, curve, range, compared, curtain, comparedRange, base, isWithoutLines } =
      page.value;
    void [
      indices,
      colours,
      curve,
      range,
      compared,
      curtain,
      comparedRange,
      base,
      isWithoutLines,
      theme.value,
    ];
    untracked(() => shown?.update());
  });
  return () => {
    isClosed = true;
    end();
    shown?.close();
    stage.value = undefined;
  };
}

function onKey(layer: Layer, key: string): boolean {
  const dimension = layer.dimensions[sliderDimensions(layer)[0] ?? -1];
  if (!dimension) return false;
  if (key === ",") step(dimension, -1);
  else if (key === ".") step(dimension, 1);
  else if (key === " ") togglePlay(dimension);
  else return false;
  return true;
}
