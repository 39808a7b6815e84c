/** The bits of packet headers, and tag trees (ISO/IEC 15444-1, B.10). */
import { at, noItem } from "../../../../core/for-codecs.js";
import { damaged } from "../sections.js";

/** Bits, most significant first. After a byte of 0xFF the next has seven. */
export class BitReader {
  readonly #bytes: Uint8Array;
  readonly #start: number;
  #at = 0;
  #byte = 0;
  #left = 0;

  /** @param start offset of the bytes in the message */
  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes;
    this.#start = start;
  }

  get offset(): number {
    return this.#start + this.#at;
  }

  bit(): number {
    if (this.#left === 0) {
      const isStuffed = this.#byte === 0xff;
      this.#byte = this.#next();
      this.#left = isStuffed ? 7 : 8;
    }
    this.#left--;
    return (this.#byte >> this.#left) & 1;
  }

  bits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) value = 2 * value + this.bit();
    return value;
  }

  /** Goes to the next byte; one that is stuffed after 0xFF belongs to the header. */
  align(): void {
    if (this.#byte === 0xff) this.#next();
    this.#left = 0;
    this.#byte = 0;
  }

  skipMarker(marker: number, length: number): void {
    if (this.#bytes[this.#at] === marker >> 8 && this.#bytes[this.#at + 1] === (marker & 255))
      this.take(length);
  }

  take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length)
      throw damaged(`expected ${length} bytes in a packet of JPEG 2000, got the end`, this.offset);
    const slice = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return slice;
  }

  #next(): number {
    return at(this.take(1), 0);
  }
}

interface Level {
  readonly columns: number;
  /** What each value is at least. */
  readonly least: Uint32Array;
  readonly isKnown: Uint8Array;
}

/** A tree of minima: each node has the least value of four below it. */
export class TagTree {
  readonly #levels: Level[] = [];

  constructor(columns: number, rows: number) {
    for (let [width, height] = [columns, rows]; ; ) {
      const count = width * height;
      this.#levels.push({ columns: width, least: new Uint32Array(count), isKnown: new Uint8Array(count) });
      if (count <= 1) break;
      [width, height] = [Math.ceil(width / 2), Math.ceil(height / 2)];
    }
  }

  /** Reads as much as it takes to know whether the value of a leaf is below `limit`. */
  isBelow(reader: BitReader, column: number, row: number, limit: number): boolean {
    let least = 0;
    let isKnown = 0;
    for (let level = this.#levels.length - 1; level >= 0; level--) {
      const nodes = this.#levels[level] ?? noItem(this.#levels, level);
      const node = (row >> level) * nodes.columns + (column >> level);
      least = Math.max(least, at(nodes.least, node));
      isKnown = at(nodes.isKnown, node);
      while (isKnown === 0 && least < limit) {
        isKnown = reader.bit();
        if (isKnown === 0) least++;
      }
      nodes.least[node] = least;
      nodes.isKnown[node] = isKnown;
    }
    return isKnown === 1 && least < limit;
  }
}
