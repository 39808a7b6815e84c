/**
 * Types whose elements have no fixed size: `string`, `bytes`, and the objects of v2. Only codecs made for them (vlen-utf8,
 * vlen-bytes, ...) know their bytes, so that nothing here views memory.
 * https://github.com/zarr-developers/zarr-extensions/tree/main/data-types/string
 */
import { InvalidArgumentError, InvalidMetadataError, UnsupportedError } from "../errors.js";
import type { Json } from "../metadata/json.js";
import { bytesFromJson, castToBytes, toBase64 } from "./byte-strings.js";
import type { DataType, DataTypeFamily } from "./data-type.js";
import { describe } from "./describe.js";
import { checkMembers, namedConfiguration } from "./family.js";

type Members =
  | "swapUnit"
  | "itemSize"
  | "needsEndian"
  | "toV2"
  | "writeScalar"
  | "readScalar"
  | "view"
  | "bytesOf";

/** What all of them have in common. */
function withoutMemory(name: string): Pick<DataType<never, never>, Members> {
  const refuse = (): never => {
    throw new UnsupportedError(
      `expected a data type of fixed size, got ${name}: its elements are read and written by codecs of variable length`,
    );
  };
  return {
    itemSize: 0,
    swapUnit: 1,
    needsEndian: false,
    toV2: () => "|O",
    writeScalar: refuse,
    readScalar: refuse,
    view: refuse,
    bytesOf: () => undefined,
  };
}

export const string: DataType<string, string[]> = {
  ...withoutMemory("string"),
  name: "string",
  objectCodec: "vlen-utf8",
  toV3: () => "string",
  defaultScalar: "",
  scalarFromJson(json, zarrFormat) {
    if (typeof json === "string") return json;
    // zarr-python reads the plain 0 that v2 writers fill every type with as "0".
    if (zarrFormat === 2 && typeof json === "number") return String(json);
    throw new InvalidMetadataError(`expected a string as string, got ${describe(json)}`);
  },
  scalarToJson: (scalar) => scalar,
  cast(value) {
    if (typeof value === "string") return value;
    throw new InvalidArgumentError(`expected a string as string, got ${describe(value)}`);
  },
};

export const bytes: DataType<Uint8Array, Uint8Array[]> = {
  ...withoutMemory("bytes"),
  name: "bytes",
  objectCodec: "vlen-bytes",
  toV3: () => "bytes",
  defaultScalar: new Uint8Array(0),
  scalarFromJson: (json, zarrFormat) =>
    zarrFormat === 2 && json === 0 ? new Uint8Array(0) : bytesFromJson(json, "bytes"),
  scalarToJson: toBase64,
  cast: (value) => castToBytes(value, "bytes"),
};

/** Elements of v2 that can be anything JSON can say, or arrays of numbers: what the object codec decodes. */
function objectType(objectCodec: string): DataType<unknown, unknown[]> {
  return {
    ...withoutMemory("object"),
    name: "object",
    objectCodec,
    toV3() {
      throw new UnsupportedError(
        `expected a data type that Zarr v3 has, got the objects of Zarr v2 (object codec ${objectCodec})`,
      );
    },
    defaultScalar: null,
    scalarFromJson: (json) => json,
    scalarToJson: toJson,
    cast: (value) => value,
  };
}

/** @throws InvalidArgumentError for what JSON cannot say */
function toJson(value: unknown): Json {
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

/** Ids of the object codecs whose elements are strings, bytes and anything. */
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
  // "bytes" is the name in zarr-extensions, the second zarr-python's, the third that of ZEP 7.
  variableLengthFamily("bytes", ["bytes", "variable_length_bytes", "binary"], bytes, BYTES_CODECS),
  variableLengthFamily("object", [], undefined, OBJECT_CODECS),
];
