import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Kernels } from "../../src/kernels/kernels.js";
import { loadStrings } from "../../src/kernels/strings.js";
import type { Strings } from "../../src/kernels/strings-kernels.js";
import { STRINGS_SCRATCH } from "../../src/kernels/strings-pieces.js";
import { GUARD, guarded, implementations } from "./implementations.js";
import { firstDifference } from "./reference.js";

const named = await implementations();
const all: readonly (readonly [string, Kernels, Strings])[] = await Promise.all(
  named.map(async ([name, kernels]) => [name, kernels, await loadStrings(kernels)] as const),
);
if (all.length !== 2 || all[0]?.[2] === all[1]?.[2]) throw new Error("no two implementations");

/** Runs with every implementation, with and without room in the arena; all must agree. */
function everywhere<Result>(run: (strings: Strings, kernels: Kernels) => Result): Result {
  const results = all.flatMap(([, kernels, strings]) =>
    [STRINGS_SCRATCH + (1 << 22), 0].map((room) => {
      kernels.begin(room);
      return run(strings, kernels);
    }),
  );
  for (const result of results) expectSame(result, results[0]);
  const [first] = results;
  if (first === undefined) throw new Error("no implementation");
  return first;
}

/** As toEqual, which takes minutes for megabytes. */
function expectSame(got: unknown, expected: unknown): void {
  if (ArrayBuffer.isView(got) && ArrayBuffer.isView(expected)) {
    expect(firstDifference(bytesOf(got), bytesOf(expected))).toBe(-1);
  } else if (Array.isArray(got) && Array.isArray(expected)) {
    expect(got).toHaveLength(expected.length);
    for (const [i, value] of got.entries()) expectSame(value, expected[i]);
  } else expect(got).toEqual(expected);
}

const bytesOf = (view: ArrayBufferView): Uint8Array =>
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

/** A target between guard bytes, in the arena or outside. */
function target(kernels: Kernels, inside: boolean, length: number): { bytes: Uint8Array; check(): void } {
  const { whole, offset, bytes } = guarded(kernels, inside, length, 0);
  return {
    bytes,
    check() {
      const around = [whole.subarray(0, offset), whole.subarray(offset + length)];
      expect(around.every((part) => part.every((byte) => byte === GUARD))).toBe(true);
    },
  };
}

const LENGTHS = Array.from({ length: 66 }, (_, i) => i);
/** Longer than what travels through the arena at once. */
const LONG = 70_001;

function offsetsOf(lengths: readonly number[]): Int32Array {
  const offsets = new Int32Array(lengths.length + 1);
  for (const [i, length] of lengths.entries()) offsets[i + 1] = (offsets[i] ?? 0) + length;
  return offsets;
}

const pseudo = (i: number): number => (Math.imul(i + 1, 2654435761) >>> 8) % 37;

describe("offsets", () => {
  it("are the running sums of lengths, from where they begin", () => {
    for (const count of [...LENGTHS, LONG]) {
      const lengths = Int32Array.from({ length: count }, (_, i) => pseudo(i));
      const expected = offsetsOf([...lengths]).map((offset) => offset + 1000);
      const sums = everywhere((strings) => {
        const whole = new Int32Array(count + 1);
        whole[0] = 1000;
        strings.lengthsToOffsets(whole, lengths);
        return whole;
      });
      expectSame(sums, expected);
    }
  });

  it("give lengths back, and the first negative one by its index", () => {
    for (const count of [...LENGTHS, LONG]) {
      const lengths = Int32Array.from({ length: count }, (_, i) => pseudo(i));
      const offsets = offsetsOf([...lengths]);
      expect(
        everywhere((strings) => {
          const got = new Int32Array(count);
          return [strings.offsetsToLengths(got, offsets), got];
        }),
      ).toEqual([-1, lengths]);
      if (count < 2) continue;
      const at = count - 1 - (count % 3 === 0 ? 1 : 0);
      offsets[at] = (offsets[at + 1] ?? 0) + 1;
      expect(everywhere((strings) => strings.offsetsToLengths(new Int32Array(count), offsets))).toBe(at);
    }
  });

  it("are checked: the first one below the one before it", () => {
    for (const count of [0, 1, ...LENGTHS, LONG, 32768, 32769]) {
      const offsets = Int32Array.from({ length: count }, (_, i) => i >> 1);
      const wide = BigInt64Array.from(offsets, (offset) => BigInt(offset) * 2n ** 32n);
      expect(everywhere((strings) => [strings.checkOffsets(offsets), strings.checkOffsets(wide)])).toEqual([
        -1, -1,
      ]);
      for (const at of [1, count >> 1, count - 1]) {
        if (at < 1 || at >= count) continue;
        const wrong = offsets.slice();
        const wrongWide = wide.slice();
        wrong[at] = -1;
        wrongWide[at] = -1n;
        expect(
          everywhere((strings) => [strings.checkOffsets(wrong), strings.checkOffsets(wrongWide)]),
        ).toEqual([at, at]);
      }
    }
  });

  it("change their width", () => {
    for (const count of [...LENGTHS, LONG]) {
      const narrow = Int32Array.from({ length: count }, (_, i) => i * 30011);
      const wide = BigInt64Array.from(narrow, BigInt);
      const got = everywhere((strings) => {
        const [a, b] = [new Int32Array(count), new BigInt64Array(count)];
        strings.narrowOffsets(a, wide);
        strings.widenOffsets(b, narrow);
        return [a, b];
      });
      expectSame(got, [narrow, wide]);
    }
  });
});

