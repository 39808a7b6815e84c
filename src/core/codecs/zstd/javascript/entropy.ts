/**
 * The entropy coding of zstd: bit streams that are read backwards, FSE tables (RFC 8878 section 4.1) as in
 * assembly/zstd-fse.ts, and Huffman-coded literals (section 4.2) as in assembly/zstd-huffman.ts.
 */
import { at, byteAt, noItem, uint16At, uint32At } from "../../../../base/at.js";
import { BAD_TABLE, TRUNCATED } from "../../decoder-result.js";

/** The meaning of each symbol of a table: a value, and a number of extra bits to add to it. */
export interface SymbolMeaning {
  readonly values: ArrayLike<number>;
  readonly extraBits: ArrayLike<number>;
}

export interface FseTable {
  readonly log: number;
  /** All four lists are by state. */
  readonly values: Uint32Array;
  readonly extraBits: Uint8Array;
  readonly nextBits: Uint8Array;
  readonly nextStates: Uint16Array;
}

interface Description {
  readonly log: number;
  readonly probabilities: Int16Array;
  /** Bytes of the description. */
  readonly length: number;
}

/** Reads the description of a table between `start` and `end`. @throws Refusal */
export function readDescription(
  source: DataView,
  start: number,
  end: number,
  maximumLog: number,
  maximumSymbol: number,
): Description {
  if (start >= end) throw new Refusal(TRUNCATED);
  const peek = (position: number): number => {
    const byte = start + (position >>> 3);
    if (byte >= end) return 0;
    const there = Math.min(end - byte, 4) * 8;
    const mask = there === 32 ? -1 : (1 << there) - 1;
    return ((source.getUint32(byte, true) & mask) >>> (position & 7)) & 0xffff;
  };
  const log = (peek(0) & 15) + 5;
  if (log > maximumLog) throw new Refusal(BAD_TABLE);
  const probabilities = new Int16Array(maximumSymbol + 1);
  let position = 4;
  let remaining = (1 << log) + 1;
  let threshold = 1 << log;
  let bits = log + 1;
  let symbol = 0;
  while (remaining > 1) {
    if (symbol > maximumSymbol) throw new Refusal(BAD_TABLE);
    const value = peek(position);
    const short = 2 * threshold - 1 - remaining;
    let count = value & (threshold - 1);
    if (count < short) {
      position += bits - 1;
    } else {
      count = value & (2 * threshold - 1);
      if (count >= threshold) count -= short;
      position += bits;
    }
    count--;
    remaining -= Math.abs(count);
    probabilities[symbol++] = count;
    if (count === 0) {
      let zeros: number;
      do {
        zeros = peek(position) & 3;
        position += 2;
        symbol += zeros;
        if (symbol > maximumSymbol + 1) throw new Refusal(BAD_TABLE);
      } while (zeros === 3);
    }
    while (remaining < threshold) {
      bits--;
      threshold >>= 1;
    }
  }
  const length = (position + 7) >>> 3;
  if (length > end - start) throw new Refusal(TRUNCATED);
  return { log, probabilities, length };
}

/** The table of a single symbol, which takes no bits. */
export function singleTable(symbol: number, { values, extraBits }: SymbolMeaning): FseTable {
  return {
    log: 0,
    values: Uint32Array.of(at(values, symbol)),
    extraBits: Uint8Array.of(at(extraBits, symbol)),
    nextBits: new Uint8Array(1),
    nextStates: new Uint16Array(1),
  };
}

