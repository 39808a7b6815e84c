/**
 * Fields of vectors (`displacements` and `coordinates` since 0.6): images that are read around each point.
 */
import { isNumbers, itemAt, MAXIMUM_RANK } from "../../extend.js";
import {
  type DataTypeName,
  get,
  InvalidMetadataError,
  type Store,
  type StoreOptions,
  type Array as ZarrArray,
} from "../../index.js";
import type { ChunkCache } from "../../main/caches.js";
import type { OmeImage } from "./image.js";
import type { Level } from "./level.js";
import type { FieldStep } from "./steps.js";

/** A field with the level that is read: the finest. */
export interface VectorField {
  readonly step: FieldStep;
  readonly level: Level;
  /** Dimension of the components of a vector. */
  readonly vectorAxis: number;
  /** Number of output coordinates. */
  readonly components: number;
}

/**
 * @param rank number of input coordinates
 * @throws InvalidMetadataError for an image that is no such field
 */
export function vectorField<S extends Store>(image: OmeImage<S>, step: FieldStep, rank: number): VectorField {
  const { path } = image.group;
  const refuse = (expected: string, got: unknown) =>
    new InvalidMetadataError(`expected a field of ${step.kind} with ${expected}, got ${String(got)}`, {
      path,
    });
  const type = step.kind === "displacements" ? "displacement" : "coordinate";
  const found = image.axes.flatMap((axis, i) => (axis.type === type ? [i] : []));
  const [vectorAxis] = found;
  if (vectorAxis === undefined || found.length > 1) throw refuse(`one axis of type ${type}`, found.length);
  const level = itemAt(image.levels, 0);
  if (level.shape.length !== rank + 1) throw refuse(`${rank + 1} axes`, level.shape.length);
  const components = itemAt(level.shape, vectorAxis);
  const isRight =
    step.kind === "displacements" ? components === rank : components >= 1 && components <= MAXIMUM_RANK;
  if (!isRight)
    throw refuse(
      step.kind === "displacements" ? `${rank} components` : `1 to ${MAXIMUM_RANK} components`,
      components,
    );
  const isMixed = level.transformation.some((row, i) =>
    row.slice(0, -1).some((factor, j) => factor !== 0 && (i === vectorAxis) !== (j === vectorAxis)),
  );
  if (isMixed) throw refuse("components apart from its other axes", "a transformation that mixes them");
  return { step, level, vectorAxis, components };
}

/**
 * The coordinates that a point gets. Outside of the field there are no vectors: its coordinates are NaN.
 * @throws what `get` throws
 */
export async function throughField(
  { step, level, vectorAxis, components }: VectorField,
  point: readonly number[],
  options: StoreOptions & { readonly cache: ChunkCache },
): Promise<number[]> {
  const nowhere = new Array<number>(components).fill(Number.NaN);
  if (!point.every((value) => Number.isFinite(value))) return nowhere;
  const index = level.toIndex(point.toSpliced(vectorAxis, 0, 0));
  const sides = index.map((value, d) =>
    d === vectorAxis
      ? { start: 0, stop: components, weights: [] }
      : sideOf(value, itemAt(level.shape, d), step),
  );
  const box = sides.flatMap((side) => (side === undefined ? [] : [side]));
  if (box.length < sides.length) return nowhere;
  const { array } = level;
  const read = await get(
    array,
    box.map(({ start, stop }) => ({ start, stop, step: 1 })),
    options,
  );
  const sums = weighed(numbersOf(read.data, array), box, vectorAxis, components);
  return step.kind === "coordinates" ? sums : sums.map((sum, i) => sum + itemAt(point, i));
}

interface Side {
  readonly start: number;
  readonly stop: number;
  /** Weight of each element of the side; empty along the components. */
  readonly weights: readonly number[];
}

/** Indices are quotients of decimal fractions: 0.3 / 0.1 is the index 3. */
const ROUNDING = 1e-9;

/** The elements between which an index lies; undefined for one outside of the array. */
function sideOf(index: number, length: number, { interpolation }: FieldStep): Side | undefined {
  const nearest = Math.round(index);
  const isExact = Math.abs(index - nearest) < ROUNDING;
  if (interpolation === "nearest" || isExact)
    return nearest >= 0 && nearest < length ? { start: nearest, stop: nearest + 1, weights: [1] } : undefined;
  const start = Math.floor(index);
  if (start < 0 || start + 1 >= length) return undefined;
  return { start, stop: start + 2, weights: [start + 1 - index, index - start] };
}

/** The sum of the vectors of a box, each by the product of its weights. */
function weighed(
  values: readonly number[],
  box: readonly Side[],
  vectorAxis: number,
  components: number,
): number[] {
  const sums = new Array<number>(components).fill(0);
  for (const [position, value] of values.entries()) {
    let [rest, weight, component] = [position, 1, 0];
    for (let d = box.length - 1; d >= 0; d--) {
      const { start, stop, weights } = itemAt(box, d);
      const at = rest % (stop - start);
      rest = (rest - at) / (stop - start);
      if (d === vectorAxis) component = at;
      else weight *= itemAt(weights, at);
    }
    sums[component] = itemAt(sums, component) + weight * value;
  }
  return sums;
}

/** @throws InvalidMetadataError for elements that are not numbers */
function numbersOf(data: unknown, array: ZarrArray<DataTypeName>): number[] {
  if (isNumbers(data)) return Array.from<number | bigint, number>(data, Number);
  throw new InvalidMetadataError(`expected vectors of numbers, got elements of ${array.dtype}`, {
    path: array.path,
  });
}
