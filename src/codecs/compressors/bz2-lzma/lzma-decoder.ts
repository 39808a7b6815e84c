/**
 * The LZMA algorithm: a range decoder, the adaptive probabilities of bits, and the matches they describe.
 * Decodes straight into the output, which is its dictionary. One instance decodes all chunks of an LZMA2
 * stream.
 */
import { byteAt, type CodecError, damagedData, uint16At } from "../../../core/for-codecs.js";

export const LZMA = "lzma";

/** Not an error: the output is too short, and the caller decodes again with a longer one. */
export class OutputFull extends Error {}

export function damaged(reason: string, offset: number): CodecError {
  return damagedData(LZMA, "LZMA stream", offset, reason);
}

export interface LzmaProperties {
  /**
   * `lc`: bits of the byte before that select a literal's probabilities; `lp`: bits of the position for that;
   * `pb`: for all others.
   */
  readonly lc: number;
  readonly lp: number;
  readonly pb: number;
}

/**
 * The first index of each group of probabilities. Groups of 192 have 16 positions for each of 12 states,
 * groups of 12 one entry for each state.
 */
const IS_MATCH = 0;
const IS_REPEAT = IS_MATCH + 192;
const IS_REPEAT_0 = IS_REPEAT + 12;
const IS_REPEAT_1 = IS_REPEAT_0 + 12;
const IS_REPEAT_2 = IS_REPEAT_1 + 12;
const IS_REPEAT_0_LONG = IS_REPEAT_2 + 12;
const SLOT = IS_REPEAT_0_LONG + 192;
const SPECIAL = SLOT + 256;
const ALIGN = SPECIAL + 128;
const LENGTH = ALIGN + 16;
const REPEAT_LENGTH = LENGTH + 514;
const LITERAL = REPEAT_LENGTH + 514;
/** Offsets within the probabilities of a length. */
const LOW = 2;
const MIDDLE = LOW + 128;
const HIGH = MIDDLE + 128;

const TOP = 2 ** 24;

export class LzmaDecoder {
  readonly #output: Uint8Array;
  readonly #input: Uint8Array;
  /** The positions of the next output byte, and of the dictionary. */
  position: number;
  #dictionaryStart: number;
  /** The positions of the next input byte, and of the end of the input. */
  #next = 0;
  #end = 0;
  #range = 0;
  #code = 0;
  #state = 0;
  #distances: [number, number, number, number] = [0, 0, 0, 0];
  #properties: LzmaProperties = { lc: 3, lp: 0, pb: 2 };
  #probabilities = new Uint16Array(LITERAL);

  constructor(output: Uint8Array, position: number, input: Uint8Array) {
    this.#output = output;
    this.#input = input;
    this.position = position;
    this.#dictionaryStart = position;
  }

