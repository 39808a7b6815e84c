/** `multiscales`: the arrays of an image, one for each resolution, their axes and where their elements lie. */
import { InvalidArgumentError } from "../errors.js";
import { isJsonArray, isJsonObject, type Json } from "../metadata/json.js";
import type { Member } from "../metadata/member.js";
import { type AffineMap, compose } from "./affine.js";
import { type Axis, axesOf, IMPLIED_AXES } from "./axes.js";
import { optionalString, pathOf, refused } from "./members.js";
import { transformationOf, transformationsOf } from "./transformations.js";
import type { OmeMetadata } from "./version.js";

export interface Dataset {
  readonly path: string;
  /** The member that names it, for errors. */
  readonly member: Member;
  /** From indices to coordinates; undefined where the file says nothing, as before 0.4. */
  readonly map: AffineMap | undefined;
}

export interface Multiscale {
  readonly name: string | undefined;
  /** How the levels were made: "gaussian". */
  readonly type: string | undefined;
  readonly axes: readonly Axis[];
  /** Whether the file names its axes. */
  readonly namesAxes: boolean;
  readonly datasets: readonly Dataset[];
  readonly member: Member;
}

/** @param index which of the multiscales @throws InvalidMetadataError naming the member, InvalidArgumentError for an index beyond */
export function multiscaleOf(metadata: OmeMetadata, index: number): Multiscale {
  const list = metadata.member.get("multiscales");
  const items = list.list();
  if (items.length === 0) throw list.invalid("at least one multiscale image");
  const member = items[index];
  if (member === undefined) {
    throw new InvalidArgumentError(`multiscale: expected an index below ${items.length}, got ${index}`, {
      path: metadata.group.path,
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
  // Since 0.6 those of the whole lead from the coordinates of the levels to other coordinate systems.
  const isStep = !after.isNull && !isJsonArray(member.get("coordinateSystems").json);
  const datasets = sets.map((dataset): Dataset => {
    const map = mapOf(dataset.get("coordinateTransformations"), axes.length);
    if (map === undefined && (metadata.version ?? "0.4") >= "0.4")
      metadata.warnings.push(
        `dataset ${dataset.get("path").string()} has no coordinateTransformations: its scale is that of its shape`,
      );
    const whole = isStep ? transformationsOf(after, axes.length) : undefined;
    const path = dataset.get("path");
    return { path: pathOf(path), member: path, map: map && whole ? compose(map, whole) : (map ?? whole) };
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

/** The list of axes: of the coordinate system that the first level's transformation leads to, since 0.6. */
function axesMember(multiscale: Member, [first]: readonly Member[]): Member | undefined {
  const systems = multiscale.get("coordinateSystems");
  if (systems.isNull) return multiscale.get("axes").isNull ? undefined : multiscale.get("axes");
  const list = systems.list();
  const name = first && outputOf(first.get("coordinateTransformations"));
  const found = name === undefined ? list[0] : list.find((system) => system.get("name").json === name);
  if (found === undefined)
    throw refused(
      systems,
      `expected a coordinate system ${JSON.stringify(name ?? "")}, to which datasets[0] leads`,
    );
  return found.get("axes");
}

/** The coordinate system that transformations lead to: a name, or an object with one. */
function outputOf(list: Member): Json | undefined {
  if (list.isNull) return undefined;
  const output = list.list()[0]?.get("output");
  if (output === undefined || output.isNull) return undefined;
  return isJsonObject(output.json) ? output.get("name").string() : output.string();
}

/** Before 0.6 the list is one transformation after the other; since, each leads to a coordinate system, the first to the image's. */
function mapOf(list: Member, rank: number): AffineMap | undefined {
  if (list.isNull) return undefined;
  const [first] = list.list();
  if (first === undefined) return undefined;
  return first.get("output").isNull ? transformationsOf(list, rank) : transformationOf(first, rank);
}
