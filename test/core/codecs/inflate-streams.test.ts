/** Random streams by zlib, and streams of the longest codes, which leave the decoder few bits. */
import { inflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { inflate, isOutputFull, loadInflate } from "../../../src/core/codecs/gzip/inflate.js";
import { random } from "../../fuzz/mutate.js";
import { blockOf, literalsOf, makeStreams, ROWS } from "./deflate-streams.js";
import { bothKernels, expectSame } from "./harness.js";

const next = random(99);
const streams = makeStreams(120, next);

describe.each(await bothKernels())("$name", (kernels) => {
  it("any stream", async () => {
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

  it("rows of long codes", async () => {
    await loadInflate(kernels);
    for (const row of ROWS) {
      const literals = literalsOf(row);
      const encoded = blockOf(literals);
      expectSame(new Uint8Array(inflateRawSync(encoded)), literals);
      kernels.begin(literals.length + encoded.length);
      const target = kernels.allocate(literals.length);
      const source = kernels.allocate(encoded.length);
      source.set(encoded);
      expect(inflate(kernels, target, source), `${row}`).toEqual({
        written: literals.length,
        read: encoded.length,
      });
      expectSame(target, literals);
    }
  });
});