  resetDictionary(): void {
    this.#dictionaryStart = this.position;
  }
  setProperties(properties: LzmaProperties): void {
    this.#properties = properties;
    const length = LITERAL + (0x300 << (properties.lc + properties.lp));
    if (this.#probabilities.length !== length) this.#probabilities = new Uint16Array(length);
  }
  resetState(): void {
    this.#state = 0;
    this.#distances = [0, 0, 0, 0];
    this.#probabilities.fill(1024);
  }

  /** Begins a range decoder with the five bytes at `start`. */
  begin(start: number, end: number): void {
    if (end - start < 5 || this.#input[start] !== 0)
      throw damaged("the first byte is not that of an LZMA stream", start);
    this.#range = 0xffffffff;
    this.#code = 0;
    for (let i = 1; i < 5; i++) this.#code = ((this.#code << 8) | byteAt(this.#input, start + i)) >>> 0;
    this.#next = start + 5;
    this.#end = end;
  }

  /** Position of the next input byte. */
  get inputPosition(): number {
    return this.#next;
  }
  /** Whether the range coder ended as encoders end it: with code 0. */
  get isFinished(): boolean {
    this.#normalise();
    return this.#code === 0;
  }

  copyUncompressed(start: number, length: number): void {
    if (this.position + length > this.#output.length) throw new OutputFull();
    this.#output.set(this.#input.subarray(start, start + length), this.position);
    this.position += length;
  }

  /**
   * Decodes until the output reaches `limit`, or an end marker comes where `mayEnd`.
   * @returns whether an end marker came
   */
  decode(limit: number, mayEnd: boolean): boolean {
    const { pb } = this.#properties;
    const positionMask = 2 ** pb - 1;
    while (this.position < limit) {
      const place = (this.position - this.#dictionaryStart) & positionMask;
      if (this.#bit(IS_MATCH + (this.#state << 4) + place) === 0) {
        this.#literal();
        continue;
      }
      let length: number;
      if (this.#bit(IS_REPEAT + this.#state) === 0) {
        length = this.#length(LENGTH, place);
        const distance = this.#distance(length);
        if (distance === 0xffffffff) {
          if (mayEnd) return true;
          throw damaged("the stream ends within a chunk", this.#next);
        }
        const [first, second, third] = this.#distances;
        this.#distances = [distance, first, second, third];
        this.#state = this.#state < 7 ? 7 : 10;
      } else if (this.#repeat(place)) {
        continue;
      } else {
        length = this.#length(REPEAT_LENGTH, place);
        this.#state = this.#state < 7 ? 8 : 11;
      }
      this.#copy(length, limit);
    }
    return false;
  }

  /** Tries to read the end marker that may follow a stream of known size. Returns whether it was one. */
  takeEndMarker(): boolean {
    const place = (this.position - this.#dictionaryStart) & (2 ** this.#properties.pb - 1);
    if (this.#bit(IS_MATCH + (this.#state << 4) + place) === 0 || this.#bit(IS_REPEAT + this.#state) === 1) {
      return false;
    }
    return this.#distance(this.#length(LENGTH, place)) === 0xffffffff;
  }

  /**
   * Selects which of the last four distances is repeated. True for a single byte, which is then copied
   * already.
   */
  #repeat(place: number): boolean {
    const [first, second, third, fourth] = this.#distances;
    const state = this.#state;
    if (this.#bit(IS_REPEAT_0 + state) === 0) {
      if (this.#bit(IS_REPEAT_0_LONG + (state << 4) + place) === 1) return false;
      this.#state = state < 7 ? 9 : 11;
      this.#copy(1, this.position + 1);
      return true;
    }
    if (this.#bit(IS_REPEAT_1 + state) === 0) this.#distances = [second, first, third, fourth];
    else if (this.#bit(IS_REPEAT_2 + state) === 0) this.#distances = [third, first, second, fourth];
    else this.#distances = [fourth, first, second, third];
    return false;
  }

  #copy(length: number, limit: number): void {
    const output = this.#output;
    const from = this.position - this.#distances[0] - 1;
    if (from < this.#dictionaryStart) throw damaged("a match begins before the data", this.#next);
    const end = this.position + length;
    if (end > output.length) throw new OutputFull();
    if (end > limit) throw damaged("a match ends beyond the data", this.#next);
    if (length <= this.#distances[0] + 1) output.copyWithin(this.position, from, from + length);
    else for (let i = 0; i < length; i++) output[this.position + i] = byteAt(output, from + i);
    this.position = end;
  }

  #literal(): void {
    const { lc, lp } = this.#properties;
    const place = this.position - this.#dictionaryStart;
    const before = place === 0 ? 0 : byteAt(this.#output, this.position - 1);
    const base = LITERAL + 0x300 * (((place & (2 ** lp - 1)) << lc) + (before >> (8 - lc)));
    let symbol = 1;
    if (this.#state >= 7) {
      // After a match, the byte that would have continued it selects the probabilities, for as long as the
      // bits agree.
      const from = this.position - this.#distances[0] - 1;
      if (from < this.#dictionaryStart) throw damaged("a match begins before the data", this.#next);
      let expected = byteAt(this.#output, from);
      while (symbol < 0x100) {
        const bit = (expected >> 7) & 1;
        expected <<= 1;
        const actual = this.#bit(base + ((1 + bit) << 8) + symbol);
        symbol = (symbol << 1) | actual;
        if (bit !== actual) break;
      }
    }
    while (symbol < 0x100) symbol = (symbol << 1) | this.#bit(base + symbol);
    if (this.position === this.#output.length) throw new OutputFull();
    this.#output[this.position++] = symbol;
    this.#state = this.#state < 4 ? 0 : this.#state < 10 ? this.#state - 3 : this.#state - 6;
  }

  #length(base: number, place: number): number {
    if (this.#bit(base) === 0) return 2 + this.#tree(base + LOW + (place << 3), 3);
    if (this.#bit(base + 1) === 0) return 10 + this.#tree(base + MIDDLE + (place << 3), 3);
    return 18 + this.#tree(base + HIGH, 8);
  }

  #distance(length: number): number {
    const slot = this.#tree(SLOT + (Math.min(length - 2, 3) << 6), 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const high = (2 | (slot & 1)) * 2 ** bits;
    if (slot < 14) return high + this.#reverseTree(SPECIAL + high - slot, bits);
    return high + this.#direct(bits - 4) * 16 + this.#reverseTree(ALIGN, 4);
  }

  #tree(base: number, bits: number): number {
    let symbol = 1;
    for (let i = 0; i < bits; i++) symbol = (symbol << 1) | this.#bit(base + symbol);
    return symbol - (1 << bits);
  }
  #reverseTree(base: number, bits: number): number {
    let symbol = 1;
    let value = 0;
    for (let i = 0; i < bits; i++) {
      const bit = this.#bit(base + symbol);
      symbol = (symbol << 1) | bit;
      value |= bit << i;
    }
    return value;
  }
  /** Reads bits of equal probability. */
  #direct(bits: number): number {
    let value = 0;
    for (let i = 0; i < bits; i++) {
      this.#normalise();
      this.#range = this.#range >>> 1;
      const bit = this.#code >= this.#range ? 1 : 0;
      if (bit === 1) this.#code -= this.#range;
      value = value * 2 + bit;
    }
    return value;
  }

  #bit(index: number): number {
    this.#normalise();
    const probability = uint16At(this.#probabilities, index);
    const bound = (this.#range >>> 11) * probability;
    if (this.#code < bound) {
      this.#range = bound;
      this.#probabilities[index] = probability + ((2048 - probability) >> 5);
      return 0;
    }
    this.#range -= bound;
    this.#code -= bound;
    this.#probabilities[index] = probability - (probability >> 5);
    return 1;
  }

  #normalise(): void {
    if (this.#range >= TOP) return;
    if (this.#next >= this.#end) throw damaged("the stream ends too early", this.#next);
    this.#range = (this.#range << 8) >>> 0;
    const byte = byteAt(this.#input, this.#next);
    this.#code = ((this.#code << 8) | byte) >>> 0;
    this.#next++;
  }
}
