/** How many requests the metadata of a file take. */
import { expect, test } from "vitest";
import { resolveRange } from "../../../src/core/stores/keys-and-ranges.js";
import type { Readable } from "../../../src/core/stores/store.js";
import { FileBytes } from "../../../src/stores/virtual/file-bytes.js";

/** Where netCDF-C leaves the metadata of one of 500 variables with records, in the order in which they are read. */
const SCATTERED = [
  ...[1376256, 3538944, 6488064, 8781824, 18219008, 20381696, 3407872, 4521984, 3145728],
  ...[4456448, 2293760, 2228224, 2097152, 720896, 196608, 10158080, 10092544, 1572864],
];

test("metadata that are scattered over a file of 20 MB take at most ten requests", async () => {
  const bytes = Uint8Array.from({ length: 20_523_583 }, (_, i) => (i * 7919) >>> 5);
  const asked: (readonly [number, number])[] = [];
  const store: Readable = {
    kind: "network",
    get: () => bytes,
    async getParts(_key, ranges = []) {
      const parts = ranges.map((range) => {
        const { start, end } = resolveRange(range, bytes.length);
        asked.push([start, end]);
        return bytes.slice(start, end);
      });
      return { parts, byteLength: bytes.length };
    },
  };
  const file = await FileBytes.open({ store, key: "/file", name: "file" });
  for (const offset of SCATTERED)
    expect(await file.read(offset, 200)).toEqual(bytes.slice(offset, offset + 200));
  expect(asked.length).toBeLessThanOrEqual(10);
  // Nothing is read twice.
  const sorted = asked.toSorted(([a], [b]) => a - b);
  for (const [i, [start]] of sorted.entries()) expect(start).toBeGreaterThanOrEqual(sorted[i - 1]?.[1] ?? 0);
});
