/** What the picture is of, as text behind the "#" of the URL: a link shows the same picture. */
import { type ColourMapName, isColourMap } from "./picture/colour-maps.js";

export interface View {
  /** In elements of the finest level. */
  readonly centre: readonly [x: number, y: number];
  /** Pixels of the screen for an element of the finest level. */
  readonly zoom: number;
}

export interface State {
  readonly url?: string | undefined;
  readonly path?: string | undefined;
  /** Index of each dimension that has a slider, by its name or number. */
  readonly indices: ReadonlyMap<string, number>;
  /** Names of the dimensions on the screen; undefined: the last two. */
  readonly axes?: readonly [down: string, across: string] | undefined;
  readonly colours: ColourMapName;
  /** Values of both ends of the colour map; undefined: as the first tiles are. */
  readonly range?: readonly [low: number, high: number] | undefined;
  readonly view?: View | undefined;
}

export function parseState(hash: string): State {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const numbers = (name: string): number[] | undefined => {
    const list = given.get(name)?.split(",").map(Number);
    return list?.every(Number.isFinite) ? list : undefined;
  };
  const [low, high] = numbers("range") ?? [];
  const [down, across] = given.getAll("axis");
  const [x, y, zoom = 0] = numbers("view") ?? [];
  const colours = given.get("colours");
  const indices = new Map<string, number>();
  for (const pair of given.getAll("at")) {
    const colon = pair.lastIndexOf(":");
    const index = Number(pair.slice(colon + 1));
    if (colon > 0 && Number.isSafeInteger(index)) indices.set(pair.slice(0, colon), index);
  }
  return {
    url: given.get("url") ?? undefined,
    path: given.get("path") ?? undefined,
    indices,
    axes: down !== undefined && across !== undefined ? [down, across] : undefined,
    colours: isColourMap(colours) ? colours : "dusk",
    range: low !== undefined && high !== undefined ? [low, high] : undefined,
    view: x !== undefined && y !== undefined && zoom > 0 ? { centre: [x, y], zoom } : undefined,
  };
}

export function writeState({ url, path, indices, axes, colours, range, view }: State): string {
  const text = new URLSearchParams();
  if (url !== undefined) text.set("url", url);
  if (path !== undefined && path !== "/") text.set("path", path);
  for (const [name, index] of indices) text.append("at", `${name}:${index}`);
  for (const name of axes ?? []) text.append("axis", name);
  if (colours !== "dusk") text.set("colours", colours);
  if (range) text.set("range", range.map(shortest).join());
  if (view) text.set("view", [...view.centre, view.zoom].map(shortest).join());
  return `#${text}`;
}

const shortest = (value: number): string => String(Number(value.toPrecision(7)));
