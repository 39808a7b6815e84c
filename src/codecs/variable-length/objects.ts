/**
 * `json2`, `json` and `msgpack2` of numcodecs: a chunk is one list of its values, flat or nested like the
 * chunk's shape, followed by numpy's data type and (not in `json`) the shape. Values are of any kind, or all
 * text or bytes if the array has such a data type; those of a fixed size are read and written by
 * fixed-values.ts.
 */

import {
  type ArrayToBytesCodec,
  bytesOf,
  type ChunkSpec,
  type CodecEntry,
  CodecError,
  checkType,
  concatenated,
  decodeTexts,
  describe,
  encodeTexts,
  isColumnData,
  isColumnType,
  isZarrError,
  type Json,
  type Kernels,
  loadStrings,
  parseJson,
  plain,
  product,
  readChoice,
  readConfiguration,
  stringifyJson,
  stringsOf,
  toJson,
  UnsupportedError,
  type VariableElements,
} from "../../core/for-codecs.js";
import { fixedValues } from "./fixed-values.js";
import { decodeMessage, encodeMessage } from "./messagepack.js";

export function objectsOf(elements: VariableElements): readonly unknown[] {
  if (!isColumnData(elements)) return elements;
  throw new UnsupportedError("expected values, got a column");
}

const DTYPE = "|O";

/**
 * The flat list of values in a decoded chunk.
 * @throws CodecError unless it has as many values as the chunk
 */
export function valuesOf(document: unknown, { shape }: ChunkSpec): unknown[] {
  const count = product(shape);
  if (!Array.isArray(document) || document.length < 2) {
    throw new CodecError(`expected a list of ${count} values, a data type and a shape, got other JSON`);
  }
  const stored: unknown = document[document.length - 1];
  const items: readonly unknown[] = document.slice(0, -2);
  if (!isShape(stored) || product(stored) !== count) {
    throw new CodecError(
      `expected a shape of ${count} elements after the values, got ${JSON.stringify(stored)?.slice(0, 100)}: the chunk belongs to another array`,
    );
  }
  // Flattens only as many levels as the shape has, because values may be lists themselves.
  let values = items;
  for (let depth = 1; depth < stored.length; depth++) {
    values = values.flatMap((value, i): unknown[] => {
      if (Array.isArray(value)) return value;
      throw new CodecError(`expected lists nested ${stored.length} deep, got another value at ${i}`, {
        offset: i,
      });
    });
  }
  if (values.length !== count) {
    throw new CodecError(`expected ${count} values, got ${values.length}`, {
      offset: Math.min(count, values.length),
    });
  }
  return Array.from(values);
}

function isShape(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((length) => Number.isSafeInteger(length) && length >= 0);
}

/**
 * Converts the values to the elements of the array: a column for text or bytes.
 * @throws CodecError with the index of a value that is not of the data type
 */
export function elementsOf(values: unknown[], spec: ChunkSpec, kernels: Kernels): VariableElements {
  if (!isColumnType(spec)) return values;
  const wrong = (index: number): CodecError =>
    new CodecError(`expected ${spec.dataType.name} in element ${index}, got ${describe(values[index])}`, {
      offset: index,
    });
  if (spec.dataType.variable?.endsWith("bytes") === true) {
    return concatenated(
      values.map((value, i) => {
        if (value instanceof Uint8Array) return value;
        throw wrong(i);
      }),
    );
  }
  const texts = values.map((value, i) => {
    // JSON can express an unpaired surrogate, UTF-8 cannot.
    if (typeof value === "string" && !/\p{Surrogate}/u.test(value)) return value;
    throw wrong(i);
  });
  return encodeTexts(stringsOf(kernels), texts);
}

/**
 * The document to encode: a flat list of values, which every reader can shape, then the data type and the
 * shape.
 */
export function documentOf(
  elements: VariableElements,
  { dataType }: ChunkSpec,
  kernels: Kernels,
): readonly unknown[] {
  const values = valuesIn();
  return [...values, DTYPE, [values.length]];

  function valuesIn(): readonly unknown[] {
    if (!isColumnData(elements)) return elements;
    if (dataType.variable?.endsWith("bytes") === true) return bytesOf(elements);
    const strings = stringsOf(kernels);
    return decodeTexts(strings, plain(strings, elements), "error");
  }
}

/** JSON has no bytes. */
const JSON_KINDS = ["number", "text"] as const;
const JSON_MEMBERS =
  "encoding skipkeys ensure_ascii check_circular allow_nan sort_keys indent separators strict".split(" ");

/**
 * `json2` (array -> bytes) of numcodecs, `numcodecs.json2` in v3: objects (v2) or strings as JSON.
 * Integers keep every digit, as bigints beyond 2^53. NaN and the infinities are read and written without
 * quotes, as in numcodecs. https://numcodecs.readthedocs.io/en/stable/other/json.html `{"id": "json2",
 * "encoding": "utf-8", ...}`: `ensure_ascii` false writes UTF-8, `allow_nan` false refuses to write NaN and
 * the infinities. The other members control Python's formatting and parsing: they are accepted and have no
 * effect here.
 */
