/**
 * Streams of LZMA: LZMA2, whose chunks state their sizes; FORMAT_ALONE (.lzma) and raw LZMA1, which have no
 * chunks; and the filters before them.
 */
import { UnsupportedError } from "../../errors.js";
import { damaged, LZMA, LzmaDecoder, type LzmaProperties, OutputFull } from "./lzma-decoder.js";

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
      const properties = readProperties(input[next + 5] ?? 0, next + 5);
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
  return ((input[offset] ?? 0) << 8) | (input[offset + 1] ?? 0);
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

// Filters before LZMA. Delta stores differences of bytes, as .xz files of numbers do. Filters for machine
// code are not supported.
const DELTA = 3;
const LZMA2 = 0x21;
/** 0x4000000000000001 as a double; no other id is near it. */
const LZMA1 = 2 ** 62;

export interface FilterSpec {
  readonly id: number;
  /** Distance of a delta filter: 1 to 256 bytes. */
  readonly distance: number;
}
export interface FilterChain {
  readonly last: "lzma1" | "lzma2";
  /** Distances of the delta filters before it, in encoding order. */
  readonly deltas: readonly number[];
}

/** The chain that these filters describe. @throws UnsupportedError for other filters */
export function chainOf(filters: readonly FilterSpec[]): FilterChain {
  const last = filters.at(-1);
  const before = filters.slice(0, -1);
  const other = before.find(({ id }) => id !== DELTA);
  const kind = last?.id === LZMA2 ? "lzma2" : last?.id === LZMA1 ? "lzma1" : undefined;
  if (other !== undefined || kind === undefined) {
    const id = other?.id ?? last?.id ?? "none";
    throw new UnsupportedError(
      `filter ${id} of lzma is not supported: expected delta filters (3) and LZMA2 (33) or LZMA1`,
      { codec: LZMA },
    );
  }
  return { last: kind, deltas: before.map(({ distance }) => distance) };
}

/** Undoes delta filters in place, the last one first. */
export function undoDelta(bytes: Uint8Array, distances: readonly number[]): void {
  for (const distance of distances.toReversed()) {
    for (let i = distance; i < bytes.length; i++) bytes[i] = (bytes[i] ?? 0) + (bytes[i - distance] ?? 0);
  }
}
