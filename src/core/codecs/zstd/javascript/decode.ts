/**
 * zstd decompression (RFC 8878) in TypeScript: fallback of assembly/zstd.ts, accepting and refusing the same
 * bytes for the same reasons.
 */
import {
  BAD_CHECKSUM,
  BAD_LENGTH,
  BAD_TABLE,
  failure,
  OUTPUT_OVERRUN,
  TRUNCATED,
  UNSUPPORTED,
} from "../../decoder-result.js";
import { type FrameStart, readDictionary, withoutTables } from "./dictionary.js";
import { decodeFourStreams, decodeStream, type HuffmanTable, PADDING, Refusal, readTree } from "./entropy.js";
import { readSequenceCount, runSequences, type SequenceState } from "./sequences.js";
import { xxh64Low } from "./xxh64.js";

const MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
const MAXIMUM_BLOCK = 128 * 1024;
const RLE = 1;
const COMPRESSED = 2;
const RESERVED = 3;
const REPEATED_LITERALS = 1;
const TREE_LITERALS = 2;

/**
 * Decodes all frames, or at least `wanted` bytes. The first `dictionary` bytes of `target` are a dictionary
 * for the only frame, which is decoded after them. Returns bytes written, or a failure (decoder-result.ts).
 */
export function decodeZstd(
  target: Uint8Array,
  source: Uint8Array,
  enough = Number.POSITIVE_INFINITY,
  dictionary = 0,
): number {
  const decoder = new Decoder(target, source, enough + dictionary, dictionary);
  try {
    return decoder.run();
  } catch (refusal) {
    if (refusal instanceof Refusal) return failure(refusal.code, decoder.position - PADDING);
    throw refusal;
  }
}

/** State that a frame's blocks leave to later blocks. */
interface FrameState extends SequenceState {
  readonly windowStart: number;
  huffman: HuffmanTable | undefined;
}

class Decoder {
  readonly #source: DataView;
  readonly #bytes: Uint8Array;
  readonly #end: number;
  readonly #target: Uint8Array;
  readonly #enough: number;
  readonly #dictionary: number;
  /** The start of the current frame or block in the padded source. */
  position = PADDING;
  /** With the dictionary. */
  #written: number;

  constructor(target: Uint8Array, source: Uint8Array, enough: number, dictionary: number) {
    this.#enough = enough;
    this.#dictionary = dictionary;
    this.#written = dictionary;
    this.#bytes = new Uint8Array(source.length + 2 * PADDING);
    this.#bytes.set(source, PADDING);
    this.#source = new DataView(this.#bytes.buffer);
    this.#end = PADDING + source.length;
    this.#target = target;
  }

