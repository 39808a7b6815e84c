/** Reads cells that are a square in a base face, wherever they are along the dimension of cells. */
import { isNumbers, itemAt, NUMBER_CLASSES, type NumberType, noItem, product } from "../../extend.js";
import {
  type Chunk,
  type DataTypeName,
  type GetOptions,
  get,
  getOrthogonal,
  slice,
  type Array as ZarrArray,
} from "../../index.js";

/** An array of cells that are numbers. */
export interface CellSource {
  readonly array: ZarrArray<DataTypeName>;
  /** The dimension that counts cells. */
  readonly axis: number;
  readonly type: NumberType;
}

export type Range = readonly [start: number, stop: number];

/** Elements of any typed array. */
type Elements = { [index: number]: number | bigint; readonly length: number };

/**
 * @param ranges of the block, with y and x in place of the dimension of cells
 * @param places of its cells, in rows of the same y; NaN for cells that get the fill value
 * @throws what `get` throws
 */
export async function readBlock(
  { array, axis, type }: CellSource,
  ranges: readonly Range[],
  places: Float64Array,
  options: GetOptions,
): Promise<Chunk> {
  const shape = ranges.map(([start, stop]) => stop - start);
  const inner = product(shape.slice(axis + 2));
  const data = new NUMBER_CLASSES[type](product(shape));
  const into: Elements = data;
  const { fillValue } = array;
  if (typeof fillValue === "number" || typeof fillValue === "bigint") fill(into, fillValue);
  // Which cell of the block comes first along the dimension.
  const there = Uint32Array.from(places.keys()).filter((cell) => !Number.isNaN(places[cell]));
  const placeOf = (cell: number): number => places[cell] ?? noItem(places, cell);
  there.sort((a, b) => placeOf(a) - placeOf(b));
  if (there.length > 0) {
    const from = await readPlaces(array, axis, ranges, Float64Array.from(there, placeOf), options);
    for (let outer = 0; outer < product(shape.slice(0, axis)); outer++)
      for (let i = 0; i < there.length; i++) {
        const source = (outer * there.length + i) * inner;
        const target = (outer * places.length + (there[i] ?? noItem(there, i))) * inner;
        for (let k = 0; k < inner; k++) into[target + k] = from[source + k] ?? noItem(from, source + k);
      }
  }
  return { data, shape, stride: shape.map((_, d) => product(shape.slice(d + 1))) };
}

function fill(into: Elements, value: number | bigint): void {
  for (let i = 0; i < into.length; i++) into[i] = value;
}

/** @param places in ascending order */
async function readPlaces(
  array: ZarrArray<DataTypeName>,
  axis: number,
  ranges: readonly Range[],
  places: Float64Array,
  options: GetOptions,
): Promise<Elements> {
  const [first, last] = [itemAt(places, 0), itemAt(places, places.length - 1)];
  const others = ranges.toSpliced(axis, 2).map(([start, stop]) => slice(start, stop));
  const isRun = last - first + 1 === places.length;
  const { data } = isRun
    ? await get(array, others.toSpliced(axis, 0, slice(first, last + 1)), options)
    : await getOrthogonal(array, [...others.slice(0, axis), places, ...others.slice(axis)], options);
  if (isNumbers(data)) return data;
  throw new TypeError("internal error: numbers that are in no typed array");
}
