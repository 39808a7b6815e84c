/** What can be seen: an array, or the levels of an image, with names, labels and units of its dimensions. */
import { children, get, type Node, open, type Array as ZarrArray } from "wazarr";
import type { Channel as OmeChannel, OmeImage } from "wazarr/ome-zarr";

export type Numbers = Readonly<ArrayLike<number>>;

export interface Dimension {
  readonly name: string;
  readonly length: number;
  readonly unit?: string | undefined;
  /** Coordinates of the finest level's indices, once they are read. */
  labels?: readonly string[] | undefined;
  values?: Numbers | undefined;
}

export interface Level {
  readonly array: ZarrArray;
  /** Elements of the finest level along an element of this one, by dimension. */
  readonly factors: readonly number[];
}

export interface Channel {
  readonly name: string;
  /** Red, green and blue from 0 to 1. */
  readonly colour: readonly [number, number, number];
  readonly range?: readonly [number, number] | undefined;
  readonly isVisible: boolean;
}

export interface Layer {
  readonly title: string;
  readonly dimensions: readonly Dimension[];
  /** Finest first. */
  readonly levels: readonly Level[];
  /** Dimension shown from left to right, and from top to bottom. */
  readonly x: number;
  readonly y: number;
  /** Whether the last row is at the top, as north is where latitudes ascend. */
  readonly isFlipped: boolean;
  /** Whether it is a map or a plain array, whose rows may ascend to the north; images have their first row at the top. */
  readonly isMap: boolean;
  /** Dimension of the channels that are drawn over each other, and what is known of them. */
  readonly channels?: { readonly dimension: number; readonly list: readonly Channel[] } | undefined;
  readonly unit?: string | undefined;
  /** Stored values that stand for nothing. */
  readonly missing: readonly number[];
  readonly scale: number;
  readonly offset: number;
}

/** @throws Error for what cannot be drawn, in words for its user */
export async function layerOf(node: Node): Promise<Layer> {
  if (node.kind === "array") return ofArray(node);
  if (!isImage(node)) throw new Error("a group: choose one of its arrays");
  const { openOmeZarr } = await import("wazarr/ome-zarr");
  const image = await openOmeZarr(node);
  if (image.kind !== "image") throw new Error(`a ${image.kind}: choose one of its images`);
  return ofImage(image);
}

/** Whether a group is an OME-Zarr image; 0.5 has its attributes one level down. */
export function isImage(node: Node): boolean {
  if (node.kind === "array") return false;
  const { ome, multiscales } = node.metadata.attributes;
  return multiscales !== undefined || (typeof ome === "object" && ome !== null && "multiscales" in ome);
}

function ofImage({ axes, levels, channels, name, group }: OmeImage): Layer {
  const [finest] = levels;
  if (finest === undefined) throw new Error("an image without levels");
  const { shape } = finest;
  const first = finest.toPhysical(shape.map(() => 0));
  const dimensions = shape.map((length, d): Dimension => {
    const { name: axis = `dim ${d}`, unit, type } = axes[d] ?? {};
    if (type === "channel") return { name: axis, length };
    const values = Float64Array.from({ length }, (_, i) => (first[d] ?? 0) + i * (finest.pixelSize[d] ?? 1));
    const labels = Array.from(values, (value) => String(Number(value.toPrecision(6))));
    return { name: axis, length, unit, values, labels };
  });
  const c = axes.findIndex(({ type }) => type === "channel");
  return {
    ...common(finest.array, dimensions),
    title: name ?? group.path,
    levels: levels.map(({ array }) => ({
      array,
      factors: array.shape.map((length, d) => Math.max(1, Math.round((shape[d] ?? 1) / Math.max(1, length)))),
    })),
    isFlipped: false,
    isMap: false,
    channels: c >= 0 && channels.length > 0 ? { dimension: c, list: channels.map(channelOf) } : undefined,
  };
}

function channelOf({ label, color = "FFFFFF", active, window }: OmeChannel, index: number): Channel {
  const [low, high] = [window?.start ?? window?.min, window?.end ?? window?.max];
  const hex = Number.parseInt(color, 16);
  return {
    name: label ?? `channel ${index}`,
    colour: [(hex >> 16) / 255, ((hex >> 8) & 255) / 255, (hex & 255) / 255],
    range: low !== undefined && high !== undefined ? [low, high] : undefined,
    isVisible: active,
  };
}

async function ofArray(array: ZarrArray): Promise<Layer> {
  const dimensions = dimensionsOf(array);
  await Promise.all(dimensions.map((dimension) => readCoordinates(array, dimension)));
  const layer = common(array, dimensions);
  return {
    ...layer,
    title: array.path,
    levels: [{ array, factors: array.shape.map(() => 1) }],
    isFlipped: ascendsToNorth(dimensions[layer.y]),
    isMap: true,
  };
}

