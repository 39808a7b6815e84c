/** How reads and writes are cut into bands. */
import { describe, expect, test } from "vitest";
import { eachBand, planBands } from "../../src/core/line/shared/bands.js";
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
