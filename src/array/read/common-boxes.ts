/**
 * The boxes in which two arrays of different chunks are compared: each box reads whole chunks of both, as far
 * as memory allows.
 */

import { at } from "../../base/at.js";
import { product } from "../../base/shape.js";
import { leastCommonMultiple } from "../../grid/box-planning.js";

/** Bytes of a box of one array; a chunk may have more. Two are in memory at a time. */
const BOX_BYTES = 128 << 20;
/** Bytes that a box has at least, if the array has them: each box has costs of its own. */
const LEAST_BYTES = 32 << 20;

/**
 * The shape of the boxes. A chunk is decoded again for each box that it is in, so lengths are grown, step by
 * step, if that saves most for the memory it takes.
 * @param chunks the chunk shapes of both arrays
 * @param itemSize bytes of an element
 */
export function commonBox(
  shape: readonly number[],
  chunks: readonly [readonly number[], readonly number[]],
  itemSize: number,
): readonly number[] {
  const [first, second] = chunks.map((lengths) =>
    shape.map((extent, d) => Math.max(1, Math.min(extent, at(lengths, d)))),
  );
  if (first === undefined || second === undefined) throw new TypeError("internal error: no chunk shape");
  const most = Math.max(BOX_BYTES / itemSize, product(first), product(second));
  let box = first.map((length, d) => Math.min(length, at(second, d)));
  for (;;) {
    const now = repetition(shape, box, first) + repetition(shape, box, second);
    let best: { readonly box: readonly number[]; readonly gain: number } | undefined;
    for (const grown of grownBoxes(shape, box, [first, second])) {
      if (product(grown) > most) continue;
      const then = repetition(shape, grown, first) + repetition(shape, grown, second);
      const gain = Math.log(now / then) / Math.log(product(grown) / product(box));
      if (gain > (best?.gain ?? 1e-9)) best = { box: grown, gain };
    }
    if (best === undefined) break;
    box = [...best.box];
  }
  // Then along the last dimensions, by whole boxes.
  for (let d = shape.length - 1; d >= 0; d--) {
    const length = at(box, d);
    const rest = Math.max(1, product(box) / length);
    const times = Math.floor(LEAST_BYTES / itemSize / (rest * length));
    if (times > 1) box[d] = Math.min(Math.max(1, at(shape, d)), length * times);
  }
  return box;
}

/**
 * Boxes that are longer along one dimension: multiples of both chunks' lengths, doubled lengths, or the whole
 * extent.
 */
function* grownBoxes(
  shape: readonly number[],
  box: readonly number[],
  chunks: readonly (readonly number[])[],
): Generator<readonly number[], void, undefined> {
  for (const [d, length] of box.entries()) {
    const extent = at(shape, d);
    const [a = 1, b = 1] = chunks.map((lengths) => at(lengths, d));
    const targets = new Set(
      [a, b, leastCommonMultiple(a, b), extent, 2 * length].map((each) => Math.min(each, extent)),
    );
    for (const each of targets) if (each > length) yield box.with(d, each);
  }
}

/** How many times an element is decoded on average, for boxes and chunks of these lengths. */
function repetition(shape: readonly number[], box: readonly number[], chunk: readonly number[]): number {
  return product(
    box.map((length, d) => {
      const chunkLength = at(chunk, d);
      if (length >= at(shape, d)) return 1;
      const common = (length * chunkLength) / leastCommonMultiple(length, chunkLength);
      return (length + chunkLength - common) / length;
    }),
  );
}
