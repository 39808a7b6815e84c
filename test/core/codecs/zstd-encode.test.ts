import zlib from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeInWasm, encodeZstd, loadEncoder } from "../../../src/core/codecs/zstd/encode/encode.js";
import { strategyOf, tableSizes, workspaceLength } from "../../../src/core/codecs/zstd/encode/levels.js";
import { encodeStored } from "../../../src/core/codecs/zstd/encode/stored.js";
import { decodeZstd } from "../../../src/core/codecs/zstd/javascript/decode.js";
import { codecWorkspace } from "../../../src/core/codecs/zstd/workspace.js";
import { bothKernels, expectSame } from "./harness.js";
import { makeData } from "./recipes.js";

const [wasm, javascript] = await bothKernels();
await loadEncoder(wasm);

/** Levels of each strategy. */
const LEVELS = [-3, 1, 2, 3, 5, 6, 7, 9, 13, 19];

function expectDecoded(encoded: Uint8Array, data: Uint8Array): void {
  const decoded = new Uint8Array(data.length);
  expect(decodeZstd(decoded, encoded)).toBe(data.length);
  expectSame(decoded, data);
}

/** Encodes in WASM, from arena memory and from outside, which give the same bytes; and decodes. */
function expectRoundTrip(data: Uint8Array, checksum = true, level = 3): Uint8Array {
  const [encoded, again] = [false, true].map((inArena) => {
    wasm.begin(4 * data.length + 2 ** 22);
    let source = data;
    if (inArena) {
      source = wasm.allocate(data.length);
      source.set(data);
    }
    const made = encodeInWasm(wasm, source, strategyOf(level), checksum);
    expectSame(source, data);
    return made?.slice() ?? new Uint8Array();
  });
  if (encoded === undefined || again === undefined) throw new Error("expected two results");
  expectSame(encoded, again);
  expectDecoded(encoded, data);
  return encoded;
}

