import fc from "fast-check";
import { expect, test } from "vitest";
import { indicesOf, inOneRow, type Placement } from "../../../src/core/line/placement.js";
import { copyPicked } from "../../../src/core/line/placing/copy-picked.js";
import type { Places } from "../../../src/grid/index-lists.js";

/** A dimension of a placement: evenly spaced, or a list. */
const along = (length: number) =>
  fc.oneof(
    fc.constantFrom(0, 1, 2, 7).map((stride) => ({ stride, list: undefined })),
    fc
      .tuple(fc.array(fc.nat(30), { minLength: length, maxLength: length }), fc.boolean())
      .map(([list, isLong]): { stride: number; list: Places } => ({
        stride: 0,
        list: isLong ? Float64Array.from(list) : Int32Array.from(list),
      })),
  );

function placement(shape: readonly number[]): fc.Arbitrary<Placement> {
  const listed = fc.tuple(fc.nat(5), ...shape.map(along)).map(([offset, ...dimensions]) => ({
    shape,
    offset,
    strides: dimensions.map(({ stride }) => stride),
    places: dimensions.map(({ list }) => list),
  }));
  return fc.oneof(listed, fc.constant(inOneRow(...shape)));
}

const ROOM = 5 + 3 * 40;
const pairs = fc
  .array(fc.nat(5), { maxLength: 3 })
  .chain((shape) => fc.record({ to: placement(shape), from: placement(shape) }));
/** Of every loop, and a struct of 40 bytes; where memory begins, by which words may be out of reach. */
const kinds = fc.record({
  itemSize: fc.constantFrom(0, 1, 2, 3, 4, 8, 12, 16, 40),
  begin: fc.constantFrom(0, 1, 2, 4),
});

test("every element comes to its place, whatever it is made of and wherever it lies", () => {
  fc.assert(
    fc.property(pairs, kinds, ({ to, from }, { itemSize, begin }) => {
      const memory = (seed: number): Uint8Array =>
        Uint8Array.from({ length: begin + ROOM * itemSize + 4 }, (_, i) => (i * seed) % 251).subarray(
          begin,
          begin + ROOM * itemSize,
        );
      const [target, source] = [memory(7), memory(13)];
      const expected = target.slice();
      const targets = indicesOf(to);
      for (const [i, place] of indicesOf(from).entries()) {
        const element = source.subarray(place * itemSize, (place + 1) * itemSize);
        expected.set(element, (targets[i] ?? 0) * itemSize);
      }
      copyPicked(target, to, source, from, itemSize);
      expect(target).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test("the bits of a NaN stay", () => {
  const bits = BigUint64Array.of(0x7ff0000000000001n, 0xfff8dead00000000n);
  const source = new Uint8Array(bits.buffer);
  const target = new Uint8Array(16);
  copyPicked(target, { ...inOneRow(2), places: [Int32Array.of(1, 0)] }, source, inOneRow(2), 8);
  expect(new BigUint64Array(target.buffer)).toEqual(
    BigUint64Array.of(0xfff8dead00000000n, 0x7ff0000000000001n),
  );
});
