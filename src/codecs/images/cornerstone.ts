/**
 * Decoders of Cornerstone.js: an object decodes one image, into elements with the samples of a pixel
 * together.
 */
import { CodecError } from "../../core/for-codecs.js";
import { type Emscripten, type Made, makeInstance } from "./emscripten.js";
import { type Decoder, decoderOf } from "./packages.js";

/** An instance that makes an object for each image. */
export interface Cornerstone {
  make(): CornerstoneDecoder;
  /** The reason of a failure, which the package prints. */
  messages(): string;
}

/** @param make of an instance: an object for an image */
export function cornerstoneDecoder<Instance>(
  codec: string,
  load: () => Promise<Emscripten<Instance>>,
  make: (instance: Instance) => CornerstoneDecoder,
): Decoder<Cornerstone> {
  let messages = () => "";
  return decoderOf(
    codec,
    async () => {
      const made: Made<Instance> = await makeInstance(await load());
      messages = made.messages;
      return { make: () => make(made.instance), messages };
    },
    (thrown) => messages() || (thrown instanceof Error ? thrown.message : "no reason is given"),
  );
}

/** @throws anything; CodecError for an image that does not decode to `byteLength` */
export function decodeWith(
  codec: string,
  { make, messages }: Cornerstone,
  bytes: Uint8Array,
  byteLength: number,
): Uint8Array {
  messages();
  const decoder = make();
  decoder.getEncodedBuffer(bytes.length).set(bytes);
  try {
    decoder.decode();
    const { buffer, byteOffset, length } = decoder.getDecodedBuffer();
    if (length === byteLength) return new Uint8Array(buffer, byteOffset, length);
    const reason = messages() || `${length} of ${byteLength} bytes were decoded`;
    throw new CodecError(`cannot decode the image: ${reason}`, { codec });
  } finally {
    decoder.delete();
  }
}
