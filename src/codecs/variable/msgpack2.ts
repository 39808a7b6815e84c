/**
 * `msgpack2` (array -> bytes) of numcodecs, `numcodecs.msgpack2` in v3: objects (v2), strings or bytes as MessagePack. Integers beyond 2^53 are bigints, `bin` is a Uint8Array.
 * https://numcodecs.readthedocs.io/en/stable/other/msgpacks.html, https://github.com/msgpack/msgpack/blob/master/spec.md
 * `{"id": "msgpack2", "raw": false, "use_bin_type": true, "use_single_float": false}`
 */
import { describe, InvalidMetadataError } from "../../errors.js";
import { loadStrings } from "../../kernels/strings.js";
import type { ArrayToBytesCodec, CodecEntry } from "../codec.js";
import { readConfiguration } from "../configuration.js";
import { lazyEncoder } from "../load-for-writing.js";
import { checkType } from "./columns.js";
import { decodeMessage } from "./msgpack/decode.js";
import { documentOf, elementsOf, valuesOf } from "./objects.js";

const CODEC = "msgpack2";

const encoder = lazyEncoder(() => import("./msgpack/encode.js"));

const msgpack2: CodecEntry = {
  kind: "array_to_bytes",
  async load(kernels) {
    encoder.announce();
    await loadStrings(kernels);
  },
  fromConfig(configuration, spec): ArrayToBytesCodec {
    const { raw = false } = readConfiguration(CODEC, configuration, [
      "raw",
      "use_bin_type",
      "use_single_float",
    ]);
    if (raw !== false) {
      throw new InvalidMetadataError(`expected false (strings are text), got ${describe(raw)}`, {
        codec: CODEC,
        member: "configuration.raw",
      });
    }
    checkType(CODEC, spec, ["object", "text", "bytes"]);
    return {
      kind: "array_to_bytes",
      variable: {
        decode: (bytes, kernels) => elementsOf(valuesOf(decodeMessage(bytes), spec), spec, kernels),
        encode: (elements, kernels) => encoder.get().encodeMessage(documentOf(elements, spec, kernels)),
      },
    };
  },
};
export default msgpack2;
