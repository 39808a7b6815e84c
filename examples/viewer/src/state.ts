/** What the picture is of, as text after the "#" (or "?") of the URL: a link shows the same picture. */
import type { ConsolidatedFormat } from "wazarr";
import { type ColourMapName, DEFAULT_COLOURS, isColourMap } from "./picture/colour-maps.js";
import type { Point } from "./picture/controls.js";

export interface View {
  /** In elements of the finest level. */
  readonly centre: readonly [x: number, y: number];
  /** Pixels of the screen for an element of the finest level. */
  readonly zoom: number;
}

/** How a label image lies over an image. */
export interface LabelChoice {
  readonly isVisible: boolean;
  /** From 0 to 1. */
  readonly opacity: number;
}

/** How a channel of an image is shown. A range of undefined: as its values on the screen are. */
export interface ChannelChoice extends LabelChoice {
  readonly range?: readonly [low: number, high: number] | undefined;
}

export interface State {
  readonly url?: string | undefined;
  readonly path?: string | undefined;
  /** Given in a link: the viewer does not ask for documents of the other format, which servers log. */
  readonly format?: ConsolidatedFormat | undefined;
  /** Index of each dimension that has a slider, by its name or number. */
  readonly indices: ReadonlyMap<string, number>;
  /** Names of the dimensions on the screen; undefined: the last two. */
  readonly axes?: readonly [down: string, across: string] | undefined;
  readonly colours: ColourMapName;
  /** Values of both ends of the colour map; undefined: as the first tiles are. */
  readonly range?: readonly [low: number, high: number] | undefined;
  /** Channels of an image that are not shown as the metadata say, by index. */
  readonly channels: ReadonlyMap<number, ChannelChoice>;
  /** Label images that somebody has shown, hidden or made fainter, by name. */
  readonly labels: ReadonlyMap<string, LabelChoice>;
  readonly view?: View | undefined;
  /** The element of the finest level whose series or profile is shown. */
  readonly point?: Point | undefined;
}

export function parseState(text: string): State {
  const given = new URLSearchParams(text.replace(/^[#?]/, ""));
  const numbers = (name: string): number[] | undefined => {
    const list = given.get(name)?.split(",").map(Number);
    return list?.every(Number.isFinite) ? list : undefined;
  };
  const [low, high] = numbers("range") ?? [];
  const [down, across] = given.getAll("axis");
  const [x, y, zoom = 0] = numbers("view") ?? [];
  const [column, row] = numbers("point") ?? [];
  const colours = given.get("colours");
  const format = given.get("format");
  const indices = new Map<string, number>();
  for (const pair of given.getAll("at")) {
    const colon = pair.lastIndexOf(":");
    const index = Number(pair.slice(colon + 1));
    if (colon > 0 && Number.isSafeInteger(index)) indices.set(pair.slice(0, colon), index);
  }
  const channels = new Map<number, ChannelChoice>();
  for (const words of given.getAll("channel")) {
    const [index, isVisible, opacity = Number.NaN, from, to] = words.split(",").map(Number);
    const ends = from !== undefined && to !== undefined ? ([from, to] as const) : undefined;
    if (index === undefined || !isPart(opacity) || ends?.every(Number.isFinite) === false) continue;
    channels.set(index, { isVisible: isVisible === 1, opacity, range: ends });
  }
  const labels = new Map<string, LabelChoice>();
  for (const words of given.getAll("labels")) {
    const [, isVisible, opacity, name] = /^([01]),([\d.]+),(.+)$/.exec(words) ?? [];
    if (name !== undefined && isPart(Number(opacity)))
      labels.set(name, { isVisible: isVisible === "1", opacity: Number(opacity) });
  }
  return {
    url: given.get("url") ?? undefined,
    path: given.get("path") ?? undefined,
    format: format === "v3" || format === "v2" ? format : undefined,
    indices,
    axes: down !== undefined && across !== undefined ? [down, across] : undefined,
    colours: isColourMap(colours) ? colours : DEFAULT_COLOURS,
    range: low !== undefined && high !== undefined ? [low, high] : undefined,
    channels,
    labels,
    point: column !== undefined && row !== undefined ? { x: column, y: row } : undefined,
    view: x !== undefined && y !== undefined && zoom > 0 ? { centre: [x, y], zoom } : undefined,
  };
}

export function writeState(state: State): string {
  const { url, path, format, indices, axes, colours, range, channels, labels, view, point } = state;
  const text = new URLSearchParams();
  if (url !== undefined) text.set("url", url);
  if (path !== undefined && path !== "/") text.set("path", path);
  if (format !== undefined) text.set("format", format);
  for (const [name, index] of indices) text.append("at", `${name}:${index}`);
  for (const name of axes ?? []) text.append("axis", name);
  if (colours !== DEFAULT_COLOURS) text.set("colours", colours);
  if (range) text.set("range", range.join());
  for (const [index, { isVisible, opacity, range: ends = [] }] of channels)
    text.append("channel", [index, Number(isVisible), opacity, ...ends].join());
  for (const [name, { isVisible, opacity }] of labels)
    text.append("labels", `${Number(isVisible)},${opacity},${name}`);
  if (view) text.set("view", [...view.centre, view.zoom].map(shortest).join());
  if (point) text.set("point", `${point.x},${point.y}`);
  return `#${text}`;
}

const shortest = (value: number): string => String(Number(value.toPrecision(7)));

const isPart = (value: number): boolean => value >= 0 && value <= 1;
