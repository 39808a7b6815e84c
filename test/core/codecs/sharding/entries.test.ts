/** The entries of a shard's index: the numbers and verdicts of exact integers. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeEntries, encodeEntries } from "../../../../src/core/codecs/sharding/index-table.js";

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

function store(entries: readonly Entry[]): Uint8Array {
  const stored = new Uint8Array(16 * entries.length);
  const view = new DataView(stored.buffer, stored.byteOffset, stored.length);
  for (const [i, [offset, length]] of entries.entries()) {
    view.setBigUint64(16 * i, offset, true);
    view.setBigUint64(16 * i + 8, length, true);
  }
  return stored;
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
  test("agrees with exact arithmetic", () => {
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
          const { offsets, lengths, checked } = decodeEntries(store(entries), first, end);
          expect(checked).toBe(firstWrong(entries, first, end));
          for (const [i, [offset, length]] of entries.slice(0, checked + 1).entries()) {
            const isMissing = (offset === MISSING && length === MISSING) || length === 0n;
            expect(lengths[i]).toBe(isMissing ? -1 : Number(length));
            if (!isMissing) expect(offsets[i]).toBe(Number(offset));
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("the first wrong entry is found wherever it stands", () => {
    for (const count of [1, 2, 3, 8, 33]) {
      for (let wrong = 0; wrong < count; wrong++) {
        const entries = Array.from({ length: count }, (_, i): Entry => [i === wrong ? 200n : 10n, 16n]);
        expect(decodeEntries(store(entries), 0, 100).checked).toBe(wrong);
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
      const stored = new Uint8Array(16 * places.length);
      encodeEntries(stored, { offsets, lengths });
      expect(stored).toEqual(store(expected));
    }),
    { numRuns: 500 },
  );
});
