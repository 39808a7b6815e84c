/** What every form of a picture can be asked for: planes, maps, images. */
import { signal } from "@preact/signals";
import type { Window } from "../data/window.js";
import type { Point } from "./controls.js";

export interface Stage {
  zoom(factor: number): void;
  showAll(): void;
  /** Elements of the finest level that are on the screen. */
  window(): Window;
  /** The middle of an element in CSS pixels of the window; undefined where it is not seen. */
  placeOf(point: Point): readonly [left: number, top: number] | undefined;
  /** The place of a corner between elements, also outside the window. */
  edgeOf(x: number, y: number): readonly [left: number, top: number] | undefined;
  /** The element at a place of the window. */
  pointAt(left: number, top: number): Point | undefined;
  /** Of a map: metres of a CSS pixel in its middle. */
  metresOfPixel?(): number;
  /** Draws what is on the screen, without panels. */
  paint(context: CanvasRenderingContext2D): void;
  /** Pixels of what `paint` draws. */
  readonly size: readonly [width: number, height: number];
}

export const stage = signal<Stage | undefined>(undefined);
/** Counts frames: what lies over the picture moves with it. */
export const frames = signal(0);

/** The part of the window that no panel covers, in CSS pixels. */
export interface Room {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Elements with `data-edge` lie over the picture on that side. */
export function roomIn(canvas: Element): Room {
  const box = canvas.getBoundingClientRect();
  const room = { left: 0, top: 0, right: box.width, bottom: box.height };
  for (const element of document.querySelectorAll("[data-edge], .right > *")) {
    const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
    if (width === 0 || height === 0) continue;
    const edge = element.getAttribute("data-edge") ?? "right";
    if (edge === "top") room.top = Math.max(room.top, bottom - box.top);
    else if (edge === "bottom") room.bottom = Math.min(room.bottom, top - box.top);
    else if (edge === "left") room.left = Math.max(room.left, right - box.left);
    else room.right = Math.min(room.right, left - box.left);
  }
  const isEmpty = room.right - room.left < 80 || room.bottom - room.top < 80;
  return isEmpty ? { left: 0, top: 0, right: box.width, bottom: box.height } : room;
}
