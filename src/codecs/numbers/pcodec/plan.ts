/**
 * The plan of a page: what was read before its first batch, and scratch memory, in words of 32 bits that both
 * decoders read. assembly/pcodec-plan.ts has the same places, which count bytes.
 */
import { at, type Kernels } from "../../../core/for-codecs.js";
import { type Bins, writeBins, writeNodes } from "./bins.js";
import type { Chunk } from "./chunk.js";
import { KINDS, type NumberType } from "./number-types.js";

export const MODE = 0;
export const ARGUMENT = 1;
export const DICTIONARY_LENGTH = 3;
export const WIDTH = 4;
export const KIND = 5;
export const DELTA = 6;
export const STATE_LENGTH = 7;
export const REACH = 8;
const CAPACITY = 9;
export const WEIGHTS = 10;
const SCRATCH = 11;

/** Where the variables are, and how many words each takes. */
export const VARIABLES = 12;
export const VARIABLE_LENGTH = 12;
// Fields of a variable, after its width.
export const BIN_COUNT = 1;
export const BINS = 2;
export const NODES = 3;
const WIDEST = 4;
export const STORED = 5;
export const STORED_AT = 6;
const WINDOW = 7;
export const STATES = 8;

const MODES = ["classic", "intMult", "floatMult", "floatQuant", "dict"] as const;
const DELTAS = ["none", "consecutive", "lookback", "conv1"] as const;

/** Numbers of a batch, and the longest convolution. */
export const BATCH = 256;
const LONGEST = 32;
const SYMBOLS_LENGTH = BATCH / 2;

const HEAD_LENGTH = VARIABLES + 3 * VARIABLE_LENGTH;

/** Words of bins in a plan. Without bins there is one, of zeros. */
const binWords = ({ count }: Bins, latentWords: number): number => 4 * latentWords * Math.max(count, 1);

/** @param count of numbers in the page */
export function planOf(
  kernels: Kernels,
  chunk: Chunk,
  { kind, width }: NumberType,
  count: number,
): Uint32Array {
  const { mode, delta, variables } = chunk;
  const latentWords = width === 64 ? 2 : 1;
  const windows = delta.name !== "lookback" ? 0 : delta.secondary && variables[2] !== undefined ? 2 : 1;
  const capacity = Math.min(delta.stateLength + count, 2 * Math.max(delta.reach, BATCH));
  const scratch = SYMBOLS_LENGTH + (4 * BATCH + LONGEST + windows * capacity) * latentWords;
  const tables = variables.reduce(
    (sum, one) =>
      sum +
      (one === undefined
        ? 0
        : binWords(one.bins, latentWords) + one.stored.length + 2 ** (one.bins.sizeLog + 1)),
    delta.weights.length + 2,
  );
  const memory = kernels.allocate(4 * (HEAD_LENGTH + tables + scratch));
  const words = new Uint32Array(memory.buffer, memory.byteOffset, memory.length / 4);
  words.fill(0, 0, HEAD_LENGTH);
  let end = HEAD_LENGTH;
  /** Takes words from the plan; gives their place in bytes. */
  const take = (length: number, content?: Uint32Array): number => {
    const at = end;
    if (content !== undefined) words.set(content, at);
    end += length + (length & 1);
    return 4 * at;
  };
  words[MODE] = MODES.indexOf(mode.name);
  words.set(mode.argument, ARGUMENT);
  words[DICTIONARY_LENGTH] = mode.length;
  words[WIDTH] = width;
  words[KIND] = KINDS.indexOf(kind);
  words[DELTA] = DELTAS.indexOf(delta.name);
  words[STATE_LENGTH] = delta.stateLength;
  words[REACH] = delta.reach;
  words[CAPACITY] = capacity;
  words[WEIGHTS] = take(delta.weights.length, delta.weights);
  for (const [v, variable] of variables.entries()) {
    if (variable === undefined) continue;
    const { bins, stored, states } = variable;
    const at = VARIABLES + v * VARIABLE_LENGTH;
    words[at] = variable.width;
    words[at + BIN_COUNT] = Math.max(bins.count, 1);
    words[at + BINS] = take(binWords(bins, latentWords));
    const deltaWidth = stored.length > 0 ? variable.width : 0;
    writeBins(partOf(words, at + BINS, binWords(bins, latentWords)), bins, latentWords, deltaWidth);
    words[at + WIDEST] = widestOf(bins);
    words[at + NODES] = take(2 ** (bins.sizeLog + 1));
    writeNodes(partOf(words, at + NODES, 2 ** (bins.sizeLog + 1)), bins);
    words[at + STORED] = stored.length / 2;
    words[at + STORED_AT] = take(stored.length, stored);
    words.set(states, at + STATES);
  }
  words[SCRATCH] = take(scratch - windows * capacity * latentWords);
  for (let v = 1; v <= windows; v++) {
    const at = take(capacity * latentWords);
    words[VARIABLES + v * VARIABLE_LENGTH + WINDOW] = at;
    variables[v]?.stored.forEach((word, i) => {
      if (i % 2 < latentWords) words[at / 4 + (i * latentWords) / 2] = word;
    });
  }
  return words;
}

/** The part of `words` that `take` reserved for a field. */
function partOf(words: Uint32Array, field: number, length: number): Uint32Array {
  const first = at(words, field) / 4;
  return words.subarray(first, first + length).fill(0);
}

function widestOf({ words }: Bins): number {
  let widest = 0;
  for (let i = 2; i < words.length; i += 4) widest = Math.max(widest, at(words, i));
  return widest;
}
