/**
 * Affine maps from array indices to coordinates. The `coordinateTransformations` of OME-Zarr 0.4 to 0.6 are
 * composed into one map.
 */
import { itemAt, MAXIMUM_RANK, type Member, noItem } from "../../extend.js";
import { factorsOf, refused, unsupported } from "./members.js";

/**
 * One row per output coordinate: a factor per input coordinate, then the offset. All rows are of one length.
 */
export type AffineMap = readonly (readonly number[])[];

function identity(rank: number): AffineMap {
  return scaling(new Array<number>(rank).fill(1));
}

export function scaling(factors: readonly number[]): AffineMap {
  return factors.map((factor, i) => [...factors.map((_, j) => (i === j ? factor : 0)), 0]);
}

function translation(offsets: readonly number[]): AffineMap {
  return offsets.map((offset, i) => [...offsets.map((_, j) => (i === j ? 1 : 0)), offset]);
}

export function applyMap(map: AffineMap, point: readonly number[]): number[] {
  return map.map((row) =>
    point.reduce(
      (sum, value, j) => (row[j] === 0 ? sum : sum + (row[j] ?? noItem(row, j)) * value),
      itemAt(row, point.length),
    ),
  );
}

/**
 * The map that applies `first`, then `second` to its result: `second` has as many inputs as `first` has rows.
 * Its cost is that of the factors other than 0.
 */
export function compose(first: AffineMap, second: AffineMap): AffineMap {
  const columns = first[0]?.length ?? 1;
  return second.map((row) => {
    const sums = new Array<number>(columns).fill(0);
    for (const [i, factor] of row.slice(0, -1).entries()) {
      if (factor !== 0)
        for (const [j, value] of itemAt(first, i).entries()) sums[j] = itemAt(sums, j) + factor * value;
    }
    sums[columns - 1] = itemAt(sums, columns - 1) + itemAt(row, row.length - 1);
    return sums;
  });
}

/** The inverse map, by Gauss-Jordan elimination with partial pivoting; undefined if there is none. */
export function invert(map: AffineMap): AffineMap | undefined {
  const rank = map.length;
  if (map.some((row) => row.length !== rank + 1)) return undefined;
  const work = map.map((row, i) => [...row.slice(0, rank), ...map.map((_, j) => (i === j ? 1 : 0))]);
  for (let column = 0; column < rank; column++) {
    const size = (i: number) => Math.abs(itemAt(itemAt(work, i), column));
    let best = column;
    for (let i = column + 1; i < rank; i++) if (size(i) > size(best)) best = i;
    const pivotRow = itemAt(work, best);
    const pivot = itemAt(pivotRow, column);
    if (pivot === 0) return undefined;
    work[best] = itemAt(work, column);
    const scaled = pivotRow.map((value) => value / pivot);
    work[column] = scaled;
    for (const [i, row] of work.entries()) {
      const factor = itemAt(row, column);
      if (i === column || factor === 0) continue;
      work[i] = row.map((value, j) => value - factor * itemAt(scaled, j));
    }
  }
  const inverse = work.map((row) => row.slice(rank));
  const offsets = map.map((row) => itemAt(row, rank));
  return inverse.map((row) => [
    ...row,
    0 - row.reduce((sum, factor, j) => sum + factor * itemAt(offsets, j), 0),
  ]);
}

/**
 * Length of a unit step along each input coordinate. For a map that only scales these are the absolute
 * factors.
 */
export function stepLengths(map: AffineMap): number[] {
  const inputs = (map[0]?.length ?? 1) - 1;
  return Array.from({ length: inputs }, (_, j) => Math.hypot(...map.map((row) => itemAt(row, j))));
}

/** Limit of nested sequences: more than any real file has. */
export const DEEPEST = 16;

/**
 * Composes steps in order.
 * @throws InvalidMetadataError for a step of another rank or a scale of 0, UnsupportedError for other types
 */
export function transformationsOf(list: Member, rank: number): AffineMap {
  return sequence(list, rank, 0);
}

function sequence(list: Member, rank: number, depth: number): AffineMap {
  const append = (map: AffineMap, step: Member): AffineMap =>
    step.get("type").json === "identity" ? map : compose(map, transformationOf(step, map.length, depth));
  return list.list().reduce(append, identity(rank));
}

/** @param rank number of input coordinates */
export function transformationOf(step: Member, rank: number, depth = 0): AffineMap {
  const type = step.get("type");
  switch (type.string()) {
    case "identity":
      return identity(rank);
    case "scale":
      return scaling(factorsOf(inline(step, "scale"), rank));
    case "translation":
      return translation(inline(step, "translation").numbers(rank));
    case "affine":
      return matrixOf(inline(step, "affine"), rank + 1);
    case "rotation":
      return matrixOf(inline(step, "rotation"), rank, rank).map((row) => [...row, 0]);
    case "mapAxis":
      return permutation(step.get("mapAxis"), rank);
    case "sequence":
      if (depth >= DEEPEST) throw step.get("transformations").invalid(`sequences at most ${DEEPEST} deep`);
      return sequence(step.get("transformations"), rank, depth + 1);
    case "bijection":
      if (depth >= DEEPEST) throw step.get("forward").invalid(`transformations at most ${DEEPEST} deep`);
      return transformationOf(step.get("forward"), rank, depth + 1);
    case "byDimension":
      if (depth >= DEEPEST)
        throw step.get("transformations").invalid(`transformations at most ${DEEPEST} deep`);
      return byDimension(step.get("transformations"), rank, depth + 1);
    case "projectAxis":
      return projection(step, rank);
    case "displacements":
    case "coordinates":
      throw unsupported(type, `transformations of type ${JSON.stringify(type.json)} are not supported here`);
    default:
      throw type.invalid('a type of transformation, such as "scale" or "translation"');
  }
}

