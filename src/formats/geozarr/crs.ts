/** Coordinate reference systems as attributes state them. Nothing is looked up, and nothing converted. */
import { isJsonObject, type Member } from "../../extend.js";
import type { JsonObject } from "../../index.js";

/** A coordinate reference system as the metadata state it, without lookup or conversion. */
export interface Crs {
  /** For example "EPSG:32633". Also read from the end of `wkt`, and from `projjson`. */
  readonly code: string | undefined;
  /** WKT2, or WKT of a CF grid mapping. */
  readonly wkt: string | undefined;
  /** PROJJSON, as a document has it. */
  readonly projjson: JsonObject | undefined;
  /** The attributes of CF's grid mapping: `grid_mapping_name` and the parameters of the projection. */
  readonly gridMapping: JsonObject | undefined;
  /** Whether x and y are longitude and latitude in degrees. */
  readonly isGeographic: boolean;
  /** True for EPSG:4326 that no document states: it is assumed for latitudes and longitudes. */
  readonly isAssumed?: boolean | undefined;
}

/** Latitudes and longitudes without a reference system: CF and all maps assume WGS 84. */
export const WGS84: Crs = {
  code: "EPSG:4326",
  wkt: undefined,
  projjson: undefined,
  gridMapping: undefined,
  isGeographic: true,
  isAssumed: true,
};

/**
 * The CRS that one set of attributes states: `proj:`, `proj:epsg` of EOPF, GDAL's `_CRS`, a grid mapping of
 * CF, or `crs` with a code. Undefined if there is none.
 */
export function crsOf(attributes: Member): Crs | undefined {
  const { json: gdal } = attributes.get("_CRS");
  const ofGdal = isJsonObject(gdal) ? attributes.get("_CRS") : attributes.as({});
  const wkt = textOf([
    ...["proj:wkt2", "crs_wkt", "spatial_ref"].map((name) => attributes.get(name)),
    ofGdal.get("wkt"),
  ]);
  const projjson = [attributes.get("proj:projjson"), ofGdal.get("projjson")]
    .find((member) => !member.isNull)
    ?.object();
  const code = codeOf(attributes, ofGdal) ?? codeOfProjjson(projjson) ?? codeOfWkt(wkt);
  const named = attributes.get("grid_mapping_name").json;
  const gridMapping = typeof named === "string" ? attributes.object() : undefined;
  if (code === undefined && wkt === undefined && projjson === undefined && gridMapping === undefined)
    return undefined;
  return {
    code,
    wkt,
    projjson,
    gridMapping,
    isGeographic:
      named === "latitude_longitude" ||
      projjson?.type === "GeographicCRS" ||
      GEOGRAPHIC_WKT.test(wkt ?? "") ||
      GEOGRAPHIC_CODES.has(code ?? ""),
  };
}

const GEOGRAPHIC_WKT =
  /^\s*(?:COMP(?:D_CS|OUNDCRS)\s*\[\s*"[^"]{0,200}"\s*,\s*)?GEO(?:GCS|GCRS|DCRS|GRAPHICCRS|DETICCRS)\b/i;

/** Codes in use for data in degrees. Others are known by their WKT or PROJJSON. */
const GEOGRAPHIC_CODES: ReadonlySet<string> = new Set([
  ...["OGC:CRS84", "OGC:CRS83", "OGC:CRS27"],
  ...[4326, 4979, 4258, 4267, 4269, 4283, 4167, 4171, 4189, 4314, 4277, 4490, 4612, 4617, 4674, 4759].map(
    (number) => `EPSG:${number}`,
  ),
  ...[6318, 6319, 6668, 7844, 9000, 9057, 9755, 9989].map((number) => `EPSG:${number}`),
]);

function textOf(members: readonly Member[]): string | undefined {
  const text = members.find(({ json }) => typeof json === "string" && json !== "")?.string();
  return text;
}

/** "epsg:4326" is EPSG:4326. Undefined for a string that is not AUTHORITY:CODE. */
export function codeOfText(text: unknown): string | undefined {
  if (typeof text !== "string" || !/^[^\s:]+:\S+$/.test(text)) return undefined;
  return /^\w+:\w+$/.test(text) ? text.toUpperCase() : text;
}

function codeOf(attributes: Member, ofGdal: Member): string | undefined {
  const code = attributes.get("proj:code");
  if (!code.isNull) {
    const found = codeOfText(code.string());
    if (found === undefined) throw code.invalid('AUTHORITY:CODE, such as "EPSG:4326"');
    return found;
  }
  const { json: epsg } = attributes.get("proj:epsg");
  if (typeof epsg === "number" && Number.isSafeInteger(epsg)) return `EPSG:${epsg}`;
  const { json: named } = attributes.get("crs");
  if (typeof named === "string" && /^[a-z]\w{1,20}:\w{1,20}$/i.test(named)) return named.toUpperCase();
  // GDAL: http://www.opengis.net/def/crs/EPSG/0/26711
  const { json: url } = ofGdal.get("url");
  const [, authority, number] =
    /\/def\/crs\/(\w+)\/[^/]*\/(\w+)$/.exec(typeof url === "string" ? url : "") ?? [];
  return authority === undefined ? undefined : `${authority}:${number}`;
}

function codeOfProjjson(projjson: JsonObject | undefined): string | undefined {
  const id = projjson?.id;
  if (!isJsonObject(id) || typeof id.authority !== "string") return undefined;
  return typeof id.code === "number" || typeof id.code === "string"
    ? `${id.authority}:${id.code}`
    : undefined;
}

/**
 * The code of the whole: the identifier at the end, after which one bracket closes. Those of parts have
 * more.
 */
function codeOfWkt(wkt: string | undefined): string | undefined {
  const end = wkt?.slice(-120) ?? "";
  const [, authority, code] =
    /(?:ID|AUTHORITY)\s*\[\s*"(\w+)"\s*,\s*"?(\w+)"?\s*\]\s*\]\s*$/i.exec(end) ?? [];
  return authority === undefined ? undefined : `${authority}:${code}`;
}
