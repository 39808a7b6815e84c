/** Reading bits from the end of a stream backwards, for Huffman and FSE streams. */
import { TRUNCATED } from "../../decoder-result.js";

/** A refusal in flight inside the twin: one of the codes of decoder-result.ts. */
export class Refusal {
  readonly code: number;
  constructor(code: number) {
    this.code = code;
  }
}

/** Bytes of padding that the source has on both sides, so that four bytes can be read at any place of it. */
export const PADDING = 8;

/** Bits of the stream from byte `start` to `end` that are not padding: its last byte's highest bit is a mark. 0 without one. */
export function markedBits(source: DataView, start: number, end: number): number {
  const last = source.getUint8(end - 1);
  return last === 0 ? 0 : (end - start) * 8 - Math.clz32(last) + 23;
}

/** Bits of a stream that begins at byte `start`, taken from its end on. */
export class BackwardBits {
  readonly #source: DataView;
  readonly #start: number;
  /** Bits not yet taken; negative once more were taken than there are. */
  left: number;

  /** @throws Refusal for an empty stream or one without a mark, with `unmarked` */
  constructor(source: DataView, start: number, end: number, unmarked: number) {
    if (start >= end) throw new Refusal(TRUNCATED);
    if (source.getUint8(end - 1) === 0) throw new Refusal(unmarked);
    this.#source = source;
    this.#start = start;
    this.left = markedBits(source, start, end);
  }

  /** The next `count` (at most 31) bits; 0 when there are not that many, which `left` then says. */
  take(count: number): number {
    this.left -= count;
    const position = this.left;
    if (position < 0 || count === 0) return 0;
    const byte = this.#start + (position >>> 3);
    const shift = position & 7;
    let value = this.#source.getUint32(byte, true) >>> shift;
    if (count + shift > 32) value |= this.#source.getUint8(byte + 4) << (32 - shift);
    return (value & (2 ** count - 1)) >>> 0;
  }
}
