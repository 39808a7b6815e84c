/**
 * `zarrs.gdeflate` (bytes -> bytes, experimental): NVIDIA's GDeflate in pages of 64 KiB. Read only: writing
 * is an UnsupportedError. https://docs.rs/zarrs/latest/zarrs/array/codec/bytes_to_bytes/gdeflate/index.html
 *
 *     u64 length of all decoded bytes | u64 number of pages | u64 length of each encoded page | pages
 *
 * (little-endian). A page is deflate (with the longer matches and distances of deflate64) whose bits lie in
 * 32 streams that take turns, symbol by symbol. A stream takes the next word of the page when fewer than 32
 * of its bits are left. The distance of a match is in its stream's next turn, and only then is the match
 * copied. Stored blocks are a length, then bytes in turn. `{"name": "zarrs.gdeflate", "configuration":
 * {"level": 9}}`; `level` describes how the data were written and is ignored.
 */
import {
  BAD_DISTANCE,
  BAD_TABLE,
  type BlockCodes,
  byteAt,
  type CodecEntry,
  CodecError,
  type DecodeContext,
  DecodedTooLong,
  DISTANCE_BASE,
  DISTANCE_EXTRA,
  damagedData,
  decoderEntry,
  describeFailure,
  END_OF_BLOCK,
  failure,
  type HuffmanCode,
  LENGTH_BASE,
  LENGTH_EXTRA,
  LENGTH_ORDER,
  makeCode,
  makeFixedCodes,
  OUTPUT_OVERRUN,
  readConfiguration,
  TRUNCATED,
  UNSUPPORTED,
  uint16At,
  uint32At,
} from "../../core/for-codecs.js";

const CODEC = "zarrs.gdeflate";
const STREAMS = 32;
const PAGE = 65536;
/** A page begins with one word for each stream. */
const SHORTEST_PAGE = 4 * STREAMS;

const entry: CodecEntry = decoderEntry(CODEC, { only: "v3" }, (configuration) => {
  readConfiguration(CODEC, configuration, ["level"]);
  return decode;
});
export default entry;

function decode(bytes: Uint8Array, { kernels, byteLength, maximumByteLength }: DecodeContext): Uint8Array {
  const length = readNumber(bytes, 0);
  const pages = readNumber(bytes, 8);
  const most = byteLength ?? maximumByteLength;
  if (length > most) {
    const message = `expected at most ${most} decoded bytes, got a length of ${length}`;
    throw new DecodedTooLong(message, most, { codec: CODEC, offset: 0 });
  }
  if (pages !== Math.ceil(length / PAGE) && !(length === 0 && pages === 1)) {
    throw damaged(`expected ${Math.ceil(length / PAGE)} pages for ${length} bytes, got ${pages}`, 8);
  }
  let from = 16 + 8 * pages;
  // Checked before memory is allocated for the claimed length.
  if (bytes.length < from + pages * SHORTEST_PAGE) {
    throw damaged(
      `expected at least ${from + pages * SHORTEST_PAGE} bytes for ${pages} pages, got ${bytes.length}`,
      bytes.length,
    );
  }
  const output = kernels.allocate(length);
  for (let page = 0; page < pages; page++) {
    const end = from + readNumber(bytes, 16 + 8 * page);
    if (end > bytes.length)
      throw damaged(`page ${page} ends beyond the ${bytes.length} bytes of the chunk`, 16 + 8 * page);
    const result = new PageDecoder(
      output.subarray(page * PAGE, (page + 1) * PAGE),
      bytes.subarray(from, end),
    ).run();
    if (result < 0) {
      const { reason, offset } = describeFailure(result);
      throw damagedData(CODEC, `page ${page} of gdeflate`, from + offset, reason);
    }
    from = end;
  }
  if (from === bytes.length) return output;
  throw damaged(`expected no bytes after the last page, got ${bytes.length - from}`, from);
}

function damaged(reason: string, offset: number): CodecError {
  return new CodecError(reason, { codec: CODEC, offset });
}

/**
 * Reads a u64. Above 2^53 the number is inexact, but too large in any case.
 * @throws CodecError for fewer than 8 bytes
 */
