/** For tests: a writer of bits, and FSE encoding (RFC 8878 section 4.1). */

/** A state machine for one set of probabilities. States are from 2^log to 2^(log+1) - 1. */
export interface FseEncoder {
  readonly log: number;
  /** By sub-range: the next states, ordered by symbol. */
  readonly states: Uint16Array;
  /** By symbol: added to a state gives the bits to write, shifted by 16; and where its states begin. */
  readonly bitDeltas: Int32Array;
  readonly stateDeltas: Int32Array;
}

/** How often each of `size` symbols occurs. */
export function countSymbols(symbols: ArrayLike<number>, size: number): Uint32Array {
  const counts = new Uint32Array(size);
  for (let i = 0; i < symbols.length; i++) {
    const symbol = symbols[i] ?? 0;
    counts[symbol] = (counts[symbol] ?? 0) + 1;
  }
  return counts;
}

/**
 * Probabilities that sum to 2^log, at least 1 for every symbol that occurs; there must be two or more, and
 * room for each.
 */
export function normalise(counts: ArrayLike<number>, total: number, log: number): Int16Array {
  const size = 1 << log;
  const probabilities = new Int16Array(counts.length);
  let left = size;
  let largest = 0;
  for (let symbol = 0; symbol < counts.length; symbol++) {
    const count = counts[symbol] ?? 0;
    if (count === 0) continue;
    const probability = Math.max(1, Math.round((count * size) / total));
    probabilities[symbol] = probability;
    left -= probability;
    if (probability > (probabilities[largest] ?? 0)) largest = symbol;
  }
  // What rounding left over, or took too much, the most frequent symbols bear.
  while (left !== 0) {
    const probability = probabilities[largest] ?? 0;
    const change = left > 0 ? left : Math.max(left, -(probability >> 1));
    probabilities[largest] = probability + change;
    left -= change;
    for (let symbol = 0; symbol < probabilities.length; symbol++) {
      if ((probabilities[symbol] ?? 0) > (probabilities[largest] ?? 0)) largest = symbol;
    }
  }
  return probabilities;
}

/** Writes the description of probabilities; where it ends. */
export function writeDescription(
  target: Uint8Array,
  start: number,
  probabilities: ArrayLike<number>,
  log: number,
): number {
  const writer = new BitWriter(target, start);
  writer.add(log - 5, 4);
  let remaining = (1 << log) + 1;
  let threshold = 1 << log;
  let bits = log + 1;
  let symbol = 0;
  while (remaining > 1) {
    const probability = probabilities[symbol++] ?? 0;
    const short = 2 * threshold - 1 - remaining;
    remaining -= probability;
    const value = probability + 1 >= threshold ? probability + 1 + short : probability + 1;
    writer.add(value, value < short ? bits - 1 : bits);
    if (probability === 0) {
      let zeros = 0;
      while (probabilities[symbol + zeros] === 0) zeros++;
      symbol += zeros;
      for (; zeros >= 3; zeros -= 3) writer.add(3, 2);
      writer.add(zeros, 2);
    }
    while (remaining < threshold) {
      bits--;
      threshold >>= 1;
    }
  }
  return writer.finish();
}

/**
 * The machine for probabilities as `normalise` or the format's defaults give them; -1 there is a probability
 * below 1.
 */
export function makeEncoder(probabilities: ArrayLike<number>, log: number): FseEncoder {
  const size = 1 << log;
  const symbols = new Uint8Array(size);
  let high = size - 1;
  for (let symbol = 0; symbol < probabilities.length; symbol++) {
    if (probabilities[symbol] === -1) symbols[high--] = symbol;
  }
  const step = (size >>> 1) + (size >>> 3) + 3;
  let position = 0;
  for (let symbol = 0; symbol < probabilities.length; symbol++) {
    for (let i = 0; i < (probabilities[symbol] ?? 0); i++) {
      symbols[position] = symbol;
      do position = (position + step) & (size - 1);
      while (position > high);
    }
  }
  const bitDeltas = new Int32Array(probabilities.length);
  const stateDeltas = new Int32Array(probabilities.length);
  const next = new Uint16Array(probabilities.length);
  let total = 0;
  for (let symbol = 0; symbol < probabilities.length; symbol++) {
    const probability = Math.abs(probabilities[symbol] ?? 0);
    next[symbol] = total;
    if (probability === 0) continue;
    const bits = probability === 1 ? log : log - (31 - Math.clz32(probability - 1));
    bitDeltas[symbol] = (bits << 16) - (probability << bits);
    stateDeltas[symbol] = total - probability;
    total += probability;
  }
  const states = new Uint16Array(size);
  for (let i = 0; i < size; i++) {
    const symbol = symbols[i] ?? 0;
    const place = next[symbol] ?? 0;
    next[symbol] = place + 1;
    states[place] = size + i;
  }
  return { log, states, bitDeltas, stateDeltas };
}

/** The machine of a single symbol, which takes no bits. */
export function makeSingleEncoder(): FseEncoder {
  return {
    log: 0,
    states: new Uint16Array(1),
    bitDeltas: new Int32Array(64),
    stateDeltas: new Int32Array(64),
  };
}

/** The state to begin with, so that `symbol` comes out last. */
export function firstState({ states, bitDeltas, stateDeltas }: FseEncoder, symbol: number): number {
  const delta = bitDeltas[symbol] ?? 0;
  const bits = (delta + (1 << 15)) >> 16;
  return states[(((bits << 16) - delta) >> bits) + (stateDeltas[symbol] ?? 0)] ?? 0;
}

/** Encodes a symbol: writes bits, gives the next state. */
export function encodeSymbol(
  { states, bitDeltas, stateDeltas }: FseEncoder,
  state: number,
  symbol: number,
  writer: BitWriter,
): number {
  const bits = (state + (bitDeltas[symbol] ?? 0)) >> 16;
  writer.add(state, bits);
  return states[(state >> bits) + (stateDeltas[symbol] ?? 0)] ?? 0;
}

/**
 * Bits from the lowest of each byte on, closed by a mark: the streams that decoders read from the end
 * backwards.
 */
export class BitWriter {
  readonly #target: Uint8Array;
  #to: number;
  #bits = 0;
  #count = 0;

  /** Beyond the end of `target` nothing is written; `position` says how far it would have come. */
  constructor(target: Uint8Array, start: number) {
    this.#target = target;
    this.#to = start;
  }

  /** The low `count` (at most 24) bits of `value`, whose others are ignored. */
  add(value: number, count: number): void {
    this.#bits |= (value & ((1 << count) - 1)) << this.#count;
    this.#count += count;
    while (this.#count >= 8) {
      this.#target[this.#to++] = this.#bits;
      this.#bits >>>= 8;
      this.#count -= 8;
    }
  }

  /** Writes what is left of a byte as it is; where the next byte goes. */
  finish(): number {
    if (this.#count > 0) this.#target[this.#to++] = this.#bits;
    return this.#to;
  }

  /** Marks the end with a 1. */
  close(): number {
    this.add(1, 1);
    return this.finish();
  }
}
