/** `coordinateTransformations` of OME-Zarr 0.4 to 0.6 as one affine map, from indices of an array to coordinates. */
import type { Member } from "../metadata/member.js";
import { type AffineMap, compose, identity, scaling, translation } from "./affine.js";
import { factorsOf, integerOf, numbersOf, refused, unsupported } from "./members.js";

/** Sequences in sequences: more than any file has. */
const DEEPEST = 16;

/** Steps one after the other. @throws InvalidMetadataError for a step of another rank, a scale of zero; UnsupportedError */
export function transformationsOf(list: Member, rank: number): AffineMap {
  return list.list().reduce((map, step) => compose(map, transformationOf(step, map.length)), identity(rank));
}

/** @param rank of the input */
export function transformationOf(step: Member, rank: number, depth = 0): AffineMap {
  const type = step.get("type");
  switch (type.string()) {
    case "identity":
      return identity(rank);
    case "scale":
      return scaling(factorsOf(inline(step, "scale"), rank));
    case "translation":
      return translation(numbersOf(inline(step, "translation"), rank));
    case "affine":
      return matrixOf(inline(step, "affine"), rank + 1);
    case "rotation":
      return matrixOf(inline(step, "rotation"), rank, rank).map((row) => [...row, 0]);
    case "mapAxis":
      return permutation(step.get("mapAxis"), rank);
    case "sequence":
      if (depth >= DEEPEST) throw step.get("transformations").invalid(`sequences at most ${DEEPEST} deep`);
      return step
        .get("transformations")
        .list()
        .reduce((map, each) => compose(map, transformationOf(each, map.length, depth + 1)), identity(rank));
    case "bijection":
      if (depth >= DEEPEST) throw step.get("forward").invalid(`transformations at most ${DEEPEST} deep`);
      return transformationOf(step.get("forward"), rank, depth + 1);
    case "byDimension":
    case "displacements":
    case "coordinates":
    case "projectAxis":
      throw unsupported(type, `transformations of type ${JSON.stringify(type.json)} are not supported`);
    default:
      throw type.invalid('a type of transformation, such as "scale" or "translation"');
  }
}

/** Parameters in the document. Those in an array of their own (`path`) are what nobody writes. */
function inline(step: Member, name: string): Member {
  const parameters = step.get(name);
  if (parameters.isNull && !step.get("path").isNull) {
    throw unsupported(step.get("path"), `a ${name} in an array of its own is not supported`);
  }
  return parameters;
}

function matrixOf(member: Member, columns: number, rows?: number): AffineMap {
  const list = member.list();
  if (list.length === 0 || (rows !== undefined && list.length !== rows)) {
    throw refused(member, `expected ${rows ?? "one or more"} rows, got ${list.length}`);
  }
  return list.map((row) => numbersOf(row, columns));
}

function permutation(member: Member, rank: number): AffineMap {
  const order = member.list().map((item) => integerOf(item));
  const isWhole = order.length === rank && new Set(order).size === rank && order.every((axis) => axis < rank);
  if (!isWhole) throw member.invalid(`each of the axes 0 to ${rank - 1} once`);
  return order.map((from) => [...order.map((_, j) => (j === from ? 1 : 0)), 0]);
}
