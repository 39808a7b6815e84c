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

/** How something that lies over something else is shown. */
interface Choice {
  readonly isVisible: boolean;
  /** From 0 to 1. */
  readonly opacity: number;
}

/** How a label image lies over an image: filled, or as outlines. */
export interface LabelChoice extends Choice {
  readonly isOutlined: boolean;
}

/** How a channel of an image is shown. A range of undefined: as its values on the screen are. */
export interface ChannelChoice extends Choice {
  readonly range?: readonly [low: number, high: number] | undefined;
}

/** What the picture is compared with: another step of the timeline, or another variable. */
export type Comparison = { readonly step: number } | { readonly path: string };

/** What lies below the data of a map. */
export interface BaseMap {
  /** Address of its tiles, with {z}, {x} and {y}. */
  readonly address: string;
  /** Of the data above it, from 0 to 1. */
  readonly opacity: number;
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
  readonly compared?: Comparison | undefined;
  /**
   * Of a comparison side by side: where the curtain is, from 0 at the left to 1; undefined: the difference is
   * shown.
   */
  readonly curtain?: number | undefined;
  /** Values of both ends of the colours of another variable beside the curtain. */
  readonly comparedRange?: readonly [low: number, high: number] | undefined;
  readonly base?: BaseMap | undefined;
  /** Whether a map has no coastlines and borders. */
  readonly isWithoutLines: boolean;
  /** Radians of a projection around its axis and upwards, and how near it is. */
  readonly turn?: readonly [around: number, up: number, zoom: number] | undefined;
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
  const [lowWith, highWith] = numbers("range-with") ?? [];
  const [around, up, near] = numbers("turn") ?? [];
  const [curtain = Number.NaN] = numbers("curtain") ?? [];
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
    const [, form, opacity, name] = /^([012]),([\d.]+),(.+)$/.exec(words) ?? [];
    if (name !== undefined && isPart(Number(opacity)))
      labels.set(name, { isVisible: form !== "0", isOutlined: form === "2", opacity: Number(opacity) });
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
    compared: comparisonOf(given.get("with") ?? ""),
    curtain: isPart(curtain) ? curtain : undefined,
    comparedRange: lowWith !== undefined && highWith !== undefined ? [lowWith, highWith] : undefined,
    base: baseOf(given.get("base") ?? "", Number(given.get("opacity") ?? DEFAULT_OPACITY)),
    isWithoutLines: given.get("lines") === "0",
    turn: around !== undefined && up !== undefined && near !== undefined ? [around, up, near] : undefined,
    isEmbedded: given.get("embed") === "1",
    view: x !== undefined && y !== undefined && zoom > 0 ? { centre: [x, y], zoom } : undefined,
  };
}

export function writeState(state: State): string {
  const { url, path, format, indices, axes, stage, colours, curve, range, channels, labels } = state;
  const { view, camera, points, region, compared, curtain, comparedRange, base, turn } = state;
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
  for (const [name, { isVisible, isOutlined, opacity }] of labels)
    text.append("labels", `${isVisible ? (isOutlined ? 2 : 1) : 0},${opacity},${name}`);
  put("view", view && [...view.centre, view.zoom].map(shortest).join());
  put("map", camera?.map(shortest).join());
  for (const { x, y } of points) text.append("point", `${x},${y}`);
  put("region", region.length > 1 ? region.map(({ x, y }) => `${x},${y}`).join() : undefined);
  put("with", compared && ("path" in compared ? compared.path : String(compared.step)));
  put("curtain", curtain === undefined ? undefined : shortest(curtain));
  put("range-with", comparedRange?.join());
  put("base", base?.address);
  put("opacity", base && base.opacity !== DEFAULT_OPACITY ? String(base.opacity) : undefined);
  put("lines", state.isWithoutLines ? "0" : undefined);
  put("turn", turn?.map(shortest).join());
  put("embed", state.isEmbedded ? "1" : undefined);
  return `#${text}`;
}

/** Of the data, where there is a base map. */
export const DEFAULT_OPACITY = 0.7;

/** A step, or the path of a variable. */
function comparisonOf(text: string): Comparison | undefined {
  if (text.startsWith("/")) return { path: text };
  const step = text === "" ? Number.NaN : Number(text);
  return Number.isSafeInteger(step) ? { step } : undefined;
}

/** Undefined for an address that is no template of tiles on the web. */
export function baseOf(address: string, opacity: number): BaseMap | undefined {
  const isTemplate =
    /^https?:\/\//.test(address) && ["{z}", "{x}", "{y}"].every((part) => address.includes(part));
  return isTemplate && isPart(opacity) ? { address, opacity } : undefined;
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
