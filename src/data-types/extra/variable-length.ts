/**
 * Types whose elements have no fixed size: `string`, `bytes`, the types of ZEP 7, and the objects of v2. Only
 * their codecs (vlen-utf8, vlen-bytes, ...) read and write their bytes, so these types have no views of
 * memory. https://github.com/zarr-developers/zarr-extensions/tree/main/data-types/string
 *
 * In ZEP 7 the codec `bytes` serialises `string` and `binary` in its own layout: an array of `string` with
 * `bytes` is ZEP 7's, one with `vlen-utf8` is zarr-python's. ZEP 7 calls the types with 64-bit offsets
 * LargeString and LargeBinary, without their names in metadata: wazarr writes Arrow's names, `large_string`
 * and `large_binary`, and reads both.
 */
import { describe, InvalidArgumentError, InvalidMetadataError, UnsupportedError } from "../../base/errors.js";
import type { Json } from "../../metadata/json.js";
import type { DataType, VariableKind } from "../data-type.js";
import { checkMembers, type DataTypeFamily, namedConfiguration } from "../family.js";
import { bytesFromJson, castToBytes, toBase64 } from "./byte-scalars.js";

type Members =
  | "swapUnit"
  | "itemSize"
  | "needsEndian"
  | "toV2"
  | "writeScalar"
  | "readScalar"
  | "view"
  | "bytesOf";

/** The members that all types of variable length share. */
function withoutMemory(name: string, isOnlyV3 = false): Pick<DataType<never, never>, Members> {
  const refuse = (): never => {
    throw new UnsupportedError(
      `expected a data type of fixed size, got ${name}: only codecs of variable length read and write its elements`,
    );
  };
  return {
    itemSize: 0,
    swapUnit: 1,
    needsEndian: false,
    toV2() {
      if (!isOnlyV3) return "|O";
      throw new UnsupportedError(`Zarr v2 has no data type ${name}; use one such as "string" or "bytes"`);
    },
    writeScalar: refuse,
    readScalar: refuse,
    view: refuse,
    bytesOf: () => undefined,
  };
}

function textType(
  name: string,
  variable: VariableKind,
  v2?: { readonly objectCodec: string },
): DataType<string, string[]> {
  return {
    ...withoutMemory(name, v2 === undefined),
    ...v2,
    name,
    variable,
    toV3: () => name,
    defaultScalar: "",
    scalarFromJson(json, zarrFormat) {
      if (typeof json === "string") return json;
      // v2 writers use 0 as the fill value of every data type.
      if (zarrFormat === 2 && json === 0) return "";
      if (json === null) return "";
      throw new InvalidMetadataError(`expected a string as ${name}, got ${describe(json)}`);
    },
    scalarToJson: (scalar) => scalar,
    cast(value) {
      if (typeof value === "string") return value;
      throw new InvalidArgumentError(`expected a string as ${name}, got ${describe(value)}`);
    },
  };
}

function bytesType(
  name: string,
  variable: VariableKind,
  v2?: { readonly objectCodec: string },
): DataType<Uint8Array, Uint8Array[]> {
  return {
    ...withoutMemory(name, v2 === undefined),
    ...v2,
    name,
    variable,
    toV3: () => name,
    defaultScalar: new Uint8Array(0),
    scalarFromJson: (json, zarrFormat) =>
      json === null || (zarrFormat === 2 && json === 0)
        ? new Uint8Array(0)
        : bytesFromJson(json, name, zarrFormat !== 2),
    scalarToJson: toBase64,
    cast: (value) => castToBytes(value, name),
  };
}

export const string = textType("string", "text", { objectCodec: "vlen-utf8" });
export const bytes: DataType<Uint8Array, Uint8Array[]> = bytesType("bytes", "bytes", {
  objectCodec: "vlen-bytes",
});
const binary = bytesType("binary", "bytes");
const largeString = textType("large_string", "large_text");
const largeBinary = bytesType("large_binary", "large_bytes");

/** The objects of v2. The object codec decodes them to any JSON value, or to arrays of numbers. */
function objectType(objectCodec: string): DataType<unknown, unknown[]> {
  return {
    ...withoutMemory("object"),
    name: "object",
    variable: "object",
    objectCodec,
    toV3() {
      throw new UnsupportedError(
        `Zarr v3 has no objects (object codec ${objectCodec}); use a data type such as "string" or "bytes"`,
      );
    },
    defaultScalar: null,
    scalarFromJson: (json) => json,
    scalarToJson: toJson,
    cast: (value) => value,
  };
}

/** @throws InvalidArgumentError for a value that JSON cannot express */
export function toJson(value: unknown): Json {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(toJson);
  switch (typeof value) {
    case "boolean":
    case "number":
    case "bigint":
    case "string":
      return value;
    case "object":
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toJson(member)]));
    default:
      throw new InvalidArgumentError(`expected a value that JSON can hold, got ${describe(value)}`);
  }
}

/** Ids of the object codecs, by the kind of their elements: strings, bytes, or any values. */
const STRING_CODECS = ["vlen-utf8", "categorize"];
const BYTES_CODECS = ["vlen-bytes"];
const OBJECT_CODECS = ["vlen-array", "json2", "msgpack2", "json", "msgpack"];

function variableLengthFamily(
  name: string,
  v3Names: readonly string[],
  dataType: DataType | undefined,
  objectCodecs: readonly string[],
): DataTypeFamily {
  return {
    name,
    fromV3(json) {
      const named = namedConfiguration(json);
      if (named === undefined || !v3Names.includes(named.name)) return undefined;
      checkMembers(named, []);
      return dataType;
    },
    fromV2: (json, objectCodec) =>
      json === "|O" && objectCodec !== undefined && objectCodecs.includes(objectCodec)
        ? { dataType: dataType ?? objectType(objectCodec), endian: undefined }
        : undefined,
  };
}

export const variableLengthFamilies: readonly DataTypeFamily[] = [
  variableLengthFamily("string", ["string"], string, STRING_CODECS),
  // "bytes" is the name in zarr-extensions, "variable_length_bytes" that in zarr-python.
  variableLengthFamily("bytes", ["bytes", "variable_length_bytes"], bytes, BYTES_CODECS),
  variableLengthFamily("binary", ["binary"], binary, []),
  variableLengthFamily("large_string", ["large_string", "LargeString"], largeString, []),
  variableLengthFamily("large_binary", ["large_binary", "LargeBinary"], largeBinary, []),
  variableLengthFamily("object", [], undefined, OBJECT_CODECS),
];
