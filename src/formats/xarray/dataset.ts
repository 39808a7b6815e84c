/**
 * Data sets and their variables, which are arrays with named dimensions. Variables read and decode selections
 * by index or label.
 */
import { checkObject, describe, itemAt, loadUnpacking, ownMember } from "../../extend.js";
import {
  type Group,
  get,
  InvalidMetadataError,
  InvalidSelectionError,
  type JsonObject,
  UnsupportedError,
  type Array as ZarrArray,
} from "../../index.js";
import { cfVersionOf } from "./cf-convention.js";
import { countOf, indicesOf, isBox, readChosen, sliceOf } from "./choices.js";
import { DataArray, DecodedArray } from "./data-array.js";
import type { Decoding } from "./decode.js";
import {
  type DrawnOptions,
  type PlainOptions,
  readDrawn,
  splitOptions,
  type Unpacking,
  unpackingOf,
} from "./drawn.js";
import { dtypeOf, takeElements } from "./elements.js";
import { indexLabels, type LabelIndex } from "./labels.js";
import { type Chosen, chooseIndices, type DimensionEntry } from "./select.js";

/** Selection entries by dimension name. Dimensions without an entry are read whole. */
export type DatasetSelection = Readonly<Record<string, DimensionEntry>>;

/** An array with named dimensions. `get` reads and decodes elements; opening reads only metadata. */
export class Variable {
  /** Name of the variable. */
  readonly name: string;
  /** Names of the dimensions. */
  readonly dims: readonly string[];
  /** Lengths of the dimensions. */
  readonly shape: readonly number[];
  /**
   * Type of decoded elements: "float64", "datetime64[ns]", "cftime[noleap]". `dtype` of a DataArray may
   * differ if ticks cannot hold its times.
   */
  readonly dtype: string;
  /** Attributes without those that decoding used. */
  readonly attrs: JsonObject;
  /** Attributes that decoding used, the stored `dtype`, `chunks` and `shards`. */
  readonly encoding: JsonObject;
  /** The array with the stored elements. */
  readonly array: ZarrArray;
  /**
   * What a read of `array` with `as` takes to give decoded numbers, and what a TileSource takes: `get(array,
   * selection, { as: "float32", ...unpacking })`. For times, these are the numbers that `units` count.
   * Undefined for elements that are not numbers or have `_Unsigned`, and for a data set that is not decoded.
   */
  readonly unpacking: Unpacking | undefined;
  readonly #decoding: Decoding | undefined;
  readonly #others: () => Dataset;
  #whole: Promise<unknown> | undefined;
  #labels: Promise<LabelIndex> | undefined;

  /** @param dims one name per dimension of the array, without the last dimension if that counts characters */
  constructor(
    name: string,
    array: ZarrArray,
    dims: readonly string[],
    attributes: { readonly attrs: JsonObject; readonly encoding: JsonObject },
    decoding: Decoding | undefined,
    dataset: () => Dataset,
  ) {
    this.name = name;
    this.array = array;
    this.dims = dims;
    this.shape = array.shape.slice(0, dims.length);
    this.attrs = attributes.attrs;
    this.encoding = attributes.encoding;
    this.dtype = decoding?.dtype ?? array.dataType.name;
    this.unpacking = unpackingOf(decoding);
    this.#decoding = decoding;
    this.#others = dataset;
  }

  /**
   * Reads a selection and its coordinates.
   * @throws InvalidSelectionError for unknown dimensions and labels, InvalidMetadataError for elements that
   * cannot be decoded, and what `get` throws
   */
  async get(selection: DatasetSelection = {}, options: PlainOptions | DrawnOptions = {}): Promise<DataArray> {
    const { drawn, plain } = splitOptions(options);
    const dataset = this.#others();
    const chosen = await this.locate(selection);
    const others = Object.values(dataset.coords).filter(
      (coordinate) =>
        coordinate.name !== this.name && coordinate.dims.every((dimension) => chosen.has(dimension)),
    );
    const [variable, ...read] = await Promise.all(
      [this, ...others].map((each) =>
        each.#read(chosen, each === this && drawn !== undefined ? drawn : plain),
      ),
    );
    if (variable === undefined) throw new InvalidSelectionError("internal error: nothing was read");
    return new DataArray(variable, Object.fromEntries(read.map((each) => [each.name, each])));
  }

