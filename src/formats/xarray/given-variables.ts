/** Data sets and variables that callers give to be written, and their checks. */
import { checkObject, describe } from "../../extend.js";
import { InvalidArgumentError, type JsonObject } from "../../index.js";
import { Variable } from "./dataset.js";

/** A variable to write. The result of `get` of a Variable is one. */
export interface VariableLike {
  /** Names of the dimensions. */
  readonly dims: readonly string[];
  /**
   * Elements in C order: a typed array, DateTimeArray, TimeDeltaArray, CalendarTimes, BoolArray,
   * ComplexArray, FixedBytesArray, or a list of numbers, bigints, booleans, strings or Dates. A single
   * element if there are no dimensions.
   */
  readonly data: unknown;
  /** Required for two or more dimensions. */
  readonly shape?: readonly number[] | undefined;
  /** Attributes to write; those that say how elements are stored belong to `encoding`. */
  readonly attrs?: JsonObject | undefined;
  /**
   * How elements are stored: `dtype`, `_FillValue`, `missing_value`, `scale_factor`, `add_offset`,
   * `_Unsigned`, `units` and `calendar` (for times), `coordinates`, `chunks`, `shards` (v3 only), `codecs`
   * (in the form that `create` takes).
   */
  readonly encoding?: JsonObject | undefined;
}

/** A data set to write. The result of `openDataset` is one. */
export interface DatasetLike {
  /** Variables by name. */
  readonly dataVars: Readonly<Record<string, VariableLike | Variable>>;
  /** Coordinate variables by name. */
  readonly coords?: Readonly<Record<string, VariableLike | Variable>> | undefined;
  /** Attributes of the group. */
  readonly attrs?: JsonObject | undefined;
}

/** The variables of a data set by name. @throws InvalidArgumentError for what is none */
export function givenVariables(
  dataset: Pick<DatasetLike, "dataVars" | "coords">,
): [string, VariableLike | Variable][] {
  checkObject(dataset, "dataset", "{ dataVars, coords, attrs }");
  const { coords = {}, dataVars } = dataset;
  checkObject(coords, "coords", "an object");
  checkObject(dataVars, "dataVars", "an object of variables, { NAME: { dims, data } }");
  const entries = [...Object.entries(coords), ...Object.entries(dataVars)];
  for (const [name, variable] of entries) {
    checkObject(variable, name, "a variable, { dims, data }");
    const { dims, shape = [], attrs = {} } = variable;
    if (!Array.isArray(dims) || !Array.isArray(shape))
      throw new InvalidArgumentError(
        `${name}: expected lists in dims and shape, got ${describe(dims)} and ${describe(shape)}`,
      );
    checkObject(attrs, `attrs of ${name}`, "an object");
    if (Object.hasOwn(coords, name) && Object.hasOwn(dataVars, name))
      throw new InvalidArgumentError(`${describe(name)} is in both dataVars and coords`);
  }
  return entries;
}

/** Shape of data without a `shape`: the length of a list for one dimension, [] otherwise. */
export function shapeOf(
  source: Variable | { readonly data: unknown },
  dims: readonly string[],
): readonly number[] {
  if (source instanceof Variable || dims.length === 0) return [];
  const { data } = source;
  const hasLength =
    typeof data === "object" && data !== null && "length" in data && typeof data.length === "number";
  return dims.length === 1 && hasLength ? [Number(data.length)] : [];
}