function ascendsToNorth({ name, values }: Partial<Dimension> = {}): boolean {
  const isLatitude = /^(?:lat|latitude|y|northing)$/i.test(name ?? "");
  return isLatitude && values !== undefined && values.length > 1 && Number(values[1]) > Number(values[0]);
}

/** Dimensions that may be on the screen. */
export function screenDimensions({ dimensions, channels }: Layer): readonly number[] {
  return [...dimensions.keys()].filter((d) => d !== channels?.dimension);
}

/** The layer with other dimensions on the screen, by their names; itself where it does not have them. */
export function turned(layer: Layer, axes: readonly [y: string, x: string] | undefined): Layer {
  const find = (wanted: string | undefined): number =>
    screenDimensions(layer).find((d) => layer.dimensions[d]?.name === wanted) ?? -1;
  const [y, x] = [find(axes?.[0]), find(axes?.[1])];
  if (y < 0 || x < 0 || y === x) return layer;
  return { ...layer, y, x, isFlipped: layer.isMap && ascendsToNorth(layer.dimensions[y]) };
}

function common(array: ZarrArray, dimensions: readonly Dimension[]) {
  const rank = array.shape.length;
  if (rank === 0) throw new Error("a single value: nothing to draw");
  if (!/^(?:bool|u?int(?:8|16|32|64)|float(?:16|32|64))$/.test(String(array.dtype)))
    throw new Error(`elements of type ${String(array.dtype)} cannot be drawn; \`wazarr get\` prints them`);
  const { attrs } = array;
  const numbers = [attrs._FillValue, attrs.missing_value].flat();
  return {
    dimensions,
    x: rank - 1,
    y: Math.max(0, rank - 2),
    unit: textOf(attrs.units),
    missing: numbers.filter((value) => typeof value === "number"),
    scale: typeof attrs.scale_factor === "number" ? attrs.scale_factor : 1,
    offset: typeof attrs.add_offset === "number" ? attrs.add_offset : 0,
  };
}

/** Names and lengths of an array's dimensions. Some writers of v3 leave out `dimension_names`, and have xarray's attribute of v2. */
export function dimensionsOf(array: ZarrArray): Dimension[] {
  const { _ARRAY_DIMENSIONS: attribute } = array.attrs;
  const names: readonly unknown[] = array.dimensionNames ?? (Array.isArray(attribute) ? attribute : []);
  return array.shape.map((length, d) => ({ name: textOf(names[d]) ?? `dim ${d}`, length }));
}

/** An array of one dimension beside this one, of the dimension's name, is its coordinate. */
async function readCoordinates(array: ZarrArray, dimension: Dimension): Promise<void> {
  try {
    const beside = array.path.slice(0, array.path.lastIndexOf("/") + 1);
    if (!/^[\w .-]+$/.test(dimension.name) || /^dim \d+$/.test(dimension.name)) return;
    const coordinate = await open(array.resolve(`${beside}${dimension.name}`), { kind: "array" });
    if (coordinate.shape.length !== 1 || coordinate.shape[0] !== dimension.length) return;
    const { data } = await get(coordinate, null);
    const units = textOf(coordinate.attrs.units);
    const values = Array.from({ length: dimension.length }, (_, i) => {
      const value: unknown = Reflect.get(data, i);
      return typeof value === "bigint" ? Number(value) : value;
    });
    const since = /^(\w+) since (.+)$/.exec(units ?? "");
    const step = since && MILLISECONDS[(since[1] ?? "").replace(/s$/, "")];
    const start = since
      ? Date.parse(
          /[zZ]|[+-]\d\d:?\d\d$/.test(since[2] ?? "") ? (since[2] ?? "") : `${since[2]?.replace(" ", "T")}Z`,
        )
      : Number.NaN;
    const startDay = Number.isNaN(start) && since ? Date.parse(`${since[2]} UTC`) : start;
    const calendar = textOf(coordinate.attrs.calendar) ?? "standard";
    const isDate =
      step && !Number.isNaN(startDay) && /^(?:standard|gregorian|proleptic_gregorian)$/.test(calendar);
    const numbers = values.every((value) => typeof value === "number") ? values : undefined;
    dimension.values = numbers;
    dimension.labels = isDate
      ? numbers?.map((value) =>
          new Date(startDay + value * step).toISOString().replace(/T00:00:00\.000Z$|:00\.000Z$|\.000Z$/, ""),
        )
      : values.map((value) =>
          typeof value === "number" ? String(Number(value.toPrecision(6))) : String(value),
        );
    Object.assign(dimension, { unit: isDate ? undefined : units });
  } catch {
    // Without labels: indices are shown.
  }
}

const MILLISECONDS: Readonly<Record<string, number>> = {
  day: 864e5,
  hour: 36e5,
  hr: 36e5,
  minute: 6e4,
  min: 6e4,
  second: 1e3,
  sec: 1e3,
};

/** The nodes below, each as soon as it is known. */
export async function* below(node: Node): AsyncGenerator<Node> {
  if (node.kind === "array") return;
  for (const child of await children(node)) yield child;
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
