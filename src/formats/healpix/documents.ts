/**
 * What documents say of a grid: the convention `dggs` of zarr-conventions, grid mappings of CF 1.13 and of
 * the climate archives before it, and the attributes that xdggs gives coordinates.
 */
import { isJsonObject, type Member } from "../../extend.js";
import { UnsupportedError } from "../../index.js";
import { MOST_LEVEL } from "./cell.js";
import type { Ellipsoid } from "./ellipsoid.js";
import type { IndexingScheme } from "./schemes.js";

/** A grid as a document describes it. */
export interface DescribedGrid {
  /** Undefined if the indices have the level. */
  readonly level: number | undefined;
  readonly scheme: IndexingScheme;
  readonly ellipsoid: Ellipsoid | undefined;
  /** The dimension that counts cells, if it is named. */
  readonly dimension?: string | undefined;
  /** The array of the indices of cells, if it is named. */
  readonly coordinate?: string | undefined;
}

const ELLIPSOIDS: Readonly<Record<string, Ellipsoid>> = {
  sphere: { name: "sphere", semimajorAxis: 6370997, flattening: 0 },
  unitsphere: { name: "unitsphere", semimajorAxis: 1, flattening: 0 },
  wgs84: { name: "WGS84", semimajorAxis: 6378137, flattening: 1 / 298.257223563 },
  grs80: { name: "GRS80", semimajorAxis: 6378137, flattening: 1 / 298.257222101 },
};

/**
 * The attribute `dggs`.
 * @throws InvalidMetadataError; UnsupportedError for another grid than HEALPix, and for compressed indices
 */
export function ofDggs(dggs: Member): DescribedGrid {
  const name = dggs.get("name").string();
  if (name !== "healpix")
    throw new UnsupportedError(`dggs: expected healpix, got ${name}`, dggs.get("name").where());
  const coordinate = optional(dggs.get("coordinate"), (member) => member.path());
  const compression = optional(dggs.get("compression"), (member) =>
    member.oneOf("none", "compacted", "ranges"),
  );
  if (coordinate !== undefined && (compression ?? "none") !== "none")
    throw new UnsupportedError(
      `dggs: cells that are ${compression} are not supported; write an index for each cell (compression "none")`,
      dggs.get("compression").where(),
    );
  return {
    level: levelOf(dggs.get("refinement_level")),
    scheme: schemeOf(dggs.get("indexing_scheme")),
    ellipsoid: ellipsoidOf(dggs.get("ellipsoid"), {
      semimajor: "semimajor_axis",
      semiminor: "semiminor_axis",
      inverseFlattening: "inverse_flattening",
    }),
    dimension: dggs.get("spatial_dimension").string(),
    coordinate,
  };
}

/** The attributes of a grid mapping; undefined for another one. @throws InvalidMetadataError */
export function ofGridMapping(attributes: Member): DescribedGrid | undefined {
  if (attributes.get("grid_mapping_name").json !== "healpix") return undefined;
  const isNew = !attributes.get("refinement_level").isNull || !attributes.get("indexing_scheme").isNull;
  const radius = optional(attributes.get("earth_radius"), (member) => member.number());
  return {
    level: isNew
      ? levelOf(attributes.get("refinement_level"))
      : levelOfSides(attributes.get("healpix_nside")),
    scheme: schemeOf(attributes.get(isNew ? "indexing_scheme" : "healpix_order")),
    ellipsoid:
      radius !== undefined
        ? { semimajorAxis: radius, flattening: 0 }
        : ellipsoidOf(attributes, {
            semimajor: "semi_major_axis",
            semiminor: "semi_minor_axis",
            inverseFlattening: "inverse_flattening",
          }),
  };
}

/** The attributes of a coordinate as xdggs writes them; undefined for others. @throws InvalidMetadataError */
export function ofCoordinate(attributes: Member): DescribedGrid | undefined {
  if (attributes.get("grid_name").json !== "healpix") return undefined;
  const nest = attributes.get("nest");
  const isRing = !nest.isNull && !nest.oneOf(true, false);
  const level = attributes.get("level");
  return {
    level: level.isNull ? levelOfSides(attributes.get("nside")) : levelOf(level),
    scheme: isRing ? "ring" : schemeOf(attributes.get("indexing_scheme")),
    ellipsoid: ellipsoidOf(attributes.get("ellipsoid"), {
      semimajor: "semimajor_axis",
      semiminor: "semiminor_axis",
      inverseFlattening: "inverse_flattening",
    }),
  };
}

function optional<Value>(member: Member, read: (member: Member) => Value): Value | undefined {
  return member.isNull ? undefined : read(member);
}

function levelOf(member: Member): number | undefined {
  if (member.isNull) return undefined;
  const level = member.integer();
  if (level > MOST_LEVEL) throw member.invalid(`an integer from 0 to ${MOST_LEVEL}`);
  return level;
}

/** The level of a number of cells along each side of a base face. */
function levelOfSides(member: Member): number | undefined {
  if (member.isNull) return undefined;
  const level = Math.log2(member.integer(1));
  if (!Number.isInteger(level) || level > MOST_LEVEL)
    throw member.invalid(`a power of 2 up to 2^${MOST_LEVEL}`);
  return level;
}

function schemeOf(member: Member): IndexingScheme {
  if (member.isNull) return "nested";
  const scheme = member.oneOf("nested", "nest", "ring", "nuniq", "zuniq");
  return scheme === "nest" ? "nested" : scheme;
}

interface EllipsoidNames {
  readonly semimajor: string;
  readonly semiminor: string;
  readonly inverseFlattening: string;
}

/** A body by its name or its axes; undefined if there is none. */
function ellipsoidOf(member: Member, names: EllipsoidNames): Ellipsoid | undefined {
  if (member.isNull) return undefined;
  if (!isJsonObject(member.json)) {
    const known = new Map(Object.entries(ELLIPSOIDS)).get(member.string().toLowerCase());
    if (known === undefined)
      throw member.invalid(`an object, or one of ${Object.keys(ELLIPSOIDS).join(", ")}`);
    return known;
  }
  const semimajor = member.get(names.semimajor);
  if (semimajor.isNull) return undefined;
  const semimajorAxis = semimajor.number();
  const flattening = flatteningOf(member, names, semimajorAxis);
  if (!(semimajorAxis > 0 && flattening >= 0 && flattening < 0.1))
    throw member.invalid("an ellipsoid whose axes differ by less than a tenth");
  const name = optional(member.get("name"), (named) => named.string());
  return { name, semimajorAxis, flattening };
}

function flatteningOf(member: Member, names: EllipsoidNames, semimajorAxis: number): number {
  const inverse = optional(member.get(names.inverseFlattening), (each) => each.number());
  // In CF, 0 is a sphere.
  if (inverse !== undefined) return inverse === 0 ? 0 : 1 / inverse;
  const semiminor = optional(member.get(names.semiminor), (each) => each.number());
  return semiminor === undefined ? 0 : (semimajorAxis - semiminor) / semimajorAxis;
}