export function buildTable(log: number, probabilities: ArrayLike<number>, meaning: SymbolMeaning): FseTable {
  const size = 1 << log;
  const symbols = new Uint8Array(size);
  const next = new Uint16Array(probabilities.length);
  let high = size - 1;
  for (let symbol = 0; symbol < probabilities.length; symbol++) {
    const probability = probabilities[symbol] ?? noItem(probabilities, symbol);
    next[symbol] = Math.abs(probability);
    if (probability === -1) symbols[high--] = symbol;
  }
  const step = (size >>> 1) + (size >>> 3) + 3;
  let state = 0;
  for (let symbol = 0; symbol < probabilities.length; symbol++) {
    const probability = probabilities[symbol] ?? noItem(probabilities, symbol);
    for (let i = 0; i < probability; i++) {
      symbols[state] = symbol;
      do state = (state + step) & (size - 1);
      while (state > high);
    }
  }
  const table = {
    log,
    values: new Uint32Array(size),
    extraBits: new Uint8Array(size),
    nextBits: new Uint8Array(size),
    nextStates: new Uint16Array(size),
  };
  for (let i = 0; i < size; i++) {
    const symbol = byteAt(symbols, i);
    const count = uint16At(next, symbol);
    next[symbol] = count + 1;
    const bits = log - (31 - Math.clz32(count));
    table.values[i] = meaning.values[symbol] ?? noItem(meaning.values, symbol);
    table.extraBits[i] = meaning.extraBits[symbol] ?? noItem(meaning.extraBits, symbol);
    table.nextBits[i] = bits;
    table.nextStates[i] = (count << bits) - size;
  }
  return table;
}

/** Thrown inside the decoder: `code` is one of those of decoder-result.ts. */
export class Refusal {
  readonly code: number;
  constructor(code: number) {
    this.code = code;
  }
}

/** Bytes of padding on both sides of the source, so that four bytes can be read at any position. */
export const PADDING = 8;

/**
 * Number of bits from byte `start` to `end` without padding: the last byte's highest set bit marks the end. 0
 * without a mark.
 */
function markedBits(source: DataView, start: number, end: number): number {
  const last = source.getUint8(end - 1);
  return last === 0 ? 0 : (end - start) * 8 - Math.clz32(last) + 23;
}

/** Reads the bits of a stream from its end back to byte `start`. */
export class BackwardBits {
  readonly #source: DataView;
  readonly #start: number;
  /** Bits not yet taken; negative once more were taken than there are. */
  left: number;

  /** @throws Refusal for an empty stream, or with the code `unmarked` for one without a mark */
  constructor(source: DataView, start: number, end: number, unmarked: number) {
    if (start >= end) throw new Refusal(TRUNCATED);
    if (source.getUint8(end - 1) === 0) throw new Refusal(unmarked);
    this.#source = source;
    this.#start = start;
    this.left = markedBits(source, start, end);
  }

