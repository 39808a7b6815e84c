/** How a catalogue would have its assets drawn: the render extension 2.0, and 1.0 with its older names. */
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../core/for-stores.js";

/** A picture that a document describes. */
export interface StacRender {
  /** Its name in the document. */
  readonly name: string;
  /** Its `title`, if it has one. */
  readonly title: string | undefined;
  /** Keys of assets, in the order red, green, blue if there are three. */
  readonly assets: readonly string[];
  /** The values at both ends of the colours, for each band, or one for all. */
  readonly rescale: readonly (readonly [low: number, high: number])[];
  /** Name of a colour map of Matplotlib: "viridis", "rdbu_r". Case differs between catalogues. */
  readonly colormapName: string | undefined;
  /** The value that is not drawn. */
  readonly nodata: number | undefined;
  /** A formula of bands, whose values are drawn in place of those of the assets. */
  readonly expression: string | undefined;
}

/** Pictures of one document that are read. */
const MOST_RENDERS = 1000;

/**
 * @param owner the item's properties, or the collection. What is malformed is left out: data open without it
 */
export function rendersOf(owner: JsonObject): StacRender[] {
  const { renders } = owner;
  if (!isJsonObject(renders)) return [];
  return Object.entries(renders)
    .slice(0, MOST_RENDERS)
    .flatMap(([name, render]) => (isJsonObject(render) ? renderOf(name, render) : []));
}

function renderOf(name: string, render: JsonObject): StacRender {
  const { assets, title, rescale, colormap_name, nodata, expression } = render;
  const ends = isJsonArray(rescale) ? rescale : [];
  // A list of two numbers is one pair, as some catalogues write it.
  const pairs = ends.every((end) => typeof end === "number") ? [ends] : ends;
  const none = typeof nodata === "string" && nodata !== "" ? Number(nodata) : nodata;
  return {
    name,
    title: typeof title === "string" ? title : undefined,
    assets: isJsonArray(assets) ? assets.filter((key) => typeof key === "string") : [],
    rescale: pairs.flatMap((pair) => pairOf(pair)),
    colormapName: typeof colormap_name === "string" ? colormap_name : undefined,
    nodata: typeof none === "number" ? none : undefined,
    expression: typeof expression === "string" ? expression : undefined,
  };
}

function pairOf(pair: Json): [readonly [number, number]] | [] {
  const [low, high, ...more] = isJsonArray(pair) ? pair : [];
  if (typeof low !== "number" || typeof high !== "number" || more.length > 0 || !(low < high)) return [];
  return [[low, high]];
}
