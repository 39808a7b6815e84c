/**
 * Items and collections of STAC, versions 0.6 to 1.x (https://github.com/radiantearth/stac-spec). Of their
 * many fields only those are read that say where data are and how they are opened and drawn.
 */
import {
  describe,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  StoreError,
  UnsupportedError,
} from "../../core/for-stores.js";
import { assetsOf, type StacAsset } from "./assets.js";
import { rendersOf, type StacRender } from "./renders.js";

/** What a document of STAC says of data. */
export interface StacDocument {
  /** What the document describes. */
  readonly kind: "item" | "collection";
  /** Its `id`. */
  readonly id: string;
  /** Its `title`, if it has one. */
  readonly title: string | undefined;
  /** All assets, in the order of the document. */
  readonly assets: readonly StacAsset[];
  /** How its data are drawn, by the `render` extension. */
  readonly renders: readonly StacRender[];
}

/** Whether parsed JSON says that it is of STAC. Lists of items need not say so themselves. */
export function isStac(json: unknown): boolean {
  if (!isJsonObject(json)) return false;
  if (typeof json.stac_version === "string") return true;
  const { type, features } = json;
  return type === "FeatureCollection" && isJsonArray(features) && features.slice(0, 1).some(isStac);
}

/**
 * Reads an item or a collection, such as one of the results of a search. Nothing is fetched.
 * @param json parsed JSON
 * @param address where the document is: relative addresses in it count from there. Without it they cannot be
 * opened
 * @example
 * ```ts
 * const url = "https://example.com/collections/sentinel-2-l2a/items/S2B";
 * const item = parseStac(await (await fetch(url)).json(), url);
 * const asset = item.assets.find(({ form }) => form === "hierarchy");
 * ```
 * @throws StoreError for JSON that is no document of STAC, for a catalogue and for a list of items;
 * UnsupportedError for another version
 */
export function parseStac(json: unknown, address = ""): StacDocument {
  if (!isJsonObject(json)) throw refusal(`expected an object, got ${describe(json)}`);
  const { stac_version: version, type, id, properties } = json;
  if (type === "FeatureCollection") throw listRefusal(json);
  if (typeof version !== "string")
    throw refusal(`stac_version: expected a string, such as "1.1.0", got ${describe(version)}`);
  if (!/^(?:0\.[6-9]|1)\./.test(version))
    throw new UnsupportedError(`STAC ${version.slice(0, 20)} is not supported: expected version 0.6 to 1.x`);
  const isItem = type === "Feature";
  if (!isItem && !isJsonObject(json.assets)) throw catalogueRefusal(json);
  const shared = isItem ? (isJsonObject(properties) ? { ...json, ...properties } : json) : json;
  return {
    kind: isItem ? "item" : "collection",
    id: typeof id === "string" ? id : "",
    title: [shared.title].find((title) => typeof title === "string"),
    assets: assetsOf(json, shared, address),
    renders: rendersOf(shared),
  };
}

const refusal = (why: string): StoreError => new StoreError(`STAC document: ${why}`);

/** Links that an error lists. */
const MOST_LINKS = 8;

function catalogueRefusal(json: JsonObject): StoreError {
  const what = json.type === "Collection" || "extent" in json ? "a collection without assets" : "a catalogue";
  const links = linksOf(json, /^(?:item|child|items|data)$/);
  const advice = links === "" ? "" : `; open one of its items or collections: ${links}`;
  return refusal(`expected an item, or a collection with assets, found ${what}${advice}`);
}

function listRefusal({ features }: JsonObject): StoreError {
  const items = isJsonArray(features) ? features : [];
  const selves = items.slice(0, MOST_LINKS).flatMap((item) => {
    const links = isJsonObject(item) ? linksOf(item, /^self$/) : "";
    return links === "" ? [] : [links];
  });
  const advice = selves.length === 0 ? "" : `; open one of them: ${selves.join(", ")}`;
  return refusal(`expected an item, found a list of ${items.length} items${advice}`);
}

function linksOf({ links }: JsonObject, relation: RegExp): string {
  const hrefs = (isJsonArray(links) ? links : []).flatMap((link: Json) => {
    if (!isJsonObject(link) || typeof link.rel !== "string" || typeof link.href !== "string") return [];
    return relation.test(link.rel) ? link.href.slice(0, 200).replace(/[?#].*/s, "") : [];
  });
  const shown = hrefs.slice(0, MOST_LINKS).join(", ");
  return hrefs.length > MOST_LINKS ? `${shown} and ${hrefs.length - MOST_LINKS} more` : shown;
}