function readNumber(bytes: Uint8Array, at: number): number {
  if (bytes.length < at + 8) throw damaged(`expected 8 bytes of header, got ${bytes.length - at}`, at);
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, 8);
  return view.getUint32(4, true) * 2 ** 32 + view.getUint32(0, true);
}

/** Symbols of deflate64 that deflate does not have, or uses differently. */
const LONG_LENGTH = 285;
const LONG_LENGTH_BASE = 3;
const LONG_LENGTH_EXTRA = 16;
const lastBase = (symbol: number): number => (symbol === 30 ? 32769 : 49153);
const LAST_EXTRA = 14;

/** Thrown to end the decoding of a page. */
class PageFailure {
  readonly code: number;
  constructor(code: number) {
    this.code = code;
  }
}

class PageDecoder {
  readonly #target: Uint8Array;
  readonly #source: Uint8Array;
  #written = 0;
  #from = 0;
  /** The stream whose turn it is. */
  #stream = 0;
  // Up to 63 bits of each stream that were taken and not used, lowest first.
  readonly #low = new Uint32Array(STREAMS);
  readonly #high = new Uint32Array(STREAMS);
  readonly #count = new Uint8Array(STREAMS);
  /**
   * For each stream the match whose distance is still to come: its length (0: none) and its place in the
   * target.
   */
  readonly #matchLength = new Uint32Array(STREAMS);
  readonly #matchStart = new Uint32Array(STREAMS);

  constructor(target: Uint8Array, source: Uint8Array) {
    this.#target = target;
    this.#source = source;
  }

