/** Large arrays in slabs along one dimension, so that they pass through bounded memory. */
import { product } from "../codecs/array-stage.js";
import { get, getChunk, type Selection, type Slice, type Array as ZarrArray } from "../index.js";
import { type DimensionSelection, normaliseSelection } from "../indexing/selection.js";

/** Bytes of elements held at a time. The rows of one chunk are held whatever they take. */
const SLAB_BYTES = 16 << 20;

export interface Range {
  readonly start: number;
  readonly count: number;
}

/** `total` rows from row `first` on, cut at multiples of `chunkLength` rows where there are enough of them. */
export function* slabs(
  total: number,
  rowBytes: number,
  chunkLength: number,
  first = 0,
): Generator<Range, void, undefined> {
  const rows = Math.max(1, Math.floor(SLAB_BYTES / Math.max(1, rowBytes * chunkLength))) * chunkLength;
  for (let start = 0; start < total; ) {
    const count = Math.min(total - start, rows - ((first + start) % chunkLength));
    yield { start, count };
    start += count;
  }
}

/** What a selection of an array gives. */
export interface Reading {
  readonly shape: readonly number[];
  readonly count: number;
  /** The elements in C order, slab by slab. */
  read(): AsyncGenerator<Slab, void, undefined>;
}

export interface Slab {
  /** What `get` gives as data. */
  readonly data: unknown;
  readonly count: number;
}

/** @throws InvalidSelectionError */
export function readInSlabs(array: ZarrArray, selection: Selection): Reading {
  const { dimensions, shape } = normaliseSelection(selection, array.shape);
  const along = dimensions.findIndex(({ drop }) => !drop);
  return { shape, count: product(shape), read };

  async function* read(): AsyncGenerator<Slab, void, undefined> {
    if (array.shape.length === 0) {
      yield { data: (await getChunk(array, [])).data, count: 1 };
      return;
    }
    const dimension = dimensions[along];
    if (dimension === undefined) {
      yield { data: (await get(array, dimensions.map(sliceOf))).data, count: 1 };
      return;
    }
    const rowCount = product(shape.slice(1));
    const chunkLength = array.metadata.chunkGrid.chunkShape[along] ?? 1;
    const rowsInChunk = Math.ceil(chunkLength / Math.abs(dimension.step));
    const first = dimension.step === 1 ? dimension.start : 0;
    for (const rows of slabs(dimension.count, rowCount * array.dataType.itemSize, rowsInChunk, first)) {
      const part = { ...dimension, start: dimension.start + rows.start * dimension.step, count: rows.count };
      const entries = dimensions.map((entry, d) => sliceOf(d === along ? part : entry));
      yield { data: (await get(array, entries)).data, count: rows.count * rowCount };
    }
  }
}

/** Integers become slices of one, so that the result is never a scalar. */
function sliceOf({ start, step, count }: DimensionSelection): Slice {
  const stop = start + step * count;
  // Going backwards, -1 would count from the end.
  return { start, stop: stop < 0 ? null : stop, step };
}
