/** Random streams by zlib: every strategy, level, memory level and window. */
import { deflateRawSync } from "node:zlib";
import { expect, it } from "vitest";
import { inflate, isOutputFull, loadInflate } from "../../src/codecs/deflate/inflate.js";
import { random } from "../fuzz/mutate.js";
import { bothKernels, expectSame } from "./harness.js";

const STREAMS = 120;
const next = random(99);

/** Bytes of one of several kinds: noise, few values, skewed, repeating, sparse, smooth. */
function makeBytes(length: number): Uint8Array {
  const kind = next(6);
  const alphabet = 1 + next(256);
  const bytes = new Uint8Array(length);
  const kinds = [
    () => next(256),
    () => next(alphabet),
    () => Math.min(next(alphabet), next(alphabet), next(alphabet)),
    (i: number) => (i > 300 && next(3) > 0 ? (bytes[i - 1 - next(300)] ?? 0) : next(alphabet)),
    () => (next(50) > 0 ? 7 : next(256)),
    (i: number) => Math.sin(i / 40) * 100 + next(8),
  ];
  for (let i = 0; i < length; i++) bytes[i] = kinds[kind]?.(i) ?? 0;
  return bytes;
}

const streams = Array.from({ length: STREAMS }, () => {
  const bytes = makeBytes(next(4) > 0 ? next(6000) : next(90_000));
  const settings = { level: next(10), strategy: next(5), memLevel: 1 + next(9), windowBits: 9 + next(7) };
  return { bytes, settings, encoded: new Uint8Array(deflateRawSync(bytes, settings)) };
});

it.each(await bothKernels())("$name", async (kernels) => {
  await loadInflate(kernels);
  for (const { bytes, settings, encoded } of streams) {
    kernels.begin(bytes.length + encoded.length + 2 ** 12);
    // Something follows, which belongs to nobody or to the next member.
    const source = kernels.allocate(encoded.length + 40).fill(0xff);
    source.set(encoded);
    const whole = kernels.allocate(bytes.length + 64).fill(0xa5);
    const target = whole.subarray(32, 32 + bytes.length);
    expect(inflate(kernels, target, source), JSON.stringify(settings)).toEqual({
      written: bytes.length,
      read: encoded.length,
    });
    expectSame(target, bytes);
    const around = [...whole.subarray(0, 32), ...whole.subarray(32 + bytes.length)];
    expect(around.every((byte) => byte === 0xa5)).toBe(true);
    if (bytes.length === 0) continue;
    const short = target.subarray(0, bytes.length - 1 - next(Math.min(bytes.length, 3)));
    expect(isOutputFull(inflate(kernels, short, source))).toBe(true);
  }
});