  /**
   * Resolves a selection to an index, a slice, or a list of indices per dimension. Reads the coordinates that
   * the labels need.
   * @throws InvalidSelectionError for unknown dimensions and labels
   */
  async locate(selection: DatasetSelection): Promise<ReadonlyMap<string, Chosen>> {
    checkObject(selection, "selection", "an object");
    const dataset = this.#others();
    this.#checkNames(selection, dataset);
    const chosen = new Map<string, Chosen>();
    for (const [d, dimension] of this.dims.entries()) {
      const labels = () => labelsOf(dataset, dimension);
      chosen.set(
        dimension,
        await chooseIndices(
          dimension,
          itemAt(this.shape, d),
          ownMember(selection, dimension) ?? null,
          labels,
        ),
      );
    }
    return chosen;
  }

  #checkNames(selection: DatasetSelection, dataset: Dataset): void {
    for (const name of Object.keys(selection)) {
      if (this.dims.includes(name)) continue;
      const coordinate = ownMember(dataset.variables, name);
      const dims = this.dims.length === 0 ? "none" : this.dims.join(", ");
      if (coordinate !== undefined && coordinate.dims.length > 1) {
        throw new InvalidSelectionError(
          `${describe(name)} is a coordinate of ${coordinate.dims.length} dimensions (${coordinate.dims.join(", ")}), which cannot be searched; read it, find the indices, and select ${coordinate.dims.join(" and ")} by index`,
          { path: this.array.path },
        );
      }
      throw new InvalidSelectionError(
        `no dimension ${describe(name)} in ${describe(this.name)}; the dimensions are ${dims}`,
        { path: this.array.path },
      );
    }
  }

  /** All elements, decoded. Reads them once and keeps them in memory. */
  load(): Promise<unknown> {
    this.#whole ??= this.#elements(
      this.array.shape.map(() => null),
      {},
    ).catch((error) => {
      this.#whole = undefined;
      throw error;
    });
    return this.#whole;
  }
  /** Searchable labels of a coordinate, built once. */
  labels(): Promise<LabelIndex> {
    this.#labels ??= this.load().then((data) => indexLabels(this.name, data));
    this.#labels.catch(() => {
      this.#labels = undefined;
    });
    return this.#labels;
  }

  async #read(
    chosen: ReadonlyMap<string, Chosen>,
    options: PlainOptions | DrawnOptions,
  ): Promise<DecodedArray> {
    const { name, attrs, dims } = this;
    const choices = dims.map((dimension) => chosen.get(dimension) ?? { kind: "index" as const, index: 0 });
    const resultDims = dims.filter((_, d) => choices[d]?.kind !== "index");
    const shape = choices.filter(({ kind }) => kind !== "index").map(countOf);
    const isIndex = dims.length === 1 && dims[0] === name;
    const [only] = choices;
    const whole = [...choices, ...this.array.shape.slice(dims.length).map(() => null)];
    const parts = { name, dims: resultDims, shape, attrs };
    if (options.as !== undefined) {
      const read = await this.#drawn(whole, options);
      return new DecodedArray({ ...read, ...parts, attrs: this.#attrsOfNumbers(), dtype: options.as });
    }
    const data =
      isIndex && only !== undefined
        ? takeElements(await this.load(), indicesOf(only))
        : await this.#elements(whole, options);
    return new DecodedArray({ ...parts, data, dtype: dtypeOf(data, this.dtype) });
  }

  /** Numbers of times mean nothing without the units and the calendar that decoding would take. */
  #attrsOfNumbers(): JsonObject {
    const { units, calendar } = this.encoding;
    return {
      ...this.attrs,
      ...(units !== undefined && { units }),
      ...(calendar !== undefined && { calendar }),
    };
  }

  #drawn(choices: readonly (Chosen | null)[], options: DrawnOptions) {
    if (this.#decoding === undefined || this.unpacking !== undefined)
      return readDrawn(this.array, choices, options, this.unpacking);
    throw new UnsupportedError(`as: cannot convert elements of ${this.dtype}; read without as`, {
      path: this.array.path,
    });
  }

  async #elements(choices: readonly (Chosen | null)[], options: PlainOptions): Promise<unknown> {
    const { array } = this;
    const lengths = choices.map((choice, d) => (choice === null ? itemAt(array.shape, d) : countOf(choice)));
    const decoding = this.#decoding;
    if (decoding === undefined) return readChosen(array, choices, options);
    const { reading } = decoding;
    if (reading !== undefined && isBox(choices)) {
      const { data } = await get(array, choices.map(sliceOf), { ...options, ...reading.options });
      return reading.make(data);
    }
    const [data, unpack] = await Promise.all([readChosen(array, choices, options), loadUnpacking()]);
    return decoding.decode(data, lengths, unpack);
  }
}