/** A column with elements of these lengths. */
function columnOf(lengths: readonly number[]): { offsets: Int32Array; data: Uint8Array } {
  const offsets = offsetsOf(lengths);
  return { offsets, data: Uint8Array.from({ length: offsets[lengths.length] ?? 0 }, (_, i) => i * 7 + 1) };
}

const columns = [
  ...LENGTHS.map((count) => Array.from({ length: count }, (_, i) => i)),
  ...LENGTHS.map((length) => [length, 0, length, 1]),
  [0, 0, 0],
  [200_000, 3, 0, 131_072, 131_040, 131_008, 5],
  Array.from({ length: LONG }, (_, i) => pseudo(i)),
];

describe("elements", () => {
  it("go from columns to the interleaved form and back", () => {
    for (const lengths of columns) {
      const { offsets, data } = columnOf(lengths);
      const interleaved = everywhere((strings, kernels) => {
        const results = [true, false].map((inside) => {
          const to = target(kernels, inside, data.length + 4 * lengths.length);
          strings.interleave(to.bytes, data, offsets);
          to.check();
          return to.bytes.slice();
        });
        expectSame(results[1], results[0]);
        return results[0];
      });
      if (interleaved === undefined) throw new Error("nothing written");
      const view = new DataView(interleaved.buffer);
      for (let i = 0, at = 0; i < Math.min(20, lengths.length); i++) {
        expect(view.getUint32(at, true)).toBe(lengths[i]);
        at += 4 + (lengths[i] ?? 0);
      }
      const back = everywhere((strings) => {
        const column = { offsets: new Int32Array(offsets.length), data: new Uint8Array(data.length) };
        expect(strings.deinterleave(column.data, column.offsets, interleaved)).toBe(lengths.length);
        return [column.offsets, column.data];
      });
      expectSame(back, [offsets, data]);
    }
  });

  it("stop at the first that does not end within the input, or finds no room", () => {
    const { offsets, data } = columnOf([3, 100, 0, 7]);
    const whole = new Uint8Array(data.length + 16);
    all[1]?.[2].interleave(whole, data, offsets);
    for (let length = 0; length <= whole.length; length++) {
      const ends = [7, 111, 115, 126];
      const done = everywhere((strings) =>
        strings.deinterleave(new Uint8Array(data.length), new Int32Array(5), whole.subarray(0, length)),
      );
      expect(done).toBe(ends.filter((end) => end <= length).length);
    }
    expect(everywhere((strings) => strings.deinterleave(new Uint8Array(102), new Int32Array(5), whole))).toBe(
      1,
    );
    const huge = whole.slice();
    huge.set([255, 255, 255, 255], 7);
    expect(everywhere((strings) => strings.deinterleave(new Uint8Array(500), new Int32Array(5), huge))).toBe(
      1,
    );
  });

  it("are gathered in any order", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 70 }), { minLength: 1, maxLength: 40 }),
        fc.array(fc.nat(), { maxLength: 60 }),
        (lengths, picks) => {
          const { offsets, data } = columnOf(lengths);
          const indices = Int32Array.from(picks, (pick) => pick % lengths.length);
          const expected = [...indices].map((i) => [...data.subarray(offsets[i], offsets[i + 1])]);
          const got = everywhere((strings, kernels) => {
            const chosen = new Int32Array(indices.length + 1);
            strings.gatherOffsets(chosen, offsets, indices);
            const to = target(kernels, false, chosen[indices.length] ?? 0);
            strings.gatherElements(to.bytes, data, offsets, indices);
            to.check();
            return [chosen, to.bytes.slice()] as const;
          });
          expect([...indices].map((_, i) => [...got[1].subarray(got[0][i], got[0][i + 1])])).toEqual(
            expected,
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});

