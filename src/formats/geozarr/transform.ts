/**
 * Affine transforms as attributes state them: `spatial:`, `proj:transform` of EOPF, and GDAL's GeoTransform.
 */
import type { Member } from "../../extend.js";
import { InvalidMetadataError, isZarrError, type ZarrError } from "../../index.js";
import type { GeoTransform } from "./grid.js";

type Shape = readonly [rows: number, columns: number];

/** The value that the nearest attributes state. */
export function firstOf<Value>(
  members: readonly Member[],
  read: (member: Member) => Value | undefined,
): Value | undefined {
  for (const member of members) {
    const value = read(member);
    if (value !== undefined) return value;
  }
  return undefined;
}

/**
 * What a document states, unless it is malformed: then the next source of a place counts.
 * @param note is called with the error
 */
export function unlessMalformed<Value>(
  read: () => Value | undefined,
  note: (error: ZarrError) => void,
): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (!isZarrError(error, "InvalidMetadataError")) throw error;
    note(error);
    return undefined;
  }
}

/**
 * The place that the outer edges of `spatial:bbox` give, north up, if nothing else does.
 * @throws InvalidMetadataError for one that is malformed or empty
 */
export function bboxTransform(members: readonly Member[], [rows, columns]: Shape): GeoTransform | undefined {
  const found = members.map((member) => member.get("spatial:bbox")).find(({ isNull }) => !isNull);
  if (found === undefined || rows === 0 || columns === 0) return undefined;
  const [left = 0, bottom = 0, right = 0, top = 0] = found.numbers(4);
  if (!(left < right && bottom < top)) throw found.invalid("[x minimum, y minimum, x maximum, y maximum]");
  return [(right - left) / columns, 0, left, 0, (bottom - top) / rows, top];
}

/**
 * The transform that a convention states for this array itself. Undefined if there is none, or one that is
 * not affine.
 * @param members the attributes that may have it, the nearest first
 * @param inherited attributes further up, which may say how it is meant
 * @throws InvalidMetadataError for one that is malformed
 */
export function statedTransform(
  members: readonly Member[],
  inherited: readonly Member[],
  shape: Shape,
  warnings: string[],
): GeoTransform | undefined {
  return (
    spatialTransform(members, inherited, warnings) ??
    firstOf(members, (member) => eopfTransform(member, shape))
  );
}

/** @param warnings gets a type of transform that is not supported */
export function spatialTransform(
  members: readonly Member[],
  inherited: readonly Member[],
  warnings: string[] = [],
): GeoTransform | undefined {
  const found = members.map((member) => member.get("spatial:transform")).find(({ isNull }) => !isNull);
  const property = (name: string) =>
    firstOf([...members, ...inherited], (member) => member.get(`spatial:${name}`).json ?? undefined);
  const type = property("transform_type") ?? "affine";
  if (type !== "affine") {
    const { path } = (members[0] ?? inherited[0])?.where() ?? {};
    warnings.push(
      `spatial:transform_type: expected "affine", got ${JSON.stringify(type)}: the transform is ignored (node ${JSON.stringify(path)})`,
    );
    return undefined;
  }
  if (found === undefined) return undefined;
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = found.numbers(6);
  // With registration "node", coordinates are those of pixel centres: shift by half a pixel to the outer
  // edge.
  const isNode = property("registration") === "node";
  return checked(found, isNode ? [a, b, c - (a + b) / 2, d, e, f - (d + e) / 2] : [a, b, c, d, e, f]);
}

/**
 * `proj:transform` of STAC, as EOPF writes it: the first two rows of the matrix, or all three. Overviews keep
 * the transform of the array that they are made of, together with its `proj:shape`.
 */
function eopfTransform(member: Member, shape: Shape): GeoTransform | undefined {
  const stated = member.get("proj:transform");
  const of = member.get("proj:shape");
  if (stated.isNull || (!of.isNull && of.numbers(2).some((length, i) => length !== shape[i])))
    return undefined;
  const numbers = stated.numbers();
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers;
  if (numbers.length !== 6 && numbers.length !== 9) throw stated.invalid("6 or 9 numbers");
  return checked(stated, [a, b, c, d, e, f]);
}

/** `GeoTransform`: six numbers in a string in GDAL's order, which is c a b f d e. */
export function gdalTransform(member: Member): GeoTransform | undefined {
  const gdal = member.get("GeoTransform");
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
export function checked(member: Member, transform: GeoTransform): GeoTransform {
  const [a, b, , d, e] = transform;
  if (a * e - b * d !== 0) return transform;
  throw new InvalidMetadataError(
    "expected pixels with a width and a height, got a singular transform",
    member.where(),
  );
}

/** Scales the pixels and moves the origin by a number of unscaled pixels. Both pairs are [y, x]. */
export function rescaled(
  [a, b, c, d, e, f]: GeoTransform,
  [sy, sx]: readonly [number, number],
  [ty, tx]: readonly [number, number],
): GeoTransform {
  return [a * sx, b * sy, a * tx + b * ty + c, d * sx, e * sy, d * tx + e * ty + f];
}
