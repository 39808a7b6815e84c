/** The options that all layers have. */
import type { ColorOptions, Colors } from "@wazarr/colors";
import type { Location, Store } from "wazarr";
import type { TileLevel, TileSource } from "wazarr/tiles";
import type { DimensionEntry } from "wazarr/xarray";
import type { GivenPlace } from "./given-place.js";

/**
 * Steps by name of the dimension: an index, or a label as `wazarr/xarray` takes it, such as "2026-03-05" for a
 * time, or `nearest(500)`. Of a label for several steps the first one is shown. A dimension
 * that is undefined is not named: `{ time, level: hasLevels ? 3 : undefined }`.
 */
export type Selection = Readonly<Record<string, DimensionEntry | undefined>>;

/** The dimensions that a selection names. */
export const entriesOf = (selection: Selection): [name: string, entry: DimensionEntry][] =>
  Object.entries(selection).flatMap(([name, entry]) => (entry === undefined ? [] : [[name, entry]]));

/**
 * Where the data are: an address as `openStore` takes it, a store; levels in the plane of the picture, as
 * `levelsInPixels` of `wazarr/tiles` gives them; or a source of float32 tiles whose projection leads to the plane
 * of the map, and whose missing elements are `MISSING`.
 */
export type LayerSource =
  | string
  | URL
  | Store
  | Location<Store>
  | readonly TileLevel[]
  | TileSource<"float32">;

/** The name of an array, with a selection of its own if bands are indices of a dimension. */
export type Variable = string | { readonly variable?: string | undefined; readonly selection: Selection };

export interface LayerOptions extends ColorOptions {
  readonly source: LayerSource;
  /** The array in the group; not needed if the source is an array, or lists levels that are arrays. */
  readonly variable?: string | undefined;
  /**
   * Several arrays in one picture, by names that `expression` uses: `{ red: "b04", nir: "b08" }`. They have the
   * same shape and chunks.
   */
  readonly variables?: Readonly<Record<string, Variable>> | undefined;
  /** The step that is shown first. Dimensions that are not named have the index 0. */
  readonly selection?: Selection | undefined;
  /** Where the data lie, if the metadata do not say so. */
  readonly place?: GivenPlace | undefined;
  /** The scale of the colours; "viridis" unless given. */
  readonly colors?: Colors | undefined;
  /** Stored elements that are missing, if the metadata do not say so. */
  readonly missing?: number | undefined;
  /**
   * An expression of GLSL over the names of `variables`, or over `value` if there is only one: a float has the
   * colour of the scale, a vec3 is red, green and blue, a vec4 has alpha, too. `scaled(x)` is the place of x in
   * the range. Three variables named red, green and blue need none.
   */
  readonly expression?: string | undefined;
  /** Numbers that `expression` uses by name, which may change without other tiles or programs. */
  readonly uniforms?: Readonly<Record<string, number>> | undefined;
  /** From 0, transparent, to 1. */
  readonly opacity?: number | undefined;
  /** Milliseconds in which tiles that arrive late, or of another level, appear; 200 unless given. Steps change at once. */
  readonly fade?: number | undefined;
}

/** The values at a point. */
export interface Cell {
  /** By the names of `variables`, or `value`; NaN where missing. */
  readonly values: Readonly<Record<string, number>>;
  /** The first value with its unit: "18.8 °C". */
  readonly label: string;
  /** The middle of the cell in units of the data. */
  readonly middle: readonly [x: number, y: number];
  readonly row: number;
  readonly column: number;
}
