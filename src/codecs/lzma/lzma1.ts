/** LZMA without a container that says sizes of chunks: FORMAT_ALONE (.lzma), and raw LZMA1. */
import { damaged, OutputFull } from "./failure.js";
import { LzmaDecoder, type LzmaProperties } from "./lzma-decoder.js";
import { type Ends, readProperties } from "./lzma2.js";

/** Properties, size of the dictionary, size of the data. */
const HEADER_LENGTH = 13;

/** FORMAT_ALONE. A size of -1 means that there is an end marker. @throws OutputFull, CodecError */
export function decodeAlone(output: Uint8Array, input: Uint8Array): Ends {
  if (input.length < HEADER_LENGTH) throw damaged("ends early", input.length);
  const view = new DataView(input.buffer, input.byteOffset, HEADER_LENGTH);
  const properties = readProperties(view.getUint8(0), 0);
  const size = view.getBigUint64(5, true);
  const isUnknown = size === 2n ** 64n - 1n;
  return decodeLzma1(output, 0, input, HEADER_LENGTH, properties, isUnknown ? undefined : Number(size));
}

/** @param size bytes of output; undefined when an end marker says it @throws OutputFull, CodecError */
export function decodeLzma1(
  output: Uint8Array,
  position: number,
  input: Uint8Array,
  start: number,
  properties: LzmaProperties,
  size: number | undefined,
): Ends {
  if (size !== undefined && position + size > output.length) throw new OutputFull();
  const decoder = new LzmaDecoder(output, position, input);
  decoder.setProperties(properties);
  decoder.resetState();
  decoder.begin(start, input.length);
  // One beyond the output, so that a stream without a size comes to its end marker or is found too long.
  const limit = size === undefined ? output.length + 1 : position + size;
  const ended = decoder.decode(limit, true);
  if (!ended && !decoder.isFinished && !decoder.takeEndMarker()) {
    throw damaged("goes on behind its end", decoder.inputPosition);
  }
  if (size !== undefined && decoder.position !== limit) {
    throw damaged(
      `ends after ${decoder.position - position} bytes instead of ${size}`,
      decoder.inputPosition,
    );
  }
  if (!decoder.isFinished) throw damaged("does not end as LZMA does", decoder.inputPosition);
  return { output: decoder.position, input: decoder.inputPosition };
}
