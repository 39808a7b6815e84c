/** Writes an image of several resolutions. Each level is made from the level before, box by box. */
import { untilAborted } from "../abort.js";
import { type Box, boxes } from "../array/chunk-walk.js";
import { create } from "../array/create.js";
import { type Group, type Location, toLocation, ZarrArray } from "../array/nodes.js";
import { updateAttributes } from "../array/rewrite.js";
import { set } from "../array/set.js";
import type { DataTypeName } from "../data-types/names.js";
import { InvalidArgumentError } from "../errors.js";
import { regularRuns } from "../grid/chunk-grid.js";
import { product } from "../shape.js";
import type { WritableStore } from "../stores/store.js";
import { type DownsamplingMethod, isSamples, type Samples } from "./downsample-rows.js";
import {
  createLevel,
  type MultiscaleOptions,
  type MultiscalePlan,
  makeBox,
  planLevels,
  readSamples,
  type SampleType,
  selectionOf,
} from "./levels.js";

/** Progress of a write. Elements are counted over all levels. */
export interface MultiscaleProgress {
  readonly level: number;
  readonly levels: number;
  readonly elementsDone: number;
  readonly elementsTotal: number;
}

export interface WriteMultiscaleOptions extends MultiscaleOptions {
  readonly overwrite?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: MultiscaleProgress) => void) | undefined;
}

/** Elements in memory, in C order. */
export interface ImageData {
  readonly data: Samples;
  readonly shape: readonly number[];
}

type Source = ZarrArray<DataTypeName> | ImageData;

/** Approximate elements of a box. Memory holds one box of the level, and the box of the level before, larger by the product of the factors. */
const BOX_ELEMENTS = 1 << 20;

/**
 * Writes an image: levels 0, 1, 2, ... below a group, then `multiscales` of the group. It comes last, so an unfinished image does not open.
 * A level has `ceil(length / factor)` elements along a dimension; a pixel lies at the centre of its block.
 * @param source a Zarr array, which is read box by box, or elements in memory
 * @throws InvalidArgumentError, UnsupportedError for elements that are not numbers, AlreadyExistsError without `overwrite`, and what `create`,
 *   `get` and `set` throw
 */
export async function writeMultiscale<S extends WritableStore>(
  where: Location<S> | S,
  source: Source,
  options: WriteMultiscaleOptions,
): Promise<Group<S>> {
  const { signal, overwrite } = options;
  const dtype = source instanceof ZarrArray ? source.dtype : nameOf(source);
  const plan = planLevels(source.shape, dtype, options);
  return untilAborted(signal, async () => {
    const location = toLocation(where);
    const group = await create(location, { zarrFormat: plan.zarrFormat, overwrite, signal });
    const tell = progressOf(options, plan.levels);
    let before: Source = source;
    for (const [i, { ratio }] of plan.levels.entries()) {
      const array = await createLevel(group, i, plan, signal);
      const how = { ratio, method: plan.method };
      await writeLevel(array, before, how, signal, (elements) => tell(i, elements));
      before = array;
    }
    return updateAttributes(group, plan.attributes, { signal });
  });
}

/** Data type of a typed array: "uint8" for Uint8Array, "int64" for BigInt64Array. */
function nameOf({ data, shape }: ImageData): string {
  if (!isSamples(data) || !Array.isArray(shape) || product(shape) !== data.length) {
    throw new InvalidArgumentError("expected an array, or a typed array with its shape, in C order");
  }
  const [kind = ""] = Object.prototype.toString.call(data).slice(8).split("Array");
  return kind.replace("BigInt", "Int").replace("BigUint", "Uint").replace("Clamped", "").toLowerCase();
}

function progressOf({ onProgress }: WriteMultiscaleOptions, levels: MultiscalePlan["levels"]) {
  const elementsTotal = levels.reduce((sum, { shape }) => sum + product(shape), 0);
  let elementsDone = 0;
  return (level: number, elements: number) => {
    elementsDone += elements;
    onProgress?.({ level, levels: levels.length, elementsDone, elementsTotal });
  };
}

/** Writes a level box by box. A box has whole chunks (shards) of the level, so each chunk is written once. */
async function writeLevel<S extends WritableStore>(
  array: ZarrArray<SampleType, S>,
  source: Source,
  how: { readonly ratio: readonly number[]; readonly method: DownsamplingMethod },
  signal: AbortSignal | undefined,
  tell: (elements: number) => void,
): Promise<void> {
  const most = boxShape(array.shape, array.shards ?? array.chunks);
  for (const box of boxes(array.shape, most, regularRuns(most))) {
    const data = await makeBox(box, source.shape, how, (from) =>
      source instanceof ZarrArray ? readSamples(source, from, { signal }) : cut(source, from),
    );
    await set(array, selectionOf(box), { data, shape: box.shape }, { signal });
    tell(data.length);
  }
}

/** Shape of a box: chunks up to `BOX_ELEMENTS` elements, last dimensions first; at least one chunk. */
function boxShape(shape: readonly number[], chunk: readonly number[]): number[] {
  const box = [...chunk];
  for (let d = shape.length - 1; d >= 0; d--) {
    while ((box[d] ?? 1) < (shape[d] ?? 1) && 2 * product(box) <= BOX_ELEMENTS) box[d] = 2 * (box[d] ?? 1);
  }
  return box;
}

/** Copies a box of elements in memory, row by row. */
async function cut({ data, shape }: ImageData, { start, shape: lengths }: Box): Promise<Samples> {
  const width = lengths.at(-1) ?? 1;
  const count = product(lengths);
  const target = data.slice(0, count);
  for (let row = 0; row * width < count; row++) {
    let from = start.at(-1) ?? 0;
    for (let d = shape.length - 2, rest = row, stride = shape.at(-1) ?? 1; d >= 0; d--) {
      const length = lengths[d] ?? 1;
      from += ((start[d] ?? 0) + (rest % length)) * stride;
      rest = Math.floor(rest / length);
      stride *= shape[d] ?? 1;
    }
    copyRow(target, row * width, data, from, width);
  }
  return target;
}

function copyRow(target: Samples, at: number, data: Samples, from: number, width: number): void {
  for (let x = 0; x < width; x++) target[at + x] = data[from + x] ?? 0;
}
