/** Streams of LZMA: LZMA2, whose chunks say their sizes; FORMAT_ALONE (.lzma) and raw LZMA1, which have no chunks. */
import { damaged, LzmaDecoder, type LzmaProperties, OutputFull } from "./lzma-decoder.js";

/** Where a stream ended in output and input. */
export interface Ends {
  readonly output: number;
  readonly input: number;
}

/** `lc`, `lp` and `pb` from the byte that holds all three. */
export function readProperties(byte: number, offset: number): LzmaProperties {
  if (byte >= 225) throw damaged("has properties that cannot be", offset);
  return { lc: byte % 9, lp: Math.floor(byte / 9) % 5, pb: Math.floor(byte / 45) };
}

/** Decodes the LZMA2 stream at `start` into `output` from `position` on. @throws OutputFull, CodecError */
export function decodeLzma2(output: Uint8Array, position: number, input: Uint8Array, start: number): Ends {
  const decoder = new LzmaDecoder(output, position, input);
  let next = start;
  // What a chunk may rely on: a dictionary (1), then properties and a state (2).
  let known = 0;
  for (;;) {
    const control = input[next];
    if (control === undefined) throw damaged("ends early", next);
    if (control === 0) return { output: decoder.position, input: next + 1 };
    const isLzma = control >= 0x80;
    if (!isLzma && control > 2) throw damaged("has a chunk of a kind that cannot be", next);
    const reset = isLzma ? (control >> 5) & 3 : 0;
    if (control === 1 || reset === 3) {
      decoder.resetDictionary();
      known = Math.max(known, 1);
    }
    if (known < 1) throw damaged("begins without a dictionary reset", next);
    const headerLength = isLzma ? (reset >= 2 ? 6 : 5) : 3;
    if (next + headerLength > input.length) throw damaged("ends early", next);
    const high = isLzma ? (control & 0x1f) << 16 : 0;
    const size = high + read16(input, next + 1) + 1;
    if (!isLzma) {
      if (next + 3 + size > input.length) throw damaged("ends early", next);
      decoder.copyUncompressed(next + 3, size);
      next += 3 + size;
      continue;
    }
    const end = next + headerLength + read16(input, next + 3) + 1;
    if (end > input.length) throw damaged("ends early", next);
    if (reset >= 2) {
      const properties = readProperties(input[next + 5] ?? 0, next + 5);
      if (properties.lc + properties.lp > 4)
        throw damaged("has properties that LZMA2 does not allow", next + 5);
      decoder.setProperties(properties);
      known = 2;
    }
    if (known < 2) throw damaged("begins without properties", next);
    if (reset >= 1) decoder.resetState();
    if (decoder.position + size > output.length) throw new OutputFull();
    decoder.begin(next + headerLength, end);
    decoder.decode(decoder.position + size, false);
    if (!decoder.isFinished || decoder.inputPosition !== end) {
      throw damaged("has a chunk of another size than it says", next);
    }
    next = end;
  }
}

function read16(input: Uint8Array, offset: number): number {
  return ((input[offset] ?? 0) << 8) | (input[offset + 1] ?? 0);
}

/** Of FORMAT_ALONE: properties, size of the dictionary, size of the data. */
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
