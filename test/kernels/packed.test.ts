import { describe, expect, it } from "vitest";
import type { Kernels } from "../../src/kernels/kernels.js";
import { WIDTHS } from "../../src/kernels/number-kinds.js";
import { loadPacked, type Packed } from "../../src/kernels/packed.js";
import { GUARD, guarded, implementations, MARGIN } from "./implementations.js";
import { firstDifference } from "./reference.js";

const named = await implementations();
const loaded = await Promise.all(
  named.map(async ([, kernels]) => [kernels, await loadPacked(kernels)] as const),
);
const [wasm, fallback] = loaded;
if (wasm === undefined || fallback === undefined || wasm[1] === fallback[1])
  throw new Error("no two implementations");
const javascript = fallback;

type Call = (packed: Packed, target: Uint8Array, source: Uint8Array, extra: Uint8Array) => void;

/** Runs on guarded memory inside or outside of the arena; gives a copy of the target. */
function run(
  [kernels, packed]: readonly [Kernels, Packed],
  inside: boolean,
  skew: number,
  source: Uint8Array,
  before: Uint8Array,
  extra: Uint8Array,
  call: Call,
): Uint8Array {
  kernels.begin(source.length + before.length + extra.length + 8 * MARGIN);
  const pieces = [before, source, extra].map((bytes) => {
    const piece = guarded(kernels, inside, bytes.length, skew);
    piece.bytes.set(bytes);
    return piece;
  });
  const [to, from, more] = pieces.map(({ bytes }) => bytes);
  if (to === undefined || from === undefined || more === undefined) throw new Error("three pieces");
  call(packed, to, from, more);
  for (const { whole, offset, bytes } of pieces) {
    const around = [whole.subarray(0, offset), whole.subarray(offset + bytes.length)];
    if (around.some((part) => part.some((byte) => byte !== GUARD)))
      expect.fail("a byte beside an operand changed");
  }
  if (firstDifference(from, source) !== -1) expect.fail("the source changed");
  return to.slice();
}

/** Random bits, and the numbers at the edges of what is rounded. */
function sourceOf(kind: keyof typeof WIDTHS, length: number): Uint8Array {
  const bytes = new Uint8Array(length * WIDTHS[kind]);
  let seed = length + 1;
  for (let i = 0; i < bytes.length; i++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    bytes[i] = seed >>> 24;
  }
  const edges = [0.5, 1.5, -0.5, -0, 0, Number.NaN, Number.POSITIVE_INFINITY, 254.5, 255.5, 1e300, 2 ** 31];
  if (kind !== "F32" && kind !== "F64") return bytes;
  const numbers = kind === "F32" ? new Float32Array(bytes.buffer) : new Float64Array(bytes.buffer, 0, length);
  for (let i = 0; i < length; i += 2) numbers[i] = edges[(i / 2) % edges.length] ?? 0;
  return bytes;
}

function check(
  kind: keyof typeof WIDTHS,
  targetOf: (length: number) => Uint8Array,
  call: Call,
  extra: Uint8Array = new Uint8Array(),
) {
  for (let length = 0; length <= 65; length++) {
    const source = sourceOf(kind, length);
    const expected = run(javascript, false, 0, source, targetOf(length), extra, call);
    for (const [inside, skew] of [
      [true, 0],
      [true, 1],
      [true, 12],
      [false, 3],
    ] as const) {
      for (const each of loaded) {
        const result = run(each, inside, skew, source, targetOf(length), extra, call);
        const at = firstDifference(result, expected);
        if (at !== -1) expect.fail(`byte ${at} of ${length} elements: ${result[at]}, not ${expected[at]}`);
      }
    }
  }
}

const bytesOf = (array: ArrayBufferView): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

const SHORT = ["I8", "U8", "I16", "U16", "F32"] as const;
const LONG = [...SHORT, "I32", "U32", "F64", "I64", "U64"] as const;
const STORED = [
  ...SHORT.map((from) => [from, "F32"] as const),
  ...LONG.map((from) => [from, "F64"] as const),
];

describe("the kernel and its fallback give the same bits, at any length and address", () => {
  it.each(STORED)("unpack %s to %s", (from, to) => {
    const Floats = to === "F32" ? Float32Array : Float64Array;
    const Integers = from === "I64" ? BigInt64Array : from === "U64" ? BigUint64Array : undefined;
    for (const { values, factor, shift } of [
      { values: [], factor: 1, shift: -0 },
      { values: [5, 0], factor: 0.1, shift: 300 },
      { values: [5, 0, 1, 0.5], factor: 3, shift: -0 },
    ]) {
      const masks = Integers ? Integers.from(values.map(Math.ceil).map(BigInt)) : Floats.from(values);
      check(
        from,
        (length) => new Uint8Array(length * WIDTHS[to]),
        (packed, target, source, extra) => packed.unpack(target, to, source, from, extra, factor, shift),
        bytesOf(masks),
      );
    }
  });

  const narrowed = (["I8", "U8", "I16", "U16"] as const).flatMap((to) => [
    ["F32", to] as const,
    ["F64", to] as const,
  ]);
  it.each([...narrowed, ["F64", "I32"] as const, ["F64", "U32"] as const])("narrow %s to %s", (from, to) => {
    for (const [low, gain] of [
      [0, 1],
      [-3.5, 2.25],
    ] as const) {
      check(
        from,
        (length) => new Uint8Array(length * WIDTHS[to]),
        (packed, target, source) => packed.narrow(target, to, source, from, 7, low, gain),
      );
    }
  });

  it("demote", () => {
    check(
      "F64",
      (length) => new Uint8Array(4 * length),
      (packed, target, source) => packed.demote(target, source),
    );
  });

  it.each(["F32", "F64"] as const)("replaceNaN and statistics of %s", (kind) => {
    check(
      kind,
      (length) => sourceOf(kind, length),
      (packed, target) => packed.replaceNaN(target, kind, 3),
    );
    const start = () => bytesOf(Float64Array.of(2, 1000, -1000)).slice();
    check(kind, start, (packed, target, source) => packed.statistics(target, source, kind));
    const counts = () => bytesOf(Uint32Array.of(1, 2, 3)).slice();
    check(kind, counts, (packed, target, source) => packed.histogram(target, source, kind, -0.5, 1.5));
  });
});

it("rounds to nearest, ties to even, and holds what is beyond the range", () => {
  const values = Float64Array.of(0.5, 1.5, 2.5, -0.5, -1, 254.5, 255.4, 256, Number.NaN, -Infinity, Infinity);
  const target = new Uint8Array(values.length);
  javascript[1].narrow(target, "U8", bytesOf(values), "F64", 9, 0, 1);
  expect([...target]).toEqual([0, 2, 2, 0, 0, 254, 255, 255, 9, 0, 255]);
});
