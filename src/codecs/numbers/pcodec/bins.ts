/**
 * The bins of a variable: ranges of its latents, with as many states of the entropy decoder (tANS) as their
 * weight says.
 */
import { at, uint32At } from "../../../core/for-codecs.js";
import { type BitReader, damaged } from "./bit-reader.js";

export interface Bins {
  readonly count: number;
  /** The logarithm to base 2 of the number of states. */
  readonly sizeLog: number;
  /** As read, four words a bin: the least latent (lower word first), the width of offsets, the weight. */
  readonly words: Uint32Array;
}

const MAXIMUM_SIZE_LOG = 14;

/** @param width of the latents @throws CodecError for bins that contradict themselves */
export function readBins(reader: BitReader, width: number): Bins {
  const { offset } = reader;
  const sizeLog = reader.read(4, "the bins");
  const count = reader.read(15, "the bins");
  if (sizeLog > MAXIMUM_SIZE_LOG || count > 2 ** sizeLog) {
    throw damaged(
      `expected at most 2^${MAXIMUM_SIZE_LOG} states and no more bins than states, got 2^${sizeLog} states and ${count} bins`,
      offset,
    );
  }
  const widthBits = 1 + Math.log2(width);
  reader.need(count * (sizeLog + width + widthBits), "the bins");
  const words = new Uint32Array(4 * count);
  // Without bins there is one state all the same.
  let states = count === 0 ? 1 : 0;
  for (let at = 0; at < words.length; at += 4) {
    const weight = 1 + reader.read(sizeLog, "the bins");
    reader.readWords(words, at, width, "the bins");
    const offsetWidth = reader.read(widthBits, "the bins");
    if (offsetWidth > width)
      throw damaged(`expected offsets of at most ${width} bits, got ${offsetWidth}`, offset);
    words[at + 2] = offsetWidth;
    words[at + 3] = weight;
    states += weight;
  }
  if (states === 2 ** sizeLog) return { count, sizeLog, words };
  throw damaged(`expected bins whose weights add up to 2^${sizeLog}, got ${states}`, offset);
}

/**
 * Writes the bins for decoders: of each the least latent, the mask and the width of offsets, in four latents'
 * room. Latents of a plan have one word or two.
 * @param deltaWidth of latents that are deltas, in bits: half of their range, which is zero, is added
 */
export function writeBins(plan: Uint32Array, { words }: Bins, latentWords: number, deltaWidth = 0): void {
  for (let from = 0, to = 0; from < words.length; from += 4, to += 4 * latentWords) {
    const width = at(words, from + 2);
    plan[to] = at(words, from);
    plan[to + latentWords] = 2 ** Math.min(width, 32) - 1;
    if (latentWords === 2) {
      plan[to + 1] = at(words, from + 1);
      plan[to + 3] = 2 ** Math.max(width - 32, 0) - 1;
    }
    plan[to + 2 * latentWords] = width;
    if (deltaWidth > 32) plan[to + 1] = at(plan, to + 1) + 2 ** (deltaWidth - 33);
    else if (deltaWidth > 0) plan[to] = at(plan, to) + 2 ** (deltaWidth - 1);
  }
}

/**
 * Writes two words for each state: how many bits it reads, and their mask in the upper half; the next state
 * if they are 0, and the bin in the upper half.
 * @param nodes twice as many words as `bins` has states
 */
export function writeNodes(nodes: Uint32Array, { words, sizeLog }: Bins): void {
  const size = 2 ** sizeLog;
  // Neighbouring states belong to different bins: steps of three fifths, and odd, so that all are met.
  const stride = Math.floor((3 * size) / 5) | 1;
  // Without bins there is one state all the same, of a bin that is not there.
  const next = new Uint32Array(Math.max(words.length / 4, 1));
  let state = 0;
  for (let bin = 0; bin < words.length / 4; bin++) {
    const weight = at(words, 4 * bin + 3);
    next[bin] = weight;
    for (let left = weight; left > 0; left--) {
      nodes[2 * state] = bin;
      state = (state + stride) & (size - 1);
    }
  }
  for (let node = 0; node < 2 * size; node += 2) {
    const bin = uint32At(nodes, node);
    const reached = uint32At(next, bin);
    next[bin] = reached + 1;
    const bits = Math.clz32(reached) - Math.clz32(size);
    nodes[node] = bits | (((1 << bits) - 1) << 16);
    nodes[node + 1] = ((reached << bits) - size) | (bin << 16);
  }
}