  /** Takes the next `count` (at most 31) bits. Returns 0 if fewer are left; `left` is negative then. */
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

const MAXIMUM_BITS = 11;
const MAXIMUM_WEIGHT_LOG = 6;
const MAXIMUM_WRITTEN_WEIGHTS = 255;
const WEIGHTS = {
  values: Uint8Array.from({ length: 256 }, (_, weight) => weight),
  extraBits: new Uint8Array(256),
};

/** By the next 11 bits: symbol << 8 | number of bits of its code. */
export type HuffmanTable = Uint16Array;

/** Reads a tree description between `start` and `end`. @throws Refusal */
export function readTree(
  source: DataView,
  start: number,
  end: number,
): { readonly table: HuffmanTable; readonly length: number } {
  if (start >= end) throw new Refusal(TRUNCATED);
  const header = source.getUint8(start);
  const length = header < 128 ? header : (header - 126) >>> 1;
  if (length > end - start - 1) throw new Refusal(TRUNCATED);
  if (header < 128) {
    return {
      table: buildHuffman(readCompressedWeights(source, start + 1, start + 1 + length)),
      length: length + 1,
    };
  }
  const weights = Array.from({ length: header - 127 }, (_, i) => {
    const pair = source.getUint8(start + 1 + (i >>> 1));
    return i & 1 ? pair & 15 : pair >>> 4;
  });
  return { table: buildHuffman(weights), length: length + 1 };
}

/** Decodes weights: two FSE states take turns until the bits run out. */
function readCompressedWeights(source: DataView, start: number, end: number): number[] {
  const { log, probabilities, length } = readDescription(source, start, end, MAXIMUM_WEIGHT_LOG, 255);
  const table = buildTable(log, probabilities, WEIGHTS);
  const bits = new BackwardBits(source, start + length, end, BAD_TABLE);
  let first = bits.take(log);
  let second = bits.take(log);
  if (bits.left < 0) throw new Refusal(TRUNCATED);
  const weights: number[] = [];
  while (weights.length < MAXIMUM_WRITTEN_WEIGHTS - 1) {
    weights.push(uint32At(table.values, first));
    const next = uint16At(table.nextStates, first) + bits.take(byteAt(table.nextBits, first));
    if (bits.left < 0) {
      weights.push(uint32At(table.values, second));
      return weights;
    }
    first = second;
    second = next;
  }
  throw new Refusal(BAD_TABLE);
}

/** Builds the table of the weights, to which it adds the last symbol's. */
function buildHuffman(weights: number[]): HuffmanTable {
  let total = 0;
  for (const weight of weights) {
    if (weight > MAXIMUM_BITS) throw new Refusal(BAD_TABLE);
    total += (1 << weight) >>> 1;
  }
  const bits = 32 - Math.clz32(total);
  if (total === 0 || bits > MAXIMUM_BITS) throw new Refusal(BAD_TABLE);
  const rest = (1 << bits) - total;
  if (rest & (rest - 1)) throw new Refusal(BAD_TABLE);
  weights.push(32 - Math.clz32(rest));
  if (weights.filter((weight) => weight === 1).length < 2) throw new Refusal(BAD_TABLE);
  const table = new Uint16Array(1 << MAXIMUM_BITS);
  let at = 0;
  for (let weight = 1; weight <= bits; weight++) {
    const length = 1 << (weight - 1 + MAXIMUM_BITS - bits);
    for (let symbol = 0; symbol < weights.length; symbol++) {
      if (weights[symbol] !== weight) continue;
      table.fill((symbol << 8) | (bits + 1 - weight), at, at + length);
      at += length;
    }
  }
  return table;
}

/** Decodes one stream, which fills exactly `target`. @throws Refusal */
export function decodeStream(
  table: HuffmanTable,
  source: DataView,
  start: number,
  end: number,
  target: Uint8Array,
): void {
  if (start >= end) throw new Refusal(TRUNCATED);
  let left = markedBits(source, start, end);
  if (source.getUint8(end - 1) === 0) throw new Refusal(TRUNCATED);
  for (let i = 0; i < target.length; i++) {
    const position = left - MAXIMUM_BITS;
    const index =
      position >= 0
        ? source.getUint32(start + (position >>> 3), true) >>> (position & 7)
        : source.getUint32(start, true) << -position;
    const entry = uint16At(table, index & 0x7ff);
    target[i] = entry >>> 8;
    left -= entry & 255;
    if (left < 0) throw new Refusal(TRUNCATED);
  }
  if (left !== 0) throw new Refusal(TRUNCATED);
}

/** Decodes four streams after a table with the lengths of three. @throws Refusal */
export function decodeFourStreams(
  table: HuffmanTable,
  source: DataView,
  start: number,
  end: number,
  target: Uint8Array,
): void {
  if (end - start < 10 || target.length < 6) throw new Refusal(TRUNCATED);
  const segment = (target.length + 3) >>> 2;
  let from = start + 6;
  for (let stream = 0; stream < 4; stream++) {
    const to = stream === 3 ? end : from + source.getUint16(start + 2 * stream, true);
    if (to > end) throw new Refusal(TRUNCATED);
    decodeStream(
      table,
      source,
      from,
      to,
      target.subarray(stream * segment, stream === 3 ? undefined : (stream + 1) * segment),
    );
    from = to;
  }
}
