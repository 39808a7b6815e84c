/**
 * What stands before the first batch of a chunk of pcodec, which has one page (docs/format.md of pcodec):
 *
 *     mode | delta encoding | bins of each variable | zeros to the byte | latents and states of each
 *       variable | zeros
 *
 * Variables are those of the lookbacks, primary and secondary; all but the primary are there if the delta
 * encoding or the mode needs them.
 */
import { at, UnsupportedError } from "../../../core/for-codecs.js";
import { type Bins, readBins } from "./bins.js";
import { type BitReader, damaged } from "./bit-reader.js";
import type { NumberType } from "./number-types.js";

/** Version of the format: major and minor. */
export type Version = readonly [number, number];

/** How latents become numbers. `argument` has 64 bits, the lower word first. */
export interface Mode {
  readonly name: "classic" | "intMult" | "floatMult" | "floatQuant" | "dict";
  /** A multiplier as a latent; bits of a quantum; the offset of a dictionary in the encoded chunk. */
  readonly argument: Uint32Array;
  /** Count of numbers in a dictionary. */
  readonly length: number;
}

/** How latents follow from those before them. */
export interface Delta {
  readonly name: "none" | "consecutive" | "lookback" | "conv1";
  /** Latents that the page states before the first batch. */
  readonly stateLength: number;
  /** The farthest lookback; the bits that a prediction of a convolution is shifted by. */
  readonly reach: number;
  readonly secondary: boolean;
  /** A convolution: the bias in two words, and a word for each weight. */
  readonly weights: Uint32Array;
}

export interface Variable {
  /** Width of its latents, in bits. */
  readonly width: number;
  readonly bins: Bins;
  /** Latents that the page states, two words each. */
  readonly stored: Uint32Array;
  /** The four first states of the entropy decoder. */
  readonly states: readonly number[];
}

export interface Chunk {
  readonly mode: Mode;
  readonly delta: Delta;
  /** Lookbacks, primary, secondary. */
  readonly variables: readonly (Variable | undefined)[];
}

/**
 * Reads what stands before the first batch, and takes no memory before it has compared lengths with what is
 * left of the data.
 * @param count of numbers in the chunk
 * @throws CodecError for damaged data, UnsupportedError for modes and delta encodings of later versions
 */
export function readChunk(reader: BitReader, version: Version, type: NumberType, count: number): Chunk {
  const mode = readMode(reader, version, type);
  const delta = readDelta(reader, version);
  const primaryWidth = mode.name === "dict" ? 32 : type.width;
  const hasSecondary = mode.name !== "classic" && mode.name !== "dict";
  if (delta.name === "conv1") checkConvolution(delta, primaryWidth, reader.offset);
  const widths = [delta.name === "lookback" ? 32 : 0, primaryWidth, hasSecondary ? type.width : 0];
  const bins = widths.map((width) => (width === 0 ? undefined : readBins(reader, width)));
  reader.align("the bins");
  checkLookbacks(delta, bins[0], reader.offset);
  const variables = widths.map((width, v): Variable | undefined => {
    const its = bins[v];
    if (its === undefined) return undefined;
    if (its.count === 0 && count > delta.stateLength)
      throw damaged("expected bins of latents, got none", reader.offset);
    const hasDeltas = v === 1 || (v === 2 && delta.secondary);
    const stored = readStored(reader, hasDeltas ? delta.stateLength : 0, width);
    const states = Array.from({ length: 4 }, () => reader.read(its.sizeLog, "the states"));
    return { width, bins: its, stored, states };
  });
  reader.align("the states");
  return { mode, delta, variables };
}

function readStored(reader: BitReader, count: number, width: number): Uint32Array {
  reader.need(count * width, "the first latents");
  const stored = new Uint32Array(2 * count);
  for (let i = 0; i < count; i++) reader.readWords(stored, 2 * i, width, "the first latents");
  return stored;
}

const CLASSIC = 0;
const INT_MULT = 1;
const FLOAT_MULT = 2;
const FLOAT_QUANT = 3;
const DICT = 4;

/** By width of floats: the bits of their mantissa, and the first 32 bits or less of infinity. */
const FLOATS: ReadonlyMap<number, { readonly mantissa: number; readonly infinity: number }> = new Map([
  [16, { mantissa: 10, infinity: 0x7c00 }],
  [32, { mantissa: 23, infinity: 0x7f800000 }],
  [64, { mantissa: 52, infinity: 0x7ff00000 }],
]);

