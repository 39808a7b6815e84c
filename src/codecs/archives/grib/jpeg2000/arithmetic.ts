/** The arithmetic decoder of JPEG 2000, the MQ-decoder (ISO/IEC 15444-1, Annex C). */
import { byteAt, byteOrZero, uint16At } from "../../../../core/for-codecs.js";

/**
 * Probability of the less probable symbol, then the states after the more and after the less probable one.
 */
const STATES: readonly (readonly [probability: number, more: number, less: number])[] = [
  ...[
    [0x5601, 1, 1],
    [0x3401, 2, 6],
    [0x1801, 3, 9],
    [0x0ac1, 4, 12],
    [0x0521, 5, 29],
    [0x0221, 38, 33],
  ],
  ...[
    [0x5601, 7, 6],
    [0x5401, 8, 14],
    [0x4801, 9, 14],
    [0x3801, 10, 14],
    [0x3001, 11, 17],
    [0x2401, 12, 18],
  ],
  ...[
    [0x1c01, 13, 20],
    [0x1601, 29, 21],
    [0x5601, 15, 14],
    [0x5401, 16, 14],
    [0x5101, 17, 15],
  ],
  ...[
    [0x4801, 18, 16],
    [0x3801, 19, 17],
    [0x3401, 20, 18],
    [0x3001, 21, 19],
    [0x2801, 22, 19],
  ],
  ...[
    [0x2401, 23, 20],
    [0x2201, 24, 21],
    [0x1c01, 25, 22],
    [0x1801, 26, 23],
    [0x1601, 27, 24],
  ],
  ...[
    [0x1401, 28, 25],
    [0x1201, 29, 26],
    [0x1101, 30, 27],
    [0x0ac1, 31, 28],
    [0x09c1, 32, 29],
  ],
  ...[
    [0x08a1, 33, 30],
    [0x0521, 34, 31],
    [0x0441, 35, 32],
    [0x02a1, 36, 33],
    [0x0221, 37, 34],
  ],
  ...[
    [0x0141, 38, 35],
    [0x0111, 39, 36],
    [0x0085, 40, 37],
    [0x0049, 41, 38],
    [0x0025, 42, 39],
  ],
  ...[
    [0x0015, 43, 40],
    [0x0009, 44, 41],
    [0x0005, 45, 42],
    [0x0001, 45, 43],
    [0x5601, 46, 46],
  ],
].map(([probability = Number.NaN, more = Number.NaN, less = Number.NaN]) => [probability, more, less]);
const PROBABILITIES = Uint16Array.from(STATES, ([probability]) => probability);
const AFTER_MORE = Uint8Array.from(STATES, ([, more]) => more);
const AFTER_LESS = Uint8Array.from(STATES, ([, , less]) => less);
/** Which symbol is the more probable one changes after the less probable one. */
const SWITCHES: readonly number[] = [0, 6, 14];

export class ArithmeticDecoder {
  readonly #bytes: Uint8Array;
  /** State of each context, and its more probable symbol. */
  readonly #states: Uint8Array;
  readonly #symbols: Uint8Array;
  #at = 0;
  #interval = 0x8000;
  #code: number;
  #left = 0;

  /** @param states in which the contexts begin */
  constructor(bytes: Uint8Array, states: Uint8Array) {
    this.#bytes = bytes;
    this.#states = states;
    this.#symbols = new Uint8Array(states.length);
    this.#code = (this.#byte(0) << 16) >>> 0;
    this.#fill();
    this.#code = (this.#code << 7) >>> 0;
    this.#left -= 7;
  }

  /** After the end are bytes of 0xFF. */
  #byte(at: number): number {
    return at < this.#bytes.length ? byteOrZero(this.#bytes, at) : 0xff;
  }

  #fill(): void {
    const next = this.#byte(this.#at + 1);
    if (this.#byte(this.#at) !== 0xff) {
      this.#at++;
      this.#code = (this.#code + (next << 8)) >>> 0;
      this.#left = 8;
    } else if (next > 0x8f) {
      this.#code = (this.#code + 0xff00) >>> 0;
      this.#left = 8;
    } else {
      this.#at++;
      this.#code = (this.#code + (next << 9)) >>> 0;
      this.#left = 7;
    }
  }

  /** The next bit of a context. */
  bit(context: number): number {
    const state = byteAt(this.#states, context);
    const more = byteAt(this.#symbols, context);
    const probability = uint16At(PROBABILITIES, state);
    this.#interval -= probability;
    let isMore: boolean;
    if (this.#code >>> 16 < probability) {
      isMore = this.#interval < probability;
      this.#interval = probability;
    } else {
      this.#code = (this.#code - probability * 65536) >>> 0;
      if ((this.#interval & 0x8000) !== 0) return more;
      isMore = this.#interval >= probability;
    }
    const next = isMore ? AFTER_MORE : AFTER_LESS;
    this.#states[context] = byteAt(next, state);
    if (!isMore && SWITCHES.includes(state)) this.#symbols[context] = 1 - more;
    do {
      if (this.#left === 0) this.#fill();
      this.#interval <<= 1;
      this.#code = (this.#code << 1) >>> 0;
      this.#left--;
    } while ((this.#interval & 0x8000) === 0);
    return isMore ? more : 1 - more;
  }
}
