/** The tasks of a reduction: one reduces a box to a part, the other combines all parts into the results. */

import { chunkAt, chunksBetween, runsOf } from "../../core/for-work.js";
import {
  itemAt as at,
  type Box,
  type ChunkLengths,
  isNumbers,
  type Member,
  type Numbers,
  product,
  selectionOf,
} from "../../extend.js";
import { decodingOf, type ParsedDecoding, parseDecoding } from "../../formats/xarray.js";
import {
  get,
  getOrthogonal,
  type Json,
  set,
  UnsupportedError,
  type WritableStore,
  type Array as ZarrArray,
} from "../../index.js";
import { checkUnchanged, openAsNew, openSource, openUnchanged } from "./arrays.js";
import { boxOf, parametersOf, type TaskContext, type TaskResult } from "./context.js";
import type { Task } from "./plan.js";
import {
  addPart,
  binsOf,
  type Histogram,
  keptOf,
  type Reduction,
  reduceBox,
  STATISTICS,
  statisticOf,
  widthOf,
} from "./reduction.js";
import { chunksMeeting, type SourceState } from "./state/source-state.js";
import type { Written } from "./state/written.js";

/**
 * The task "reduce-box": reduces one box to a part, which is one chunk of the intermediate array. The first
 * dimension of that array counts the parts in the order of their boxes, the last one has the `widthOf`
 * numbers of a part.
 */
export async function reduceOneBox(
  task: Task,
  context: TaskContext,
  written: Written,
  state: SourceState,
): Promise<undefined> {
  const parameters = parametersOf(task);
  const source = await openSource(parameters.get("source"), context, state);
  const parts = await openAsNew(parameters.get("parts"), context, written);
  const box = boxOf(task, source.shape);
  const { signal } = context;
  await state.begin(source, chunksMeeting(source, box), { signal });
  const reduction = reductionOf(parameters);
  const data = await readNumbers(source, box, parameters.get("decode").oneOf(true, false), context);
  await checkUnchanged(parameters.get("source"), source, context);
  const part = reduceBox(data, box.shape, reduction);
  const { over } = reduction;
  const n = partAt(parameters, box.start, { over, shape: source.shape });
  const place = {
    start: [n, ...keptOf(box.start, over), 0],
    shape: [1, ...keptOf(box.shape, over), widthOf(reduction)],
  };
  await write(parts, place, part, context);
}

/** Number of a box among the boxes that contribute to the same elements of the result. */
function partAt(
  parameters: Member,
  start: readonly number[],
  { over, shape }: { readonly over: readonly number[]; readonly shape: readonly number[] },
): number {
  if (over.some((d) => d >= shape.length))
    throw parameters.get("over").invalid(`indices of dimensions below ${shape.length}`);
  const lengths = parameters.get("lengths").list(over.length).map(lengthsOf);
  return over.reduce((n, d, i) => {
    const runs = runsOf(at(lengths, i));
    return n * chunksBetween(runs, 0, at(shape, d)) + chunkAt(runs, at(start, d));
  }, 0);
}

function lengthsOf(member: Member): ChunkLengths {
  return member.list().map((item) => {
    const [length = 1, count = 1] = item.integers(1, 2);
    return [length, count];
  });
}

/**
 * Plans how stored elements are decoded to numbers.
 * @throws UnsupportedError for elements that are not numbers, InvalidMetadataError for invalid CF attributes
 */
export function planNumbers(array: ZarrArray, decode: boolean): ParsedDecoding {
  const { path, dtype } = array;
  const decoding = decode ? decodingOf(array) : parseDecoding(dtype, {}, { path });
  if (!/^(u?int|float)\d+$/.test(decoding.dtype))
    throw new UnsupportedError(`cannot reduce elements of data type ${decoding.dtype}: expected numbers`, {
      path,
    });
  return decoding;
}

