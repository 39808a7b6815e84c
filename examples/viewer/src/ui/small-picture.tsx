/** A small picture of a node, painted when it is in sight and nothing else is read; one at a time. */
import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Node } from "wazarr";
import { hasSmallPicture, paintSmall } from "../picture/small-picture.js";
import { act, isBusy, waiting } from "../session.js";

type Paint = (signal: AbortSignal) => Promise<void>;

const paints = new Map<Element, Paint>();
/** Those that are not painted yet. */
const inSight = new Set<Element>();
let reading: AbortController | undefined;

const sight = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries)
    if (isIntersecting) inSight.add(target);
    else inSight.delete(target);
  void next();
});
effect(() => {
  isAtRest();
  void next();
});

/** Whether nothing is being opened, and all of what was is there. */
function isAtRest(): boolean {
  const { kind } = act.value;
  const isShown = kind === "words" || kind === "cards" || kind === "plate" || waiting.value === "0";
  return isShown && !isBusy.value;
}

async function next(): Promise<void> {
  // From the top of the list to its end.
  const canvas = [...document.querySelectorAll("canvas.thumb")].find((each) => inSight.has(each));
  const paint = canvas && paints.get(canvas);
  if (!isAtRest()) reading?.abort();
  if (!isAtRest() || reading || !paint) return;
  reading = new AbortController();
  const { signal } = reading;
  // Without a picture there are the words beside it.
  await paint(signal).catch(() => {});
  reading = undefined;
  if (!signal.aborted) forget(canvas);
  void next();
}

function forget(canvas: Element): void {
  sight.unobserve(canvas);
  inSight.delete(canvas);
  paints.delete(canvas);
}

interface SmallPictureProps {
  readonly node: Node;
  /** Nodes of the same group, among which are coordinates. */
  readonly beside: readonly Node[];
  readonly size: readonly [width: number, height: number];
}

/** Nothing for a node that has none. */
export function SmallPicture({ node, beside, size }: SmallPictureProps) {
  const place = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const canvas = place.current;
    if (!canvas) return;
    paints.set(canvas, (signal) => paintSmall(canvas, node, beside, size, signal));
    sight.observe(canvas);
    return () => {
      // One that is being read is of no use any more.
      if (inSight.values().next().value === canvas) reading?.abort();
      forget(canvas);
    };
  }, [node]);
  // The name beside it says what it is of.
  return hasSmallPicture(node) ? (
    <span class="mute" aria-hidden="true">
      <canvas ref={place} class="thumb" width={0} />
    </span>
  ) : null;
}
