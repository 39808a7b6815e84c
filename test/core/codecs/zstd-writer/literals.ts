/**
 * For tests: the literals section of a block: raw, repeated, or Huffman-coded in one or four streams (RFC
 * 8878 sections 3.1.1.3.1 and 4.2).
 */
import {
  BitWriter,
  countSymbols,
  encodeSymbol,
  firstState,
  makeEncoder,
  normalise,
  writeDescription,
} from "./fse.js";

const MAXIMUM_BITS = 11;
const WEIGHT_LOG = 6;
/** Below this a tree costs more than it saves. */
const MINIMUM_CODED = 64;
const FOUR_STREAMS_FROM = 256;
/** From here on pieces are looked at first. */
const SAMPLED_FROM = 32 * 1024;
const SAMPLES = 8;
const SAMPLE_LENGTH = 512;

const RAW = 0;
const REPEATED = 1;
const CODED = 2;

/** Writes the section; where it ends. */
export function writeLiterals(target: Uint8Array, start: number, literals: Uint8Array): number {
  if (literals.length >= SAMPLED_FROM && isEven(sampleOf(literals))) return writeRaw(target, start, literals);
  const counts = countSymbols(literals, 256);
  const used = counts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0);
  if (used === 1 && literals.length > 3) {
    const end = writePlainHeader(target, start, REPEATED, literals.length);
    target[end] = literals[0] ?? 0;
    return end + 1;
  }
  if (literals.length >= MINIMUM_CODED && !isEven(literals, counts)) {
    const end = writeCoded(target, start, literals, counts);
    if (end !== undefined && end - start < literals.length - (literals.length >> 6)) return end;
  }
  return writeRaw(target, start, literals);
}

/** Bytes that occur as good as evenly are not worth a code. */
function isEven(bytes: Uint8Array, counts = countSymbols(bytes, 256)): boolean {
  return Math.max(...counts) <= (bytes.length >>> 7) + 4;
}

/** Pieces of the literals, one behind the other. */
function sampleOf(literals: Uint8Array): Uint8Array {
  const sample = new Uint8Array(SAMPLES * SAMPLE_LENGTH);
  for (let i = 0; i < SAMPLES; i++) {
    const from = i * Math.floor(literals.length / SAMPLES);
    sample.set(literals.subarray(from, from + SAMPLE_LENGTH), i * SAMPLE_LENGTH);
  }
  return sample;
}

function writeRaw(target: Uint8Array, start: number, literals: Uint8Array): number {
  const content = writePlainHeader(target, start, RAW, literals.length);
  target.set(literals, content);
  return content + literals.length;
}

function writePlainHeader(target: Uint8Array, start: number, type: number, length: number): number {
  const writer = new BitWriter(target, start);
  writer.add(type, 2);
  if (length < 32) {
    writer.add(0, 1);
    writer.add(length, 5);
  } else {
    writer.add(length < 4096 ? 1 : 3, 2);
    writer.add(length, length < 4096 ? 12 : 20);
  }
  return writer.finish();
}

/** Undefined where the code cannot be described or written shorter than the literals. */
function writeCoded(
  target: Uint8Array,
  start: number,
  literals: Uint8Array,
  counts: Uint32Array,
): number | undefined {
  const code = makeCode(codeLengths(counts));
  const format =
    literals.length < FOUR_STREAMS_FROM ? 0 : literals.length < 1024 ? 1 : literals.length < 16384 ? 2 : 3;
  const headerLength = format < 2 ? 3 : format + 2;
  const tree = start + headerLength;
  const treeEnd = writeTree(target, tree, code);
  if (treeEnd === undefined) return undefined;
  const bits = counts.reduce((sum, count, symbol) => sum + count * (code.lengths[symbol] ?? 0), 0);
  if (treeEnd - start + bits / 8 >= literals.length) return undefined;
  let end: number;
  if (format === 0) {
    end = writeStream(target, treeEnd, literals, code);
  } else {
    const segment = (literals.length + 3) >>> 2;
    end = treeEnd + 6;
    for (let stream = 0; stream < 4; stream++) {
      const from = end;
      end = writeStream(target, from, literals.subarray(stream * segment, (stream + 1) * segment), code);
      if (stream < 3) {
        target[treeEnd + 2 * stream] = end - from;
        target[treeEnd + 2 * stream + 1] = (end - from) >>> 8;
      }
    }
  }
  const sizeBits = format < 2 ? 10 : format === 2 ? 14 : 18;
  const header = new BitWriter(target, start);
  header.add(CODED, 2);
  header.add(format, 2);
  header.add(literals.length, sizeBits);
  header.add(end - tree, sizeBits);
  header.finish();
  return end;
}

interface Code {
  /** Bits by symbol, 0 for those that do not occur. */
  readonly lengths: Uint8Array;
  readonly values: Uint16Array;
  readonly longest: number;
  readonly lastSymbol: number;
}

