/**
 * Coordinate systems since 0.6: those of an image besides its own, and the scenes that relate images. A
 * transformation that cannot be calculated has a `problem`; the others can be used.
 */
import { isJsonObject, type Member } from "../../extend.js";
import { isZarrError, type ZarrError } from "../../index.js";
import { type Axis, axesOf } from "./axes.js";
import { optionalList, optionalString, unsupported } from "./members.js";
import { stepsOf, type TransformationStep } from "./steps.js";
import { type AffineMap, inputsOf } from "./transformations.js";

/** A coordinate system by its name. */
export interface CoordinateSystem {
  /** The name by which transformations refer to it. */
  readonly name: string;
  /** One for each of its coordinates. */
  readonly axes: readonly Axis[];
}

/** Names a coordinate system. */
export interface SystemName {
  /** Path of the group of the image, or of its labels, that has it; undefined for one of the same group. */
  readonly path: string | undefined;
  /** Undefined if the document names none. */
  readonly name: string | undefined;
}

/** How the coordinates of one system become those of another. */
export interface SystemTransformation {
  /** The system of the coordinates that are given. */
  readonly input: SystemName;
  /** The system of the coordinates that come out. */
  readonly output: SystemName;
  /**
   * As in `Level`: a row for each coordinate of the output. Undefined if there is a problem, and with a field
   * of vectors among the steps.
   */
  readonly transformation: AffineMap | undefined;
  /**
   * What is done to coordinates, in this order; `openTransformation` does it. Empty if there is a problem.
   */
  readonly steps: readonly TransformationStep[];
  /** Why it cannot be calculated: parameters in arrays, or metadata that are invalid. */
  readonly problem: ZarrError | undefined;
}

export interface Systems {
  /** Coordinate systems since 0.6; empty before. */
  readonly systems: readonly CoordinateSystem[];
  /** How their coordinates become those of others. */
  readonly transformations: readonly SystemTransformation[];
}

/** @param member a multiscale image, or `scene`. @throws InvalidMetadataError for invalid systems */
export function systemsOf(member: Member): Systems {
  const listed = member.get("coordinateSystems");
  // Before 0.6 the transformations of an image are steps of its levels.
  if (listed.isNull && !member.get("datasets").isNull) return { systems: [], transformations: [] };
  const systems = optionalList(listed).map((item) => ({
    name: item.get("name").string(),
    axes: axesOf(item.get("axes")),
  }));
  const steps = optionalList(member.get("coordinateTransformations"));
  return { systems, transformations: steps.map((step) => transformationBetween(step, systems)) };
}

function transformationBetween(step: Member, systems: readonly CoordinateSystem[]): SystemTransformation {
  const [input, output] = [nameIn(step.get("input")), nameIn(step.get("output"))];
  const named = ({ path, name }: SystemName) =>
    path === undefined ? systems.find((system) => system.name === name)?.axes.length : undefined;
  try {
    const rank = named(input) ?? inputsOf(step) ?? named(output);
    if (rank === undefined)
      throw unsupported(step, "its axes are those of another group, and no parameters give their number");
    const steps = stepsOf(step, rank, named(output));
    const [first] = steps;
    const transformation = steps.length === 1 && first?.kind === "affine" ? first.map : undefined;
    return { input, output, transformation, steps, problem: undefined };
  } catch (error) {
    if (!isZarrError(error, "UnsupportedError", "InvalidMetadataError")) throw error;
    return { input, output, transformation: undefined, steps: [], problem: error };
  }
}

/** An object since 0.6rc0, and a string in drafts before. */
function nameIn(member: Member): SystemName {
  if (!isJsonObject(member.json)) return { path: undefined, name: optionalString(member) };
  return { path: optionalString(member.get("path")), name: optionalString(member.get("name")) };
}
