/** Draws a region on the picture: a box by dragging, a polygon by clicking its corners. */
import { useSignal } from "@preact/signals";
import { polygonOf } from "../data/region.js";
import type { Point } from "../picture/controls.js";
import { frames, stage } from "../picture/stage.js";
import { act, tool } from "../session.js";
import { page, remember } from "../state-of-page.js";

/** Pixels below which a drag is a click. */
const SLIP = 4;

interface Drag {
  readonly from: Point;
  readonly left: number;
  readonly top: number;
}

export function RegionLayer() {
  void frames.value;
  const drag = useSignal<Drag | undefined>(undefined);
  /** Corners of a polygon that is not closed. */
  const corners = useSignal<readonly Point[]>([]);
  if (act.value.kind !== "picture") return null;
  const isDrawing = tool.value === "region";
  const pointOf = ({ clientX, clientY }: MouseEvent): Point | undefined =>
    stage.value?.pointAt(clientX, clientY);
  const isClick = ({ left, top }: Drag, { clientX, clientY }: MouseEvent): boolean =>
    Math.abs(clientX - left) + Math.abs(clientY - top) <= SLIP;
  const close = (): void => {
    if (corners.value.length > 2) remember({ region: corners.value });
    corners.value = [];
    tool.value = "point";
  };
  return (
    <svg
      class={isDrawing ? "over draws" : "over"}
      aria-hidden="true"
      onPointerDown={(event) => {
        const from = pointOf(event);
        if (!from) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.value = { from, left: event.clientX, top: event.clientY };
      }}
      onPointerMove={(event) => {
        const to = pointOf(event);
        if (drag.value && to && !isClick(drag.value, event)) remember({ region: [drag.value.from, to] });
      }}
      onPointerUp={(event) => {
        const begun = drag.value;
        drag.value = undefined;
        if (!begun) return;
        if (isClick(begun, event)) corners.value = [...corners.value, begun.from];
        else {
          corners.value = [];
          tool.value = "point";
        }
      }}
      onDblClick={close}
    >
      <Outline points={polygonOf(page.value.region)} isClosed />
      <Outline points={corners.value.map(({ x, y }) => [x + 0.5, y + 0.5])} />
    </svg>
  );
}

interface OutlineProps {
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly isClosed?: boolean;
}

function Outline({ points, isClosed = false }: OutlineProps) {
  const places = points.flatMap(([x, y]) => {
    const place = stage.value?.edgeOf(x, y);
    return place ? [place.join()] : [];
  });
  if (places.length < points.length || places.length === 0) return null;
  const d = `M${places.join("L")}${isClosed ? "Z" : ""}`;
  return (
    <>
      <path d={d} fill="none" stroke="rgb(6 10 14 / 0.75)" stroke-width="4" />
      <path d={d} fill={isClosed ? "rgb(255 255 255 / 0.08)" : "none"} stroke="#fff" stroke-width="2" />
    </>
  );
}
