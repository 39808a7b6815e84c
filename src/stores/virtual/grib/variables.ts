/**
 * Fields gathered to variables, as cfgrib does: one for each parameter, type of level, kind of step and grid,
 * with the dimensions `number`, `time`, `step`, the type of level, and those of the grid. What all fields of
 * a variable share is a coordinate without a dimension. Unlike cfgrib, all variables of a file are in one
 * group: variables and coordinates that differ under one name get names of their own.
 */
import { at, type JsonObject } from "../../../core/for-stores.js";
import { CHUNK_KEYS, numbersArray } from "../numbers-array.js";
import type { VirtualArray, VirtualChunk } from "../port.js";
import {
  coordinateAttributes,
  HEADER_NAMES,
  type HeaderName,
  isDescending,
  typeOfCoordinate,
} from "./coordinates.js";
import type { GribField } from "./field.js";
import { type GridLayout, layOutGrid } from "./grid.js";

/** Fields that are one variable. */
interface Group {
  readonly first: GribField;
  readonly fields: GribField[];
}

/** Values of a field along the dimensions before those of the grid. */
const headerOf = (field: GribField, name: HeaderName): number | undefined =>
  name === "level" ? field.level.value : field[name];

export function variablesOf(fields: readonly GribField[]): ReadonlyMap<string, VirtualArray> {
  const groups = gather(fields);
  const names = nameGroups(groups);
  const coordinates = new Coordinates(names);
  const arrays = new Map<string, VirtualArray>();
  for (const [i, group] of groups.entries()) arrays.set(at(names, i), variableOf(group, coordinates));
  return new Map([...arrays, ...coordinates.arrays]);
}

function gather(fields: readonly GribField[]): Group[] {
  const groups = new Map<string, Group>();
  for (const field of fields) {
    const { parameter, level, stepType, grid } = field;
    const key = [parameter.id, parameter.shortName, level.type, stepType, grid.key].join("\n");
    const group = groups.get(key) ?? { first: field, fields: [] };
    group.fields.push(field);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** A name for each group: that of cfgrib, and what tells groups of one name apart. */
function nameGroups(groups: readonly Group[]): string[] {
  const alike = new Map<string, Group[]>();
  for (const group of groups) {
    const { variable } = group.first.parameter;
    alike.set(variable, [...(alike.get(variable) ?? []), group]);
  }
  const used = new Set<string>();
  return groups.map(({ first }) => {
    const { variable } = first.parameter;
    const others = alike.get(variable) ?? [];
    const differ = (of: (field: GribField) => string): boolean =>
      others.some((other) => of(other.first) !== of(first));
    let name = variable;
    if (differ(({ level }) => level.type)) name += `_${first.level.type}`;
    if (differ(({ stepType }) => stepType)) name += `_${first.stepType}`;
    return unused(name, used);
  });
}

/** The name, or with a number after it one that is not used. */
function unused(name: string, used: Set<string>): string {
  let free = name;
  for (let i = 1; used.has(free); i++) free = `${name}_${i}`;
  used.add(free);
  return free;
}

/** The coordinates of a group: those that are equal are one array. */
class Coordinates {
  readonly arrays = new Map<string, VirtualArray>();
  readonly #names = new Map<string, string>();
  readonly #layouts = new Map<string, GridLayout>();
  readonly #dimensions = new Map<string, string>();
  readonly #used: Set<string>;

  /** @param variables names that are used */
  constructor(variables: readonly string[]) {
    this.#used = new Set(variables);
  }

  /** @param values in their order; one value is a coordinate without a dimension. @returns its name */
  header(name: string, values: readonly number[]): string {
    return this.#add(`${name}\n${values.join()}`, name, (free) => ({
      shape: values.length === 1 ? [] : [values.length],
      dimensions: values.length === 1 ? [] : [free],
      values: () => values,
    }));
  }

  /** `valid_time`, along the dimensions of the two others. */
  validTime(time: readonly number[], timeName: string, step: readonly number[], stepName: string): string {
    return this.#add(`valid_time\n${timeName}\n${stepName}`, "valid_time", () => ({
      shape: [time, step].filter(({ length }) => length > 1).map(({ length }) => length),
      dimensions: [...(time.length > 1 ? [timeName] : []), ...(step.length > 1 ? [stepName] : [])],
      values: () => time.flatMap((each) => step.map((hours) => each + Math.round(hours * 3600))),
    }));
  }

  /**
   * The dimensions of a grid, under names of their own if others have them, and the names of its coordinates.
   */
  grid({ grid }: GribField): {
    readonly layout: GridLayout;
    readonly dimensions: readonly string[];
    readonly names: readonly string[];
  } {
    const layout = this.#layouts.get(grid.key) ?? layOutGrid(grid);
    this.#layouts.set(grid.key, layout);
    const names = layout.coordinates.map(({ name, dimensions, shape, values }) =>
      this.#add(`${name}\n${grid.key}`, name, (free) => ({
        shape,
        // An axis is named as its dimension.
        dimensions: dimensions.map((each) => (each === name ? free : this.#dimension(each, grid.key))),
        values,
      })),
    );
    const dimensions = layout.dimensions.map((each) => {
      const axis = layout.coordinates.findIndex(({ name }) => name === each);
      return axis < 0 ? this.#dimension(each, grid.key) : at(names, axis);
    });
    return { layout, dimensions, names };
  }

  #dimension(name: string, key: string): string {
    const known = `${name}\n${key}`;
    const found = this.#dimensions.get(known) ?? unused(name, this.#used);
    this.#dimensions.set(known, found);
    return found;
  }

  #add(
    key: string,
    name: string,
    make: (free: string) => {
      readonly shape: readonly number[];
      readonly dimensions: readonly string[];
      readonly values: () => ArrayLike<number>;
    },
  ): string {
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const free = unused(name, this.#used);
    this.#names.set(key, free);
    const attributes = coordinateAttributes(name);
    this.arrays.set(free, numbersArray({ type: typeOfCoordinate(name), attributes, ...make(free) }));
    return free;
  }
}