  /** Returns 0, or a failure (decoder-result.ts) with the offset where it occurred. */
  run(): number {
    try {
      // A match may read the place of another match that is not copied yet: the zeros make the result the
      // same every time.
      this.#target.fill(0);
      for (let i = 0; i < STREAMS; i++) this.#next();
      while (!this.#block());
      return this.#written === this.#target.length && this.#from === this.#source.length
        ? 0
        : failure(TRUNCATED, this.#from);
    } catch (error) {
      if (error instanceof PageFailure) return failure(error.code, this.#from);
      throw error;
    }
  }

  /** @returns whether this was the last block */
  #block(): boolean {
    this.#stream = 0;
    const isLast = this.#take(1) === 1;
    const type = this.#take(2);
    this.#refill();
    if (type === 0) this.#stored();
    else if (type === 3) throw new PageFailure(UNSUPPORTED);
    else {
      const codes = type === 1 ? makeFixedCodes() : this.#readCodes();
      if (codes === undefined) throw new PageFailure(BAD_TABLE);
      this.#symbols(codes);
    }
    for (let i = 0; i < STREAMS; i++) {
      if (this.#matchLength[this.#stream] !== 0 && this.#distances !== undefined) this.#copy(this.#distances);
      this.#next();
    }
    return isLast;
  }
  #distances: HuffmanCode | undefined;

  /** Takes the next word for the stream whose turn it is, if it needs one. */
  #refill(): void {
    const s = this.#stream;
    const count = byteAt(this.#count, s);
    if (count >= 32) return;
    const source = this.#source;
    const at = this.#from;
    if (at + 4 > source.length) throw new PageFailure(TRUNCATED);
    const word =
      byteAt(source, at) |
      (byteAt(source, at + 1) << 8) |
      (byteAt(source, at + 2) << 16) |
      (byteAt(source, at + 3) << 24);
    this.#from = at + 4;
    this.#low[s] = uint32At(this.#low, s) | (word << count);
    this.#high[s] = count === 0 ? 0 : word >>> (32 - count);
    this.#count[s] = count + 32;
  }

  #next(): void {
    this.#refill();
    this.#stream = (this.#stream + 1) % STREAMS;
  }

  /** Takes the next `wanted` (at most 16) bits of the stream whose turn it is. */
  #take(count: number): number {
    if (count === 0) return 0;
    const s = this.#stream;
    const low = uint32At(this.#low, s);
    const high = uint32At(this.#high, s);
    this.#low[s] = (low >>> count) | (high << (32 - count));
    this.#high[s] = high >>> count;
    this.#count[s] = byteAt(this.#count, s) - count;
    return low & ((1 << count) - 1);
  }

  #symbol({ table }: HuffmanCode): number {
    const s = this.#stream;
    const low = uint32At(this.#low, s);
    const index = low & (table.length - 1);
    const entry = uint16At(table, index);
    if (entry === 0) throw new PageFailure(UNSUPPORTED);
    this.#take(entry & 15);
    return entry >>> 4;
  }

  #stored(): void {
    const length = this.#take(16);
    if (length > this.#target.length - this.#written) throw new PageFailure(OUTPUT_OVERRUN);
    for (let i = 0; i < length; i++) {
      this.#target[this.#written++] = this.#take(8);
      this.#next();
    }
  }

  #readCodes(): BlockCodes | undefined {
    const literalCount = this.#take(5) + 257;
    const distanceCount = this.#take(5) + 1;
    const lengthCount = this.#take(4) + 4;
    this.#refill();
    const lengthLengths = new Uint8Array(19);
    for (let i = 0; i < lengthCount; i++) {
      lengthLengths[byteAt(LENGTH_ORDER, i)] = this.#take(3);
      this.#next();
    }
    const lengthCode = makeCode(lengthLengths, true);
    if (lengthCode === undefined) return undefined;
    this.#stream = 0;
    const lengths = new Uint8Array(literalCount + distanceCount);
    for (let i = 0; i < lengths.length; ) {
      const symbol = this.#symbol(lengthCode);
      if (symbol < 16) lengths[i++] = symbol;
      else {
        if (symbol === 16 && i === 0) return undefined;
        const value = symbol === 16 ? byteAt(lengths, i - 1) : 0;
        const repeat = (symbol === 18 ? 11 : 3) + this.#take(symbol === 16 ? 2 : symbol === 17 ? 3 : 7);
        if (repeat > lengths.length - i) return undefined;
        lengths.fill(value, i, i + repeat);
        i += repeat;
      }
      this.#next();
    }
    const literals = makeCode(lengths.subarray(0, literalCount), true);
    const distances = makeCode(lengths.subarray(literalCount), true);
    return literals && distances && { literals, distances };
  }

  #symbols({ literals, distances }: BlockCodes): void {
    this.#stream = 0;
    this.#distances = distances;
    for (;;) {
      if (this.#matchLength[this.#stream] !== 0) this.#copy(distances);
      else {
        const symbol = this.#symbol(literals);
        if (symbol === END_OF_BLOCK) return;
        const room = this.#target.length - this.#written;
        if (symbol < END_OF_BLOCK) {
          if (room === 0) throw new PageFailure(OUTPUT_OVERRUN);
          this.#target[this.#written++] = symbol;
        } else {
          const length = this.#length(symbol);
          if (length > room) throw new PageFailure(OUTPUT_OVERRUN);
          this.#matchLength[this.#stream] = length;
          this.#matchStart[this.#stream] = this.#written;
          this.#written += length;
        }
      }
      this.#next();
    }
  }

  #length(symbol: number): number {
    if (symbol >= LONG_LENGTH) return LONG_LENGTH_BASE + this.#take(LONG_LENGTH_EXTRA);
    return uint16At(LENGTH_BASE, symbol - 257) + this.#take(byteAt(LENGTH_EXTRA, symbol - 257));
  }

  #copy(distances: HuffmanCode): void {
    const symbol = this.#symbol(distances);
    const base = symbol < 30 ? uint16At(DISTANCE_BASE, symbol) : lastBase(symbol);
    const distance = base + this.#take(symbol < 30 ? byteAt(DISTANCE_EXTRA, symbol) : LAST_EXTRA);
    const target = this.#target;
    const s = this.#stream;
    let at = uint32At(this.#matchStart, s);
    if (distance > at) throw new PageFailure(BAD_DISTANCE);
    const end = at + uint32At(this.#matchLength, s);
    this.#matchLength[this.#stream] = 0;
    for (; at < end; at++) target[at] = byteAt(target, at - distance);
  }
}
