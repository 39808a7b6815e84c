/**
 * The JSON of structs: `struct` of v3, its legacy name `structured` with fields as pairs, and v2's lists of
 * fields, which may be nested, be subarrays, and have different byte orders.
 */

import { describe, InvalidMetadataError, isZarrError } from "../../base/errors.js";
import { product } from "../../base/shape.js";
import { isJsonArray, isJsonObject, type Json } from "../../metadata/json.js";
import type { DataType, Endian, ResolvedDataType } from "../data-type.js";
import { checkMembers, type DataTypeFamily, namedConfiguration } from "../family.js";
import { alwaysLittle, type FieldDefinition, isStruct, structType } from "./struct.js";
import { isSubarray, subarrayType } from "./subarray.js";

/** Deepest nesting of structs: more than real data have, and too little to overflow the stack. */
const MAXIMUM_DEPTH = 32;

/** @throws InvalidMetadataError for JSON nested deeper than MAXIMUM_DEPTH structs */
function checkDepth(json: Json, member: string): void {
  let level: Json[] = [json];
  // A nested struct of v3 is four levels of JSON: fields, field, data_type, configuration.
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > 4 * MAXIMUM_DEPTH) {
      throw new InvalidMetadataError(`expected structs nested at most ${MAXIMUM_DEPTH} deep, got more`, {
        member,
      });
    }
    level = level.flatMap((value) => {
      if (typeof value !== "object" || value === null) return [];
      return isJsonArray(value) ? value : Object.values(value);
    });
  }
}

/** Resolves the data type of a field, and adds the field's name to an InvalidMetadataError. */
function resolveField<Resolved>(name: string, member: string, resolve: () => Resolved): Resolved {
  try {
    return resolve();
  } catch (error) {
    if (!isZarrError(error, "InvalidMetadataError")) throw error;
    throw new InvalidMetadataError(`field ${describe(name)}: ${error.message}`, { member, cause: error });
  }
}

/**
 * @throws InvalidMetadataError for no fields, empty or repeated names, fields of variable length, or a size
 * of 2^31 and more
 */
function checkFields(fields: readonly FieldDefinition[], member: string): readonly FieldDefinition[] {
  if (fields.length === 0) {
    throw new InvalidMetadataError("expected at least one field of a struct, got none", { member });
  }
  const names = new Set<string>();
  let itemSize = 0;
  fields.forEach(({ name, dataType }, index) => {
    const where = { member: `${member}[${index}]` };
    if (name === "") throw new InvalidMetadataError('expected a field name of a struct, got ""', where);
    if (names.has(name)) {
      throw new InvalidMetadataError(
        `expected different field names of a struct, got ${describe(name)} twice`,
        where,
      );
    }
    if (dataType.itemSize === 0) {
      throw new InvalidMetadataError(
        `expected fields of fixed size in a struct, got ${dataType.name} as ${describe(name)}`,
        where,
      );
    }
    names.add(name);
    itemSize += dataType.itemSize;
  });
  if (itemSize < 2 ** 31) return fields;
  throw new InvalidMetadataError(`expected a struct of less than 2^31 bytes, got ${itemSize}`, { member });
}

const V3_FIELDS = "data_type.configuration.fields";

function fieldFromV3(json: Json, index: number, resolve: (json: Json) => DataType): FieldDefinition {
  const member = `${V3_FIELDS}[${index}]`;
  const [name, dataType] =
    isJsonArray(json) && json.length === 2
      ? [json[0], json[1]]
      : isJsonObject(json) && Object.keys(json).length === 2
        ? [json.name, json.data_type]
        : [];
  if (typeof name !== "string" || dataType === undefined) {
    throw new InvalidMetadataError(
      `expected a field as { name, data_type } or [name, data_type], got ${describe(json)}`,
      {
        member,
      },
    );
  }
  return { name, dataType: resolveField(name, member, () => resolve(dataType)) };
}

/**
 * Reads `["x", "<f4"]`, `["x", "<f4", [3]]` or `["x", "<f4", 3]`. Aligned numpy types have padding: `["",
 * "|V4"]`.
 */