const TEXTS = [
  "",
  "a",
  "é",
  "€",
  "😀",
  "a".repeat(15),
  `${"b".repeat(16)}ü`,
  "日本語",
  "\0",
  "\ufeff",
  "x".repeat(200_000),
];
const encoder = new TextEncoder();

describe("text", () => {
  it("is ASCII or not, wherever the one byte stands", () => {
    for (const length of [...LENGTHS, 131_072, 131_073, 300_001]) {
      const bytes = new Uint8Array(length).fill(0x7f);
      expect(everywhere((strings) => strings.isAscii(bytes))).toBe(true);
      for (const at of length < 100 ? LENGTHS.slice(0, length) : [0, 131_071, 131_072, length - 1]) {
        if (at >= length) continue;
        bytes[at] = 0x80;
        expect(everywhere((strings) => strings.isAscii(bytes))).toBe(false);
        bytes[at] = 0x7f;
      }
    }
  });

  it("has its UTF-16 units counted, and its UTF-8 bytes from those", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: "binary" })), { maxLength: 30 }),
        (texts) => {
          const parts = texts.map((text) => encoder.encode(text));
          const offsets = offsetsOf(parts.map(({ length }) => length));
          const data = new Uint8Array(offsets[parts.length] ?? 0);
          for (const [i, part] of parts.entries()) data.set(part, offsets[i]);
          const units = offsetsOf(texts.map(({ length }) => length)).map((unit) => unit + 7);
          const counted = everywhere((strings) => {
            const target = new Int32Array(texts.length + 1);
            target[0] = 7;
            return [strings.utf16Offsets(target, data, offsets), target];
          });
          expect(counted).toEqual([-1, units]);
          const lengths = Int32Array.from(texts, ({ length }) => length);
          const back = everywhere((strings) => {
            const target = new Int32Array(texts.length + 1);
            return [strings.utf8Offsets(target, data, lengths), target];
          });
          expect(back).toEqual([-1, offsets]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("is refused where it is not UTF-8, as TextDecoder refuses it", () => {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    const valid = (bytes: Uint8Array): boolean => {
      try {
        decoder.decode(bytes);
        return true;
      } catch {
        return false;
      }
    };
    const check = (bytes: Uint8Array): void => {
      const data = Uint8Array.of(0x61, ...bytes, 0x62);
      const offsets = Int32Array.of(0, 1, 1 + bytes.length, data.length);
      const found = everywhere((strings) => strings.utf16Offsets(new Int32Array(4), data, offsets));
      expect(found, `[${bytes.join(", ")}]`).toBe(valid(bytes) ? -1 : 1);
    };
    const leads = [
      0x7f, 0x80, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff,
    ];
    const others = [0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0];
    for (const lead of leads) {
      check(Uint8Array.of(lead));
      for (const second of others) {
        check(Uint8Array.of(lead, second));
        for (const third of [0x7f, 0x80, 0xbf, 0xc0]) {
          check(Uint8Array.of(lead, second, third));
          for (const fourth of [0x7f, 0x80, 0xbf]) check(Uint8Array.of(lead, second, third, fourth));
        }
      }
    }
  });

  it("ends no string in the middle of a character", () => {
    const text = encoder.encode("a😀b");
    expect(everywhere((strings) => strings.utf8Offsets(new Int32Array(3), text, Int32Array.of(2, 2)))).toBe(
      0,
    );
    expect(everywhere((strings) => strings.utf8Offsets(new Int32Array(3), text, Int32Array.of(1, 3)))).toBe(
      -1,
    );
    expect(everywhere((strings) => strings.utf8Offsets(new Int32Array(3), text, Int32Array.of(3, 4)))).toBe(
      1,
    );
  });
});
