/** How reads and writes are cut into bands. */
import { describe, expect, test } from "vitest";
import { eachBand, placeToSplit, planBands, splitBand } from "../../src/engine/bands.js";
import { normaliseSelection } from "../../src/grid/selection.js";
import { slice } from "../../src/index.js";

const MEBIBYTE = 1 << 20;

function planOf(shape: readonly number[], chunkShape: readonly number[], itemSize: number) {
  const { dimensions } = normaliseSelection(null, shape);
  return planBands(dimensions, chunkShape, itemSize);
}

describe("chunks of a band", () => {
  test.each([
    // Rows of 256 bytes, joined over the whole last dimension.
    { shape: [256, 256, 256], chunkShape: [64, 64, 64], bytes: 4, chunks: 4, band: [64, 64, 256] },
    // 65,536 rows of 16 bytes: as many side by side as 16 MiB have, where 4 MiB would make rows of 64 bytes.
    { shape: [256, 256, 256], chunkShape: [256, 256, 4], bytes: 4, chunks: 16, band: [256, 256, 64] },
    // 8,192 rows: rows of 512 bytes are long enough.
    { shape: [8192, 8192], chunkShape: [8192, 8], bytes: 1, chunks: 64, band: [8192, 512] },
    { shape: [8192, 8192], chunkShape: [512, 512], bytes: 2, chunks: 8, band: [512, 4096] },
    // One chunk is more than that.
    { shape: [4096, 4096, 4], chunkShape: [4096, 4096, 1], bytes: 2, chunks: 1, band: [4096, 4096, 1] },
  ])("%o", ({ shape, chunkShape, bytes, chunks, band }) => {
    const plan = planOf(shape, chunkShape, bytes);
    const [first] = eachBand(plan);
    expect([plan.chunksPerBand, first?.shape]).toEqual([chunks, band]);
  });

  test("a single chunk is a plan of one band", () => {
    const { dimensions } = normaliseSelection([slice(3, 7), 18], [20, 40]);
    const { band, ...counts } = planBands(dimensions, [8, 16], 4);
    expect(counts).toEqual({ chunkCount: 1, chunksPerBand: 1, bandCount: 1 });
    const rows = { chunk: 0, source: 3, count: 4, target: 0, step: 1, whole: false };
    const column = { chunk: 1, source: 2, count: 1, target: 0, step: 1, whole: false };
    const chunks = [{ chunk: [0, 1], parts: [rows, column], whole: false }];
    expect(band(0)).toEqual({ start: [0, 0], shape: [4, 1], chunks });
  });

  test("every element is in one band", () => {
    for (const chunkShape of [
      [5, 7, 3],
      [40, 30, 1],
      [1, 30, 20],
    ]) {
      const plan = planOf([40, 30, 20], chunkShape, MEBIBYTE / 64);
      const seen = new Uint8Array(40 * 30 * 20);
      for (const { start, shape } of eachBand(plan)) {
        const [[a = 0, b = 0, c = 0], [i = 0, j = 0, k = 0]] = [start, shape];
        for (let at = 0; at < i * j * k; at++) {
          const x = a + Math.floor(at / (j * k));
          const y = b + (Math.floor(at / k) % j);
          const place = (x * 30 + y) * 20 + c + (at % k);
          seen[place] = (seen[place] ?? 0) + 1;
        }
      }
      expect(seen.every((count) => count === 1)).toBe(true);
    }
  });
});

describe("a band that is split", () => {
  const { dimensions } = normaliseSelection(
    [slice(3, 37), slice(null, null, -3), slice(1, 19, 2)],
    [40, 30, 20],
  );
  const [band] = eachBand(planBands(dimensions, [10, 10, 5], 1));
  if (band === undefined) throw new Error("expected a band");
  // 4 x 3 x 4 chunks.
  const count = band.chunks.length;

  test.each(Array.from({ length: count }, (_, index) => index))("at %i: each side is boxes", (index) => {
    const { before, after } = splitBand(band, index);
    expect(before.flatMap(({ chunks }) => chunks)).toEqual(band.chunks.slice(0, index));
    expect(after.flatMap(({ chunks }) => chunks)).toEqual(band.chunks.slice(index));
    expect(before.length).toBeLessThan(4);
    expect(after.length).toBeLessThan(4);
    const seen = new Set<string>();
    for (const { start, shape, chunks } of [...before, ...after]) {
      const elements = shape.reduce((product, length) => product * length, 1);
      const own = chunks.map(({ parts }) => parts.reduce((product, part) => product * part.count, 1));
      expect(own.reduce((sum, each) => sum + each, 0)).toBe(elements);
      for (const { parts } of chunks) {
        for (const [d, { target, count: length }] of parts.entries()) {
          expect(target).toBeGreaterThanOrEqual(start[d] ?? Number.NaN);
          expect(target + length).toBeLessThanOrEqual((start[d] ?? 0) + (shape[d] ?? 0));
        }
        seen.add(parts.map(({ target }) => target).join());
      }
    }
    expect(seen.size).toBe(count);
  });

  test("is split after a look at few of its chunks", () => {
    const [wide] = eachBand(planOf([1024, 1024], [32, 32], 4));
    let looks = 0;
    const chunks = new Proxy(wide?.chunks ?? [], {
      get(target, key) {
        if (typeof key === "string" && /^\d+$/.test(key)) looks++;
        return Reflect.get(target, key);
      },
    });
    expect(chunks.length).toBe(1024);
    expect(placeToSplit({ start: [0, 0], shape: [1024, 1024], chunks }, 33)).toBe(64);
    expect(looks).toBeLessThan(100);
  });

  test("ends a row or a plane of chunks, if that is near", () => {
    expect(count).toBe(48);
    expect([1, 2, 3, 5, 6, 11, 25].map((done) => placeToSplit(band, done))).toEqual([1, 4, 4, 8, 12, 12, 48]);
  });
});
