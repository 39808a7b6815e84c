/**
 * The OME-Zarr metadata of a group: their place in the attributes, their version, and `multiscales`, which
 * lists the arrays of an image (one per resolution) with their axes and transformations.
 */
import { describe, isJsonArray, isJsonObject, Member } from "../../extend.js";
import { InvalidArgumentError, type Json, type JsonObject } from "../../index.js";
import { type Axis, axesOf, IMPLIED_AXES } from "./axes.js";
import { optionalString, refused, unsupported } from "./members.js";
import { type AffineMap, compose, transformationOf, transformationsOf } from "./transformations.js";

/** Versions of OME-Zarr. "0.6" and "0.9" include their drafts and release candidates. */
export type OmeZarrVersion = "0.1" | "0.2" | "0.3" | "0.4" | "0.5" | "0.6" | "0.9";

/** Versions that are written: 0.4 in Zarr v2, the others in v3. */
export type WrittenVersion = Extract<OmeZarrVersion, "0.4" | "0.5" | "0.6" | "0.9">;

const VERSIONS: readonly OmeZarrVersion[] = ["0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.9"];

/** The metadata of a group. `member` is the attribute `ome` since 0.5, and all attributes before. */
export interface OmeMetadata {
  /** Path of the group in its store. */
  readonly path: string;
  readonly member: Member;
  /** Version in `ome`, or in the part that has it before 0.5; undefined if there is none. */
  readonly version: OmeZarrVersion | undefined;
  /** Deviations from the specification that reading tolerates. */
  readonly warnings: string[];
}

export function metadataOf(attributes: JsonObject, path: string): OmeMetadata {
  const document = new Member(attributes, { path });
  const { ome } = attributes;
  const member = isJsonObject(ome) ? document.get("ome") : document;
  const warnings: string[] = [];
  const version = [member, ...partsOf(member)]
    .map((part) => part.get("version"))
    .find(({ isNull }) => !isNull);
  return { path, member, version: version && versionOf(version), warnings };
}

/** The members that have their own `version` before 0.5. */
function partsOf(member: Member): Member[] {
  const { json: list } = member.get("multiscales");
  const first =
    Array.isArray(list) && isJsonObject(list[0]) ? member.get("multiscales").list()[0] : undefined;
  const others = ["plate", "well", "image-label"]
    .map((name) => member.get(name))
    .filter(({ json }) => isJsonObject(json));
  return first === undefined ? others : [first, ...others];
}

/**
 * Parses a version: "0.6.dev3" and "0.6rc0" count as 0.6, "0.9.dev1" as 0.9, "0.5.2" and
 * "0.5-dev-spatialdata" as 0.5, and the number 0.4 as "0.4".
 */
function versionOf(member: Member): OmeZarrVersion {
  const text = typeof member.json === "number" ? String(member.json) : member.string();
  const [, base] = /^(0\.\d)(?:\.\d+|[.-]?(?:dev|rc|alpha|beta).{0,16})?$/.exec(text) ?? [];
  const found = VERSIONS.find((version) => version === base);
  if (found !== undefined) return found;
  throw unsupported(member, `OME-Zarr ${text} is not supported: expected version ${VERSIONS.join(", ")}`);
}

/** "0.6" and "0.9" are not out: readers look for the candidate and the draft. */
const WRITTEN: Readonly<Record<WrittenVersion, string>> = {
  "0.4": "0.4",
  "0.5": "0.5",
  "0.6": "0.6rc0",
  "0.9": "0.9.dev1",
};

/** The version as documents have it. */
export function writtenVersion(version: WrittenVersion): string {
  return WRITTEN[version];
}

/** @throws InvalidArgumentError for a version that is not written */
export function checkVersion(version: WrittenVersion): void {
  if (!Object.hasOwn(WRITTEN, version))
    throw new InvalidArgumentError(
      `version: expected ${Object.keys(WRITTEN).join(", ")}, got ${describe(version)}`,
    );
}

export interface Dataset {
  readonly path: string;
  /** The member that names the array, for errors. */
  readonly member: Member;
  /** Map from indices to coordinates; undefined without transformations, as before 0.4. */
  readonly map: AffineMap | undefined;
}