/**
 * Parameters in the document. Parameters in a separate array (`path`) are unsupported: no known writer
 * produces them.
 */
function inline(step: Member, name: string): Member {
  const parameters = step.get(name);
  if (parameters.isNull && !step.get("path").isNull) {
    throw unsupported(step.get("path"), `a ${name} in an array of its own is not supported`);
  }
  return parameters;
}

function matrixOf(member: Member, columns: number, rows?: number): AffineMap {
  const list = member.list();
  // Every row is a coordinate of the output: without a bound, the next step would have as many rows and
  // columns.
  if (list.length === 0 || list.length > MAXIMUM_RANK || (rows !== undefined && list.length !== rows)) {
    throw refused(member, `expected ${rows ?? `1 to ${MAXIMUM_RANK}`} rows, got ${list.length}`);
  }
  return list.map((row) => row.numbers(columns));
}

function permutation(member: Member, rank: number): AffineMap {
  const order = member.list().map((item) => item.integer());
  const isWhole = order.length === rank && new Set(order).size === rank && order.every((axis) => axis < rank);
  if (!isWhole) throw member.invalid(`each of the axes 0 to ${rank - 1} once`);
  return order.map((from) => [...order.map((_, j) => (j === from ? 1 : 0)), 0]);
}

/** Maps of some of the axes each, which together give every output coordinate once. */
function byDimension(list: Member, rank: number, depth: number): AffineMap {
  const rows = new Map<number, readonly number[]>();
  for (const item of list.list()) {
    const inputs = axesOf(item.get("inputAxes"), rank);
    const inner = transformationOf(item.get("transformation"), inputs.length, depth);
    const outputs = axesOf(item.get("outputAxes"), MAXIMUM_RANK);
    if (outputs.length !== inner.length)
      throw refused(item.get("outputAxes"), `expected ${inner.length} axes, got ${outputs.length}`);
    for (const [i, output] of outputs.entries()) {
      if (rows.has(output)) throw item.get("outputAxes").invalid("axes that no other transformation has");
      const row = new Array<number>(rank + 1).fill(0);
      for (const [j, input] of inputs.entries()) row[input] = itemAt(itemAt(inner, i), j);
      row[rank] = itemAt(itemAt(inner, i), inputs.length);
      rows.set(output, row);
    }
  }
  return Array.from({ length: rows.size }, (_, output) => {
    const row = rows.get(output);
    if (row === undefined) throw list.invalid(`each of the output axes 0 to ${rows.size - 1} once`);
    return row;
  });
}

/** Drops coordinates, and puts others of 0 between those that are left. */
function projection(step: Member, rank: number): AffineMap {
  const [dropped, created] = [step.get("droppedInputs"), step.get("createdOutputs")];
  if (dropped.isNull && created.isNull) throw step.invalid("droppedInputs or createdOutputs");
  const without = dropped.isNull ? [] : axesOf(dropped, rank);
  const added = created.isNull ? [] : axesOf(created, MAXIMUM_RANK);
  const remaining = Array.from({ length: rank }, (_, axis) => axis).filter((axis) => !without.includes(axis));
  const length = remaining.length + added.length;
  if (length === 0 || length > MAXIMUM_RANK || added.some((axis) => axis >= length))
    throw refused(step, `expected axes below ${Math.min(length, MAXIMUM_RANK)} of the output`);
  const from = remaining.values();
  return Array.from({ length }, (_, output) => {
    const row = new Array<number>(rank + 1).fill(0);
    const input = added.includes(output) ? undefined : from.next().value;
    if (input !== undefined) row[input] = 1;
    return row;
  });
}

/** Axes by their indices, each once. */
function axesOf(member: Member, below: number): number[] {
  const axes = member.list().map((item) => item.integer());
  if (new Set(axes).size < axes.length || axes.some((axis) => axis >= below))
    throw member.invalid(`axes below ${below}, each once`);
  return axes;
}

/**
 * The number of input coordinates that a transformation tells by its parameters; undefined for identities.
 */
export function inputsOf(step: Member, depth = 0): number | undefined {
  const { json: type } = step.get("type");
  const within = typeof type === "string" ? step.get(type) : step;
  if (type === "scale" || type === "translation" || type === "rotation" || type === "mapAxis")
    return within.isNull ? undefined : within.list().length;
  if (type === "affine") return within.isNull ? undefined : (within.list()[0]?.list().length ?? 1) - 1;
  if (type === "bijection" && depth < DEEPEST) return inputsOf(step.get("forward"), depth + 1);
  if (type !== "sequence" || depth >= DEEPEST) return undefined;
  // An identity lets the next step tell.
  const steps = step.get("transformations").list();
  const first = steps.find((each) => each.get("type").json !== "identity");
  return first && inputsOf(first, depth + 1);
}
