/** What can be seen: an array, or the levels of an image, with names, labels and units of its dimensions. */
import type { Array as ZarrArray } from "wazarr";

export type Numbers = Readonly<ArrayLike<number>>;

export interface Dimension {
  readonly name: string;
  readonly length: number;
  /** Index that is shown first. Default: 0. */
  readonly first?: number | undefined;
  unit?: string | undefined;
  /** Coordinates of the finest level's indices, once they are read. */
  labels?: readonly string[] | undefined;
  values?: Numbers | undefined;
  /** Whether the labels are dates. */
  isTime?: boolean | undefined;
  /** Why the coordinates could not be read, although there are some. */
  failure?: unknown;
}

export interface Channel {
  readonly name: string;
  /** Red, green and blue from 0 to 1. */
  readonly colour: readonly [number, number, number];
  /** Stored values that are black and bright; undefined: as those on the screen are. */
  readonly range?: readonly [low: number, high: number] | undefined;
  readonly isVisible: boolean;
  /** From 0 to 1. */
  readonly opacity: number;
}

/** A label image, whose values are numbers of things seen in another image. */
export interface LabelImage {
  readonly name: string;
  readonly layer: Layer;
  readonly colours: ReadonlyMap<number, readonly [red: number, green: number, blue: number, alpha: number]>;
}

export interface Layer {
  readonly title: string;
  /** What the metadata call it. */
  readonly longName?: string | undefined;
  readonly standardName?: string | undefined;
  /** Names of stored values, where these stand for classes. */
  readonly classes?: ReadonlyMap<number, string> | undefined;
  readonly dimensions: readonly Dimension[];
  /** Finest first. */
  readonly levels: readonly ZarrArray[];
  /**
   * Elements of the image on the screen along an element of the finest level, by dimension: above 1 for
   * labels of a lower resolution.
   */
  readonly factors: readonly number[];
  /** Dimension shown from left to right; -1 for less than two dimensions. */
  readonly x: number;
  /** Dimension shown from top to bottom; -1 for none. */
  readonly y: number;
  /** Whether the last row is at the top, as north is where latitudes ascend. */
  readonly isFlipped: boolean;
  /**
   * Whether it is a map or a plain array, whose rows may ascend to the north; images have their first row at
   * the top.
   */
  readonly isMap: boolean;
  /** Whether the metadata name a system of coordinates on Earth, of which rows and columns are no degrees. */
  readonly isProjected?: boolean | undefined;
  /** Dimension of the channels that are drawn over each other, and what is known of them. */
  readonly channels?: { readonly dimension: number; readonly list: readonly Channel[] } | undefined;
  /** Opens the label images that lie over it. */
  readonly openLabels?: (() => Promise<readonly LabelImage[]>) | undefined;
  readonly unit?: string | undefined;
  /** Stored values that stand for nothing. */
  readonly missing: readonly number[];
  readonly scale: number;
  readonly offset: number;
  /** Why the elements are shown as they are stored, although attributes say how to decode them. */
  readonly failure?: unknown;
  /** Type of the stored elements. */
  readonly dtype: string;
  /** For times: the date of an element, in ISO 8601. */
  readonly dateOf?: ((value: number) => string) | undefined;
}

export const isNorthward = (name = ""): boolean => /^(?:lat|latitude|y|northing)$/i.test(name);

export function ascendsToNorth({ name, values }: Partial<Dimension> = {}): boolean {
  return (
    isNorthward(name) && values !== undefined && values.length > 1 && Number(values[1]) > Number(values[0])
  );
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

/** CF's spellings of degrees of latitude and longitude. */
const DEGREES = /^degrees?_?(?:north|N|east|E)$/;

/** What stands beside a step: "5 m", "61°", "2026-03-05", or its index. */
export function labelOf({ labels, unit }: Dimension, index: number): string {
  const label = labels?.[index] ?? String(index);
  if (!unit || !labels) return label;
  return DEGREES.test(unit) ? `${label}°` : `${label} ${unit}`;
}

/** The index that somebody chose for a dimension, or that the metadata give, within its bounds. */
export const chosenIndex = (
  { name, length, first }: Dimension,
  indices: ReadonlyMap<string, number>,
): number => Math.min(length - 1, Math.max(0, indices.get(name) ?? first ?? 0));

/** Dimensions that have a slider: those that are not on the screen, and have steps. */
export function sliderDimensions({ dimensions, x, y, channels }: Layer): readonly number[] {
  return [...dimensions.keys()].filter(
    (d) => d !== x && d !== y && d !== channels?.dimension && (dimensions[d]?.length ?? 0) > 1,
  );
}