  run(): number {
    do this.#frame();
    while (this.position < this.#end);
    return this.#written - this.#dictionary;
  }

  #frame(): void {
    const source = this.#source;
    const start = this.position;
    const there = this.#end - start;
    if (there < 8) throw new Refusal(TRUNCATED);
    const magic = source.getUint32(start, true);
    if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE_MAGIC) {
      const length = source.getUint32(start + 4, true);
      if (length > there - 8) throw new Refusal(TRUNCATED);
      this.position += 8 + length;
      return;
    }
    const first = this.#written;
    const hasDictionary = this.#dictionary !== 0;
    if (magic !== MAGIC || (hasDictionary && first !== this.#dictionary)) throw new Refusal(UNSUPPORTED);

    const descriptor = source.getUint8(start + 4);
    const single = (descriptor & 0x20) !== 0;
    const idLength = (1 << (descriptor & 3)) >>> 1;
    const sizeFlag = descriptor >>> 6;
    const sizeLength = sizeFlag === 0 ? Number(single) : 1 << sizeFlag;
    const windowLength = single ? 0 : 1;
    if (descriptor & 8) throw new Refusal(UNSUPPORTED);
    if (there < 5 + windowLength + idLength + sizeLength) throw new Refusal(TRUNCATED);
    const idStart = start + 5 + windowLength;
    let id = 0;
    for (let i = 0; i < idLength; i++) id += source.getUint8(idStart + i) * 256 ** i;
    if (id !== 0 && !hasDictionary) throw new Refusal(UNSUPPORTED);
    let size = sizeLength === 2 ? 256 : 0;
    for (let i = 0; i < sizeLength; i++) size += source.getUint8(idStart + idLength + i) * 256 ** i;
    const windowByte = source.getUint8(start + 5);
    const window = single ? size : 2 ** (10 + (windowByte >>> 3)) * (1 + (windowByte & 7) / 8);
    if (sizeLength !== 0 && size > this.#target.length - first) throw new Refusal(OUTPUT_OVERRUN);

    const stop = descriptor & 4 ? Number.POSITIVE_INFINITY : this.#enough;
    const begin = hasDictionary ? readDictionary(this.#target.subarray(0, first), id) : withoutTables(0);
    this.#blocks(idStart + idLength + sizeLength, Math.min(window, MAXIMUM_BLOCK), stop, begin);
    if (this.#written >= stop) {
      this.position = this.#end;
      return;
    }
    const written = this.#written - first;
    if (sizeLength !== 0 && size !== written) throw new Refusal(BAD_LENGTH);
    if (descriptor & 4) {
      if (this.#end - this.position < 4) throw new Refusal(TRUNCATED);
      const checksum = xxh64Low(this.#target.subarray(first, this.#written));
      if (source.getUint32(this.position, true) !== checksum) throw new Refusal(BAD_CHECKSUM);
      this.position += 4;
    }
  }

  #blocks(start: number, maximum: number, stop: number, begin: FrameStart): void {
    const target = this.#target;
    const state: FrameState = { ...begin, windowStart: this.#written - begin.contentLength };
    let from = start;
    for (let last = false; !last && this.#written < stop; ) {
      this.position = from;
      if (this.#end - from < 3) throw new Refusal(TRUNCATED);
      const header = this.#source.getUint16(from, true) | (this.#source.getUint8(from + 2) << 16);
      last = (header & 1) === 1;
      const type = (header >>> 1) & 3;
      const size = header >>> 3;
      const length = type === RLE ? 1 : size;
      from += 3;
      if (type === RESERVED || size > maximum) throw new Refusal(BAD_LENGTH);
      if (length > this.#end - from) throw new Refusal(TRUNCATED);
      if (type === COMPRESSED) {
        this.#compressed(from, from + length, maximum, state);
      } else {
        if (size > target.length - this.#written) throw new Refusal(OUTPUT_OVERRUN);
        if (type === RLE) target.fill(this.#source.getUint8(from), this.#written, this.#written + size);
        else target.set(this.#bytes.subarray(from, from + size), this.#written);
        this.#written += size;
      }
      from += length;
    }
    this.position = from;
  }

  #compressed(start: number, end: number, maximum: number, state: FrameState): void {
    const room = this.#target.length - this.#written;
    const limit = this.#written + Math.min(room, maximum);
    try {
      this.#written = this.#block(start, end, limit, state);
    } catch (refusal) {
      // A block larger than `maximum` is another error than too large an output.
      if (refusal instanceof Refusal && refusal.code === OUTPUT_OVERRUN && room >= maximum)
        throw new Refusal(BAD_LENGTH);
      throw refusal;
    }
  }

  /** Decodes a block. Returns where it ends in the target. */
  #block(start: number, end: number, limit: number, state: FrameState): number {
    const { literals, length } = this.#literals(start, end, state);
    const { count, length: countLength } = readSequenceCount(this.#source, start + length, end);
    const from = start + length + countLength;
    if (count > 0) {
      const output = { bytes: this.#target, start: this.#written, limit, windowStart: state.windowStart };
      return runSequences({ source: this.#source, start: from, end, count, literals }, output, state);
    }
    if (from !== end) throw new Refusal(BAD_LENGTH);
    if (literals.length > limit - this.#written) throw new Refusal(OUTPUT_OVERRUN);
    this.#target.set(literals, this.#written);
    return this.#written + literals.length;
  }

  #literals(
    start: number,
    end: number,
    state: FrameState,
  ): { readonly literals: Uint8Array; readonly length: number } {
    if (start >= end) throw new Refusal(TRUNCATED);
    const source = this.#source;
    const there = end - start;
    const header = source.getUint8(start);
    const type = header & 3;
    const format = (header >>> 2) & 3;
    if (type < TREE_LITERALS) return this.#plainLiterals(start, there, type === REPEATED_LITERALS, format);

    if (there < 5) throw new Refusal(TRUNCATED);
    const headerLength = format < 2 ? 3 : format + 2;
    const bits = format < 2 ? 10 : format === 2 ? 14 : 18;
    const word = source.getUint32(start, true) + source.getUint8(start + 4) * 2 ** 32;
    const count = Math.floor(word / 16) % 2 ** bits;
    const length = Math.floor(word / 2 ** (4 + bits)) % 2 ** bits;
    if (count > MAXIMUM_BLOCK) throw new Refusal(BAD_LENGTH);
    if (length > there - headerLength) throw new Refusal(TRUNCATED);
    let from = start + headerLength;
    const sectionEnd = from + length;
    if (type === TREE_LITERALS) {
      const tree = readTree(source, from, sectionEnd);
      state.huffman = tree.table;
      from += tree.length;
    }
    if (state.huffman === undefined) throw new Refusal(BAD_TABLE);
    const literals = new Uint8Array(count);
    if (format === 0) decodeStream(state.huffman, source, from, sectionEnd, literals);
    else decodeFourStreams(state.huffman, source, from, sectionEnd, literals);
    return { literals, length: headerLength + length };
  }

  #plainLiterals(
    start: number,
    there: number,
    repeated: boolean,
    format: number,
  ): { readonly literals: Uint8Array; readonly length: number } {
    const source = this.#source;
    const headerLength = format === 1 ? 2 : format === 3 ? 3 : 1;
    if (there < headerLength) throw new Refusal(TRUNCATED);
    // Four bytes can be read anywhere: the source is padded.
    const word = source.getUint32(start, true);
    const count =
      headerLength === 1
        ? (word & 0xff) >>> 3
        : headerLength === 2
          ? (word & 0xffff) >>> 4
          : (word & 0xffffff) >>> 4;
    if (count > MAXIMUM_BLOCK) throw new Refusal(BAD_LENGTH);
    const from = start + headerLength;
    const length = repeated ? 1 : count;
    if (length > there - headerLength) throw new Refusal(TRUNCATED);
    const literals = repeated
      ? new Uint8Array(count).fill(source.getUint8(from))
      : this.#bytes.subarray(from, from + count);
    return { literals, length: headerLength + length };
  }
}
