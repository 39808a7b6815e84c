/** Points that somebody has pinned: marks on the picture. The newest is the first letter that is free. */
import type { Point } from "../picture/controls.js";
import { frames, stage } from "../picture/stage.js";
import { act } from "../session.js";
import { page, remember } from "../state-of-page.js";

/** Colours that are told apart. */
const MOST = 3;

export const letterOf = (index: number): string => String.fromCharCode(65 + index);

const isSame = (a: Point, b: Point): boolean => a.x === b.x && a.y === b.y;

/** Pins a point; the oldest goes when there are more than there are colours. */
export function pinAt(point: Point): void {
  const { points } = page.peek();
  if (points.some((each) => isSame(each, point))) return;
  remember({ points: [...points, point].slice(-MOST) });
}

export function unpin(point: Point): void {
  remember({ points: page.peek().points.filter((each) => !isSame(each, point)) });
}

export function PinMarks() {
  // Marks move with the picture.
  void frames.value;
  const { points } = page.value;
  if (act.value.kind !== "picture") return null;
  return (
    <div class="over" aria-hidden="true">
      {points.map((point, i) => {
        const place = stage.value?.placeOf(point);
        if (!place) return null;
        return (
          <span
            key={`${point.x},${point.y}`}
            class="pin-mark"
            data-pin={i}
            style={{ left: `${place[0]}px`, top: `${place[1]}px` }}
          >
            {letterOf(i)}
          </span>
        );
      })}
    </div>
  );
}
