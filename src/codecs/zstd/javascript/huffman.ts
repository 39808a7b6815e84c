/** Huffman-coded literals (RFC 8878 section 4.2), as assembly/zstd-huffman.ts reads them. */
import { BAD_TABLE, TRUNCATED } from "../../decoder-result.js";
import { BackwardBits, buildTable, markedBits, Refusal, readDescription } from "./fse.js";

const MAXIMUM_BITS = 11;
const MAXIMUM_WEIGHT_LOG = 6;
const MAXIMUM_WRITTEN_WEIGHTS = 255;
const WEIGHTS = { values: Uint8Array.from({ length: 256 }, (_, weight) => weight), extraBits: [] };

/** By the next 11 bits: the symbol, shifted by 8, and the bits of its code. */
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

/** Two FSE states take turns until the bits run out. */
function readCompressedWeights(source: DataView, start: number, end: number): number[] {
  const { log, probabilities, length } = readDescription(source, start, end, MAXIMUM_WEIGHT_LOG, 255);
  const table = buildTable(log, probabilities, WEIGHTS);
  const bits = new BackwardBits(source, start + length, end, BAD_TABLE);
  let first = bits.take(log);
  let second = bits.take(log);
  if (bits.left < 0) throw new Refusal(TRUNCATED);
  const weights: number[] = [];
  while (weights.length < MAXIMUM_WRITTEN_WEIGHTS - 1) {
    weights.push(table.values[first] ?? 0);
    const next = (table.nextStates[first] ?? 0) + bits.take(table.nextBits[first] ?? 0);
    if (bits.left < 0) {
      weights.push(table.values[second] ?? 0);
      return weights;
    }
    first = second;
    second = next;
  }
  throw new Refusal(BAD_TABLE);
}

/** The table of the weights, to which the last symbol's is added. */
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

/** One stream into exactly `target`. @throws Refusal */
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
    const entry = table[index & 0x7ff] ?? 0;
    target[i] = entry >>> 8;
    left -= entry & 255;
    if (left < 0) throw new Refusal(TRUNCATED);
  }
  if (left !== 0) throw new Refusal(TRUNCATED);
}

/** Four streams behind a table with the lengths of three. @throws Refusal */
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
