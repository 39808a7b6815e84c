/** The index kernels and their twin: same numbers, same verdicts, to the last bit. */
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { decodeEntries, encodeEntries, loadShardKernels } from "../../../src/codecs/sharding/index-table.js";
import { loadKernels, setKernels } from "../../../src/kernels/load.js";

setKernels("wasm");
const wasm = await loadKernels();
await loadShardKernels(wasm);
setKernels("javascript");
const javascript = await loadKernels();
afterAll(() => setKernels("auto"));

const MISSING = 2n ** 64n - 1n;
type Entry = readonly [offset: bigint, length: bigint];

const number = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt({ min: 0n, max: 2000n }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(0n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 52n - 1n, 2n ** 52n, 2n ** 53n - 1n),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 63n, MISSING - 1n, MISSING),
  },
  { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: MISSING }) },
);
const entry: fc.Arbitrary<Entry> = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(number, number) },
  { weight: 1, arbitrary: fc.constant<Entry>([MISSING, MISSING]) },
);

function store(entries: readonly Entry[], kernels: typeof wasm): Uint8Array {
  const stored = kernels.allocate(16 * entries.length);
  const view = new DataView(stored.buffer, stored.byteOffset, stored.length);
  for (const [i, [offset, length]] of entries.entries()) {
    view.setBigUint64(16 * i, offset, true);
    view.setBigUint64(16 * i + 8, length, true);
  }
  return stored;
}

function decode(kernels: typeof wasm, entries: readonly Entry[], first: number, end: number) {
  kernels.begin(64 * entries.length + 1024);
  return decodeEntries(kernels, store(entries, kernels), first, end);
}

/** What the specification says, in exact integers. */
function firstWrong(entries: readonly Entry[], first: number, end: number): number {
  const wrong = entries.findIndex(
    ([offset, length]) =>
      (offset !== MISSING || length !== MISSING) && (offset < BigInt(first) || offset + length > BigInt(end)),
  );
  return wrong < 0 ? entries.length : wrong;
}

describe("decoding entries", () => {
  test("both kernels agree with exact arithmetic", () => {
    const bound = fc.oneof(
      fc.integer({ min: 0, max: 3000 }),
      fc.constantFrom(2 ** 52, Number.MAX_SAFE_INTEGER),
    );
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 9 }),
        fc.integer({ min: 0, max: 40 }),
        bound,
        (entries, first, end) => {
          const answers = [wasm, javascript].map((kernels) => decode(kernels, entries, first, end));
          for (const { offsets, lengths, checked } of answers) {
            expect(checked).toBe(firstWrong(entries, first, end));
            for (const [i, [offset, length]] of entries.slice(0, checked).entries()) {
              const isMissing = (offset === MISSING && length === MISSING) || length === 0n;
              expect(lengths[i]).toBe(isMissing ? -1 : Number(length));
              if (!isMissing) expect(offsets[i]).toBe(Number(offset));
            }
          }
          const [a, b] = answers;
          const seen = Math.min(entries.length, (a?.checked ?? 0) + 1);
          expect(a?.offsets.subarray(0, seen)).toEqual(b?.offsets.subarray(0, seen));
          expect(a?.lengths.subarray(0, seen)).toEqual(b?.lengths.subarray(0, seen));
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("the first wrong entry is found wherever it stands", () => {
    for (const count of [1, 2, 3, 8, 33]) {
      for (let wrong = 0; wrong < count; wrong++) {
        const entries = Array.from({ length: count }, (_, i): Entry => [i === wrong ? 200n : 10n, 16n]);
        for (const kernels of [wasm, javascript])
          expect(decode(kernels, entries, 0, 100).checked).toBe(wrong);
      }
    }
  });
});

test("encoding is the reverse, in the same bytes", () => {
  const place = fc.tuple(
    fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
    fc.oneof(fc.constant(-1), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })),
  );
  fc.assert(
    fc.property(fc.array(place, { maxLength: 9 }), (places) => {
      const offsets = Float64Array.from(places, ([offset]) => offset);
      const lengths = Float64Array.from(places, ([, length]) => length);
      const expected = places.map(
        ([offset, length]): Entry => (length < 0 ? [MISSING, MISSING] : [BigInt(offset), BigInt(length)]),
      );
      for (const kernels of [wasm, javascript]) {
        kernels.begin(64 * places.length + 1024);
        const stored = kernels.allocate(16 * places.length);
        encodeEntries(kernels, stored, { offsets, lengths });
        expect(stored.slice()).toEqual(store(expected, kernels).slice());
      }
    }),
    { numRuns: 500 },
  );
});

test("entries outside the arena take the twin's way", () => {
  const outside = new Uint8Array(64);
  encodeEntries(wasm, outside, {
    offsets: Float64Array.of(0, 2 ** 33, 5, 7),
    lengths: Float64Array.of(3, 2 ** 40, -1, 1),
  });
  const { offsets, lengths, checked } = decodeEntries(wasm, outside, 0, 2 ** 41);
  expect([...offsets]).toEqual([0, 2 ** 33, 0, 7]);
  expect([...lengths]).toEqual([3, 2 ** 40, -1, 1]);
  expect(checked).toBe(4);
});