export interface Multiscale {
  readonly name: string | undefined;
  /** Method that made the levels: "gaussian". */
  readonly type: string | undefined;
  readonly axes: readonly Axis[];
  /** Whether the metadata name the axes. */
  readonly namesAxes: boolean;
  readonly datasets: readonly Dataset[];
  readonly member: Member;
}

/**
 * @param index index in `multiscales`
 * @throws InvalidMetadataError with the member, InvalidArgumentError for an index beyond the end
 */
export function multiscaleOf(metadata: OmeMetadata, index: number): Multiscale {
  const list = metadata.member.get("multiscales");
  const items = list.list();
  if (items.length === 0) throw list.invalid("at least one multiscale image");
  const member = items[index];
  if (member === undefined) {
    throw new InvalidArgumentError(`multiscale: expected an index below ${items.length}, got ${index}`, {
      path: metadata.path,
    });
  }
  if (items.length > 1)
    metadata.warnings.push(`multiscales has ${items.length} items: item ${index} is opened`);
  const sets = member.get("datasets").list();
  if (sets.length === 0) throw member.get("datasets").invalid("at least one dataset");
  const named = axesMember(member, sets);
  const axes = named === undefined ? IMPLIED_AXES : axesOf(named);
  if (named === undefined && (metadata.version ?? "0.4") >= "0.3")
    metadata.warnings.push("multiscales has no axes: t, c, z, y, x are assumed");
  const after = member.get("coordinateTransformations");
  // Since 0.6 the transformations of a multiscale lead to other coordinate systems, so they are not a step of
  // the levels' maps.
  const isStep = !after.isNull && !isJsonArray(member.get("coordinateSystems").json);
  const whole = isStep ? toAxes(transformationsOf(after, axes.length), after, axes.length) : undefined;
  const datasets = sets.map((dataset): Dataset => {
    const map = mapOf(dataset.get("coordinateTransformations"), axes.length);
    if (map === undefined && (metadata.version ?? "0.4") >= "0.4")
      metadata.warnings.push(
        `dataset ${dataset.get("path").string()} has no coordinateTransformations: its scale is computed from its shape`,
      );
    const path = dataset.get("path");
    return { path: path.path(), member: path, map: map && whole ? compose(map, whole) : (map ?? whole) };
  });
  return {
    name: optionalString(member.get("name")),
    type: optionalString(member.get("type")),
    axes,
    namesAxes: named !== undefined,
    datasets,
    member,
  };
}

/**
 * The list of axes. Since 0.6 it belongs to the coordinate system that is the output of the first level's
 * transformation.
 */
function axesMember(multiscale: Member, [first]: readonly Member[]): Member | undefined {
  const systems = multiscale.get("coordinateSystems");
  if (systems.isNull) return multiscale.get("axes").isNull ? undefined : multiscale.get("axes");
  const list = systems.list();
  const name = first && outputOf(first.get("coordinateTransformations"));
  const found = name === undefined ? list[0] : list.find((system) => system.get("name").json === name);
  if (found === undefined)
    throw refused(
      systems,
      `expected a coordinate system ${JSON.stringify(name ?? "")}, the output of datasets[0]`,
    );
  return found.get("axes");
}

/**
 * Name of the output coordinate system of the first transformation, written as a string or as an object with
 * `name`.
 */
function outputOf(list: Member): Json | undefined {
  if (list.isNull) return undefined;
  const output = list.list()[0]?.get("output");
  if (output === undefined || output.isNull) return undefined;
  return isJsonObject(output.json) ? output.get("name").string() : output.string();
}

/**
 * Before 0.6 the list is a sequence of steps. Since 0.6 each item has its own `output`, and the first leads
 * to the image's coordinates.
 */
function mapOf(list: Member, rank: number): AffineMap | undefined {
  if (list.isNull) return undefined;
  const [first] = list.list();
  if (first === undefined) return undefined;
  const map = first.get("output").isNull ? transformationsOf(list, rank) : transformationOf(first, rank);
  return toAxes(map, list, rank);
}

/**
 * A map to one coordinate an axis.
 * @throws InvalidMetadataError for an affine matrix of more or fewer rows
 */
function toAxes(map: AffineMap, list: Member, rank: number): AffineMap {
  if (map.length === rank) return map;
  throw refused(list, `expected a coordinate for each of the ${rank} axes, got ${map.length}`);
}
