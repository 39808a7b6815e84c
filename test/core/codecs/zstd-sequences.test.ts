/**
 * The loops that run zstd's sequences: frames made of sequences at random, in the manners of the data that
 * the loops are for.
 */
import { describe, expect, it } from "vitest";
import { decodeZstd, loadZstdKernels } from "../../../src/core/codecs/zstd/zstd.js";
import type { Kernels } from "../../../src/kernels/kernels.js";
import { guardKernels } from "../../fuzz/guarded.js";
import { random } from "../../fuzz/mutate.js";
import { bothKernels, expectSame } from "./harness.js";
import { writeLiterals } from "./zstd-writer/literals.js";
import { addSequence, codeOffset, makeSequences, writeSequences } from "./zstd-writer/sequences.js";

const MAXIMUM_BLOCK = 128 * 1024;
const HEADER = 10;

/** Lengths and distances, one of each for every sequence. */
interface Manner {
  readonly name: string;
  readonly literals: readonly number[];
  readonly match: readonly number[];
  readonly distance: readonly number[];
}

const AROUND_FIXED = [1, 3, 7, 14, 15, 16, 17, 18, 30, 31, 32, 33, 34];
const MANNERS: readonly Manner[] = [
  { name: "images", literals: [0, 0, 0, 1, 2], match: [3, 4, 5, 9, 15], distance: [1, 40, 511, 512, 9000] },
  { name: "numbers that grow", literals: [1, 2], match: [6, 7], distance: [8] },
  { name: "floats", literals: [2, 3, 3, 20], match: [3, 4, 5, 30], distance: [4, 8, 64, 100_000] },
  { name: "runs", literals: [0, 1], match: [5, 31, 40, 300], distance: [1, 2, 3, 15, 16] },
  {
    name: "few literals",
    literals: [...Array<number>(999).fill(0), 20],
    match: [4, 12],
    distance: [17, 300],
  },
  { name: "noise", literals: [10, 40, 100, 400], match: [3, 9], distance: [50, 5000, 200_000] },
  // Tables of one symbol, with no bits of state, in all blocks but the first.
  { name: "one extra bit and no other", literals: [5], match: [35, 36], distance: [50] },
  {
    name: "around what fixed copies take",
    literals: [0, ...AROUND_FIXED],
    match: AROUND_FIXED.map((length) => length + 2),
    distance: [...AROUND_FIXED, 47, 48, 49, 63, 64, 65],
  },
];

/** What is wrong with the last block of a frame, after so many bytes of it. */
interface Flaw {
  readonly after: number;
  /**
   * A match that begins one byte before the frame, or one byte of literals less than sequences take until
   * then.
   */
  readonly what: "distance" | "literals";
}

/** A frame of blocks of about `lengths`, and what it says: literals one by one, matches a byte at a time. */
function makeFrame(
  { literals, match, distance }: Manner,
  lengths: readonly number[],
  next: (below: number) => number,
  flaw?: Flaw,
) {
  const one = (of: readonly number[]): number => of[next(of.length)] ?? 0;
  const decoded: number[] = [];
  const repeats = Uint32Array.of(1, 4, 8);
  const blocks = lengths.map((length, i) => {
    const sequences = makeSequences(MAXIMUM_BLOCK);
    const end = decoded.length + length;
    let flawed = i === lengths.length - 1 && flaw ? decoded.length + flaw.after : Number.POSITIVE_INFINITY;
    let literalCount: number | undefined;
    do {
      const isFlawed = decoded.length >= flawed;
      if (isFlawed) flawed = Number.POSITIVE_INFINITY;
      const length = one(literals) + (isFlawed || decoded.length === 0 ? 1 : 0);
      const fresh = Uint8Array.from({ length }, () => next(90));
      decoded.push(...fresh);
      if (isFlawed && flaw?.what === "literals") literalCount = sequences.literalCount + length - 1;
      const back =
        isFlawed && flaw?.what === "distance" ? decoded.length + 1 : Math.min(one(distance), decoded.length);
      const matchLength = one(match);
      addSequence(sequences, fresh, matchLength, codeOffset(repeats, back, fresh.length));
      for (let j = 0; j < matchLength; j++) decoded.push(decoded[decoded.length - back] ?? 0);
    } while (decoded.length < end);
    const body = new Uint8Array(2 * MAXIMUM_BLOCK);
    const literalsEnd = writeLiterals(
      body,
      0,
      sequences.literals.subarray(0, literalCount ?? sequences.literalCount),
    );
    const size = writeSequences(body, literalsEnd, sequences);
    const header = (size << 3) | (2 << 1) | (i === lengths.length - 1 ? 1 : 0);
    return [header, header >>> 8, header >>> 16, ...body.subarray(0, size)];
  });
  // Four bytes for the size, and a window, which no block may exceed, of 1 MiB.
  const start = new Uint8Array(HEADER);
  const view = new DataView(start.buffer);
  view.setUint32(0, 0xfd2fb528, true);
  view.setUint8(4, 0x80);
  view.setUint8(5, 10 << 3);
  view.setUint32(6, decoded.length, true);
  return { encoded: Uint8Array.from([...start, ...blocks.flat()]), decoded: Uint8Array.from(decoded) };
}

