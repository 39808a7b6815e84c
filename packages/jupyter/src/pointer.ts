/** What pointers, the wheel and keys do to a canvas: in pixels from its left and its top. */
type Pair = readonly [number, number];

export interface Gestures {
  pan(by: Pair): void;
  zoom(factor: number, at: Pair): void;
  click(at: Pair): void;
  /** Shows all of the data. */
  reset(): void;
}

/** A pointer that moves less has clicked. */
const STILL = 4;
const STEP = 40;
const KEYS: Readonly<Record<string, Pair>> = {
  ArrowLeft: [STEP, 0],
  ArrowRight: [-STEP, 0],
  ArrowUp: [0, STEP],
  ArrowDown: [0, -STEP],
};

export function listen(canvas: HTMLCanvasElement, gestures: Gestures): void {
  let last: Pair | undefined;
  let moved = 0;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    [last, moved] = [[event.clientX, event.clientY], 0];
  });
  canvas.addEventListener("pointermove", (event) => {
    if (last === undefined) return;
    const by = [event.clientX - last[0], event.clientY - last[1]] as const;
    moved += Math.hypot(...by);
    last = [event.clientX, event.clientY];
    if (moved >= STILL) gestures.pan(by);
  });
  canvas.addEventListener("pointerup", (event) => {
    last = undefined;
    if (moved < STILL) gestures.click([event.offsetX, event.offsetY]);
  });
  canvas.addEventListener("pointercancel", () => {
    last = undefined;
  });
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      gestures.zoom(2 ** (-event.deltaY / 200), [event.offsetX, event.offsetY]);
    },
    { passive: false },
  );
  canvas.addEventListener("keydown", (event) => {
    const middle = [canvas.clientWidth / 2, canvas.clientHeight / 2] as const;
    const by = KEYS[event.key];
    if (by !== undefined) gestures.pan(by);
    else if (event.key === "+" || event.key === "-") gestures.zoom(event.key === "+" ? 2 : 0.5, middle);
    else if (event.key === "Enter") gestures.click(middle);
    else if (event.key === "0") gestures.reset();
    else return;
    // Notebooks have commands on these keys.
    event.preventDefault();
    event.stopPropagation();
  });
}
