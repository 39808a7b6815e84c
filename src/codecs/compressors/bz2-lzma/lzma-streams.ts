/**
 * Streams of LZMA: LZMA2, whose chunks state their sizes; FORMAT_ALONE (.lzma) and raw LZMA1, which have no
 * chunks.
 */
import { at } from "../../../core/for-codecs.js";
import { damaged, LzmaDecoder, type LzmaProperties, OutputFull } from "./lzma-decoder.js";

/** The ends of a stream in output and input. */
export interface Ends {
  readonly output: number;
  readonly input: number;
}

/** Reads `lc`, `lp` and `pb` from the byte that holds all three. */
function readProperties(byte: number, offset: number): LzmaProperties {
  if (byte >= 225) throw damaged("the properties are out of range", offset);
  return { lc: byte % 9, lp: Math.floor(byte / 9) % 5, pb: Math.floor(byte / 45) };
}

/** Decodes the LZMA2 stream at `start` into `output` from `position` on. @throws OutputFull, CodecError */
export function decodeLzma2(output: Uint8Array, position: number, input: Uint8Array, start: number): Ends {
  const decoder = new LzmaDecoder(output, position, input);
  let next = start;
  // Earlier chunks have set a dictionary (1), then properties and a state (2).
  let known = 0;
  for (;;) {
    const control = input[next];
    if (control === undefined) throw damaged("the stream ends too early", next);
    if (control === 0) return { output: decoder.position, input: next + 1 };
    const isLzma = control >= 0x80;
    if (!isLzma && control > 2) throw damaged("the kind of a chunk is unknown", next);
    const reset = isLzma ? (control >> 5) & 3 : 0;
    if (control === 1 || reset === 3) {
      decoder.resetDictionary();
      known = Math.max(known, 1);
    }
    if (known < 1) throw damaged("the first chunk does not reset the dictionary", next);
    const headerLength = isLzma ? (reset >= 2 ? 6 : 5) : 3;
    if (next + headerLength > input.length) throw damaged("the stream ends too early", next);
    const high = isLzma ? (control & 0x1f) << 16 : 0;
    const size = high + read16(input, next + 1) + 1;
    if (!isLzma) {
      if (next + 3 + size > input.length) throw damaged("the stream ends too early", next);
      decoder.copyUncompressed(next + 3, size);
      next += 3 + size;
      continue;
    }
    const end = next + headerLength + read16(input, next + 3) + 1;
    if (end > input.length) throw damaged("the stream ends too early", next);
    if (reset >= 2) {
      const properties = readProperties(at(input, next + 5), next + 5);
      if (properties.lc + properties.lp > 4) throw damaged("LZMA2 does not allow these properties", next + 5);
      decoder.setProperties(properties);
      known = 2;
    }
    if (known < 2) throw damaged("the first chunk has no properties", next);
    if (reset >= 1) decoder.resetState();
    if (decoder.position + size > output.length) throw new OutputFull();
    decoder.begin(next + headerLength, end);
    decoder.decode(decoder.position + size, false);
    if (!decoder.isFinished || decoder.inputPosition !== end) {
      throw damaged("the size of a chunk differs from its header", next);
    }
    next = end;
  }
}

function read16(input: Uint8Array, offset: number): number {
  return (at(input, offset) << 8) | at(input, offset + 1);
}

/** Header bytes of FORMAT_ALONE: properties (1), size of the dictionary (4), size of the data (8). */
const HEADER_LENGTH = 13;

/** Decodes FORMAT_ALONE. A size of -1 means that there is an end marker. @throws OutputFull, CodecError */
export function decodeAlone(output: Uint8Array, input: Uint8Array): Ends {
  if (input.length < HEADER_LENGTH) throw damaged("the stream ends too early", input.length);
  const view = new DataView(input.buffer, input.byteOffset, HEADER_LENGTH);
  const properties = readProperties(view.getUint8(0), 0);
  const size = view.getBigUint64(5, true);
  const isUnknown = size === 2n ** 64n - 1n;
  return decodeLzma1(output, input, HEADER_LENGTH, properties, isUnknown ? undefined : Number(size));
}

/** @param size bytes of output; undefined if an end marker ends the stream @throws OutputFull, CodecError */
export function decodeLzma1(
  output: Uint8Array,
  input: Uint8Array,
  start: number,
  properties: LzmaProperties,
  size: number | undefined,
): Ends {
  if (size !== undefined && size > output.length) throw new OutputFull();
  const decoder = new LzmaDecoder(output, 0, input);
  decoder.setProperties(properties);
  decoder.resetState();
  decoder.begin(start, input.length);
  // One beyond the output, so that a stream without a size reaches its end marker or turns out to be too
  // long.
  const limit = size ?? output.length + 1;
  const ended = decoder.decode(limit, true);
  if (!ended && !decoder.isFinished && !decoder.takeEndMarker()) {
    throw damaged("the data continue after the end mark", decoder.inputPosition);
  }
  if (size !== undefined && decoder.position !== limit) {
    throw damaged(`the data end after ${decoder.position} bytes instead of ${size}`, decoder.inputPosition);
  }
  if (!decoder.isFinished) throw damaged("the end mark is missing", decoder.inputPosition);
  return { output: decoder.position, input: decoder.inputPosition };
}
