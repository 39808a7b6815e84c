/** What the picture is of, as text after the "#" (or "?") of the URL: a link shows the same picture. */
import type { ConsolidatedFormat } from "wazarr";
import { type ColourMapName, isColourMap } from "./picture/colour-maps.js";
import type { Point } from "./picture/controls.js";

/** How colours follow values: evenly, by their logarithm, or by that of their distance from zero. */
export const CURVES = ["linear", "log", "symmetric"] as const;
export type Curve = (typeof CURVES)[number];

/** The forms of a picture. Undefined: the one that fits the data. */
export const STAGES = ["cards", "map", "globe", "plane", "planes", "volume"] as const;
export type StageName = (typeof STAGES)[number];

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
  readonly stage?: StageName | undefined;
  /** Undefined: those that fit the data. */
  readonly colours?: ColourMapName | undefined;
  readonly curve: Curve;
  /** Values of both ends of the colour map; undefined: as the first tiles are. */
  readonly range?: readonly [low: number, high: number] | undefined;
  /** Channels of an image that are not shown as the metadata say, by index. */
  readonly channels: ReadonlyMap<number, ChannelChoice>;
  /** Label images that somebody has shown, hidden or made fainter, by name. */
  readonly labels: ReadonlyMap<string, LabelChoice>;
  readonly view?: View | undefined;
  /** Longitude, latitude and zoom of a map. */
  readonly camera?: readonly [longitude: number, latitude: number, zoom: number] | undefined;
  /** Elements of the finest level whose values and series are compared. */
  readonly points: readonly Point[];
  /** Two corners of a box, or three or more of a polygon, in elements of the finest level. */
  readonly region: readonly Point[];
  /** Index of the step, of the first dimension with a slider, that the picture is compared with. */
  readonly compared?: number | undefined;
  /** Without panels: inside a page of somebody else. */
  readonly isEmbedded: boolean;
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
  const [longitude, latitude, height] = numbers("map") ?? [];
  const compared = numbers("with")?.[0];
  const points = given.getAll("point").flatMap((text) => pointsOf(text).slice(0, 1));
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
    stage: STAGES.find((name) => name === given.get("stage")),
    colours: isColourMap(colours) ? colours : undefined,
    curve: CURVES.find((name) => name === given.get("curve")) ?? "linear",
    range: low !== undefined && high !== undefined ? [low, high] : undefined,
    channels,
    labels,
    camera:
      longitude !== undefined && latitude !== undefined && height !== undefined
        ? [longitude, latitude, height]
        : undefined,
    points,
    region: pointsOf(given.get("region") ?? ""),
    compared: Number.isSafeInteger(compared) ? compared : undefined,
    isEmbedded: given.get("embed") === "1",
    view: x !== undefined && y !== undefined && zoom > 0 ? { centre: [x, y], zoom } : undefined,
  };
}

export function writeState(state: State): string {
  const { url, path, format, indices, axes, stage, colours, curve, range, channels, labels } = state;
  const { view, camera, points, region, compared, isEmbedded } = state;
  const text = new URLSearchParams();
  const put = (name: string, value: string | undefined): void => {
    if (value !== undefined) text.set(name, value);
  };
  put("url", url);
  put("path", path === "/" ? undefined : path);
  put("format", format);
  for (const [name, index] of indices) text.append("at", `${name}:${index}`);
  for (const name of axes ?? []) text.append("axis", name);
  put("stage", stage);
  put("colours", colours);
  put("curve", curve === "linear" ? undefined : curve);
  put("range", range?.join());
  for (const [index, { isVisible, opacity, range: ends = [] }] of channels)
    text.append("channel", [index, Number(isVisible), opacity, ...ends].join());
  for (const [name, { isVisible, opacity }] of labels)
    text.append("labels", `${Number(isVisible)},${opacity},${name}`);
  put("view", view && [...view.centre, view.zoom].map(shortest).join());
  put("map", camera?.map(shortest).join());
  for (const { x, y } of points) text.append("point", `${x},${y}`);
  put("region", region.length > 1 ? region.map(({ x, y }) => `${x},${y}`).join() : undefined);
  put("with", compared === undefined ? undefined : String(compared));
  put("embed", isEmbedded ? "1" : undefined);
  return `#${text}`;
}

/** Of "column,row,column,row". */
function pointsOf(text: string): Point[] {
  const numbers = text === "" ? [] : text.split(",").map(Number);
  if (!numbers.every(Number.isSafeInteger)) return [];
  const found: Point[] = [];
  for (let i = 0; i + 1 < numbers.length; i += 2) {
    const [x, y] = numbers.slice(i, i + 2);
    if (x !== undefined && y !== undefined) found.push({ x, y });
  }
  return found;
}

const shortest = (value: number): string => String(Number(value.toPrecision(7)));

const isPart = (value: number): boolean => value >= 0 && value <= 1;
