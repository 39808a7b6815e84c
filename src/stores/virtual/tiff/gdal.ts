/**
 * What GDAL says of an image in tags of its own: the missing value, and scale, offset, unit and name of each
 * band.
 */
import type { Json, JsonObject } from "../../../core/for-stores.js";
import type { TiffImage } from "./image.js";
import { TAG } from "./tags.js";

/** The missing value, as its type has it. */
export type Nodata = number | bigint;

/**
 * @returns undefined for an image without one, and for a value that its data type does not have, as in GDAL
 */
export async function nodataOf({ directory, dataType }: TiffImage): Promise<Nodata | undefined> {
  const text = (await directory.text(TAG.gdalNodata))?.trim();
  if (text === undefined || text === "" || dataType.startsWith("complex")) return undefined;
  if (dataType.startsWith("float")) return parseFloatOf(text, dataType);
  const bits = Number(dataType.replace(/^\D+/, ""));
  const [lowest, highest] = dataType.startsWith("u")
    ? [0n, 2n ** BigInt(bits) - 1n]
    : [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n];
  const number = Number(text);
  if (!Number.isInteger(number)) return undefined;
  const exact = /^[-+]?\d{1,20}$/.test(text) ? BigInt(text.replace("+", "")) : BigInt(number);
  if (exact < lowest || exact > highest) return undefined;
  return bits === 64 ? exact : Number(exact);
}

function parseFloatOf(text: string, dataType: string): number | undefined {
  const sign = text.startsWith("-") ? -1 : 1;
  if (/nan|1\.#(QNAN|IND)/i.test(text)) return Number.NaN;
  if (/^[-+]?(inf|1\.#INF)/i.test(text)) return sign * Number.POSITIVE_INFINITY;
  const number = Number(text);
  if (Number.isNaN(number)) return undefined;
  return dataType === "float64" ? number : Math.fround(number);
}

/** The member `fill_value`. */
export function nodataJson(nodata: Nodata): Json {
  return typeof nodata === "bigint" || Number.isFinite(nodata) ? nodata : String(nodata);
}

/** The attribute `_FillValue`, as xarray writes it in v3: of floats base64 of a double. */
export function nodataAttribute(nodata: Nodata, { dataType }: TiffImage): Json {
  if (typeof nodata === "bigint" || !dataType.startsWith("float")) return nodata;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, nodata, true);
  return btoa(String.fromCharCode(...new Uint8Array(view.buffer)));
}

/**
 * The bytes of a sample that is not stored, in the byte order of the file; undefined if samples are not whole
 * bytes, or floats of 16 bits.
 */
export function missingSample(
  { dataType, isPacked, directory }: TiffImage,
  nodata: Nodata | undefined,
): Uint8Array | undefined {
  const bits = Number(dataType.replace(/^\D+/, ""));
  const view = new DataView(new ArrayBuffer(bits / 8));
  const { littleEndian } = directory.bytes;
  if (isPacked) return undefined;
  if (typeof nodata === "bigint") view.setBigUint64(0, BigInt.asUintN(64, nodata), littleEndian);
  else if (nodata !== undefined) {
    if (dataType === "float16") return undefined;
    if (dataType === "float64") view.setFloat64(0, nodata, littleEndian);
    else if (dataType === "float32") view.setFloat32(0, nodata, littleEndian);
    else if (bits === 8) view.setUint8(0, nodata);
    else if (bits === 16) view.setUint16(0, nodata, littleEndian);
    else view.setUint32(0, nodata, littleEndian);
  }
  return new Uint8Array(view.buffer);
}

const ROLES = ["scale", "offset", "unittype", "description"] as const;
type Role = (typeof ROLES)[number];

/** Attributes of CF, as rioxarray makes them: one value, or a list if the bands differ. */
export async function bandAttributes({ directory, samples }: TiffImage): Promise<JsonObject> {
  const roles = readRoles((await directory.text(TAG.gdalMetadata)) ?? "", samples);
  const [scales, offsets] = [numbersOf(roles, "scale", samples, 1), numbersOf(roles, "offset", samples, 0)];
  const isPacked = [...scales, ...offsets].some((each, i) => each !== (i < samples ? 1 : 0));
  const isOne = new Set(scales).size === 1 && new Set(offsets).size === 1;
  const [scale = 1] = scales;
  const [offset = 0] = offsets;
  const packing = isOne ? { scale_factor: scale, add_offset: offset } : { scales, offsets };
  return {
    ...(isPacked ? packing : {}),
    ...textsOf(roles, "unittype", "units", samples),
    ...textsOf(roles, "description", "long_name", samples),
  };
}

type Roles = ReadonlyMap<Role, ReadonlyMap<number, string>>;

function readRoles(xml: string, samples: number): Roles {
  const roles = new Map<Role, Map<number, string>>();
  for (const [, attributes = "", text = ""] of xml.matchAll(/<Item\b([^<>]*)>([^<]*)<\/Item>/g)) {
    const [, sample] = /\bsample="(\d{1,5})"/.exec(attributes) ?? [];
    const [, name] = /\brole="(\w{1,20})"/.exec(attributes) ?? [];
    const role = ROLES.find((each) => each === name);
    const band = Number(sample);
    if (role === undefined || sample === undefined || band >= samples) continue;
    const found = roles.get(role) ?? new Map<number, string>();
    roles.set(role, found.set(band, unescaped(unescaped(text.trim()))));
  }
  return roles;
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["amp", "&"],
]);

/** GDAL escapes texts twice. */
const unescaped = (text: string): string =>
  text.replace(/&(\w{1,6});/g, (whole, name: string) => ENTITIES.get(name) ?? whole);

/** A number for each band. */
function numbersOf(roles: Roles, role: Role, samples: number, absent: number): number[] {
  const found = roles.get(role);
  if (found === undefined) return new Array<number>(samples).fill(absent);
  return Array.from({ length: samples }, (_, band) => {
    const number = Number(found.get(band) ?? absent);
    return Number.isFinite(number) ? number : absent;
  });
}

function textsOf(roles: Roles, role: Role, attribute: string, samples: number): JsonObject {
  const found = roles.get(role);
  if (found === undefined) return {};
  const texts = Array.from({ length: samples }, (_, band) => found.get(band) ?? "");
  const [first = ""] = texts;
  return { [attribute]: texts.every((each) => each === first) ? first : texts };
}
