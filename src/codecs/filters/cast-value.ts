/**
 * `cast_value` (array -> array): stores the elements' numerical values as another integer or float type.
 * https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/cast_value `data_type` is the stored
 * type. `scalar_map` maps values first; then `rounding` (default nearest-even) applies, then `out_of_range`
 * ("clamp", "wrap"; by default an error). Rounding assumes unlimited exponents, so that the mode changes only
 * in the last place which values are out of range, as in cast-value-rs, which zarr-python runs. Map keys
 * match by value: all NaNs are equal, and -0 is 0. The fill value is cast too; if the cast cannot hold it or
 * decoding does not restore it, the array can be read but not written.
 * `{"name": "cast_value", "configuration": {"data_type": "uint8", "rounding": "towards-zero", "out_of_range":
 * "wrap",
 *   "scalar_map": {"encode": [["NaN", 0]]}}}`
 */

import {
  type ArrayToArrayCodec,
  type ChunkSpec,
  type CodecEntry,
  type DataType,
  describe,
  fillPattern,
  InvalidMetadataError,
  isJsonArray,
  isJsonObject,
  isZarrError,
  type Json,
  type JsonObject,
  type Kernels,
  loadExtraDataTypes,
  parseDataType,
  readChoice,
  readConfiguration,
  wrongMember,
} from "../../core/for-codecs.js";
import { type CastRules, castElements, ROUNDING_MODES, type ScalarMap } from "./cast-elements.js";
import { aligned } from "./numbers.js";
import { numbersOf } from "./numpy-types.js";

const CODEC = "cast_value";

const entry: CodecEntry = {
  codecKind: "array_to_array",
  forms: { only: "v3" },
  load: loadExtraDataTypes,
  checkWriting(configuration, _, spec) {
    const unfit = spec && prepareCast(configuration, spec).fill.unfit;
    if (unfit !== undefined) throw unfit;
  },
  fromConfig(configuration, spec): ArrayToArrayCodec {
    const { dataType, encode, decode, fill } = prepareCast(configuration, spec);
    const run = (rules: CastRules, elements: Uint8Array, kernels: Kernels): Uint8Array => {
      const source = aligned(elements, rules.from.itemSize);
      const target = kernels.allocate((source.length / rules.from.itemSize) * rules.to.itemSize);
      castElements(target, source, rules);
      return target;
    };
    return {
      kind: "array_to_array",
      encoded: {
        ...spec,
        dataType,
        fillValue: fill.value,
        unfit: fill.value === undefined ? fill.unfit : undefined,
      },
      encode(elements, { kernels }) {
        // The specification forbids such a fill value. Reading works all the same, for arrays that other
        // implementations wrote.
        if (fill.unfit !== undefined) throw fill.unfit;
        return run(encode, elements, kernels);
      },
      decode: (elements, { kernels }) => run(decode, elements, kernels),
    };
  },
};
export default entry;

interface Cast {
  /** The stored type. */
  readonly dataType: DataType;
  readonly encode: CastRules;
  readonly decode: CastRules;
  readonly fill: CastFill;
}

/** @throws InvalidMetadataError, UnsupportedError */
function prepareCast(configuration: JsonObject, spec: ChunkSpec): Cast {
  readConfiguration(CODEC, configuration, ["data_type", "rounding", "out_of_range", "scalar_map"]);
  const type = numbersOf(CODEC, spec.dataType, ["integer", "float"]);
  const dataType = readDataType(configuration);
  const encodedType = numbersOf(CODEC, dataType, ["integer", "float"]);
  const rounding = readChoice(CODEC, configuration, "rounding", ROUNDING_MODES, "nearest-even");
  const outOfRange = readOutOfRange(configuration);
  if (outOfRange === "wrap" && encodedType.kind !== "integer") {
    throw invalid("out_of_range", `"clamp" with data type ${encodedType.name}, which has no modulus`, "wrap");
  }
  const maps = readScalarMap(configuration, spec.dataType, dataType);
  const shared = { codec: CODEC, rounding, outOfRange };
  const encode: CastRules = { ...shared, from: type, to: encodedType, map: maps.encode };
  const decode: CastRules = { ...shared, from: encodedType, to: type, map: maps.decode };
  return { dataType, encode, decode, fill: castFill(spec, dataType, encode, decode) };
}

function invalid(member: string, expected: string, json: Json | undefined): InvalidMetadataError {
  return wrongMember(CODEC, member, expected, json);
}

