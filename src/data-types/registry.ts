/**
 * The registry of data types. It offers a name or JSON to every registered family, and exactly one must
 * accept it.
 *
 * The plain families (integers, float32 and float64) are always registered. The other built-in families are
 * one module, loaded when no registered family accepts a type: see `withAllDataTypes`.
 */
import {
  describe,
  InvalidMetadataError,
  invalid,
  isZarrError,
  UnknownDataTypeError,
} from "../base/errors.js";
import type { Json } from "../metadata/json.js";
import type { DataType, ResolvedDataType } from "./data-type.js";
import { type DataTypeFamily, singleFamily } from "./family.js";
import { float32, float64 } from "./float.js";
import { int8, int16, int32, int64, uint8, uint16, uint32, uint64 } from "./integer.js";

/**
 * A data type as callers give it: a v3 name ("float32"), v2 or v3 JSON ("<f4", { name, configuration }),
 * numpy's name ("datetime64[ns]", "U10"), or a DataType.
 */
export type DataTypeSpec = Json | DataType;

/** @param accepting names of the families that accept `json` @param registered names of all families */
export type Advice = (json: Json, accepting: readonly string[], registered: Iterable<string>) => string;

/** The data types that every JavaScript engine has a typed array for; always registered. */
const plain = [int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64] as const;

function plainFamilies(): Map<string, DataTypeFamily> {
  return new Map(plain.map((type) => [type.name, singleFamily(type)]));
}

/** The families that the application registered. */
const familySet = new Set<DataTypeFamily>();
const families = /* @__PURE__ */ plainFamilies();
let extra: Promise<void> | undefined;
/** Advice for a data type that no family or more than one accepts; extra/families.ts replaces it. */
let advice: Advice = () => "; see loadExtraDataTypes and registerDataType";

/** Adds a family of data types. It replaces a family of the same name, also a built-in one. */
export function registerDataType(family: DataTypeFamily): void {
  const { name, fromV2, fromV3 } = Object(family);
  if (typeof name !== "string" || typeof fromV2 !== "function" || typeof fromV3 !== "function")
    throw invalid("family", "a data type family", family);
  familySet.add(family);
  families.set(family.name, family);
}

/** Whether a data type may be of a family that the application registered. */
export function isOwnDataType(dataType: DataType): boolean {
  try {
    return [...familySet].some((family) => family.fromV3(dataType.toV3(), dataTypeFromV3) !== undefined);
  } catch {
    // `toV3` throws for types without a v3 form.
    return true;
  }
}

/**
 * Registers the rarer built-in families. A family that the application registered under the same name stays.
 */
export function loadExtraDataTypes(): Promise<void> {
  extra ??= import("./extra/families.js").then(({ extraFamilies, adviceOnUnknown }) => {
    advice = adviceOnUnknown;
    for (const family of extraFamilies) {
      if (!families.has(family.name)) families.set(family.name, family);
    }
  });
  return extra;
}

/**
 * Runs `read`; if it fails with UnknownDataTypeError, loads all built-in data types and runs it again. All
 * code that parses metadata or takes a `dtype` runs inside this function, so that data types are resolved
 * synchronously.
 */
export async function withAllDataTypes<Result>(read: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!isZarrError(error, "UnknownDataTypeError")) throw error;
    await loadExtraDataTypes();
    return read();
  }
}

/** @throws UnknownDataTypeError, InvalidMetadataError for a known type with a wrong configuration */
export function dataTypeFromV3(json: Json): DataType {
  return resolve(json, (family) => wrap(family.fromV3(json, dataTypeFromV3))).dataType;
}

/** v2 filters for "|O" arrays, and the other dtypes that zarr-python 3.0 wrote with these filters. */
const DTYPES_OF_OBJECT_CODECS = new Map([
  ["vlen-utf8", /^[<>]U\d+$/],
  ["vlen-bytes", /^\|S\d+$/],
  ["vlen-array", /^\|O$/],
]);

/** The types that zarr-python 3.0.8 wrote with these filters for strings and bytes of any length. */
const ANY_LENGTH = /^(?:\|S|[<>]U)0$/;

/**
 * @param objectCodec id of the first filter, which defines the kind of objects for "|O"
 * @throws UnknownDataTypeError, InvalidMetadataError for a known type that is malformed
 */
export function dataTypeFromV2(json: Json, objectCodec?: string): ResolvedDataType {
  const others = DTYPES_OF_OBJECT_CODECS.get(objectCodec ?? "");
  if (json !== "|O" && others !== undefined && !(typeof json === "string" && others.test(json))) {
    throw new InvalidMetadataError(`expected "|O" with the filter ${objectCodec}, got ${describe(json)}`);
  }
  const isAnyLength = others !== undefined && typeof json === "string" && ANY_LENGTH.test(json);
  const dtype = isAnyLength ? "|O" : json;
  return resolve(dtype, (family) => family.fromV2(dtype, objectCodec, dataTypeFromV2));
}

/** The data type that `spec` names, in any form. @throws UnknownDataTypeError, InvalidMetadataError */
export function parseDataType(spec: DataTypeSpec): DataType {
  return resolveDataType(spec).dataType;
}

/** As `parseDataType`, with the byte order of a v2 form. */
export function resolveDataType(spec: DataTypeSpec): ResolvedDataType {
  if (isDataType(spec)) return { dataType: spec, endian: undefined };
  const code = typeof spec === "string" ? codeOfNumpy(spec) : undefined;
  if (code !== undefined) return { dataType: dataTypeFromV2(code).dataType, endian: undefined };
  return resolve(
    spec,
    (family) => wrap(family.fromV3(spec, dataTypeFromV3)) ?? family.fromV2(spec, undefined, dataTypeFromV2),
  );
}

/**
 * The v2 code of a name that numpy and xarray have: "datetime64[ns]", "U10". No stored document has these
 * names.
 */
function codeOfNumpy(name: string): string | undefined {
  if (/^(datetime|timedelta)64\[/.test(name))
    return `<${name.startsWith("d") ? "M" : "m"}8${name.slice(name.indexOf("["))}`;
  if (/^U\d+$/.test(name)) return `<${name}`;
  return /^S\d+$/.test(name) ? `|${name}` : undefined;
}

function isDataType(value: unknown): value is DataType {
  return typeof value === "object" && value !== null && "toV3" in value && typeof value.toV3 === "function";
}

function wrap(dataType: DataType | undefined): ResolvedDataType | undefined {
  return dataType === undefined ? undefined : { dataType, endian: undefined };
}

function resolve(
  json: Json,
  offer: (family: DataTypeFamily) => ResolvedDataType | undefined,
): ResolvedDataType {
  let found: ResolvedDataType | undefined;
  const accepting: string[] = [];
  for (const family of families.values()) {
    const accepted = offer(family);
    if (accepted === undefined) continue;
    found = accepted;
    accepting.push(family.name);
  }
  if (found && accepting.length === 1) return found;
  throw new UnknownDataTypeError(
    `${accepting.length === 0 ? `no data type ${describe(json)} is registered` : `several data types accept ${describe(json)}: ${accepting.join(", ")}`}${advice(json, accepting, families.keys())}`,
  );
}
