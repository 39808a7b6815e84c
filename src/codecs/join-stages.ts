import type { ArrayStage } from "./array-stage.js";
import type { ByteStage } from "./byte-stage.js";
import { located } from "./located.js";
import type { JoinedStages } from "./prepared-pipeline.js";

/** Arena bytes beyond what the codecs of a chunk ask for. */
const ROOM = 65536;

/** What a pipeline does with the bytes of a chunk: the array stage on the elements' side, the byte stage on the store's. */
export function joinStages(arrayStage: ArrayStage, byteStage: ByteStage): JoinedStages {
  const scratchByteLength = arrayStage.scratchByteLength + byteStage.scratchByteLength;
  return {
    ...arrayStage,
    ...byteStage,
    scratchByteLength,
    decodeRange: arrayStage.asStored ? byteStage.decodeRange : undefined,

    decode(bytes, kernels, at, known) {
      const encoded = byteStage.decode(bytes, kernels, at, known);
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
      const ahead = await byteStage.decodeAhead(bytes, kernels, at);
      kernels.begin(ahead.length + scratchByteLength + ROOM);
      const decoded = byteStage.decode(ahead, kernels, at);
      return decoded === ahead ? ahead : decoded.slice();
    },

    async wrap(bytes, kernels, at) {
      if (!byteStage.wrapped) return bytes;
      kernels.begin(3 * bytes.length + scratchByteLength + ROOM);
      return byteStage.encodeRest(byteStage.encode(bytes, kernels, at).slice(), kernels, at);
    },
  };
}
