/**
 * The elements that `wazarr get` reads: a selection of a variable of a data set, or of an array that is in
 * none; decoded, or as stored.
 */

import { didYouMean, fillValueMasks, itemAt, normaliseSelection, ownMember } from "../../extend.js";
import { type Dataset, decodingOf, openDataset, type Variable } from "../../formats/xarray.js";
import {
  get as getElements,
  getOrthogonal,
  isZarrError,
  type Json,
  open,
  type Array as ZarrArray,
} from "../../index.js";
import { type DataTypeDefinition, loadExtraDataTypes, resolveDataType } from "../../main/data-types.js";
import { UsageError } from "../command.js";
import { openArray, withAdvice } from "../open-node.js";
import { type NodeName, openHierarchy } from "../stores.js";
import { dataTypeJson } from "../text/element-json.js";
import { type Choice, entryOf } from "./choice.js";
import { listingOnly } from "./listing-only.js";
import type { ParsedSelection } from "./selection.js";
import { labelsOf, storedValuesOf, valuesOf } from "./values.js";

/** A part of the elements, with the labels of its dimensions. */
export interface Part {
  readonly data: unknown;
  /** For each dimension of the result its labels, or undefined for one without a coordinate. */
  readonly labels: readonly (readonly Json[] | undefined)[];
}

export interface Elements {
  readonly name: string;
  readonly array: ZarrArray;
  /** The selection of each dimension. */
  readonly choices: readonly Choice[];
  /** Names of all dimensions, those that an index drops among them. */
  readonly dims: readonly (string | undefined)[];
  readonly units: string | undefined;
  /** The data type in words or as JSON. */
  readonly type: Json;
  /**
   * The data type of the elements that `read` returns; undefined if no data type of Zarr holds them in this
   * shape.
   */
  readonly dataType: DataTypeDefinition | undefined;
  read(choices: readonly Choice[]): Promise<Part>;
  values(data: unknown): Iterable<Json>;
}

/** @throws UsageError for labels that cannot be looked up, InvalidSelectionError, and what `open` throws */
export async function openElements(
  name: NodeName,
  selection: ParsedSelection,
  isRaw: boolean,
): Promise<Elements> {
  const names = name.path.split("/").filter(Boolean);
  const variableName = names.pop();
  const path = `/${names.join("/")}`;
  if (selection.kind === "labels") {
    if (variableName === undefined)
      throw new UsageError(
        "labels are in the arrays beside an array; pass the group as STORE, and the PATH of the array in it",
      );
    return ofLabels({ ...name, path }, variableName, selection, isRaw);
  }
  const array = await openArray(name);
  const isScalar = array.shape.length === 0;
  const isNamed = isScalar || array.metadata.dimensionNames?.some((each) => each !== null) === true;
  const variable =
    variableName === undefined || !isNamed
      ? undefined
      : await variableOf({ ...name, path }, variableName, array, isRaw);
  const shape = variable?.shape ?? array.shape;
  const choices = normaliseSelection(selection.selection, shape).dimensions.map(
    ({ start, step, count, drop }): Choice =>
      drop ? { kind: "index", index: start } : { kind: "slice", start, step, count },
  );
  if (variable !== undefined) return ofVariable(variable, choices, isRaw);
  return isRaw ? storedElements(array, choices) : decodedElements(array, choices);
}

async function ofLabels(
  group: NodeName,
  variableName: string,
  selection: Extract<ParsedSelection, { kind: "labels" }>,
  isRaw: boolean,
): Promise<Elements> {
  const found = await withAdvice(group, async () => open(await openHierarchy(group), { kind: "group" }));
  const dataset = await openDataset(found);
  const variable = ownMember(dataset.variables, variableName);
  if (variable === undefined)
    throw new UsageError(
      `no array ${variableName} in ${found.path}${didYouMean(variableName, Object.keys(dataset.variables))}`,
    );
  const chosen = await variable.locate(selection.selection);
  const shown = isRaw
    ? ownMember((await openDataset(found, { decode: false })).variables, variableName)
    : variable;
  const choices = variable.dims.map((dimension): Choice => {
    const choice = chosen.get(dimension);
    if (choice === undefined) throw new UsageError(`no dimension ${dimension} in ${variableName}`);
    return choice;
  });
  return ofVariable(shown ?? variable, choices, isRaw);
}

/**
 * An array as a variable of the data set it is in; undefined if its group is not one.
 * @throws InvalidMetadataError if the variable cannot be decoded
 */
async function variableOf(
  name: NodeName,
  variableName: string,
  array: ZarrArray,
  isRaw: boolean,
): Promise<Variable | undefined> {
  const { store } = array;
  const location = await openHierarchy(name);
  const whole = await opened(() => openDataset(location, { decode: !isRaw }));
  const dataset = whole instanceof Error ? await alone() : whole;
  return dataset && ownMember(dataset.variables, variableName);

  /**
   * The variable without the others but its coordinates: they cannot be listed, cannot be decoded, or are of
   * no one data set.
   */
  async function alone(): Promise<Dataset | undefined> {
    const dims =
      array.metadata.dimensionNames?.filter((each) => each !== null && each !== variableName) ?? [];
    const few = listingOnly(store, name.path, [variableName, ...dims.filter((each) => each !== null)]);
    const found = await opened(() => openDataset(few, { decode: !isRaw }));
    if (!(found instanceof Error)) return found;
    const single = await opened(() =>
      openDataset(listingOnly(store, name.path, [variableName]), { decode: !isRaw }),
    );
    if (!(single instanceof Error)) return single;
    if (isZarrError(single, "InvalidMetadataError")) throw single;
    return undefined;
  }
}