describe("encodeInWasm", () => {
  it.each([
    ["zeros", 0.001, 0.001],
    ["words", 0.26, 0.21],
    ["field", 0.66, 0.65],
    ["far", 0.05, 0.05],
    ["noise", 1.001, 1.001],
  ] as const)("%s, many lengths, at most %f of 300001 bytes, %f thoroughly", (recipe, ratio, thorough) => {
    for (const [i, length] of [
      ...Array(70).keys(),
      255,
      256,
      257,
      1023,
      1024,
      65791,
      65792,
      131071,
      131072,
      131073,
    ].entries()) {
      expectRoundTrip(makeData(recipe, length), length % 2 === 0, LEVELS[i % LEVELS.length]);
    }
    const data = makeData(recipe, 300_001);
    expect(expectRoundTrip(data).length).toBeLessThan(ratio * data.length + 30);
    expect(expectRoundTrip(data, false, 9).length).toBeLessThan(thorough * data.length + 30);
  });

  it("uneven symbols, whose Huffman codes would be longer than 11 bits", () => {
    // Fibonacci numbers of each byte, shuffled by a stride.
    const counts = [1, 1];
    while (counts.length < 22) counts.push((counts.at(-1) ?? 0) + (counts.at(-2) ?? 0));
    const sorted = Uint8Array.from(counts.flatMap((count, symbol) => Array<number>(count).fill(symbol * 11)));
    const data = sorted.map((_, i) => sorted[(i * 7919) % sorted.length] ?? 0);
    expectRoundTrip(data);
  });

  it("literals that are even in samples, or in all but these", () => {
    // Of 128 KiB the samples are the first 512 bytes of every 16 KiB. Neither half bytes nor noise have
    // matches worth much.
    const noise = makeData("noise", 131_072);
    const halves = noise.map((byte) => byte & 15);
    const mixed = (isSample: (at: number) => boolean) =>
      noise.map((byte, i) => (isSample(i % 16_384) ? byte : (halves[i] ?? 0)));
    expect(expectRoundTrip(noise, false).length).toBeGreaterThan(noise.length);
    expect(expectRoundTrip(halves, false).length).toBeLessThan(0.6 * noise.length);
    expect(expectRoundTrip(mixed((at) => at < 512)).length).toBeLessThanOrEqual(noise.length + 20);
    expect(expectRoundTrip(mixed((at) => at >= 512)).length).toBeLessThanOrEqual(noise.length + 20);
  });

  it("windows: matches further away than 8 MiB are not used where the frame says so", () => {
    const noise = makeData("noise", 100_000);
    const data = new Uint8Array(9 * 2 ** 20);
    data.set(noise);
    data.set(noise, data.length - noise.length);
    expectRoundTrip(data, false, 5);
    const encoded = expectRoundTrip(data, false);
    // Not a single segment, and a window of 2^23.
    expect([...encoded.subarray(4, 6)]).toEqual([0x80, 13 << 3]);
    expect(encoded.length).toBeGreaterThan(2 * noise.length);
  });

  it("positions are told apart modulo 16 MiB: what is that far back is no match, what is near is", () => {
    const noise = makeData("noise", 100_000);
    const data = new Uint8Array(2 ** 24 + 200_000).fill(7);
    data.set(noise, 1000);
    data.set(noise, 2 ** 24 + 1000);
    data.set(noise.subarray(0, 50_000), 2 ** 24 + 120_000);
    for (const level of [1, 3, 5, 9]) {
      const { length } = expectRoundTrip(data, false, level);
      expect(length).toBeGreaterThan(200_000);
      expect(length).toBeLessThan(206_000);
    }
  });

  it("long matches, near and far, and blocks of one byte among others", () => {
    const noise = makeData("noise", 150_000);
    const data = new Uint8Array(700_000);
    data.set(noise);
    data.set(noise.subarray(0, 100_000), 200_000);
    data.fill(7, 300_000, 500_000);
    data.set(noise, 550_000);
    for (const level of LEVELS) expect(expectRoundTrip(data, true, level).length).toBeLessThan(210_000);
  });

  it("every length around the borders of blocks", () => {
    for (const recipe of ["words", "field"] as const) {
      const data = makeData(recipe, 2 * 131072 + 24);
      for (const border of [131072, 2 * 131072]) {
        for (let length = border - 12; length <= border + 12; length += 3) {
          expectRoundTrip(data.subarray(0, length), false, LEVELS[length % LEVELS.length]);
        }
      }
    }
  });

  it("every length up to 300, of structured bytes at odd addresses", () => {
    const words = makeData("words", 400);
    const field = makeData("field", 400);
    for (let length = 0; length <= 300; length++) {
      for (const data of [words, field]) {
        expectRoundTrip(
          data.subarray(length % 7, (length % 7) + length),
          true,
          LEVELS[length % LEVELS.length],
        );
      }
    }
  });

  it("the workspace that codecs ask for is the greatest", () => {
    for (let level = -5; level <= 22; level++) {
      for (let length = 1; length < 2 ** 30; length *= 2) {
        expect(workspaceLength(length, strategyOf(level))).toBeLessThanOrEqual(codecWorkspace(level));
        expect(workspaceLength(length - 1, strategyOf(level))).toBeLessThanOrEqual(codecWorkspace(level));
        expect(tableSizes(length, strategyOf(level)).bits).toBeLessThanOrEqual(21);
      }
    }
    for (const level of [5, 8, 10])
      expect(workspaceLength(2 ** 22, strategyOf(level))).toBe(codecWorkspace(level));
  });

  it("anything", () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc
        .record({ byte: fc.nat(255), length: fc.nat(3000) })
        .map(({ byte, length }) => new Uint8Array(length).fill(byte)),
      fc
        .record({ first: fc.nat(200), range: fc.integer({ min: 1, max: 56 }), length: fc.nat(2000) })
        .map(({ first, range, length }) =>
          Uint8Array.from({ length }, (_, i) => first + ((i * i * 31) % range)),
        ),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.array(fc.nat(11), { maxLength: 12 }),
        fc.constantFrom(...LEVELS),
        (pieces, order, level) => {
          const chosen = [...pieces, ...order.map((i) => pieces[i] ?? new Uint8Array())];
          const data = new Uint8Array(chosen.reduce((sum, { length }) => sum + length, 0));
          let at = 0;
          for (const bytes of chosen) {
            data.set(bytes, at);
            at += bytes.length;
          }
          expectRoundTrip(data, false, level);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("encodeStored", () => {
  const magic = [0x28, 0xb5, 0x2f, 0xfd];

  it("a frame of raw blocks and of blocks of one byte", () => {
    const data = makeData("noise", 2 * 131_072 + 5);
    data.fill(7, 131_072, 2 * 131_072);
    const encoded = encodeStored(data, false);
    expect(encoded.length).toBe(4 + 1 + 4 + 3 + 131_072 + 3 + 1 + 3 + 5);
    expect([...encoded.subarray(0, 5)]).toEqual([...magic, 0xa0]);
    // Not the last, raw, 128 KiB; not the last, repeated, 128 KiB; the last, raw, 5 bytes.
    const header = (at: number) => [...encoded.subarray(at, at + 3)];
    expect(header(9)).toEqual([0, 0, 16]);
    expect(header(12 + 131_072)).toEqual([2, 0, 16]);
    expect(header(16 + 131_072)).toEqual([(5 << 3) | 1, 0, 0]);
    expectDecoded(encoded, data);
  });

  it.each(["noise", "zeros", "words"] as const)("%s, many lengths", (recipe) => {
    for (const length of [
      0, 1, 2, 3, 255, 256, 65_791, 65_792, 131_071, 131_072, 131_073, 300_001, 9_000_000,
    ]) {
      const data = makeData(recipe, length);
      for (const checksum of [false, true]) expectDecoded(encodeStored(data, checksum), data);
    }
  });

  it("has the checksum of its content", () => {
    const data = makeData("words", 1000);
    const encoded = encodeStored(data, true);
    encoded[encoded.length - 1] = (encoded.at(-1) ?? 0) ^ 1;
    expect(decodeZstd(new Uint8Array(1000), encoded)).toBeLessThan(0);
  });

  it("is what is written without room in the arena, unless the platform has an encoder", () => {
    const data = makeData("words", 10_000);
    wasm.begin(0);
    const mark = wasm.mark();
    wasm.allocate(2 ** 31);
    const room = wasm.allocate(0).buffer.byteLength - mark;
    wasm.allocate(room - 5000);
    const encoded = encodeZstd(wasm, data, 3, false);
    expect(encoded.buffer).not.toBe(wasm.allocate(0).buffer);
    expectDecoded(encoded, data);
    if (!("zstdCompressSync" in zlib)) expectSame(encoded, encodeStored(data, false));
  });

  it("is what is written without WebAssembly, unless the platform has an encoder", () => {
    const data = makeData("words", 10_000);
    const encoded = encodeZstd(javascript, data, 3, true);
    expectDecoded(encoded, data);
    if (!("zstdCompressSync" in zlib)) expectSame(encoded, encodeStored(data, true));
  });
});
