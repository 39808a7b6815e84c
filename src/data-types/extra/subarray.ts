/**
 * A field of a v2 struct that is itself a small array of fixed shape: `["position", "<f4", [3]]`. numpy has
 * such types only as fields; v3 has none.
 */
import { at, numberAt } from "../../base/at.js";
import { describe, InvalidArgumentError, InvalidMetadataError, UnsupportedError } from "../../base/errors.js";
import { product } from "../../base/shape.js";
import { isJsonArray, type Json } from "../../metadata/json.js";
import { ArrayView } from "../array-view.js";
import { type DataType, type SwapRun, swapRunsOf } from "../data-type.js";
import { bytesOfView } from "../typed-array.js";

/** The data type of a subarray. Scalars are nested lists: for shape [2, 3] two lists of three elements. */
export interface SubarrayDataType extends DataType<unknown, SubarrayArray> {
  readonly base: DataType;
  readonly shape: readonly number[];
}

export function isSubarray(dataType: DataType): dataType is SubarrayDataType {
  return "base" in dataType && "shape" in dataType;
}

/** Subarrays over a buffer, each read as nested lists. */
export class SubarrayArray extends ArrayView<unknown> {
  readonly dataType: SubarrayDataType;

  constructor(bytes: Uint8Array, dataType: SubarrayDataType) {
    super(bytes, dataType.itemSize);
    this.dataType = dataType;
  }
  get(index: number): unknown {
    return this.dataType.readScalar(this.element(index));
  }
  /** @throws InvalidArgumentError for nested lists of another shape, or a value that does not fit */
  set(index: number, value: unknown): void {
    this.dataType.writeScalar(this.dataType.cast(value), this.element(index));
  }
  subarray(begin?: number, end?: number): SubarrayArray {
    return new SubarrayArray(this.range(begin, end), this.dataType);
  }
}

/** Makes nested lists of the shape, whose elements are the results of `next()` in C order. */
function nest<Value>(
  shape: readonly number[],
  next: () => Value,
  list: (parts: Value[]) => Value,
  dimension = 0,
): Value {
  if (dimension === shape.length) return next();
  return list(
    Array.from({ length: numberAt(shape, dimension) }, () => nest(shape, next, list, dimension + 1)),
  );
}

/** The elements of nested lists in C order; undefined if the lists have another shape. */
function flatten<Value>(
  value: Value,
  shape: readonly number[],
  listOf: (value: Value) => readonly Value[] | undefined,
  dimension = 0,
): Value[] | undefined {
  if (dimension === shape.length) return [value];
  const list = listOf(value);
  if (list?.length !== shape[dimension]) return undefined;
  const elements: Value[] = [];
  for (const part of list ?? []) {
    const inner = flatten(part, shape, listOf, dimension + 1);
    if (inner === undefined) return undefined;
    elements.push(...inner);
  }
  return elements;
}

const listOfJson = (json: Json): readonly Json[] | undefined => (isJsonArray(json) ? json : undefined);
const listOf = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined);

/** @param shape positive extents, already checked */
export function subarrayType(base: DataType, shape: readonly number[]): SubarrayDataType {
  const count = product(shape);
  const itemSize = count * base.itemSize;
  const name = `${base.name}[${shape.join(", ")}]`;
  const expected = `expected nested lists of shape [${shape.join(", ")}] as ${name}`;
  const nestValues = (next: (index: number) => unknown): unknown => {
    let index = 0;
    return nest<unknown>(
      shape,
      () => next(index++),
      (parts) => parts,
    );
  };
  const element = (bytes: Uint8Array, index: number): Uint8Array =>
    bytes.subarray(index * base.itemSize, (index + 1) * base.itemSize);
  const noForm = (): never => {
    throw new UnsupportedError(`subarrays such as ${name} are not supported outside of structs of Zarr v2`);
  };

  const dataType: SubarrayDataType = {
    base,
    shape,
    name,
    itemSize,
    swapUnit: base.swapUnit,
    ...(base.swapRuns === undefined ? {} : { swapRuns: repeatRuns(base, count) }),
    needsEndian: base.needsEndian,
    ...(base.uniform === undefined ? {} : { uniform: subarrayType(base.uniform, shape) }),
    toV3: noForm,
    toV2: noForm,
    get defaultScalar() {
      return nestValues(() => base.defaultScalar);
    },
    scalarFromJson(json, zarrFormat) {
      const values = flatten(json, shape, listOfJson);
      if (values === undefined) throw new InvalidMetadataError(`${expected}, got ${describe(json)}`);
      return nestValues((index) => base.scalarFromJson(at(values, index), zarrFormat));
    },
    scalarToJson(scalar, zarrFormat) {
      const values = flatten(scalar, shape, listOf) ?? [];
      let index = 0;
      return nest<Json>(
        shape,
        () => base.scalarToJson(values[index++], zarrFormat),
        (parts) => parts,
      );
    },
    cast(value) {
      const values = flatten(value, shape, listOf);
      if (values === undefined) throw new InvalidArgumentError(`${expected}, got ${describe(value)}`);
      return nestValues((index) => base.cast(values[index]));
    },
    writeScalar(scalar, target) {
      flatten(scalar, shape, listOf)?.forEach((value, index) => {
        base.writeScalar(value, element(target, index));
      });
    },
    readScalar: (source, exact) => nestValues((index) => base.readScalar(element(source, index), exact)),
    view: (bytes) => new SubarrayArray(bytes, dataType),
    bytesOf: (data) =>
      data instanceof SubarrayArray && data.dataType.name === name ? bytesOfView(data) : undefined,
  };
  return dataType;
}

function repeatRuns(base: DataType, count: number): SwapRun[] {
  const runs: SwapRun[] = [];
  for (let index = 0; index < count; index++) {
    for (const [offset, unit, repeats] of swapRunsOf(base)) {
      runs.push([index * base.itemSize + offset, unit, repeats]);
    }
  }
  return mergeRuns(runs);
}

/** Joins consecutive runs of the same unit. */
export function mergeRuns(runs: Iterable<SwapRun>): SwapRun[] {
  const merged: SwapRun[] = [];
  for (const [offset, unit, count] of runs) {
    const last = merged.at(-1);
    if (last !== undefined && last[1] === unit) merged[merged.length - 1] = [last[0], unit, last[2] + count];
    else merged.push([offset, unit, count]);
  }
  return merged;
}