/** The error, rather than the data set, of a group that is not one. */
async function opened(open: () => Promise<Dataset>): Promise<Dataset | Error> {
  try {
    return await open();
  } catch (error) {
    if (isZarrError(error)) return error;
    throw error;
  }
}

async function ofVariable(variable: Variable, choices: readonly Choice[], isRaw: boolean): Promise<Elements> {
  const { array, dims, attrs, dtype, name } = variable;
  const isAsStored = dtype === array.dataType.name;
  const { attributes } = array.metadata;
  // The units of packed numbers are those of the unpacked ones.
  const isPacked = attributes.scale_factor !== undefined || attributes.add_offset !== undefined;
  const units = isRaw ? (isPacked ? undefined : attributes.units) : attrs.units;
  const { dataType } = array;
  const toValues = isRaw ? storedValuesOf : valuesOf;
  return {
    name,
    array,
    choices,
    dims,
    units: typeof units === "string" ? units : undefined,
    type: isAsStored ? dataTypeJson(dataType) : dtype,
    dataType: dims.length < array.shape.length ? undefined : await decodedType(dtype, dataType),
    async read(part) {
      const selection = Object.fromEntries(dims.map((dimension, d) => [dimension, entryOf(itemAt(part, d))]));
      const { data, coords, dims: keptDims } = await variable.get(selection);
      const labels = keptDims.map((dimension) => {
        const coordinate = ownMember(coords, dimension);
        const isIndex = coordinate?.dims.length === 1 && coordinate.dims[0] === dimension;
        return isIndex ? labelsOf(coordinate.data) : undefined;
      });
      return { data, labels };
    },
    values: (data) => toValues(data, dataType),
  };
}

/** The data type of Zarr that holds decoded elements; undefined for times of other calendars, for example. */
async function decodedType(
  dtype: string,
  stored: DataTypeDefinition,
): Promise<DataTypeDefinition | undefined> {
  if (dtype === stored.name || dtype === "string" || dtype === "bytes") return stored;
  const [, kind, unit] = /^(datetime64|timedelta64)\[(\w+)\]$/.exec(dtype) ?? [];
  if (kind === undefined && dtype.includes("[")) return undefined;
  await loadExtraDataTypes();
  const spec =
    kind === undefined || unit === undefined
      ? dtype
      : { name: `numpy.${kind}`, configuration: { unit, scale_factor: 1 } };
  return resolveDataType(spec).dataType;
}

function storedElements(array: ZarrArray, choices: readonly Choice[]): Elements {
  const { dataType, metadata, path } = array;
  const { units } = metadata.attributes;
  return {
    name: path.slice(path.lastIndexOf("/") + 1),
    array,
    choices,
    dims: array.shape.map((_, d) => metadata.dimensionNames?.[d] ?? undefined),
    units: typeof units === "string" ? units : undefined,
    type: dataTypeJson(dataType),
    dataType,
    async read(part) {
      const labels = part.filter(({ kind }) => kind !== "index").map(() => undefined);
      const entries = part.map(entryOf);
      // One element is a scalar to `get`.
      const { data } =
        labels.length > 0 && isBasic(entries)
          ? await getElements(array, entries)
          : await getOrthogonal(array, entries);
      return { data, labels };
    },
    values: (data) => storedValuesOf(data, dataType),
  };
}

/**
 * An array that is no variable of a data set: by the same rule as one, and as the viewer shows it.
 * @throws InvalidMetadataError if it cannot be decoded
 */
async function decodedElements(array: ZarrArray, choices: readonly Choice[]): Promise<Elements> {
  const stored = storedElements(array, choices);
  const { dataType } = array;
  const { dtype, attrs, decode } = decodingOf(array);
  const isUsed = Object.keys(array.metadata.attributes).some((name) => !Object.hasOwn(attrs, name));
  // Nothing says how to decode them: files of numpy take the elements that the array has.
  if (dtype === dataType.name && !isUsed && !fillValueMasks(array.metadata)) return stored;
  return {
    ...stored,
    units: typeof attrs.units === "string" ? attrs.units : undefined,
    type: dtype === dataType.name ? stored.type : dtype,
    dataType: await decodedType(dtype, dataType),
    async read(part) {
      const { data, labels } = await stored.read(part);
      return { data: await decode(data), labels };
    },
    values: (data) => valuesOf(data, dataType),
  };
}

type Entry = ReturnType<typeof entryOf>;

function isBasic(entries: readonly Entry[]): entries is readonly Exclude<Entry, readonly number[]>[] {
  return !entries.some((entry) => Array.isArray(entry));
}
