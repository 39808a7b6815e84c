/** Levels that are the levels of a tiled map: tile matrix sets of OGC, and pyramids of ndpyramid. */
import { isJsonArray, isJsonObject, type Member, ownMember } from "../../extend.js";
import type { JsonObject } from "../../index.js";
import type { GeoTransform } from "./grid.js";

/** A level as metadata list it. */
export interface TiledLevel {
  /** The group or array of the level. */
  readonly asset: Member;
  /** Attributes that they give the level: its CRS. */
  readonly attributes: JsonObject;
  /** The transform of an array of this shape, if one of this shape fills the tiles. */
  readonly transformOf: (shape: readonly [rows: number, columns: number]) => GeoTransform | undefined;
}

/** Half the circumference of the Earth in EPSG:3857, in metres. */
const HALF = 20037508.342789244;

/** Sets that documents name instead of writing them out: their corner, and a side of the tiles of level 0. */
const KNOWN_SETS: Readonly<Record<string, { crs: string; corner: readonly [number, number]; side: number }>> =
  {
    WebMercatorQuad: { crs: "EPSG:3857", corner: [-HALF, HALF], side: 2 * HALF },
    WorldCRS84Quad: { crs: "OGC:CRS84", corner: [-180, 90], side: 180 },
    WGS1984Quad: { crs: "EPSG:4326", corner: [-180, 90], side: 180 },
  };

/** `multiscales` with `tile_matrix_set`, or a list of one. */
export function tileMatrixLevels(multiscales: Member): TiledLevel[] | undefined {
  const [first = multiscales] = isJsonArray(multiscales.json) ? multiscales.list() : [];
  if (!isJsonObject(first.json) || first.get("tile_matrix_set").isNull) return undefined;
  const set = first.get("tile_matrix_set");
  const limits = first.get("tile_matrix_limits");
  const isLimited = isJsonObject(limits.json) && Object.keys(limits.json).length > 0;
  if (isJsonObject(set.json) && isJsonArray(set.get("tileMatrices").json))
    return set
      .get("tileMatrices")
      .list()
      .filter((matrix) => !isLimited || !limits.get(matrix.get("id").string()).isNull)
      .map((matrix) => ofMatrix(set, matrix, limits));
  const id = isJsonObject(set.json) ? set.get("id").string() : set.string();
  const known = ownMember(KNOWN_SETS, id.slice(id.lastIndexOf("/") + 1));
  if (known === undefined || !isLimited)
    throw set.invalid(
      `tileMatrices, or one of ${Object.keys(KNOWN_SETS).join(", ")} together with tile_matrix_limits, which names the levels`,
    );
  return Object.keys(limits.object()).map((level) => ({
    asset: limits.as(level),
    attributes: { crs: known.crs },
    transformOf: ([rows, columns]) => {
      const [x, y] = known.corner;
      const [width, height] = id.endsWith("WebMercatorQuad") ? [2 * HALF, 2 * HALF] : [360, 180];
      const isWhole = rows * width === columns * height && columns % 2 ** Number(level) === 0;
      return isWhole ? [width / columns, 0, x, 0, -height / rows, y] : undefined;
    },
  }));
}

function ofMatrix(set: Member, matrix: Member, limits: Member): TiledLevel {
  const id = matrix.get("id").string();
  const size = matrix.get("cellSize").number();
  const [first = 0, second = 0] = matrix.get("pointOfOrigin").numbers(2);
  const { json: axes } = set.get("orderedAxes");
  // The point has its coordinates in the order of the axes of the CRS.
  const isNorthFirst = isJsonArray(axes) && /^(lat|n|y)/i.test(String(axes[0]));
  const [x, y] = isNorthFirst ? [second, first] : [first, second];
  const lengths = (side: "Width" | "Height") =>
    matrix.get(`tile${side}`).integer(1) * matrix.get(`matrix${side}`).integer(1);
  const named = [set.get("crs"), set.get("supportedCRS")].find(({ json }) => typeof json === "string");
  return {
    asset: matrix.get("id"),
    attributes: named === undefined ? {} : { _CRS: { url: named.string() }, crs: named.string() },
    transformOf: ([rows, columns]) => {
      const levelLimits =
        isJsonObject(limits.json) && isJsonObject(limits.get(id).json) ? limits.get(id) : undefined;
      const from = (side: "Row" | "Col") =>
        levelLimits === undefined || levelLimits.get(`minTile${side}`).isNull
          ? 0
          : levelLimits.get(`minTile${side}`).integer();
      const [left, top] = [
        from("Col") * matrix.get("tileWidth").integer(1),
        from("Row") * matrix.get("tileHeight").integer(1),
      ];
      const fits = left + columns <= lengths("Width") && top + rows <= lengths("Height");
      return fits && size > 0 ? [size, 0, x + left * size, 0, -size, y - top * size] : undefined;
    },
  };
}

/** `multiscales` of ndpyramid: a list of one item, whose `datasets` are groups. */
export function pyramidLevels(multiscales: Member): TiledLevel[] | undefined {
  if (!isJsonArray(multiscales.json)) return undefined;
  const [item] = multiscales.list();
  if (item === undefined || !isJsonObject(item.json) || !isJsonArray(item.get("datasets").json))
    return undefined;
  return item.get("datasets").list().map(ofDataset);
}

function ofDataset(dataset: Member): TiledLevel {
  const pixels = dataset.get("pixels_per_tile");
  const { json: named } = dataset.get("crs");
  const crs = typeof named === "string" ? named : "EPSG:3857";
  return {
    asset: dataset.get("path"),
    attributes: pixels.isNull && typeof named !== "string" ? {} : { crs },
    transformOf: ([rows, columns]) => {
      if (pixels.isNull || rows !== columns) return undefined;
      const level = Number(dataset.get("path").json);
      if (columns !== pixels.integer(1) * 2 ** level) return undefined;
      if (crs === "EPSG:3857") return [(2 * HALF) / columns, 0, -HALF, 0, (-2 * HALF) / rows, HALF];
      return crs === "EPSG:4326" ? [360 / columns, 0, -180, 0, -180 / rows, 90] : undefined;
    },
  };
}
