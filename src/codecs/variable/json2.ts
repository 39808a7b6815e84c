/**
 * `json2` (array -> bytes) of numcodecs, `numcodecs.json2` in v3: objects (v2) or strings as JSON. Integers keep every digit, as bigints beyond 2^53; NaN and the infinities,
 * which numcodecs writes bare, are read and written so.
 * https://numcodecs.readthedocs.io/en/stable/other/json.html
 * `{"id": "json2", "encoding": "utf-8", ...}`: members other than `encoding` say how Python lays JSON out, and are kept.
 */

import { toJson } from "../../data-types/extra/variable-length.js";
import { CodecError, describe, InvalidMetadataError, isZarrError } from "../../errors.js";
import { loadStrings } from "../../kernels/strings.js";
import { parseJson, stringifyJson } from "../../metadata/json.js";
import type { ArrayToBytesCodec, CodecEntry } from "../codec.js";
import { readConfiguration } from "../configuration.js";
import { checkType } from "./columns.js";
import { documentOf, elementsOf, valuesOf } from "./objects.js";

const CODEC = "json2";
const MEMBERS =
  "encoding skipkeys ensure_ascii check_circular allow_nan sort_keys indent separators strict".split(" ");

const json2: CodecEntry = {
  kind: "array_to_bytes",
  async load(kernels) {
    await loadStrings(kernels);
  },
  fromConfig(configuration, spec): ArrayToBytesCodec {
    const { encoding = "utf-8" } = readConfiguration(CODEC, configuration, MEMBERS);
    if (encoding !== "utf-8") {
      throw new InvalidMetadataError(`expected "utf-8", got ${describe(encoding)}`, {
        codec: CODEC,
        member: "configuration.encoding",
      });
    }
    checkType(CODEC, spec, ["object", "text"]);
    return {
      kind: "array_to_bytes",
      variable: {
        decode: (bytes, kernels) => elementsOf(valuesOf(parse(bytes), spec), spec, kernels),
        encode: (elements, kernels) =>
          new TextEncoder().encode(stringifyJson(documentOf(elements, spec, kernels).map(toJson))),
      },
    };
  },
};
export default json2;

function parse(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes);
  } catch (error) {
    if (!isZarrError(error, "InvalidMetadataError")) throw error;
    throw new CodecError(error.message, { offset: error.offset, cause: error });
  }
}
