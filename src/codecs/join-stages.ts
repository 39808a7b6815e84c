import type { ArrayStage } from "./array-stage.js";
import type { ByteStage } from "./byte-stage.js";
import type { JoinedStages } from "./codec.js";
import { located } from "./located.js";

/** Arena bytes beyond what the codecs of a chunk ask for. */
const ROOM = 65536;

/** What a pipeline does with the bytes of a chunk: the array stage on the elements' side, the byte stage on the store's. */
export function joinStages(arrayStage: ArrayStage, byteStage: ByteStage): JoinedStages {
  const { byteLength, strides, swapUnit, swapRuns } = arrayStage;
  const { wrapped, asynchronous, encodedByteLength, decodeAhead, encodeRest } = byteStage;
  const scratchByteLength = arrayStage.scratchByteLength + byteStage.scratchByteLength;
  return {
    byteLength,
    strides,
    swapUnit,
    swapRuns,
    wrapped,
    asynchronous,
    encodedByteLength,
    scratchByteLength,
    decodeAhead,
    encodeRest,
    decodeRange: arrayStage.asStored ? byteStage.decodeRange : undefined,

    decode(bytes, kernels, at) {
      const encoded = byteStage.decode(bytes, kernels, at);
      try {
        return arrayStage.decode(encoded, kernels);
      } catch (error) {
        throw located(error, arrayStage.name, at);
      }
    },

    encode(elements, kernels, at) {
      let encoded: Uint8Array;
      try {
        encoded = arrayStage.encode(elements, kernels);
      } catch (error) {
        throw located(error, arrayStage.name, at);
      }
      return byteStage.encode(encoded, kernels, at);
    },

    async unwrap(bytes, kernels, at) {
      const ahead = await decodeAhead(bytes, kernels, at);
      kernels.begin(ahead.length + scratchByteLength + ROOM);
      const decoded = byteStage.decode(ahead, kernels, at);
      return decoded === ahead ? ahead : decoded.slice();
    },

    async wrap(bytes, kernels, at) {
      if (!wrapped) return bytes;
      kernels.begin(bytes.length + scratchByteLength + ROOM);
      return encodeRest(byteStage.encode(bytes, kernels, at).slice(), kernels, at);
    },
  };
}
