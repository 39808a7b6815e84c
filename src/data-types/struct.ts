/**
 * Structs: named fields of fixed size one behind the other, without padding, nested if wanted.
 * https://github.com/zarr-developers/zarr-extensions/tree/main/data-types/struct
 */
import { describe, InvalidArgumentError, InvalidMetadataError } from "../errors.js";
import { isJsonObject, type Json, type JsonObject } from "../metadata/json.js";
import { mergeRuns, swapElement, swapRunsOf } from "./byte-order.js";
import { fromBase64, toBase64 } from "./byte-strings.js";
import type { DataType, Endian, ZarrFormat } from "./data-type.js";
import { isSameDataType } from "./same.js";
import {
  isStruct,
  StructArray,
  type StructDataType,
  type StructField,
  type StructRecord,
} from "./struct-array.js";
import { isSubarray, subarrayType } from "./subarray.js";
import { bytesOfView } from "./typed-array.js";

export type FieldDefinition = Pick<StructField, "name" | "dataType">;

/**
 * A field that v2 stores little-endian beside big-endian ones: its bytes are never swapped. The element's byte order then is
 * "big", and means that of the other fields.
 */
export function alwaysLittle(dataType: DataType): DataType {
  if (!dataType.needsEndian) return dataType;
  if (isSubarray(dataType)) return subarrayType(alwaysLittle(dataType.base), dataType.shape);
  if (isStruct(dataType)) return structType(dataType.fields.map(littleField));
  return {
    ...dataType,
    uniform: dataType,
    swapUnit: 1,
    needsEndian: false,
    toV2: () => dataType.toV2("little"),
  };
}

/** Field names must be checked already: not empty, no two alike; no field of variable length. */
export function structType(definitions: readonly FieldDefinition[]): StructDataType {
  const fields = withOffsets(definitions);
  const last = fields.at(-1);
  const itemSize = last === undefined ? 0 : last.offset + last.dataType.itemSize;
  const runs = mergeRuns(
    fields.flatMap(({ dataType, offset }) =>
      swapRunsOf(dataType).map(([start, unit, count]) => [offset + start, unit, count] as const),
    ),
  );
  const only = runs.length === 1 ? runs[0] : undefined;
  const names = fields.map(({ name }) => name);
  const expected = `expected an object with exactly the fields ${names.join(", ")}`;

  /** The members in the order of the fields; undefined when one is missing or there is another. */
  function membersOf<Value>(record: Readonly<Record<string, Value>>): Value[] | undefined {
    const own = Object.keys(record);
    const members = fields.flatMap(({ name }) => {
      const member = Object.hasOwn(record, name) ? record[name] : undefined;
      return member === undefined ? [] : [member];
    });
    return own.length === names.length && members.length === names.length ? members : undefined;
  }
  function recordOf<Value>(member: (field: StructField, index: number) => Value): Record<string, Value> {
    // fromEntries defines members: a field called "__proto__" is one like any other.
    return Object.fromEntries(fields.map((field, index) => [field.name, member(field, index)]));
  }
  function fromPacked(text: string, endian: Endian | undefined): StructRecord {
    const bytes = fromBase64(text);
    if (bytes?.length !== itemSize) {
      throw new InvalidMetadataError(
        `expected base64 of the ${itemSize} bytes of a struct, got ${describe(text)}`,
      );
    }
    return dataType.readScalar(endian === "big" ? swapElement(dataType, bytes) : bytes, true);
  }
  function fromObject(json: JsonObject, zarrFormat: ZarrFormat): StructRecord {
    const members = membersOf(json);
    if (members === undefined) throw new InvalidMetadataError(`${expected}, got ${describe(json)}`);
    return recordOf((field, index) => field.dataType.scalarFromJson(members[index] ?? null, zarrFormat));
  }

  const dataType: StructDataType = {
    fields,
    name: "struct",
    itemSize,
    ...(only === undefined ? { swapUnit: 1, swapRuns: runs } : { swapUnit: only[1] }),
    needsEndian: fields.some((field) => field.dataType.needsEndian),
    ...(fields.some((field) => field.dataType.uniform !== undefined)
      ? { uniform: structType(definitions.map(uniformField)) }
      : {}),
    toV3: () => ({
      name: "struct",
      configuration: {
        fields: fields.map((field) => ({ name: field.name, data_type: field.dataType.toV3() })),
      },
    }),
    toV2: (endian) =>
      fields.map(
        ({ name, dataType: type }): Json =>
          isSubarray(type) ? [name, type.base.toV2(endian), type.shape] : [name, type.toV2(endian)],
      ),
    // Made when asked for: subarrays may have a million values.
    get defaultScalar() {
      return recordOf((field) => field.dataType.defaultScalar);
    },
    scalarFromJson(json, zarrFormat, endian) {
      // Base64 is v2's form, and that of v3 arrays of the legacy "structured" type.
      if (typeof json === "string") return fromPacked(json, endian);
      if (isJsonObject(json)) return fromObject(json, zarrFormat);
      // v2 writers fill every type with a plain 0.
      if (zarrFormat === 2 && json === 0) return dataType.readScalar(new Uint8Array(itemSize));
      throw new InvalidMetadataError(`${expected}, got ${describe(json)}`);
    },
    scalarToJson(scalar, zarrFormat, endian) {
      if (zarrFormat === 3) {
        return recordOf((field) => field.dataType.scalarToJson(scalar[field.name], zarrFormat));
      }
      const bytes = new Uint8Array(itemSize);
      dataType.writeScalar(scalar, bytes);
      return toBase64(endian === "big" ? swapElement(dataType, bytes) : bytes);
    },
    cast(value) {
      const members = isRecord(value) ? membersOf(value) : undefined;
      if (members === undefined) throw new InvalidArgumentError(`${expected}, got ${describe(value)}`);
      return recordOf((field, index) => field.dataType.cast(members[index]));
    },
    writeScalar(scalar, target) {
      for (const { name, dataType: type, offset } of fields) {
        type.writeScalar(scalar[name], target.subarray(offset, offset + type.itemSize));
      }
    },
    readScalar: (source, exact) =>
      recordOf(({ dataType: type, offset }) =>
        type.readScalar(source.subarray(offset, offset + type.itemSize), exact),
      ),
    view: (bytes) => new StructArray(bytes, dataType),
    bytesOf: (data) =>
      data instanceof StructArray && isSameDataType(data.dataType, dataType) ? bytesOfView(data) : undefined,
  };
  return dataType;
}

function withOffsets(definitions: readonly FieldDefinition[]): StructField[] {
  let end = 0;
  return definitions.map(({ name, dataType }) => {
    const offset = end;
    end += dataType.itemSize;
    return { name, dataType, offset };
  });
}

function uniformField({ name, dataType }: FieldDefinition): FieldDefinition {
  return { name, dataType: dataType.uniform ?? dataType };
}

function littleField({ name, dataType }: FieldDefinition): FieldDefinition {
  return { name, dataType: alwaysLittle(dataType) };
}

function isRecord(value: unknown): value is StructRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
