/**
 * The steps of a transformation since 0.6: affine maps, and fields of vectors that are images of their own.
 * A transformation without a field is a single map.
 */
import { isJsonArray, type Member } from "../../extend.js";
import { unsupported } from "./members.js";
import { type AffineMap, compose, DEEPEST, transformationOf } from "./transformations.js";

/** A field of vectors: an image with an axis for the components of a vector. */
export interface FieldStep {
  /** Whether a vector is added to the coordinates ("displacements") or replaces them ("coordinates"). */
  readonly kind: "displacements" | "coordinates";
  /** Path of the image below the group that has the transformation. */
  readonly path: string;
  /** Between the vectors; "linear" also for files that ask for cubic splines. */
  readonly interpolation: "nearest" | "linear";
}

/** A part of a transformation. */
export type TransformationStep = { readonly kind: "affine"; readonly map: AffineMap } | FieldStep;

/**
 * @param rank number of input coordinates
 * @param outputRank number of output coordinates of the whole, if it is known
 * @throws InvalidMetadataError, UnsupportedError for a field within `byDimension`, and for a step after
 * `coordinates` that leads to an unknown number of coordinates
 */
export function stepsOf(step: Member, rank: number, outputRank: number | undefined): TransformationStep[] {
  const parts: TransformationStep[] = [];
  let coordinates: number | undefined = rank;
  for (const part of partsOf(step, 0)) {
    if (coordinates === undefined)
      throw unsupported(part, "a step after coordinates is not supported: their number is unknown");
    const field = fieldOf(part);
    if (field !== undefined) {
      parts.push(field);
      if (field.kind === "coordinates") coordinates = outputRank;
      continue;
    }
    const map = transformationOf(part, coordinates);
    const before = parts.at(-1);
    if (before?.kind === "affine")
      parts[parts.length - 1] = { kind: "affine", map: compose(before.map, map) };
    else parts.push({ kind: "affine", map });
    coordinates = map.length;
  }
  return parts;
}

/** The steps of nested sequences that have a field; a transformation without one is a single step. */
function partsOf(step: Member, depth: number): Member[] {
  if (depth >= DEEPEST) throw step.invalid(`transformations at most ${DEEPEST} deep`);
  const type = step.get("type").json;
  if (type === "bijection") return partsOf(step.get("forward"), depth + 1);
  const list = step.get("transformations");
  if (type !== "sequence" || !isJsonArray(list.json)) return [step];
  const parts = list.list().flatMap((each) => partsOf(each, depth + 1));
  return parts.some((each) => fieldOf(each) !== undefined) ? parts : [step];
}

function fieldOf(step: Member): FieldStep | undefined {
  const { json: kind } = step.get("type");
  if (kind !== "displacements" && kind !== "coordinates") return undefined;
  const interpolation = step.get("interpolation").json === "nearest" ? "nearest" : "linear";
  return { kind, path: step.get("path").path(), interpolation };
}