function variableOf({ first, fields }: Group, coordinates: Coordinates): VirtualArray {
  const headers = HEADER_NAMES.flatMap((key) => {
    const found = new Set(fields.map((field) => headerOf(field, key)));
    // Members have a number, and a control run in the same file may have none.
    const values = [...found].filter((value) => value !== undefined).sort((one, other) => one - other);
    if (values.length === 0) return [];
    const name = key === "level" ? first.level.type : key;
    if (isDescending(name)) values.reverse();
    return [{ key, values, name: coordinates.header(name, values) }];
  });
  const dimensions = headers.filter(({ values }) => values.length > 1);
  const { layout, dimensions: gridDimensions, names } = coordinates.grid(first);
  const [time, step] = (["time", "step"] as const).map((key) => headers.find((each) => each.key === key));
  const validTime =
    time && step ? [coordinates.validTime(time.values, time.name, step.values, step.name)] : [];
  const chunks = new Map<string, VirtualChunk>();
  for (const field of fields) {
    const place = dimensions.map(({ key, values }) => values.indexOf(headerOf(field, key) ?? Number.NaN));
    // Of several messages the first one counts, as in cfgrib.
    if (!place.includes(-1) && !chunks.has(place.join())) chunks.set(place.join(), field.chunk);
  }
  const counts = dimensions.map(({ values }) => values.length);
  const named = [...headers.map(({ name }) => name), ...names, ...validTime];
  const document: JsonObject = {
    zarr_format: 3,
    node_type: "array",
    shape: [...counts, ...layout.shape],
    data_type: "float32",
    chunk_grid: {
      name: "regular",
      configuration: { chunk_shape: [...counts.map(() => 1), ...layout.shape] },
    },
    chunk_key_encoding: CHUNK_KEYS,
    fill_value: "NaN",
    codecs: [{ name: "gribberish", configuration: { var: codecName(first) } }],
    dimension_names: [...dimensions.map(({ name }) => name), ...gridDimensions],
    attributes: attributesOf(first, layout, named),
  };
  const rest = layout.shape.map(() => 0);
  return {
    kind: "array",
    document: async () => document,
    async chunk(place) {
      const isThere = place.slice(counts.length).every((index) => index === 0);
      return isThere && place.length === counts.length + rest.length
        ? chunks.get(place.slice(0, counts.length).join())
        : undefined;
    },
    async *chunks() {
      for (const key of chunks.keys()) yield [...(key === "" ? [] : key.split(",").map(Number)), ...rest];
    },
  };
}

/** The codec calculates coordinates under these two names. */
const codecName = ({ parameter: { shortName } }: GribField): string =>
  shortName === "latitude" || shortName === "longitude" ? `_${shortName}` : shortName;

function attributesOf(
  { parameter, level, stepType, grid }: GribField,
  { type }: GridLayout,
  coordinates: readonly string[],
): JsonObject {
  const { id, name, units, standardName, shortName, variable } = parameter;
  return {
    GRIB_paramId: id,
    GRIB_shortName: shortName,
    GRIB_cfVarName: variable,
    GRIB_name: name,
    GRIB_units: units,
    GRIB_typeOfLevel: level.type,
    GRIB_stepType: stepType,
    GRIB_gridType: type,
    GRIB_numberOfPoints: grid.points,
    long_name: name,
    units,
    ...(standardName === "" ? {} : { standard_name: standardName }),
    coordinates: coordinates.join(" "),
  };
}
