/**
 * Reads the georeference of a raster from attributes: `spatial:` and `proj:` conventions, CF grid mapping
 * with GDAL's GeoTransform.
 */
import type { Member } from "../extend.js";
import { InvalidMetadataError, type JsonObject } from "../index.js";

/**
 * Affine map from pixels to coordinates, in the order of `spatial:transform` and rasterio:
 * x = a * column + b * row + c and y = d * column + e * row + f.
 * Column 0 and row 0 are the outer edges of the first pixel.
 */
export type GeoTransform = readonly [a: number, b: number, c: number, d: number, e: number, f: number];
/** The smallest and largest coordinates, in units of the CRS. */
export type Bounds = readonly [xMinimum: number, yMinimum: number, xMaximum: number, yMaximum: number];

/** A coordinate reference system as the metadata state it, without lookup or conversion. */
export interface Crs {
  /** For example "EPSG:32633". */
  readonly code: string | undefined;
  /** WKT2, or WKT of a CF grid mapping. */
  readonly wkt: string | undefined;
  /** PROJJSON, as a document has it. */
  readonly projjson: JsonObject | undefined;
}

export function crsOf(attributes: Member): Crs | undefined {
  const named = attributes.get("proj:code");
  const code = named.isNull ? undefined : named.string();
  const wkt = ["proj:wkt2", "crs_wkt", "spatial_ref"]
    .map((name) => attributes.get(name))
    .find(({ json }) => typeof json === "string" && json !== "");
  const projjson = attributes.get("proj:projjson");
  if (code === undefined && wkt === undefined && projjson.isNull) return undefined;
  return { code, wkt: wkt?.string(), projjson: projjson.isNull ? undefined : projjson.object() };
}

/**
 * Reads `spatial:transform`, otherwise `GeoTransform`: six numbers as text in GDAL's order, which is c a b f
 * d e.
 */
export function geoTransformOf(attributes: Member): GeoTransform | undefined {
  const spatial = attributes.get("spatial:transform");
  if (!spatial.isNull) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = spatial.numbers(6);
    // With registration "node", coordinates are those of pixel centres: shift by half a pixel to the outer
    // edge.
    const isNode = attributes.get("spatial:registration").json === "node";
    return checked(spatial, isNode ? [a, b, c - (a + b) / 2, d, e, f - (d + e) / 2] : [a, b, c, d, e, f]);
  }
  const gdal = attributes.get("GeoTransform");
  if (gdal.isNull) return undefined;
  const [c = 0, a = 0, b = 0, f = 0, d = 0, e = 0, ...more] = gdal
    .string()
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const transform: GeoTransform = [a, b, c, d, e, f];
  if (more.length > 0 || transform.some((value) => !Number.isFinite(value)))
    throw gdal.invalid("six numbers");
  return checked(gdal, transform);
}

/** @throws InvalidMetadataError for a singular transform: all pixels would lie on one line */
function checked(member: Member, transform: GeoTransform): GeoTransform {
  const [a, b, , d, e] = transform;
  if (a * e - b * d !== 0) return transform;
  throw new InvalidMetadataError("expected pixels that have a width and a height", member.where());
}

/** Scales the pixels and moves the origin by a number of unscaled pixels. Both pairs are [y, x]. */
export function rescaled(
  [a, b, c, d, e, f]: GeoTransform,
  [sy, sx]: readonly [number, number],
  [ty, tx]: readonly [number, number],
): GeoTransform {
  return [a * sx, b * sy, a * tx + b * ty + c, d * sx, e * sy, d * tx + e * ty + f];
}

export function boundsOf(
  [a, b, c, d, e, f]: GeoTransform,
  [height, width]: readonly [number, number],
): Bounds {
  const corners = [
    [0, 0],
    [width, 0],
    [0, height],
    [width, height],
  ] as const;
  const xs = corners.map(([column, row]) => a * column + b * row + c);
  const ys = corners.map(([column, row]) => d * column + e * row + f);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** One item of `layout`, resolved through its chain of `derived_from`. */
export interface LayoutItem {
  readonly asset: string;
  readonly member: Member;
  /** Asset at the start of the chain. `scale` and `translation`, both [y, x], are relative to it. */
  readonly root: string;
  readonly scale: readonly [number, number];
  readonly translation: readonly [number, number];
}

/** @throws InvalidMetadataError for a cycle of `derived_from`, or one that names a missing asset */
export function layoutOf(layout: Member): LayoutItem[] {
  const items = layout.list();
  if (items.length === 0) throw layout.invalid("at least one level");
  const byAsset = new Map(items.map((item) => [item.get("asset").path(), item]));
  const resolved = new Map<string, Chain>();
  return items.map((item) => ({
    asset: item.get("asset").string(),
    member: item,
    ...chainOf(item, byAsset, resolved),
  }));
}

type Chain = Pick<LayoutItem, "root" | "scale" | "translation">;

/**
 * Follows `derived_from` up to the first level that is resolved, then resolves all levels in between, so that
 * each is visited once.
 */
function chainOf(item: Member, byAsset: ReadonlyMap<string, Member>, resolved: Map<string, Chain>): Chain {
  const steps = new Map<string, Member>();
  let chain: Chain | undefined;
  for (let at = item; chain === undefined; ) {
    const asset = at.get("asset").string();
    const from = at.get("derived_from");
    if (steps.has(asset))
      throw new InvalidMetadataError(
        "expected levels that are not derived from themselves",
        item.get("derived_from").where(),
      );
    chain =
      resolved.get(asset) ?? (from.isNull ? { root: asset, scale: [1, 1], translation: [0, 0] } : undefined);
    if (chain !== undefined) break;
    steps.set(asset, at);
    const next = byAsset.get(from.string());
    if (next === undefined) throw from.invalid("the asset of a level");
    at = next;
  }
  for (const [asset, at] of [...steps].reverse()) {
    chain = derived(chain, at.get("transform"));
    resolved.set(asset, chain);
  }
  return chain;
}

/** The chain of a level whose pixels are those of another one, scaled and moved by `step`. */
function derived({ root, scale, translation }: Chain, step: Member): Chain {
  const [sy = 1, sx = 1] = step.isNull ? [] : pairOf(step.get("scale"), [1, 1], (value) => value !== 0);
  const [ty = 0, tx = 0] = step.isNull ? [] : pairOf(step.get("translation"), [0, 0]);
  return {
    root,
    scale: [scale[0] * sy, scale[1] * sx],
    translation: [scale[0] * ty + translation[0], scale[1] * tx + translation[1]],
  };
}

/** Returns the last two numbers: [y, x]. */
function pairOf(
  member: Member,
  missing: readonly number[],
  isValid: (value: number) => boolean = () => true,
): readonly number[] {
  if (member.isNull) return missing;
  const numbers = member.numbers();
  const wrong = numbers.findIndex((value) => !isValid(value));
  if (wrong >= 0) throw (member.list()[wrong] ?? member).invalid("a number other than 0");
  if (numbers.length < 2)
    throw new InvalidMetadataError(`expected 2 numbers, got ${numbers.length}`, member.where());
  return numbers.slice(-2);
}

export function notGeoreferenced(path: string): InvalidMetadataError {
  return new InvalidMetadataError(
    "expected spatial:transform, or a grid mapping with GeoTransform, in the attributes of the raster, its group or its level",
    { path },
  );
}
