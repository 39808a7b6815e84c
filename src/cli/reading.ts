/** What a selection gives, in slabs, so that large results pass through bounded memory. */

import { type DimensionSelection, normaliseSelection } from "../grid/selection.js";
import { get, getChunk, read, type Selection, type Slice, type Array as ZarrArray } from "../index.js";
import { product } from "../shape.js";

/** Elements in C order. */
export interface Slab {
  /** What `get` gives as data. */
  readonly data: unknown;
  readonly count: number;
}

export interface Reading {
  readonly shape: readonly number[];
  readonly count: number;
  slabs(): AsyncGenerator<Slab, void, undefined>;
}

/** @throws InvalidSelectionError */
export function readSelection(array: ZarrArray, selection: Selection): Reading {
  const { dimensions, shape } = normaliseSelection(selection, array.shape);

  async function* slabs(): AsyncGenerator<Slab, void, undefined> {
    if (shape.length === 0) {
      yield { data: await element(), count: 1 };
      return;
    }
    for await (const { data, shape: extent } of read(array, selection))
      yield { data, count: product(extent) };
  }
  /** As data of one element, where `get` would give a scalar. */
  async function element(): Promise<unknown> {
    const chunk =
      array.shape.length === 0 ? await getChunk(array, []) : await get(array, dimensions.map(sliceOf));
    return chunk.data;
  }
  return { shape, count: product(shape), slabs };
}

function sliceOf({ start }: DimensionSelection): Slice {
  return { start, stop: start + 1, step: 1 };
}
