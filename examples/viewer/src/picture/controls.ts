/** What pointers and keys do to the picture. */

/** An element of the finest level. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Positions are CSS pixels from the top left of the canvas. */
export interface Controlled {
  /** Undefined outside the data. */
  pointAt(left: number, top: number): Point | undefined;
  zoomAt(factor: number, left: number, top: number): void;
  pan(x: number, y: number): void;
  showAll(): void;
  hover(point: Point | undefined): void;
  pick(point: Point): void;
  /** Moves the cross by steps. */
  moveCross(across: number, down: number): void;
  pickCross(): void;
  /** Keys that mean nothing to the picture. */
  onKey(key: string): void;
}

const ARROWS: Readonly<Record<string, readonly [across: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function listen(canvas: HTMLCanvasElement, controlled: Controlled): void {
  listenToPointers(canvas, controlled);
  listenToKeys(canvas, controlled);
}

function listenToPointers(
  canvas: HTMLCanvasElement,
  { pointAt, zoomAt, pan, hover, pick }: Controlled,
): void {
  /** Where each finger, or the mouse, went down or was last. */
  const pointers = new Map<number, { x: number; y: number }>();
  let moved = 0;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    moved = pointers.size > 1 ? 100 : 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const here = { x: event.offsetX, y: event.offsetY };
    const before = pointers.get(event.pointerId);
    if (!before) {
      hover(pointAt(here.x, here.y));
      return;
    }
    moved += Math.abs(here.x - before.x) + Math.abs(here.y - before.y);
    const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    if (other) {
      const distance = (at: { x: number; y: number }): number =>
        Math.hypot(at.x - other.x, at.y - other.y) || 1;
      zoomAt(distance(here) / distance(before), other.x, other.y);
    } else if (moved > 3) pan(here.x - before.x, here.y - before.y);
    pointers.set(event.pointerId, here);
  });
  for (const name of ["pointerup", "pointercancel"] as const)
    canvas.addEventListener(name, (event) => {
      const isLast = pointers.delete(event.pointerId) && pointers.size === 0;
      const point = pointAt(event.offsetX, event.offsetY);
      if (name === "pointerup" && isLast && moved <= 3 && point) pick(point);
    });
  canvas.addEventListener("pointerleave", () => hover(undefined));
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      zoomAt(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.002)), event.offsetX, event.offsetY);
    },
    { passive: false },
  );
}

function listenToKeys(canvas: HTMLCanvasElement, controlled: Controlled): void {
  canvas.addEventListener("keydown", (event) => {
    const [across, down] = ARROWS[event.key] ?? [];
    const [middleX, middleY] = [canvas.clientWidth / 2, canvas.clientHeight / 2];
    if (across !== undefined && down !== undefined) {
      if (event.shiftKey) controlled.pan(-80 * across, -80 * down);
      else controlled.moveCross(across, down);
    } else if (event.key === "Enter") controlled.pickCross();
    else if (event.key === "+" || event.key === "=") controlled.zoomAt(1.5, middleX, middleY);
    else if (event.key === "-") controlled.zoomAt(1 / 1.5, middleX, middleY);
    else if (event.key === "0") controlled.showAll();
    else {
      if ([" ", ",", "."].includes(event.key)) event.preventDefault();
      controlled.onKey(event.key);
      return;
    }
    event.preventDefault();
  });
}