/** Decodes between guard bytes: what came of it, and the bytes where that is how many there are. */
function decode({ kernels, check }: ReturnType<typeof guardKernels>, encoded: Uint8Array, capacity: number) {
  kernels.begin(encoded.length + capacity + 2 ** 18);
  const source = kernels.allocate(encoded.length);
  source.set(encoded);
  const target = kernels.allocate(capacity).fill(0);
  const result = decodeZstd(kernels, target, source);
  check();
  expectSame(source, encoded);
  return { result, bytes: target.slice(0, Math.max(result, 0)) };
}

const both = await Promise.all(
  (await bothKernels()).map(async (inner: Kernels) => {
    const guarded = guardKernels(inner);
    await loadZstdKernels(guarded.kernels);
    return guarded;
  }),
);

describe.each(both)("$kernels.name", (guarded) => {
  it.each(MANNERS)("$name: frames of all sizes, of one block and of several", (manner) => {
    const next = random(5);
    for (let i = 0; i < 60; i++) {
      const lengths = Array.from({ length: 1 + (i % 3) }, () => 1 + next(1 << (1 + next(15))));
      const { encoded, decoded } = makeFrame(manner, lengths, next);
      const { result, bytes } = decode(guarded, encoded, decoded.length);
      expect(result).toBe(decoded.length);
      expectSame(bytes, decoded);
    }
  });
});

it.each(MANNERS)("$name: damage is refused, or not, at the same byte by both", (manner) => {
  const next = random(11);
  for (let i = 0; i < 150; i++) {
    const { encoded, decoded } = makeFrame(manner, [300 + next(2000), 1 + next(500)], next);
    for (let damage = next(3); damage > 0; damage--) {
      const at = HEADER + next(encoded.length - HEADER);
      encoded[at] = next(4) === 0 ? 255 : (encoded[at] ?? 0) ^ (1 << next(8));
    }
    const capacity = decoded.length - (next(4) === 0 ? next(Math.min(100, decoded.length)) : 0);
    const [first, second] = both.map((guarded) => decode(guarded, encoded, capacity));
    expect(first?.result).toBe(second?.result);
    expectSame(first?.bytes ?? "nothing", second?.bytes ?? "nothing");
  }
});

it.each(MANNERS)("$name: matches that begin before the frame, and literals that are not there", (manner) => {
  const next = random(17);
  for (const what of ["distance", "literals"] as const) {
    for (let i = 0; i < 120; i++) {
      const flaw = { after: 1 + next(1 << (1 + next(10))), what };
      const { encoded, decoded } = makeFrame(
        manner,
        [[2500], [1, 2500], [700, 2500]][i % 3] ?? [],
        next,
        flaw,
      );
      const [first, second] = both.map((guarded) => decode(guarded, encoded, decoded.length + 200 * (i % 2)));
      expect(first?.result).toBeLessThan(0);
      expect(first?.result).toBe(second?.result);
    }
  }
});
