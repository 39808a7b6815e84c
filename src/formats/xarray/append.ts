/**
 * Appends to data sets along one dimension: encoded as the variables are stored, and one change for readers
 * of consolidated metadata.
 */
import {
  type Addition,
  appendTogether,
  checkNames,
  describe,
  type NamesOf,
  ownMember,
  product,
  STORE_OPTIONS,
  toLocation,
  untilAborted,
} from "../../extend.js";
import {
  type Group,
  InvalidArgumentError,
  type Json,
  type JsonObject,
  type Location,
  open,
  type StoreOptions,
  UnsupportedError,
  type WritableStore,
} from "../../index.js";
import { type Dataset, Variable } from "./dataset.js";
import { unencodable } from "./elements.js";
import { encodeVariable } from "./encode.js";
import { type DatasetLike, givenVariables, shapeOf, type VariableLike } from "./given-variables.js";
import { openDataset } from "./open.js";

/** Options of `appendDataset`. */
export interface AppendDatasetOptions extends StoreOptions {
  /** The name of the dimension that grows. */
  readonly dim: string;
}

const OPTIONS: NamesOf<AppendDatasetOptions> = { ...STORE_OPTIONS, dim: true };

/**
 * Appends to a data set along one dimension, as xarray's `to_zarr(append_dim=...)` does. `dataset` has
 * elements for all variables with this dimension. They are encoded as the variables are stored: data type,
 * fill value, scale, units, calendar. Attributes and encodings in `dataset` are ignored. Variables without
 * the dimension may be left out; their elements must equal those that are stored.
 *
 * Everything is checked and encoded before anything is written. The elements are written first, where no
 * reader sees them, then the shapes, and consolidated metadata last: readers of consolidated metadata see all
 * of the elements or none. Without consolidated metadata, variables grow one after the other, and no
 * consolidated metadata are written. Concurrent calls in one process run one after the other. A call that
 * fails may be repeated.
 * @returns the group
 * @throws NotFoundError, InvalidArgumentError with the variable (`path`) and the attribute (`member`) for
 * elements that do not fit what is stored, InvalidMetadataError for a data set that an earlier failure left
 * with variables of different lengths, UnsupportedError, StoreError
 */
export async function appendDataset<S extends WritableStore>(
  where: Location<S> | S,
  dataset: Pick<DatasetLike, "dataVars" | "coords">,
  options: AppendDatasetOptions,
): Promise<Group<S>> {
  checkNames(options, "appendDataset", OPTIONS);
  const { dim, signal } = options;
  return untilAborted(signal, async () => {
    const group = await open(toLocation(where), { kind: "group", signal });
    const variables = new Map(givenVariables(dataset));
    const growing = [...variables].filter(([, { dims }]) => dims.includes(dim)).map(([name]) => name);
    const plan = (now: Location) => planAdditions(now, variables, dim, signal);
    await appendTogether(group, growing, plan, { signal });
    return group;
  });
}

type AppendedVariable = VariableLike | Variable;

async function planAdditions(
  group: Location,
  variables: ReadonlyMap<string, AppendedVariable>,
  dim: string,
  signal: AbortSignal | undefined,
): Promise<readonly Addition[]> {
  const { path } = group;
  const stored = await openDataset(group, { signal });
  const growing = checkVariables(stored, variables, dim, path);
  const parts = new Map<Variable, Addition>();
  for (const [name, variable] of variables) {
    const part = variableOf(stored, name, path);
    parts.set(part, await encodedAs(part, variable, dim));
  }
  checkLengths(parts, path);
  const last = growing.map((variable) => parts.get(variable)).filter((part) => part !== undefined);
  return [...[...parts.values()].filter((part) => !last.includes(part)), ...last];
}

function variableOf({ variables }: Dataset, name: string, path: string): Variable {
  const variable = ownMember(variables, name);
  if (variable !== undefined) return variable;
  const names = Object.keys(variables).join(", ");
  throw new InvalidArgumentError(`no variable ${describe(name)} to append to; the variables are ${names}`, {
    path,
  });
}

/**
 * The stored variables that grow, in the order in which their shapes are written. The coordinate comes last:
 * what it does not count yet is left over from an append that failed.
 */
function checkVariables(
  stored: Dataset,
  variables: ReadonlyMap<string, AppendedVariable>,
  dim: string,
  path: string,
): readonly Variable[] {
  const growing = Object.values(stored.variables).filter(({ dims }) => dims.includes(dim));
  if (growing.length === 0) {
    const names = Object.keys(stored.dims).map(describe).join(", ");
    throw new InvalidArgumentError(`dim: expected one of the dimensions ${names}, got ${describe(dim)}`, {
      path,
    });
  }
  const missing = growing.filter(({ name }) => !variables.has(name)).map(({ name }) => describe(name));
  if (missing.length > 0) {
    throw new InvalidArgumentError(
      `expected elements of all variables with the dimension ${describe(dim)}, got none of ${missing.join(", ")}`,
      { path },
    );
  }
  return growing.sort((a, b) => Number(a.name === dim) - Number(b.name === dim));
}

