/**
 * Reads and writes data types and fill values of the 2020 draft, as core identifiers and extension objects.
 */

import {
  type DataType,
  dataTypeFromV2,
  dataTypeFromV3,
  describe,
  type Endian,
  type Json,
  type Member,
  type ResolvedDataType,
  UnknownDataTypeError,
  UnsupportedError,
} from "../../core/for-formats.js";
import { extensionOf } from "./entry-point.js";
import { draftExtensions } from "./extensions.js";

const EXTENSIONS = "https://purl.org/zarr/spec/protocol/extensions/";

/**
 * URIs that zarr-python writes, and those of the draft's companion documents. Their `type` is a v2 `dtype`.
 */
const NUMPY_TYPES =
  /^https:.*\/(complex-dtypes|datetime(-dtypes)?)\/|^TODO: (bytestring|unicode|structured|object) array protocol URL$/;

/**
 * Reads `data_type`: a core identifier ("<f8", "r24"), or an extension object. For an unknown extension it
 * reads the object's `fallback`.
 * @param objectCodec id of the object codec that zarr-python keeps among the attributes
 * @throws InvalidMetadataError, UnknownDataTypeError
 */
export function parseDraftDataType(member: Member, objectCodec: string | undefined): ResolvedDataType {
  if (typeof member.json === "string") return member.check(() => coreDataType(member.string()));
  if (member.json === undefined) throw member.invalid("a data type");
  const extension = extensionOf(member)?.dataType;
  const type = member.get("type");
  if (extension !== undefined) return type.check(extension);
  const uri = member.get("extension");
  if (NUMPY_TYPES.test(uri.string())) return type.check((json) => dataTypeFromV2(json, objectCodec));
  const fallback = member.get("fallback");
  if (!fallback.isNull) return fallback.check(() => coreDataType(fallback.string()));
  return uri.check((json) => {
    throw new UnknownDataTypeError(
      `expected a known data type extension or a fallback, got ${describe(json)}; add the extension to draftExtensions`,
    );
  });
}

function coreDataType(id: string): ResolvedDataType {
  if (id === "bool") return dataTypeFromV2("|b1");
  if (/^[iu]1$/.test(id)) return dataTypeFromV2(`|${id}`);
  // The second alternative is the spelling of v2 and arraylake.
  if (/^[<>]([iuf][248])$|^\|[biu]1$/.test(id)) return dataTypeFromV2(id);
  // acquire omitted the byte order, which was little-endian on its machines.
  if (/^[iuf][248]$/.test(id)) return dataTypeFromV2(`<${id}`);
  // r8, r16, ..., and names of the final v3, which acquire wrote later.
  const dataType = dataTypeFromV3(id);
  return { dataType, endian: dataType.needsEndian ? "little" : undefined };
}

/**
 * Writes `data_type`: with an extension of the application if one writes the type, else as a core identifier,
 * else as an extension object. Of the object, zarr-python reads `type` and other readers `fallback`.
 * @throws UnsupportedError for a type that NumPy does not have, or of variable length
 */
export function writeDraftDataType(dataType: DataType, endian: Endian): Json {
  for (const [extension, { writeDataType }] of draftExtensions) {
    const written = writeDataType?.(dataType, endian);
    if (written !== undefined) return { extension, ...written };
  }
  const type = dataType.toV2(endian);
  if (typeof type !== "string") return extensionType("TODO: structured array protocol URL", type, dataType);
  if (/^[<>][iuf]/.test(type)) return type;
  if (type === "|b1") return "bool";
  if (/^\|[iu]1$/.test(type)) return type.slice(1);
  switch (/^[<>|]([A-Za-z])/.exec(type)?.[1]) {
    case "V":
      return rawType(dataType);
    case "M":
    case "m": {
      const datetime = extensionType(`${EXTENSIONS}datetime-dtypes/1.0`, type, dataType);
      return { ...datetime, fallback: `${type.charAt(0)}i8` };
    }
    case "c":
      return extensionType(`${EXTENSIONS}complex-dtypes/1.0`, type, dataType);
    case "U":
      return extensionType("TODO: unicode array protocol URL", type, dataType);
    case "S":
      return extensionType("TODO: bytestring array protocol URL", type, dataType);
    default:
      throw new UnsupportedError(
        `the 2020 draft has no data type ${dataType.name}; use one of fixed size that NumPy has`,
      );
  }
}

function extensionType(extension: string, type: Json, dataType: DataType) {
  return { extension, type, fallback: rawType(dataType) };
}

function rawType({ itemSize }: DataType): string {
  return `r${itemSize * 8}`;
}

/**
 * Reads `fill_value`. @returns undefined for null
 * @param isCore whether the data type is a core one; fill values of extension types are read as in v2, as
 * zarr-python writes them
 * @param endian byte order of the elements, and of the bytes of a struct's fill value
 * @throws InvalidMetadataError
 */
export function parseDraftFillValue(
  member: Member,
  { dataType, endian }: ResolvedDataType,
  isCore: boolean,
): unknown {
  if (member.isNull) return undefined;
  if (!isCore) return member.check((json) => dataType.scalarFromJson(json, 2, endian));
  // "the value must be the literal false or true"; other formats also allow 0 and 1.
  if (dataType.name === "bool") return member.oneOf(true, false);
  const isInteger = /^u?int/.test(dataType.name);
  return member.check((json) =>
    dataType.scalarFromJson(
      isInteger && typeof json === "string" ? integerOf(json, dataType) : json,
      "draft",
    ),
  );
}

/**
 * The integer of a string with all its binary or hexadecimal digits, or with decimal digits, as GDAL writes;
 * else the string.
 */
function integerOf(text: string, { name, itemSize }: DataType): Json {
  if (/^-?\d{1,20}$/.test(text)) return BigInt(text);
  const isPattern = /^0x[\da-f]+$/i.test(text)
    ? text.length === 2 + itemSize * 2
    : /^0b[01]+$/i.test(text) && text.length === 2 + itemSize * 8;
  if (!isPattern) return text;
  return name.startsWith("u") ? BigInt(text) : BigInt.asIntN(itemSize * 8, BigInt(text));
}

/** Writes `fill_value`: integers of any size as numbers; infinity as "+Infinity", as the draft spells it. */
export function writeDraftFillValue(
  fillValue: unknown,
  { dataType, endian }: ResolvedDataType,
  isCore: boolean,
): Json {
  if (fillValue === undefined) return null;
  if (!isCore) return dataType.scalarToJson(fillValue, 2, endian);
  const json = dataType.scalarToJson(fillValue, "draft");
  return json === "Infinity" ? "+Infinity" : json;
}