function readDataType({ data_type: json }: JsonObject): DataType {
  if (json === undefined) throw invalid("data_type", "a data type", json);
  try {
    return parseDataType(json);
  } catch (cause) {
    if (!isZarrError(cause, "UnknownDataTypeError")) throw cause;
    throw new InvalidMetadataError(cause.message, {
      codec: CODEC,
      member: "configuration.data_type",
      cause,
    });
  }
}

function readOutOfRange({ out_of_range: json }: JsonObject): CastRules["outOfRange"] {
  if (json === undefined || json === "clamp" || json === "wrap") return json;
  throw invalid("out_of_range", '"clamp", "wrap" or nothing', json);
}

function readScalarMap(
  { scalar_map: json }: JsonObject,
  type: DataType,
  encodedType: DataType,
): { readonly encode: ScalarMap; readonly decode: ScalarMap } {
  if (json === undefined) return { encode: new Map(), decode: new Map() };
  if (!isJsonObject(json)) throw invalid("scalar_map", "an object", json);
  for (const member of Object.keys(json)) {
    if (member !== "encode" && member !== "decode") {
      throw invalid("scalar_map", 'only "encode" and "decode"', member);
    }
  }
  return {
    encode: readPairs("encode", json.encode, type, encodedType),
    decode: readPairs("decode", json.decode, encodedType, type),
  };
}

function readPairs(
  direction: "encode" | "decode",
  json: Json | undefined,
  from: DataType,
  to: DataType,
): ScalarMap {
  const map = new Map<number | bigint, Uint8Array>();
  if (json === undefined) return map;
  const member = `scalar_map.${direction}`;
  if (!isJsonArray(json)) throw invalid(member, "a list of pairs", json);
  json.forEach((pair, i) => {
    const place = `${member}[${i}]`;
    if (!isJsonArray(pair)) throw invalid(place, "a pair [input, output]", pair);
    const [input, output] = pair;
    if (pair.length !== 2 || input === undefined || output === undefined) {
      throw invalid(place, "a pair [input, output]", pair);
    }
    const key = from.readScalar(scalarBytes(from, input, place));
    // A Map treats -0 as 0. Of equal keys the first one wins.
    const number = typeof key === "bigint" ? key : Number(key);
    if (!map.has(number)) map.set(number, scalarBytes(to, output, place));
  });
  return map;
}

function scalarBytes(dataType: DataType, json: Json, member: string): Uint8Array {
  const bytes = new Uint8Array(dataType.itemSize);
  try {
    dataType.writeScalar(dataType.scalarFromJson(json, 3), bytes);
  } catch (cause) {
    if (!isZarrError(cause, "InvalidMetadataError")) throw cause;
    throw new InvalidMetadataError(cause.message, {
      codec: CODEC,
      member: `configuration.${member}`,
      cause,
    });
  }
  return bytes;
}

interface CastFill {
  /** The fill value in the stored type; undefined for null, and for a fill value that cannot be cast. */
  readonly value: unknown;
  /** The error to throw on writing, if the cast fails or decoding does not restore the fill value. */
  readonly unfit?: InvalidMetadataError | undefined;
}

function castFill(spec: ChunkSpec, dataType: DataType, encode: CastRules, decode: CastRules): CastFill {
  if (spec.fillValue === undefined) return { value: undefined, unfit: spec.unfit };
  const fill = fillPattern(spec.dataType, spec.fillValue);
  const cast = new Uint8Array(encode.to.itemSize);
  try {
    castElements(cast, fill, encode);
  } catch (cause) {
    if (!isZarrError(cause, "CodecError")) throw cause;
    return { value: undefined, unfit: unfit(cause.message, cause) };
  }
  const value = dataType.readScalar(cast, true);
  const back = new Uint8Array(fill.length);
  try {
    castElements(back, cast, decode);
  } catch (cause) {
    if (!isZarrError(cause, "CodecError")) throw cause;
    return { value, unfit: unfit(cause.message, cause) };
  }
  const [before, after] = [spec.dataType.readScalar(fill), spec.dataType.readScalar(back)];
  const same = typeof before === "bigint" ? before === after : sameNumber(Number(before), Number(after));
  if (same) return { value };
  return { value, unfit: unfit(`${describe(before)} comes back as ${describe(after)}`) };
}

function sameNumber(a: number, b: number): boolean {
  return a === b || (Number.isNaN(a) && Number.isNaN(b));
}

function unfit(reason: string, cause?: unknown): InvalidMetadataError {
  return new InvalidMetadataError(
    `expected a fill value that can be cast and back, got one that cannot: ${reason}; map it in scalar_map`,
    { codec: CODEC, member: "fill_value", cause },
  );
}
