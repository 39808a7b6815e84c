/** Writes an array that is made of a finer one, block by block: the levels of images and rasters. */

import {
  alignedBoxes,
  at,
  type Box,
  type GetOptions,
  get,
  isNumbers,
  type NumberType,
  product,
  selectionOf,
  set,
  UnsupportedError,
  type WritableStore,
  type ZarrArray,
} from "../../core/for-formats.js";
import { type DownsamplingMethod, loadDownsampling } from "./downsample.js";

/** How blocks of a finer array become elements. */
export interface Coarsening {
  /** Length of a block along each dimension; 1 everywhere makes a copy. */
  readonly ratio: readonly number[];
  readonly method: DownsamplingMethod;
}

/**
 * Writes all of an array from a finer one. It goes box by box, and a box has whole chunks (shards), so each
 * chunk is written once.
 * @param target of shape `ceil(shape / ratio)`
 * @param tell called with the number of elements that are stored
 * @throws UnsupportedError for elements that are not numbers, and what `get` and `set` throw
 */
export async function writeCoarser(
  target: ZarrArray<NumberType, WritableStore>,
  finer: ZarrArray,
  how: Coarsening,
  signal: AbortSignal | undefined,
  tell?: (elements: number) => void,
): Promise<void> {
  let done = 0;
  // The box of the finer array is the largest part of the memory: an element here stands for that many there.
  for (const box of alignedBoxes(target, target.dataType.itemSize * product(how.ratio))) {
    await writeCoarserBox(target, finer, box, how, { signal });
    done += product(box.shape);
    tell?.(done);
  }
}

/**
 * Computes a box of an array from a finer one, and writes it.
 * @throws UnsupportedError for elements that are not numbers, and what `get` and `set` throw
 */
export async function writeCoarserBox(
  target: ZarrArray<unknown, WritableStore>,
  finer: ZarrArray,
  { start, shape }: Box,
  { ratio, method }: Coarsening,
  options: Pick<GetOptions, "signal" | "workers" | "concurrency">,
): Promise<void> {
  const from = start.map((index, d) => index * at(ratio, d));
  const lengths = shape.map((length, d) => Math.min(length * at(ratio, d), at(finer.shape, d) - at(from, d)));
  const { data } = await get(finer, selectionOf({ start: from, shape: lengths }), options);
  if (!isNumbers(data))
    throw new UnsupportedError(`cannot down-sample elements of data type ${finer.dataType.name}`, {
      path: finer.path,
    });
  const isCopy = ratio.every((factor) => factor === 1);
  const made = isCopy ? data : (await loadDownsampling())(data, lengths, ratio, method);
  await set(target, selectionOf({ start, shape }), { data: made, shape }, options);
}