async function encodedAs(variable: Variable, values: AppendedVariable, dim: string): Promise<Addition> {
  const { array, dims, encoding } = variable;
  const { path } = array;
  if (dims.length !== array.shape.length) {
    throw new UnsupportedError("cannot append to strings that are stored as an array of characters", {
      path,
    });
  }
  if (dims.join() !== values.dims.join()) {
    throw new InvalidArgumentError(
      `expected the stored dimensions (${dims.join(", ")}), got (${values.dims.join(", ")})`,
      { path },
    );
  }
  const data = values instanceof Variable ? await values.load() : values.data;
  const shape = values.shape ?? shapeOf(values instanceof Variable ? values : { data }, dims);
  const axis = dims.includes(dim) ? dims.indexOf(dim) : undefined;
  const wrong = variable.shape.findIndex((length, d) => d !== axis && shape[d] !== length);
  if (shape.length !== dims.length || wrong >= 0) {
    throw new InvalidArgumentError(
      `expected elements of the shape [${variable.shape.map((length, d) => (d === axis ? "any" : length)).join(", ")}], got [${shape.join(", ")}]`,
      { path },
    );
  }
  if (axis !== undefined && shape[axis] === 0) return { array, axis, data: undefined, shape };
  // Times of the array's own type are stored as they are.
  if (array.dataType.name.startsWith("numpy.")) return { array, axis, data, shape };
  const stored = array.metadata.attributes;
  // Units without a calendar mean the standard one.
  const withCalendar =
    encoding.units !== undefined && encoding.calendar === undefined
      ? { ...encoding, calendar: "standard" }
      : encoding;
  const encoded = encodeVariable({ path, data, attrs: {}, encoding: withCalendar });
  checkSame(encoded.attributes, variable, stored, path);
  if (kindOfElements(encoded.dtype) !== kindOfElements(array.dataType.name)) {
    throw new InvalidArgumentError(
      `expected elements of data type ${array.dataType.name}, got ${encoded.dtype}`,
      {
        path,
      },
    );
  }
  if (encoded.length !== product(shape)) {
    throw new InvalidArgumentError(
      `expected ${product(shape)} elements (${shape.join(" x ")}), got ${encoded.length}`,
      { path },
    );
  }
  return { array, axis, data: encoded.data, shape };
}

function kindOfElements(dtype: string): "numbers" | "booleans" | "others" {
  if (/^(u?int|float)/.test(dtype)) return "numbers";
  return dtype === "bool" ? "booleans" : "others";
}

/** Checks that the elements have the encoding that the stored attributes describe. */
function checkSame(
  attributes: JsonObject,
  { encoding, attrs }: Variable,
  stored: JsonObject,
  path: string,
): void {
  // `dtype` among the attributes marks booleans and withCalendareltas; "withCalendarelta64[s]" and
  // "withCalendarelta64[ns]" decode what is stored alike.
  const kindOf = (mark: Json | undefined) => String(mark).replace(/\[.*/, "");
  const mark = attrs.dtype === undefined ? stored.dtype : undefined;
  if (kindOf(attributes.dtype) !== kindOf(mark)) {
    const expected =
      mark === undefined
        ? `elements other than ${kindOf(attributes.dtype)}`
        : `elements of kind ${kindOf(mark)}`;
    throw new InvalidArgumentError(`expected ${expected}, as the variable is stored`, { path });
  }
  const { units } = encoding;
  if (attributes.units === units) return;
  throw unencodable(
    path,
    "units",
    units === undefined
      ? "expected elements other than times, because the variable is stored without units of time"
      : attributes.units === undefined
        ? `expected times, because the variable is stored in ${describe(units)}`
        : `expected times that are a whole number of ${describe(units)}, as the variable is stored`,
  );
}

function checkLengths(parts: ReadonlyMap<Variable, Addition>, path: string): void {
  const lengths = Array.from(parts).flatMap(([{ name }, { axis, shape }]) =>
    axis === undefined ? [] : [{ name, length: shape[axis] }],
  );
  if (new Set(lengths.map(({ length }) => length)).size < 2) return;
  const text = lengths.map(({ name, length }) => `${length} of ${name}`).join(", ");
  throw new InvalidArgumentError(`expected the same number of elements for each variable, got ${text}`, {
    path,
  });
}