export const json2: CodecEntry = {
  codecKind: "array_to_bytes",
  forms: { objects: "strings" },
  async load(kernels) {
    await loadStrings(kernels);
  },
  fromConfig(configuration, spec): ArrayToBytesCodec {
    readConfiguration("json2", configuration, JSON_MEMBERS);
    readChoice("json2", configuration, "encoding", ["utf-8"], "utf-8");
    const { ensure_ascii: ascii, allow_nan: allowsNaN } = configuration;
    const stringify = (values: readonly unknown[]): Uint8Array => {
      const document = values.map(toJson);
      if (allowsNaN === false) document.forEach(refuseNaN);
      return new TextEncoder().encode(stringifyJson(document, { ascii: ascii !== false }));
    };
    if (spec.dataType.variable === undefined) {
      const format = { codec: "json2", kinds: JSON_KINDS, parse, typeAt: 2, stringify } as const;
      return fixedValues({ ...format, valuesOf: (document) => valuesOf(document, spec) }, spec);
    }
    checkType("json2", spec, ["object", "text"]);
    return {
      kind: "array_to_bytes",
      variable: {
        decode: (bytes, kernels) => elementsOf(valuesOf(parse(bytes), spec), spec, kernels),
        encode: (elements, kernels) => stringify(documentOf(elements, spec, kernels)),
      },
    };
  },
};

/**
 * `json` (array -> bytes), the first JSON codec of numcodecs (before 0.6): lists as deep as the chunk's
 * shape, then the data type. Read only, because a reader cannot tell values that are lists from dimensions.
 * `{"id": "json", "encoding": "utf-8", ...}` with the members of `json2`, which have no effect
 */
export const json: CodecEntry = {
  codecKind: "array_to_bytes",
  async load(kernels) {
    await loadStrings(kernels);
  },
  checkWriting: refuseFirstJson,
  fromConfig(configuration, spec): ArrayToBytesCodec {
    readConfiguration("json", configuration, JSON_MEMBERS);
    readChoice("json", configuration, "encoding", ["utf-8"], "utf-8");
    const listed = (document: unknown): unknown[] =>
      valuesOf(Array.isArray(document) ? [...document, spec.shape] : document, spec);
    if (spec.dataType.variable === undefined) {
      const format = { codec: "json", kinds: JSON_KINDS, parse, typeAt: 1 } as const;
      return fixedValues({ ...format, valuesOf: listed, stringify: refuseFirstJson }, spec);
    }
    checkType("json", spec, ["object", "text"]);
    return {
      kind: "array_to_bytes",
      variable: {
        decode: (bytes, kernels) => elementsOf(listed(parse(bytes)), spec, kernels),
        encode: refuseFirstJson,
      },
    };
  },
};

function refuseFirstJson(): never {
  throw new UnsupportedError(
    "wazarr reads json, the first JSON codec of numcodecs, and does not write it; use json2",
    {
      codec: "json",
    },
  );
}

/** @throws CodecError for NaN and the infinities, which strict JSON does not have */
function refuseNaN(value: Json, index: number): void {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new CodecError(`expected finite numbers, as allow_nan is false, got ${value} in element ${index}`, {
      offset: index,
    });
  }
  if (typeof value !== "object" || value === null) return;
  for (const part of Object.values(value)) refuseNaN(part, index);
}

function parse(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes);
  } catch (error) {
    if (!isZarrError(error, "InvalidMetadataError")) throw error;
    throw new CodecError(error.message, { offset: error.offset, cause: error });
  }
}

/**
 * `msgpack2` (array -> bytes) of numcodecs, `numcodecs.msgpack2` in v3: objects (v2), strings or bytes as
 * MessagePack. Integers beyond 2^53 are bigints, `bin` is a Uint8Array.
 * https://numcodecs.readthedocs.io/en/stable/other/msgpacks.html,
 * https://github.com/msgpack/msgpack/blob/master/spec.md `{"id": "msgpack2", "raw": false, "use_bin_type":
 * true, "use_single_float": false}`
 */
export const msgpack2: CodecEntry = {
  codecKind: "array_to_bytes",
  forms: { objects: "strings" },
  async load(kernels) {
    await loadStrings(kernels);
  },
  fromConfig(configuration, spec): ArrayToBytesCodec {
    readConfiguration("msgpack2", configuration, ["raw", "use_bin_type", "use_single_float"]);
    // Strings are text.
    readChoice("msgpack2", configuration, "raw", [false], false);
    if (spec.dataType.variable === undefined) {
      const format = { codec: "msgpack2", kinds: ["number", "text", "bytes"], typeAt: 2 } as const;
      const functions = { parse: decodeMessage, stringify: encodeMessage };
      return fixedValues({ ...format, ...functions, valuesOf: (each) => valuesOf(each, spec) }, spec);
    }
    checkType("msgpack2", spec, ["object", "text", "bytes"]);
    return {
      kind: "array_to_bytes",
      variable: {
        decode: (bytes, kernels) => elementsOf(valuesOf(decodeMessage(bytes), spec), spec, kernels),
        encode: (elements, kernels) => encodeMessage(documentOf(elements, spec, kernels)),
      },
    };
  },
};
