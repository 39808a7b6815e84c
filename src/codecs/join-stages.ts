import type { ArrayStage } from "./array-stage.js";
import { type ByteStage, located } from "./byte-stage.js";
import type { AheadCodec, ArrayToBytesCodec } from "./codec.js";
import type { JoinedStages } from "./pipeline.js";

/** Arena bytes beyond what the codecs of a chunk ask for. */
const ROOM = 65536;

const same = (bytes: Uint8Array): Uint8Array => bytes;

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

/** What runs in place of `joinStages` where the array-to-bytes codec holds asynchronous codecs; undefined where it holds none. */
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
        return await ahead.decode(encoded, kernels, at);
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
