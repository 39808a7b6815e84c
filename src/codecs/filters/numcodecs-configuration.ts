/** The members that configurations of numcodecs' filters share: `dtype`, `astype` and the like, as numpy spells data types. */
import { bool } from "../../data-types/bool.js";
import type { DataType, Endian } from "../../data-types/data-type.js";
import { float32, float64 } from "../../data-types/float.js";
import { float16 } from "../../data-types/float16.js";
import { int8, int16, int32, int64, uint8, uint16, uint32, uint64 } from "../../data-types/integer.js";
import { describe, InvalidMetadataError, UnsupportedError } from "../../errors.js";
import type { JsonObject } from "../../metadata/json.js";
import type { ChunkSpec } from "../codec.js";
import { type NumberType, numberTypeOf } from "./number-type.js";

/** A data type and the byte order in which its elements are stored; undefined where there is none, or it follows from elsewhere. */
export interface StatedType {
  readonly dataType: DataType;
  readonly endian: Endian | undefined;
}

/** What numpy says in a character and a size, to the data type. */
const BY_CODE: Readonly<Record<string, DataType>> = {
  b1: bool,
  i1: int8,
  i2: int16,
  i4: int32,
  i8: int64,
  u1: uint8,
  u2: uint16,
  u4: uint32,
  u8: uint64,
  f2: float16,
  f4: float32,
  f8: float64,
};
const BY_NAME = new Map(Object.values(BY_CODE).map((dataType) => [dataType.name, dataType]));

/** What the codec sees when nothing else is said. */
export function typeOfChunk({ dataType, endian }: ChunkSpec): StatedType {
  return { dataType, endian };
}

/**
 * Reads a member that numpy's `dtype` understands: "<f4", "|u1", "f4", "float32".
 * @param absent what a missing member means; an error when it is not given
 * @throws InvalidMetadataError, UnsupportedError for dtypes of numpy that are not numbers
 */
export function readDtype(
  codec: string,
  configuration: JsonObject,
  member: string,
  absent?: StatedType,
): StatedType {
  const json = configuration[member];
  if ((json === undefined || json === null) && absent !== undefined) return absent;
  const where = { codec, member: `configuration.${member}` };
  const match = typeof json === "string" ? /^([<>|=]?)([a-zA-Z]+\d*)(\[\w+\])?$/.exec(json) : null;
  const [, order = "", code = ""] = match ?? [];
  const dataType = BY_CODE[code] ?? BY_NAME.get(code);
  if (dataType !== undefined) {
    return { dataType, endian: dataType.needsEndian ? (order === ">" ? "big" : "little") : undefined };
  }
  if (/^([cmMSUV]\d+|complex\d+)$/.test(code)) {
    throw new UnsupportedError(
      `${codec} of ${describe(json)} is not supported: expected integers, floats or bool`,
      where,
    );
  }
  throw new InvalidMetadataError(
    `expected a numpy dtype such as "<f4" or "|u1", got ${json === undefined ? "nothing" : describe(json)}`,
    where,
  );
}

/** The numbers that a filter calculates with. @param allowed kinds of numbers @throws UnsupportedError */
export function numbersOf<Kind extends NumberType["kind"]>(
  codec: string,
  dataType: DataType,
  allowed: readonly Kind[],
): NumberType & { readonly kind: Kind } {
  const type = numberTypeOf(dataType);
  if (type !== undefined && isOfKind(type, allowed)) return type;
  throw new UnsupportedError(
    `${codec} of data type ${dataType.name} is not supported: expected ${allowed.join(" or ")}`,
    {
      codec,
    },
  );
}

function isOfKind<Kind extends NumberType["kind"]>(
  type: NumberType,
  allowed: readonly Kind[],
): type is NumberType & { readonly kind: Kind } {
  return allowed.some((kind) => kind === type.kind);
}
