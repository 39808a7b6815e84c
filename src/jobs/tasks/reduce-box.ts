/** Reduces one box of an array to a part, which is one chunk of an intermediate array. */
import { set } from "../../array/set.js";
import { chunkAt, chunksBetween, runsOf } from "../../grid/chunk-grid.js";
import type { Member } from "../../metadata/member.js";
import type { ChunkLengths } from "../../metadata/model.js";
import { asNew } from "../as-new.js";
import { boxOf, parametersOf, type TaskContext } from "../context.js";
import { readNumbers } from "../decoding.js";
import type { Task } from "../plan.js";
import { type Histogram, keptOf, type Reduction, reduceBox, widthOf } from "../reduction.js";
import { checkUnchanged, openUnchanged } from "../source.js";

/** The intermediate array has the parts along its first dimension, in the order of their boxes, and the numbers of a part along its last. */
export async function reduceOneBox(task: Task, context: TaskContext): Promise<undefined> {
  const parameters = parametersOf(task);
  const source = await openUnchanged(parameters.get("source"), context);
  const parts = asNew(await openUnchanged(parameters.get("parts"), context));
  const box = boxOf(task, source.shape.length);
  const reduction = reductionOf(parameters);
  const data = await readNumbers(source, box, parameters.get("decode").oneOf(true, false), context);
  await checkUnchanged(parameters.get("source"), source, context);
  const part = reduceBox(data, box.shape, reduction);
  const { over } = reduction;
  const [start, shape] = [keptOf(box.start, over), keptOf(box.shape, over)];
  const n = partAt(parameters, box.start, { over, shape: source.shape });
  const selection = [n, ...start, 0].map((index, d) => ({
    start: index,
    stop: index + ([1, ...shape][d] ?? widthOf(reduction)),
    step: 1,
  }));
  const { signal, concurrency } = context;
  const value = { data: part, shape: [1, ...shape, widthOf(reduction)] };
  await set(parts, selection, value, { signal, concurrency });
}

/** The number of a box among those with the same elements of the result. */
function partAt(
  parameters: Member,
  start: readonly number[],
  { over, shape }: { readonly over: readonly number[]; readonly shape: readonly number[] },
): number {
  const lengths = parameters.get("lengths").list(over.length).map(lengthsOf);
  return over.reduce((n, d, i) => {
    const runs = runsOf(lengths[i] ?? 1);
    return n * chunksBetween(runs, 0, shape[d] ?? 0) + chunkAt(runs, start[d] ?? 0);
  }, 0);
}

function lengthsOf(member: Member): ChunkLengths {
  return member.list().map((item) => {
    const [length = 1, count = 1] = item.integers(1, 2);
    return [length, count];
  });
}

/** What all tasks of a reduction are told. */
export function reductionOf(parameters: Member): Reduction {
  const histogram = parameters.get("histogram");
  return {
    over: parameters
      .get("over")
      .list()
      .map((item) => item.as([item.json ?? null]).integers(0, 1)[0] ?? 0),
    skipNaN: parameters.get("skipNaN").oneOf(true, false),
    histogram: histogram.isNull ? undefined : histogramOf(histogram),
  };
}

function histogramOf(member: Member): Histogram {
  const bins = member.get("bins");
  const [least, greatest] = member.get("range").list(2).map(numberOf);
  return { bins: bins.as([bins.json ?? null]).integers(1, 1)[0] ?? 1, range: [least ?? 0, greatest ?? 0] };
}

function numberOf(member: Member): number {
  if (typeof member.json === "number") return member.json;
  throw member.invalid("a number");
}