/** Reads the elements of a box as stored, or with `decode` by the CF conventions as wazarr/xarray does. */
async function readNumbers(
  array: ZarrArray,
  box: Box,
  decode: boolean,
  { signal, workers, concurrency }: TaskContext,
): Promise<Numbers> {
  const decoding = planNumbers(array, decode);
  const { shape } = box;
  const options = { signal, workers, concurrency };
  // For an array without dimensions `get` returns the bare element, not an object with `data`.
  const reading =
    shape.length === 0 ? getOrthogonal(array, [], options) : get(array, selectionOf(box), options);
  const numbers = await decoding.decode((await reading).data);
  if (isNumbers(numbers)) return numbers;
  throw new UnsupportedError("cannot reduce these elements: expected numbers", { path: array.path });
}

/** Maximum bytes of parts that are read at once; at least one part is. */
const SLAB_BYTES = 16 << 20;

/**
 * The task "combine-parts": combines the parts in the order of their boxes and writes the results. They do
 * not depend on which part was computed first.
 * @returns the results if all dimensions are reduced
 */
export async function combineParts(task: Task, context: TaskContext, written: Written): Promise<TaskResult> {
  const parameters = parametersOf(task);
  const parts = await openUnchanged(parameters.get("parts"), context);
  const box = boxOf(task, parts.shape.slice(1, -1));
  const reduction = reductionOf(parameters);
  const width = widthOf(reduction);
  const whole = await addParts(parts, box, width, context);
  const found: Record<string, Json> = {};
  const targets = parameters.get("results");
  for (const name of STATISTICS) {
    const data = statisticOf(whole, width, name);
    const array = await openAsNew(targets.get(name), context, written);
    await write(array, box, name === "count" ? integersOf(data) : data, context);
    found[name] = jsonNumber(data[0] ?? Number.NaN);
  }
  if (reduction.histogram !== undefined) {
    const { bins } = reduction.histogram;
    const data = binsOf(whole, width);
    const array = await openAsNew(targets.get("histogram"), context, written);
    const wide = { start: [...box.start, 0], shape: [...box.shape, bins] };
    await write(array, wide, integersOf(data), context);
    found.histogram = [...data];
  }
  return box.shape.length === 0 ? found : undefined;
}

async function addParts(
  parts: ZarrArray,
  box: Box,
  width: number,
  { signal, workers, concurrency }: TaskContext,
): Promise<Float64Array> {
  const length = product(box.shape, width);
  const whole = new Float64Array(length);
  const atOnce = Math.max(1, Math.floor(SLAB_BYTES / (8 * Math.max(1, length))));
  const count = at(parts.shape, 0);
  for (let first = 0; first < count; first += atOnce) {
    const end = Math.min(count, first + atOnce);
    const selection = [{ start: first, stop: end, step: 1 }, ...selectionOf(box), null];
    const { data } = await get(parts, selection, { signal, workers, concurrency });
    if (!(data instanceof Float64Array)) throw new TypeError("internal error: parts are not float64");
    for (let at = 0; at < data.length; at += length) addPart(whole, data.subarray(at, at + length), width);
  }
  return whole;
}

async function write(
  array: ZarrArray<unknown, WritableStore>,
  box: Box,
  data: Float64Array | BigInt64Array,
  { signal, concurrency }: TaskContext,
): Promise<void> {
  const { shape } = box;
  const value = shape.length === 0 ? data[0] : { data, shape };
  await set(array, selectionOf(box), value, { signal, concurrency });
}

const integersOf = (numbers: Float64Array): BigInt64Array => BigInt64Array.from(numbers, BigInt);

/** NaN and infinities as strings, as in Zarr documents: JSON cannot write them. */
function jsonNumber(value: number): Json {
  return Number.isFinite(value) ? value : String(value);
}

/** Parses the parameters that all tasks of a reduction share. */
function reductionOf(parameters: Member): Reduction {
  const histogram = parameters.get("histogram");
  return {
    over: parameters
      .get("over")
      .list()
      .map((item) => item.integer()),
    skipNaN: parameters.get("skipNaN").oneOf(true, false),
    histogram: histogram.isNull ? undefined : histogramOf(histogram),
  };
}

function histogramOf(member: Member): Histogram {
  const [least = 0, greatest = 0] = member.get("range").numbers(2);
  return { bins: member.get("bins").integer(1), range: [least, greatest] };
}
