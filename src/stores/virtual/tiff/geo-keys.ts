/**
 * The keys of GeoTIFF (OGC 19-008r4, section 7.2): a list of shorts, with numbers and texts in two other
 * tags.
 */
import type { JsonObject } from "../../../core/for-stores.js";
import type { Directory } from "./directory.js";
import { TAG } from "./tags.js";

export interface GeoKeys {
  /** Whether coordinates are those of the middles of pixels. */
  readonly isPoint: boolean;
  readonly isGeographic: boolean;
  /** The code of the reference system; undefined if it has none. */
  readonly code: string | undefined;
  /** The parameters of a projection without a code, as CF names them; undefined if there is no name. */
  readonly mapping: JsonObject | undefined;
}

const KEY = { model: 1024, raster: 1025, geographic: 2048, projected: 3072 } as const;
const [MODEL_PROJECTED, MODEL_GEOGRAPHIC, RASTER_POINT, USER_DEFINED] = [1, 2, 2, 32767];

/** A key: a number of its own, or where its numbers are. */
interface Key {
  readonly tag: number;
  readonly count: number;
  readonly value: number;
}

export async function readGeoKeys(directory: Directory): Promise<GeoKeys> {
  const shorts = await directory.numbers(TAG.geoKeys);
  const keys = new Map<number, Key>();
  for (let at = 4; at + 4 <= shorts.length; at += 4) {
    const [key = 0, tag = 0, count = 0, value = 0] = shorts.slice(at, at + 4);
    keys.set(key, { tag, count, value });
  }
  const short = (key: number): number | undefined => {
    const found = keys.get(key);
    return found?.tag === 0 ? found.value : undefined;
  };
  const doubles = await directory.numbers(TAG.geoDoubles);
  const double = (key: number): number | undefined => {
    const found = keys.get(key);
    return found?.tag === TAG.geoDoubles ? doubles[found.value] : undefined;
  };
  const model = short(KEY.model);
  const projected = model === MODEL_GEOGRAPHIC ? undefined : short(KEY.projected);
  const isGeographic = model === MODEL_GEOGRAPHIC;
  const number = projected ?? (model === MODEL_PROJECTED ? undefined : short(KEY.geographic));
  return {
    isPoint: short(KEY.raster) === RASTER_POINT,
    isGeographic,
    code: number !== undefined && number > 0 && number < USER_DEFINED ? `EPSG:${number}` : undefined,
    mapping: number === USER_DEFINED || number === undefined ? mappingOf(short, double) : undefined,
  };
}

type Read = (key: number) => number | undefined;

/** Parameters of a projection by their keys, of which a method may have one or another. */
const PARAMETERS = {
  parallel: [3078, 3079],
  latitude: [3081, 3085, 3089],
  longitude: [3080, 3084, 3088, 3095],
  scale: [3092, 3093],
  easting: [3082, 3086, 3090],
  northing: [3083, 3087, 3091],
} as const;

/** Projections by their number (ProjMethodGeoKey): the name of CF, and which parameters it has. */
const METHODS: ReadonlyMap<number, readonly [name: string, longitude: string, ...more: string[]]> = new Map([
  [
    1,
    ["transverse_mercator", "longitude_of_central_meridian", "latitude", "scale_factor_at_central_meridian"],
  ],
  [7, ["mercator", "longitude_of_projection_origin", "scale_factor_at_projection_origin"]],
  [8, ["lambert_conformal_conic", "longitude_of_central_meridian", "latitude", "parallels"]],
  [10, ["lambert_azimuthal_equal_area", "longitude_of_projection_origin", "latitude"]],
  [11, ["albers_conical_equal_area", "longitude_of_central_meridian", "latitude", "parallels"]],
  [12, ["azimuthal_equidistant", "longitude_of_projection_origin", "latitude"]],
  [14, ["stereographic", "longitude_of_projection_origin", "latitude", "scale_factor_at_projection_origin"]],
  [21, ["orthographic", "longitude_of_projection_origin", "latitude"]],
]);

function mappingOf(short: Read, double: Read): JsonObject | undefined {
  const method = METHODS.get(short(3075) ?? 0);
  if (method === undefined) return undefined;
  const first = (keys: readonly number[], absent: number): number => {
    for (const key of keys) {
      const found = double(key);
      if (found !== undefined && Number.isFinite(found)) return found;
    }
    return absent;
  };
  const [name, longitude, ...more] = method;
  const [axis, flattening, semiMinor] = [double(2057), double(2059), double(2058)];
  return {
    grid_mapping_name: name,
    [longitude]: first(PARAMETERS.longitude, 0),
    false_easting: first(PARAMETERS.easting, 0),
    false_northing: first(PARAMETERS.northing, 0),
    ...Object.fromEntries(
      more.map((each) => {
        if (each === "latitude") return ["latitude_of_projection_origin", first(PARAMETERS.latitude, 0)];
        if (each === "parallels")
          return ["standard_parallel", PARAMETERS.parallel.map((key) => first([key], 0))];
        return [each, first(PARAMETERS.scale, 1)];
      }),
    ),
    ...(axis === undefined ? {} : { semi_major_axis: axis }),
    ...(semiMinor === undefined ? {} : { semi_minor_axis: semiMinor }),
    ...(flattening === undefined ? {} : { inverse_flattening: flattening }),
  };
}