function readMode(reader: BitReader, version: Version, { kind, width, name: typeName }: NumberType): Mode {
  const { offset } = reader;
  const code = reader.read(4, "the mode");
  const argument = new Uint32Array(2);
  const isFloat = kind === "float";
  const refuse = (what: string): never => {
    throw damaged(`the mode needs ${what}; the numbers are ${typeName}`, offset);
  };
  if (code === CLASSIC) return { name: "classic", argument, length: 0 };
  if (code === INT_MULT) {
    // Version 0 wrote common divisors in another way, and was withdrawn.
    if (version[0] === 0) throw unread(version, "common divisors", offset);
    reader.readWords(argument, 0, width, "the multiplier");
    if (isFloat || argument.every((word) => word === 0)) refuse("integers and a multiplier above 0");
    return { name: "intMult", argument, length: 0 };
  }
  if (code === FLOAT_MULT) {
    reader.readWords(argument, 0, width, "the multiplier");
    if (!isFloat || !isFiniteLatent(argument, width)) refuse("floats and a finite multiplier other than 0");
    return { name: "floatMult", argument, length: 0 };
  }
  if (code === FLOAT_QUANT) {
    const k = reader.read(8, "the bits of a quantum");
    if (!isFloat || k === 0 || k > (FLOATS.get(width)?.mantissa ?? 0))
      refuse("floats and 1 to all bits of their mantissa");
    argument[0] = k;
    return { name: "floatQuant", argument, length: 0 };
  }
  if (code === DICT) {
    const length = reader.read(25, "the length of a dictionary");
    reader.align("the length of a dictionary");
    reader.need(length * width, "a dictionary");
    argument[0] = reader.offset;
    reader.seek(reader.offset + (length * width) / 8);
    return { name: "dict", argument, length };
  }
  throw unread(version, `mode ${code}`, offset);
}

/** Whether a latent is that of a float that is finite and not 0. */
function isFiniteLatent([low = 0, high = 0]: Uint32Array, width: number): boolean {
  const [first, rest] = width === 64 ? [high, low] : [low, 0];
  const sign = 2 ** (Math.min(width, 32) - 1);
  // Latents of negative floats have all their bits turned.
  const isNegative = first < sign;
  const magnitude = (isNegative ? ~first : first) & (sign - 1);
  const isZero = magnitude === 0 && rest === (isNegative && width === 64 ? 0xffffffff : 0);
  return magnitude < (FLOATS.get(width)?.infinity ?? 0) && !isZero;
}

const unread = (version: Version, what: string, offset: number): UnsupportedError =>
  new UnsupportedError(
    `wazarr reads pcodec up to version 4.1 of its format, got ${what} in version ${version.join(".")}, at byte ${offset} of the pcodec data`,
    { offset },
  );

const NO_WEIGHTS = new Uint32Array();
const NO_DELTA: Delta = { name: "none", stateLength: 0, reach: 0, secondary: false, weights: NO_WEIGHTS };

function readDelta(reader: BitReader, version: Version): Delta {
  const { offset } = reader;
  if (version[0] < 3) {
    const order = reader.read(3, "the order of deltas");
    return order === 0 ? NO_DELTA : { ...NO_DELTA, name: "consecutive", stateLength: order };
  }
  const code = reader.read(4, "the delta encoding");
  if (code === 0) return NO_DELTA;
  if (code === 1) {
    const order = reader.read(3, "the order of deltas");
    if (order === 0) throw damaged("expected deltas of order 1 to 7, got 0", offset);
    const secondary = reader.read(1, "the delta encoding") === 1;
    return { ...NO_DELTA, name: "consecutive", stateLength: order, secondary };
  }
  if (code === 2) {
    const reachLog = 1 + reader.read(5, "the window");
    const keptLog = reader.read(4, "the window");
    // A chunk has no more than 2^24 numbers.
    if (reachLog > 24 || keptLog > reachLog) {
      throw damaged(
        `expected a window of at most 2^24 that covers the first numbers, got 2^${reachLog} for 2^${keptLog}`,
        offset,
      );
    }
    const secondary = reader.read(1, "the delta encoding") === 1;
    return { ...NO_DELTA, name: "lookback", stateLength: 2 ** keptLog, reach: 2 ** reachLog, secondary };
  }
  if (code !== 3) throw unread(version, `delta encoding ${code}`, offset);
  const reach = reader.read(5, "a convolution");
  const bias = new Uint32Array(2);
  reader.readWords(bias, 0, 64, "a convolution");
  const stateLength = 1 + reader.read(5, "a convolution");
  // Integers with a sign stand in their order, the least one as 0.
  const turn = (word: number): number => (word ^ 0x80000000) >>> 0;
  const weights = Array.from({ length: stateLength }, () => turn(reader.read(32, "a convolution")));
  const [low = 0, high = 0] = bias;
  return {
    ...NO_DELTA,
    name: "conv1",
    stateLength,
    reach,
    weights: Uint32Array.of(low, turn(high), ...weights),
  };
}

/** @throws CodecError if a prediction could exceed integers of twice the width of the latents */
function checkConvolution({ reach, weights }: Delta, width: number, offset: number): void {
  if (width === 64) throw damaged("expected a convolution of numbers of at most 32 bits, got 64", offset);
  const [low = 0, high = 0, ...rest] = weights;
  const sum = rest.reduce((before, weight) => before + Math.abs(weight | 0), 0);
  const greatest = Math.abs((high | 0) * 2 ** 32 + low) + 2 ** width * sum;
  if (greatest < 2 ** (2 * width - 1) && reach < 2 * width) return;
  throw damaged(
    `expected a convolution within integers of ${2 * width} bits, got one that exceeds them`,
    offset,
  );
}

/** @throws CodecError for a bin of lookbacks that begins outside of the window */
function checkLookbacks({ reach }: Delta, bins: Bins | undefined, offset: number): void {
  if (bins === undefined) return;
  for (let i = 0; i < bins.count; i++) {
    const least = at(bins.words, 4 * i);
    if (least < 1 || least > reach)
      throw damaged(`expected lookbacks of 1 to ${reach}, got ${least}`, offset);
  }
}
