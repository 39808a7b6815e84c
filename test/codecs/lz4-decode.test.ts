/** The loops of the LZ4 decoder: blocks made of sequences at random, in the manners of the data that the loops are for. */
import { describe, expect, it } from "vitest";
import { bloscKernels, loadBloscKernels } from "../../src/codecs/blosc/kernels.js";
import { guardKernels } from "../fuzz/guarded.js";
import { bothKernels, expectSame } from "./harness.js";

const [wasm, javascript] = await bothKernels();

/** Lengths and distances from 0 to these. */
interface Manner {
  readonly name: string;
  readonly literals: readonly number[];
  readonly match: readonly number[];
  readonly distance: readonly number[];
}

const MANNERS: readonly Manner[] = [
  { name: "runs", literals: [0, 0, 0, 0, 0, 0, 0, 0, 0, 20], match: [5, 20, 80], distance: [2, 20, 4000] },
  { name: "runs of a byte", literals: [0], match: [30, 600], distance: [1] },
  { name: "short sequences", literals: [0, 3, 14], match: [5, 12], distance: [16, 300, 9000] },
  { name: "noise", literals: [3, 40, 100], match: [5, 14], distance: [40, 5000] },
  {
    name: "everything",
    literals: [0, 0, 3, 14, 70, 300],
    match: [4, 14, 70, 300],
    distance: [3, 18, 70, 70_000],
  },
];

function randomly(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % below;
  };
}

/** A valid block, and what it says, in words: literals one by one, matches a byte at a time. */
function makeBlock({ literals, match, distance }: Manner, length: number, random: (below: number) => number) {
  const encoded: number[] = [];
  const decoded: number[] = [];
  const one = (of: readonly number[]): number => random((of[random(of.length)] ?? 0) + 1);
  const more = (rest: number): void => {
    for (; rest >= 255; rest -= 255) encoded.push(255);
    encoded.push(rest);
  };
  const addLiterals = (count: number, low: number): void => {
    encoded.push((Math.min(count, 15) << 4) | low);
    if (count >= 15) more(count - 15);
    for (let i = 0; i < count; i++) {
      const byte = random(256);
      encoded.push(byte);
      decoded.push(byte);
    }
  };
  while (decoded.length < length) {
    const rest = one(match);
    addLiterals(decoded.length === 0 ? 1 + one(literals) : one(literals), Math.min(rest, 15));
    const back = Math.min(1 + one(distance), decoded.length, 65_535);
    encoded.push(back & 255, back >> 8);
    if (rest >= 15) more(rest - 15);
    for (let i = 0; i < rest + 4; i++) decoded.push(decoded[decoded.length - back] ?? 0);
  }
  addLiterals(5, 0);
  return { encoded: Uint8Array.from(encoded), decoded: Uint8Array.from(decoded) };
}

describe.each([wasm, javascript])("$name", async (inner) => {
  const { kernels, check } = guardKernels(inner);
  await loadBloscKernels(kernels);
  const { decodeLz4 } = bloscKernels(kernels);
  const place = (bytes: Uint8Array): Uint8Array => {
    const copy = kernels.allocate(bytes.length);
    copy.set(bytes);
    return copy;
  };

  it.each(MANNERS)("$name: whole blocks, and their beginnings", (manner) => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = randomly(seed);
      const { encoded, decoded } = makeBlock(manner, seed * seed * 13, random);
      kernels.begin(2 ** 20);
      const source = place(encoded);
      const target = kernels.allocate(decoded.length).fill(0);
      expect(decodeLz4(target, source)).toBe(decoded.length);
      expectSame(target, decoded);
      for (let i = 0; i < 10; i++) {
        const wanted = random(decoded.length + 1);
        target.fill(0);
        expect(decodeLz4(target, source, wanted)).toBe(wanted);
        expectSame(target.subarray(0, wanted), decoded.subarray(0, wanted));
        check();
      }
    }
  });
});

it("damage is refused, or not, at the same byte by both", async () => {
  const both = await Promise.all(
    [wasm, javascript].map(async (inner) => {
      const guarded = guardKernels(inner);
      await loadBloscKernels(guarded.kernels);
      return { ...guarded, ...bloscKernels(guarded.kernels) };
    }),
  );
  const random = randomly(99);
  for (const manner of MANNERS) {
    for (let i = 0; i < 600; i++) {
      const { encoded, decoded } = makeBlock(manner, 200 + random(1500), random);
      for (let damage = random(3); damage >= 0; damage--) {
        encoded[random(encoded.length)] = random(4) === 0 ? 255 : random(256);
      }
      const capacity = Math.max(decoded.length + random(3) - 1, 0);
      const wanted = random(2) === 0 ? capacity : random(capacity + 1);
      const [first, second] = both.map(({ kernels, check, decodeLz4 }) => {
        kernels.begin(2 ** 16);
        const source = kernels.allocate(encoded.length);
        source.set(encoded);
        const target = kernels.allocate(capacity).fill(0);
        const result = decodeLz4(target, source, wanted);
        check();
        return { result, bytes: target.slice(0, Math.max(result, 0)) };
      });
      expect(first?.result).toBe(second?.result);
      expectSame(first?.bytes ?? "nothing", second?.bytes ?? "nothing");
    }
  }
});
