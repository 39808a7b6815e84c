/** Puts the parts of a reduction together and writes the results: the same ones, in whatever order the parts were made. */
import { get } from "../../array/get.js";
import type { ZarrArray } from "../../array/nodes.js";
import { set } from "../../array/set.js";
import type { Json } from "../../metadata/json.js";
import { product } from "../../shape.js";
import { asNew } from "../as-new.js";
import type { TaskBox } from "../boxes.js";
import { boxOf, parametersOf, type TaskContext, type TaskResult } from "../context.js";
import type { Task } from "../plan.js";
import { addPart, binsOf, STATISTICS, statisticOf, widthOf } from "../reduction.js";
import { openUnchanged } from "../source.js";
import { reductionOf } from "./reduce-box.js";

/** Bytes of parts in memory at a time, unless one has more. */
const SLAB_BYTES = 16 << 20;

/** @returns the results themselves, where all dimensions are gone */
export async function combineParts(task: Task, context: TaskContext): Promise<TaskResult> {
  const parameters = parametersOf(task);
  const parts = await openUnchanged(parameters.get("parts"), context);
  const box = boxOf(task, parts.shape.length - 2);
  const reduction = reductionOf(parameters);
  const width = widthOf(reduction);
  const whole = await addParts(parts, box, width, context);
  const found: Record<string, Json> = {};
  const targets = parameters.get("results");
  for (const name of STATISTICS) {
    const data = statisticOf(whole, width, name);
    const array = asNew(await openUnchanged(targets.get(name), context));
    await write(array, box, data, name === "count", context);
    found[name] = jsonNumber(data[0] ?? Number.NaN);
  }
  if (reduction.histogram !== undefined) {
    const { bins } = reduction.histogram;
    const data = binsOf(whole, width);
    const array = asNew(await openUnchanged(targets.get("histogram"), context));
    const wide = { start: [...box.start, 0], shape: [...box.shape, bins] };
    await write(array, wide, data, true, context);
    found.histogram = [...data];
  }
  return box.shape.length === 0 ? found : undefined;
}

async function addParts(
  parts: ZarrArray,
  { start, shape }: TaskBox,
  width: number,
  { signal, workers, concurrency }: TaskContext,
): Promise<Float64Array> {
  const length = product(shape, width);
  const whole = new Float64Array(length);
  const atOnce = Math.max(1, Math.floor(SLAB_BYTES / (8 * Math.max(1, length))));
  const count = parts.shape[0] ?? 0;
  for (let first = 0; first < count; first += atOnce) {
    const end = Math.min(count, first + atOnce);
    const inner = start.map((index, d) => ({ start: index, stop: index + (shape[d] ?? 0), step: 1 }));
    const selection = [{ start: first, stop: end, step: 1 }, ...inner, null];
    const { data } = await get(parts, selection, { signal, workers, concurrency });
    if (!(data instanceof Float64Array)) throw new TypeError("expected parts of float64");
    for (let at = 0; at < data.length; at += length) addPart(whole, data.subarray(at, at + length), width);
  }
  return whole;
}

async function write(
  array: ReturnType<typeof asNew>,
  { start, shape }: TaskBox,
  numbers: Float64Array,
  isCount: boolean,
  { signal, concurrency }: TaskContext,
): Promise<void> {
  const data = isCount ? BigInt64Array.from(numbers, BigInt) : numbers;
  const selection = start.map((index, d) => ({ start: index, stop: index + (shape[d] ?? 0), step: 1 }));
  await set(array, selection, shape.length === 0 ? data[0] : { data, shape }, { signal, concurrency });
}

/** As documents of Zarr write numbers that JSON does not have. */
function jsonNumber(value: number): Json {
  return Number.isFinite(value) ? value : String(value);
}
