/**
 * Down-sampling: the kernel and its fallback give the same bits, of every type, with NaN, -0, narrow ends and
 * more rows than are staged at once.
 */
import { afterEach, describe, expect, test } from "vitest";
import type { Numbers } from "../../../src/data-types/numbers.js";
import { setKernels } from "../../../src/extend.js";
import { type DownsamplingMethod, loadDownsampling } from "../../../src/formats/elements/downsample.js";
import { loadKernels } from "../../../src/kernels/load.js";

afterEach(() => setKernels("auto"));

const TYPES = {
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  BigInt64Array,
  BigUint64Array,
  Float32Array,
  Float64Array,
} as const;
const isType = (name: string): name is keyof typeof TYPES => name in TYPES;

/** Few values, so that some are more frequent than others, and the ends of the type. */
function elementsOf(type: keyof typeof TYPES, length: number): Numbers {
  const random = (i: number): number => Math.imul(i + 1, 2654435761) >>> 0;
  if (type === "BigInt64Array")
    return BigInt64Array.from({ length }, (_, i) => BigInt(random(i) % 5) * -(2n ** 61n));
  if (type === "BigUint64Array")
    return BigUint64Array.from({ length }, (_, i) => BigInt(random(i) % 5) * 2n ** 61n);
  const elements = new TYPES[type](length);
  const isFloat = type.startsWith("Float");
  for (let i = 0; i < length; i++) {
    const few = (random(i) >>> 7) % 5;
    elements[i] = isFloat
      ? ([Number.NaN, -0, 0, 1 / 3, -1e30][few] ?? 0)
      : few === 0
        ? -1
        : few === 1
          ? 2 ** (elements.BYTES_PER_ELEMENT * 8 - 1) - 1
          : few;
    if (i % 3 === 0) elements[i] = random(i) / (isFloat ? 7 : 1);
  }
  return elements;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Numbers): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Where two of the same length differ; -1 where they do not. */
function firstDifference(a: Numbers, b: Numbers): number {
  const other = bytesOf(b);
  return bytesOf(a).findIndex((byte, i) => byte !== other[i]);
}

const CASES: readonly (readonly [shape: readonly number[], factors: readonly number[]])[] = [
  ...Array.from({ length: 66 }, (_, width): [number[], number[]] => [
    [5, width],
    [2, 2],
  ]),
  [[65], [2]],
  [
    [7, 33],
    [3, 3],
  ],
  [
    [4, 6, 35],
    [2, 4, 2],
  ],
  [
    [3, 5, 18],
    [3, 5, 9],
  ],
  [
    [2, 3, 4, 5],
    [1, 2, 1, 4],
  ],
  // More than is staged at once.
  [
    [3, 40_003],
    [2, 2],
  ],
  [
    [9, 5001],
    [8, 5],
  ],
];

describe.each(Object.keys(TYPES).filter(isType))("%s", (type) => {
  test.each<DownsamplingMethod>(["mean", "mode", "nearest"])("%s", async (method) => {
    setKernels("wasm");
    const wasm = await loadDownsampling();
    const names = [(await loadKernels()).name];
    setKernels("javascript");
    const javascript = await loadDownsampling();
    names.push((await loadKernels()).name);
    expect(names).toEqual(["wasm", "javascript"]);
    for (const [shape, factors] of CASES) {
      const length = shape.reduce((product, each) => product * each, 1);
      const data = elementsOf(type, length);
      const before = data.slice();
      const fast = wasm(data, shape, factors, method);
      const slow = javascript(data, shape, factors, method);
      expect([fast.length, firstDifference(fast, slow)], `${shape} by ${factors}`).toEqual([slow.length, -1]);
      expect(firstDifference(data, before)).toBe(-1);
    }
  });
});
