/** Pipelines whose array-to-bytes codec is asynchronous, such as codecs of zarrita's users. */
import type { ArrayStage } from "./array-stage.js";
import { type ByteStage, located } from "./byte-stage.js";
import type { AsynchronousCodec } from "./codec.js";
import { joinStages } from "./pipeline.js";
import { unwrap, wrap } from "./wrapped.js";

const same = (bytes: Uint8Array): Uint8Array => bytes;

/**
 * A byte stage of which everything is asynchronous, and the asynchronous part of the array-to-bytes codec
 * with it.
 */
export function allAsynchronous(
  arrayStage: ArrayStage,
  byteStage: ByteStage,
  asynchronous: AsynchronousCodec,
): ByteStage {
  const around = joinStages({ ...arrayStage, decode: same, encode: same }, byteStage);
  return {
    wrapped: byteStage.wrapped,
    encodedByteLength: undefined,
    scratchByteLength: 0,
    decodeRange: undefined,
    neededRanges: undefined,
    decode: same,
    encode: same,
    asynchronous: {
      async decode(bytes, kernels, at) {
        const encoded = await unwrap(around, bytes, kernels, at);
        try {
          return await asynchronous.decode(encoded, kernels, at);
        } catch (error) {
          throw located(error, arrayStage.name, at);
        }
      },
      async encode(elements, kernels, at) {
        let encoded: Uint8Array;
        try {
          encoded = await asynchronous.encode(elements, kernels, at);
        } catch (error) {
          throw located(error, arrayStage.name, at);
        }
        return wrap(around, encoded, kernels, at);
      },
    },
  };
}