function fieldFromV2(
  json: Json,
  index: number,
  costs: ElementCosts,
  resolve: (json: Json) => ResolvedDataType,
): FieldDefinition & Pick<ResolvedDataType, "endian"> {
  const member = `dtype[${index}]`;
  const [name, dtype, shape] = isJsonArray(json) && json.length <= 3 ? json : [];
  if (typeof name !== "string" || dtype === undefined) {
    throw new InvalidMetadataError(
      `expected a field as [name, dtype] or [name, dtype, shape], got ${describe(json)}`,
      {
        member,
      },
    );
  }
  const { dataType, endian } = resolveField(name, member, () => resolve(dtype));
  const extents = shape === undefined ? [] : checkShape(shape, member);
  addCosts(costs, dataType, product(extents), member);
  return {
    // numpy names a field without a name by its index: "f1".
    name: name === "" && dataType.name === "raw_bytes" ? `f${index}` : name,
    dataType: extents.length === 0 ? dataType : subarrayType(dataType, extents),
    endian,
  };
}

/**
 * Most values of an element, because reading it as a record creates all of them, and most swap runs, each of
 * which is a separate copy.
 */
const MAXIMUM_VALUES = 2 ** 20;
const MAXIMUM_RUNS = 2 ** 12;

interface ElementCosts {
  values: number;
  runs: number;
}

/**
 * Adds a field to the costs of an element.
 * @throws InvalidMetadataError beyond the limits, which large subarrays can exceed in short JSON
 */
function addCosts(costs: ElementCosts, dataType: DataType, count: number, member: string): void {
  costs.values += count * valueCount(dataType);
  costs.runs += dataType.swapRuns === undefined ? 1 : count * dataType.swapRuns.length;
  if (costs.values <= MAXIMUM_VALUES && costs.runs <= MAXIMUM_RUNS) return;
  throw new InvalidMetadataError(
    `expected at most ${MAXIMUM_VALUES} values in an element of a struct, in at most ${MAXIMUM_RUNS} runs of one size, got ${costs.values} in ${costs.runs}`,
    { member },
  );
}

function valueCount(dataType: DataType): number {
  if (isSubarray(dataType)) {
    return product(dataType.shape) * valueCount(dataType.base);
  }
  if (!isStruct(dataType)) return 1;
  return dataType.fields.reduce((sum, field) => sum + valueCount(field.dataType), 0);
}

function checkShape(json: Json, member: string): readonly number[] {
  const extents = isJsonArray(json) ? json : [json];
  const shape = extents.flatMap((extent) =>
    typeof extent === "number" && Number.isInteger(extent) && extent > 0 && extent < 2 ** 31 ? [extent] : [],
  );
  if (
    shape.length > 0 &&
    shape.length === extents.length &&
    shape.length <= MAXIMUM_DEPTH &&
    product(shape) < 2 ** 31
  ) {
    return shape;
  }
  throw new InvalidMetadataError(`expected a shape of positive extents of a field, got ${describe(json)}`, {
    member,
  });
}

export const structFamily: DataTypeFamily = {
  name: "struct",
  fromV3(json, resolve) {
    const named = namedConfiguration(json);
    if (named?.name !== "struct" && named?.name !== "structured") return undefined;
    checkDepth(json, "data_type");
    checkMembers(named, ["fields"]);
    const { fields } = named.configuration;
    if (!isJsonArray(fields)) {
      throw new InvalidMetadataError(`expected a list of fields of a struct, got ${describe(fields)}`, {
        member: V3_FIELDS,
      });
    }
    return structType(
      checkFields(
        fields.map((field, index) => fieldFromV3(field, index, resolve)),
        V3_FIELDS,
      ),
    );
  },
  fromV2(json, _objectCodec, resolve) {
    if (!isJsonArray(json)) return undefined;
    checkDepth(json, "dtype");
    const costs: ElementCosts = { values: 0, runs: 0 };
    const fields = json.map((field, index) => fieldFromV2(field, index, costs, resolve));
    checkFields(fields, "dtype");
    const orders = new Set(fields.flatMap(({ endian }) => endian ?? []));
    const mixed = orders.size > 1 || fields.some(({ dataType }) => dataType.uniform !== undefined);
    const endian: Endian | undefined = orders.has("big") ? "big" : [...orders][0];
    return {
      dataType: structType(
        mixed
          ? fields.map((field) => ({
              name: field.name,
              dataType: field.endian === "little" ? alwaysLittle(field.dataType) : field.dataType,
            }))
          : fields,
      ),
      endian,
    };
  },
};
