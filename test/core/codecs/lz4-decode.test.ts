/**
 * The loops of the LZ4 decoder: blocks made of sequences at random, in the manners of the data that the loops
 * are for.
 */
import { describe, expect, it } from "vitest";
import { bloscKernels, loadBloscKernels } from "../../../src/core/codecs/blosc/kernels.js";
import { guardKernels } from "../../fuzz/guarded.js";
import { random } from "../../fuzz/mutate.js";
import { bothKernels, expectSame } from "./harness.js";
import { MANNERS, makeBlock } from "./lz4-blocks.js";

const [wasm, javascript] = await bothKernels();

describe.each([wasm, javascript])("$name", async (inner) => {
  const { kernels, check } = guardKernels(inner);
  await loadBloscKernels(kernels);
  const { lz4 } = bloscKernels(kernels);
  const place = (bytes: Uint8Array): Uint8Array => {
    const copy = kernels.allocate(bytes.length);
    copy.set(bytes);
    return copy;
  };

  it.each(MANNERS)("$name: whole blocks, and their beginnings", (manner) => {
    for (let seed = 1; seed <= 40; seed++) {
      const next = random(seed);
      const { encoded, decoded } = makeBlock(manner, seed * seed * 13, next);
      kernels.begin(2 ** 20);
      const source = place(encoded);
      const target = kernels.allocate(decoded.length).fill(0);
      expect(lz4(target, source)).toBe(decoded.length);
      expectSame(target, decoded);
      for (let i = 0; i < 10; i++) {
        const wanted = next(decoded.length + 1);
        target.fill(0);
        expect(lz4(target, source, wanted)).toBe(wanted);
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
  const next = random(99);
  for (const manner of MANNERS) {
    for (let i = 0; i < 600; i++) {
      const { encoded, decoded } = makeBlock(manner, 200 + next(1500), next);
      for (let damage = next(3); damage >= 0; damage--) {
        encoded[next(encoded.length)] = next(4) === 0 ? 255 : next(256);
      }
      const capacity = Math.max(decoded.length + next(3) - 1, 0);
      const wanted = next(2) === 0 ? capacity : next(capacity + 1);
      const [first, second] = both.map(({ kernels, check, lz4 }) => {
        kernels.begin(2 ** 16);
        const source = kernels.allocate(encoded.length);
        source.set(encoded);
        const target = kernels.allocate(capacity).fill(0);
        const result = lz4(target, source, wanted);
        check();
        return { result, bytes: target.slice(0, Math.max(result, 0)) };
      });
      expect(first?.result).toBe(second?.result);
      expectSame(first?.bytes ?? "nothing", second?.bytes ?? "nothing");
    }
  }
});
