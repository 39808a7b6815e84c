/** The decoding rules of CF without a store: from a data type and attributes. */
import {
  checkNames,
  checkObject,
  describe,
  fillValueMasks,
  loadUnpacking,
  type NamesOf,
  type Packing,
} from "../../extend.js";
import { InvalidArgumentError, type JsonObject, type Array as ZarrArray } from "../../index.js";
import { planDecoding } from "./decode.js";
import { type Unpacking, unpackingOf } from "./drawn.js";
import type { Resolution } from "./time-encoding.js";

/** Options of `parseDecoding`. */
export interface ParseDecodingOptions {
  /** The fill value of the array, if it masks elements; in xarray that of v2 does. */
  readonly fillValue?: unknown;
  /** Path of the variable, for errors. */
  readonly path?: string | undefined;
  /** Coarsest unit of decoded times. Default: "ns". */
  readonly timeUnit?: Resolution | undefined;
}

const OPTIONS: NamesOf<ParseDecodingOptions> = { fillValue: true, path: true, timeUnit: true };

/** How the elements of a variable are decoded. */
export interface ParsedDecoding {
  /** Type of decoded elements: "float64", "datetime64[ns]", "cftime[noleap]". */
  readonly dtype: string;
  /** Attributes without those that decoding uses. */
  readonly attrs: JsonObject;
  /** Attributes that decoding uses, and the stored `dtype`. */
  readonly encoding: JsonObject;
  /**
   * Which stored numbers are missing, and the scale and offset of the others, in this order; for times, the
   * numbers that `units` count. Integers with `encoding._Unsigned` are converted first. Undefined for
   * elements that are not numbers.
   */
  readonly packing: Packing | undefined;
  /** The same for reads with `as` and for a TileSource; undefined for integers with `_Unsigned`, too. */
  readonly unpacking: Unpacking | undefined;
  /** Decodes elements of the stored type, as `get` gives them. */
  readonly decode: (data: unknown) => Promise<unknown>;
}

/**
 * The rules by which `openDataset` decodes a variable of this stored data type and with these attributes.
 * @throws InvalidMetadataError with the attribute; InvalidArgumentError for arguments of another kind
 */
export function parseDecoding(
  dtype: string,
  attributes: JsonObject,
  options: ParseDecodingOptions = {},
): ParsedDecoding {
  if (typeof dtype !== "string")
    throw new InvalidArgumentError(`dtype: expected a string, such as "int16", got ${describe(dtype)}`);
  checkObject(attributes, "attributes", "an object");
  checkNames(options, "parseDecoding", OPTIONS);
  const { fillValue, path = "/", timeUnit = "ns" } = options;
  const stored = { path, dtype, attributes, fill: fillValue, timeUnit, isText: false };
  const { decode, attributes: attrs, ...plan } = planDecoding(stored);
  const unpacking = unpackingOf(plan);
  return { ...plan, attrs, unpacking, decode: async (data) => decode(data, [], await loadUnpacking()) };
}

/**
 * How `openDataset` decodes an array, for one that is opened alone. Of an array without a data set, the
 * variable that names it as its bounds is not known.
 * @throws InvalidMetadataError with the attribute
 */
export function decodingOf(
  { path, dataType, fillValue, metadata }: ZarrArray,
  options: Pick<ParseDecodingOptions, "timeUnit"> = {},
): ParsedDecoding {
  checkNames(options, "decodingOf", { timeUnit: true });
  const masks = fillValueMasks(metadata);
  const { timeUnit } = options;
  return parseDecoding(dataType.name, metadata.attributes, {
    path,
    timeUnit,
    fillValue: masks ? (fillValue ?? undefined) : undefined,
  });
}