/** Lengths of Huffman codes of at most 11 bits, complete. */
function codeLengths(counts: Uint32Array): Uint8Array {
  const leaves = Array.from(counts.keys()).filter((symbol) => (counts[symbol] ?? 0) > 0);
  leaves.sort((a, b) => (counts[a] ?? 0) - (counts[b] ?? 0) || a - b);
  // Two queues in order of weight: the leaves, and the nodes as they are made.
  const weights = leaves.map((symbol) => counts[symbol] ?? 0);
  const parents = new Array<number>(2 * leaves.length - 1).fill(-1);
  let leaf = 0;
  let node = leaves.length;
  const lightest = (): number =>
    leaf < leaves.length && (node >= weights.length || (weights[leaf] ?? 0) <= (weights[node] ?? 0))
      ? leaf++
      : node++;
  while (weights.length < parents.length) {
    const first = lightest();
    const second = lightest();
    parents[first] = weights.length;
    parents[second] = weights.length;
    weights.push((weights[first] ?? 0) + (weights[second] ?? 0));
  }
  const depths = new Array<number>(parents.length).fill(0);
  for (let i = parents.length - 2; i >= 0; i--) depths[i] = (depths[parents[i] ?? 0] ?? 0) + 1;
  const lengths = new Uint8Array(256);
  // In units of the longest code allowed: the room that too short codes take too much.
  let excess = -(1 << MAXIMUM_BITS);
  for (const [i, symbol] of leaves.entries()) {
    const length = Math.min(depths[i] ?? 0, MAXIMUM_BITS);
    lengths[symbol] = length;
    excess += 1 << (MAXIMUM_BITS - length);
  }
  for (let length = MAXIMUM_BITS - 1; excess > 0 && length > 0; length--) {
    for (const symbol of leaves) {
      if (excess <= 0) break;
      if (lengths[symbol] !== length) continue;
      // Lengthened to the end, and a shorter one only once all of these are.
      lengths[symbol] = MAXIMUM_BITS;
      excess -= (1 << (MAXIMUM_BITS - length)) - 1;
    }
  }
  for (const symbol of leaves.toReversed()) {
    while (excess < 0 && 1 << (MAXIMUM_BITS - (lengths[symbol] ?? 0)) <= -excess) {
      excess += 1 << (MAXIMUM_BITS - (lengths[symbol] ?? 0));
      lengths[symbol] = (lengths[symbol] ?? 0) - 1;
    }
  }
  return lengths;
}

/** Codes in the format's order: longest first, then by symbol. */
function makeCode(lengths: Uint8Array): Code {
  const longest = Math.max(...lengths);
  const values = new Uint16Array(256);
  let lastSymbol = 0;
  let next = 0;
  for (let length = longest; length > 0; length--) {
    for (let symbol = 0; symbol < 256; symbol++) {
      if (lengths[symbol] !== length) continue;
      values[symbol] = next >>> (longest - length);
      next += 1 << (longest - length);
      lastSymbol = Math.max(lastSymbol, symbol);
    }
  }
  return { lengths, values, longest, lastSymbol };
}

/**
 * The tree's description: the shorter of weights as they are, of which there may be 128, and FSE-coded ones.
 */
function writeTree(
  target: Uint8Array,
  start: number,
  { lengths, longest, lastSymbol }: Code,
): number | undefined {
  const weights = Array.from(lengths.subarray(0, lastSymbol), (length) =>
    length === 0 ? 0 : longest + 1 - length,
  );
  const coded = writeCodedWeights(target, start + 1, weights);
  if (coded !== undefined && coded - start - 1 < Math.min(128, (weights.length + 1) >> 1)) {
    target[start] = coded - start - 1;
    return coded;
  }
  if (weights.length > 128) return undefined;
  target[start] = 127 + weights.length;
  for (let i = 0; i < weights.length; i += 2) {
    target[start + 1 + (i >> 1)] = ((weights[i] ?? 0) << 4) | (weights[i + 1] ?? 0);
  }
  return start + 1 + ((weights.length + 1) >> 1);
}

function writeCodedWeights(
  target: Uint8Array,
  start: number,
  weights: readonly number[],
): number | undefined {
  const counts = countSymbols(weights, MAXIMUM_BITS + 1);
  if (counts.filter((count) => count > 0).length < 2) return undefined;
  const probabilities = normalise(counts, weights.length, WEIGHT_LOG);
  const encoder = makeEncoder(probabilities, WEIGHT_LOG);
  const writer = new BitWriter(target, writeDescription(target, start, probabilities, WEIGHT_LOG));
  // Even ones by one state, odd ones by another, from the last to the first.
  const states = [-1, -1];
  for (let i = weights.length - 1; i >= 0; i--) {
    const state = states[i & 1] ?? -1;
    const weight = weights[i] ?? 0;
    states[i & 1] = state < 0 ? firstState(encoder, weight) : encodeSymbol(encoder, state, weight, writer);
  }
  writer.add(states[1] ?? 0, WEIGHT_LOG);
  writer.add(states[0] ?? 0, WEIGHT_LOG);
  return writer.close();
}

function writeStream(
  target: Uint8Array,
  start: number,
  literals: Uint8Array,
  { values, lengths }: Code,
): number {
  // BitWriter's work with the state in locals: literals are most of what there is to write.
  let to = start;
  let bits = 0;
  let count = 0;
  for (let i = literals.length - 1; i >= 0; i--) {
    const symbol = literals[i] ?? 0;
    bits |= (values[symbol] ?? 0) << count;
    count += lengths[symbol] ?? 0;
    if (count < 16) continue;
    target[to++] = bits;
    target[to++] = bits >>> 8;
    bits >>>= 16;
    count -= 16;
  }
  const writer = new BitWriter(target, to);
  writer.add(bits, count);
  return writer.close();
}
