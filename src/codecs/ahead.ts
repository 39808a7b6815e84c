/** Pipelines whose array-to-bytes codec holds asynchronous codecs: all that lies between the store and it is asynchronous, too. */
import type { ArrayStage } from "./array-stage.js";
import type { ByteStage } from "./byte-stage.js";
import type { AheadCodec, ArrayToBytesCodec } from "./codec.js";
import { joinStages } from "./join-stages.js";
import { located } from "./located.js";
import type { JoinedStages } from "./prepared-pipeline.js";

const same = (bytes: Uint8Array): Uint8Array => bytes;

/** What takes the place of `joinStages` for this codec; undefined where nothing has to. */
export function joinAhead({ ahead }: ArrayToBytesCodec): ArrayStage["join"] {
  return ahead && ((arrayStage, byteStage) => join(arrayStage, byteStage, ahead));
}

function join(arrayStage: ArrayStage, byteStage: ByteStage, ahead: AheadCodec): JoinedStages {
  const { unwrap, wrap } = joinStages(arrayStage, byteStage);
  const asynchronous: ByteStage = {
    wrapped: byteStage.wrapped,
    asynchronous: true,
    encodedByteLength: undefined,
    scratchByteLength: 0,
    decodeRange: undefined,
    decode: same,
    encode: same,
    async decodeAhead(bytes, kernels, at) {
      const encoded = await unwrap(bytes, kernels, at);
      try {
        return await ahead.decode(encoded, kernels);
      } catch (error) {
        throw located(error, arrayStage.name, at);
      }
    },
    async encodeRest(elements, kernels, at) {
      let encoded: Uint8Array;
      try {
        encoded = await ahead.encode(elements, kernels);
      } catch (error) {
        throw located(error, arrayStage.name, at);
      }
      return wrap(encoded, kernels, at);
    },
  };
  return { ...joinStages(arrayStage, asynchronous), unwrap, wrap };
}
