import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeFrame } from "../../src/codecs/zstd/encode/frame.js";
import { decodeZstd } from "../../src/codecs/zstd/twins/decode.js";
import { expectSame } from "./harness.js";
import { makeData } from "./recipes.js";

/** Our own encoder, which a Node that has zstd itself does not use. */
function expectRoundTrip(data: Uint8Array, checksum = true): Uint8Array {
  const encoded = encodeFrame(data, checksum);
  const decoded = new Uint8Array(data.length);
  expect(decodeZstd(decoded, encoded)).toBe(data.length);
  expectSame(decoded, data);
  return encoded;
}

describe("encodeFrame", () => {
  it.each([
    ["zeros", 0.001],
    ["words", 0.25],
    ["field", 0.66],
    ["far", 0.05],
    ["noise", 1.001],
  ] as const)("%s, many lengths, at most %f of 300001 bytes", (recipe, ratio) => {
    for (const length of [
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
    ]) {
      expectRoundTrip(makeData(recipe, length), length % 2 === 0);
    }
    const data = makeData(recipe, 300_001);
    expect(expectRoundTrip(data).length).toBeLessThan(ratio * data.length + 30);
  });

  it("uneven symbols, whose Huffman codes would be longer than 11 bits", () => {
    // Fibonacci numbers of each byte, shuffled by a stride.
    const counts = [1, 1];
    while (counts.length < 22) counts.push((counts.at(-1) ?? 0) + (counts.at(-2) ?? 0));
    const sorted = Uint8Array.from(counts.flatMap((count, symbol) => Array<number>(count).fill(symbol * 11)));
    const data = sorted.map((_, i) => sorted[(i * 7919) % sorted.length] ?? 0);
    expectRoundTrip(data);
  });

  it("windows: matches further away than 8 MiB are not used where the frame says so", () => {
    const noise = makeData("noise", 100_000);
    const data = new Uint8Array(9 * 2 ** 20);
    data.set(noise);
    data.set(noise, data.length - noise.length);
    const encoded = expectRoundTrip(data, false);
    // Not a single segment, and a window of 2^23.
    expect([...encoded.subarray(4, 6)]).toEqual([0x80, 13 << 3]);
    expect(encoded.length).toBeGreaterThan(2 * noise.length);
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
        (pieces, order) => {
          const chosen = [...pieces, ...order.map((i) => pieces[i] ?? new Uint8Array())];
          const data = new Uint8Array(chosen.reduce((sum, { length }) => sum + length, 0));
          let at = 0;
          for (const bytes of chosen) {
            data.set(bytes, at);
            at += bytes.length;
          }
          expectRoundTrip(data);
        },
      ),
      { numRuns: 300 },
    );
  });
});