/** The variables of a group, as `openDataset` returns them. */
export class Dataset {
  /** Lengths of the dimensions by name. */
  readonly dims: Readonly<Record<string, number>>;
  /** All variables by name, coordinates among them. */
  readonly variables: Readonly<Record<string, Variable>>;
  /**
   * Coordinate variables: those with the name of their only dimension, and those that an attribute
   * `coordinates` names.
   */
  readonly coords: Readonly<Record<string, Variable>>;
  /** Variables that are not coordinates. */
  readonly dataVars: Readonly<Record<string, Variable>>;
  /** The attributes of the group. */
  readonly attrs: JsonObject;
  /** `coordinates`, if an attribute of the group named them. */
  readonly encoding: JsonObject;
  /** The version of CF that the attributes name ("1.8"), in `Conventions` or in `zarr_conventions`. */
  readonly cfVersion: string | undefined;
  /** The group that was opened. */
  readonly group: Group;

  constructor(
    group: Group,
    variables: ReadonlyMap<string, Variable>,
    isCoordinate: (name: string) => boolean,
    attributes: { readonly attrs: JsonObject; readonly encoding: JsonObject },
  ) {
    this.group = group;
    this.variables = Object.fromEntries(variables);
    const entries = [...variables];
    this.coords = Object.fromEntries(entries.filter(([name]) => isCoordinate(name)));
    this.dataVars = Object.fromEntries(entries.filter(([name]) => !isCoordinate(name)));
    this.dims = dimensionLengths(
      entries.map(([, variable]) => variable),
      ({ array: { path } }, message) =>
        new InvalidMetadataError(`${message}; open the arrays one by one`, { path }),
    );
    this.attrs = attributes.attrs;
    this.encoding = attributes.encoding;
    this.cfVersion = cfVersionOf(attributes.attrs);
  }
}

/**
 * The lengths of the dimensions of variables, by name.
 * @param refuse makes the error for a dimension that has another length in a variable before
 */
export function dimensionLengths<Each extends Pick<Variable, "name" | "dims" | "shape">>(
  variables: readonly Each[],
  refuse: (variable: Each, message: string) => Error,
): Record<string, number> {
  const known = new Map<string, { readonly length: number; readonly name: string }>();
  for (const variable of variables) {
    const { name, dims, shape } = variable;
    for (const [d, dimension] of dims.entries()) {
      const length = itemAt(shape, d);
      const other = known.get(dimension);
      if (other !== undefined && other.length !== length) {
        const lengths = `${length} elements in ${describe(name)} and ${other.length} in ${describe(other.name)}`;
        throw refuse(variable, `dimension ${describe(dimension)} has ${lengths}`);
      }
      known.set(dimension, { length, name });
    }
  }
  return Object.fromEntries(Array.from(known, ([dimension, { length }]) => [dimension, length]));
}

function labelsOf(dataset: Dataset, dimension: string): Promise<LabelIndex> {
  const coordinate = ownMember(dataset.variables, dimension);
  if (coordinate?.dims.length === 1 && coordinate.dims[0] === dimension) return coordinate.labels();
  const curvilinear = Object.values(dataset.coords).find(
    ({ dims }) => dims.length > 1 && dims.includes(dimension),
  );
  const advice =
    curvilinear === undefined
      ? "select by index"
      : `${describe(curvilinear.name)} has ${curvilinear.dims.length} dimensions and cannot be searched: read it, find the indices, and select by index`;
  throw new InvalidSelectionError(`dimension ${describe(dimension)} has no coordinate; ${advice}`);
}
