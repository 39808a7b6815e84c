/**
 * Plans that compute statistics of an array, over all or some of its dimensions, in bounded memory. Their
 * tasks are in reduce-tasks.ts.
 */

import { type Boxes, boxGrid, lastToFirst, readRuns } from "../../core/for-work.js";
import { itemAt as at, checkNames, type NamesOf, product } from "../../extend.js";
import {
  create,
  InvalidArgumentError,
  type Json,
  type JsonObject,
  type Location,
  type WritableStore,
  type Array as ZarrArray,
} from "../../index.js";
import { describeNew, describeSource, intermediateArray } from "./arrays.js";
import { arrayAt, type NodeName, toAddress, writableAt } from "./context.js";
import { createStage, type DocumentStore, documentsOf } from "./documents.js";
import { makePlan, type Plan, planId, type Stage } from "./plan.js";
import { PLAN, type PlanOptions } from "./plan-options.js";
import { planNumbers } from "./reduce-tasks.js";
import { type Histogram, keptOf, type Reduction, STATISTICS, widthOf } from "./reduction.js";
import { claimTarget } from "./state/claim-target.js";
import { jobPath } from "./state/ledger.js";
import { checkMemory, fittingBoxes, memoryBeside } from "./task-memory.js";

/** Options of `planReduce`. */
export interface PlanReduceOptions extends PlanOptions {
  /** Dimensions to reduce, by name or number (-1: the last). Default: all. */
  readonly over?: readonly (string | number)[] | undefined;
  /**
   * Decodes elements by CF (fill values, scale, offset) as `wazarr/xarray` does. Default: false, stored
   * elements count.
   */
  readonly decode?: boolean | undefined;
  /**
   * Default true: NaN is ignored, as in numpy.nanmean. False: a NaN makes all results NaN except the count,
   * as in numpy.mean.
   */
  readonly skipNaN?: boolean | undefined;
  /** Also writes a histogram: counts of values in bins. */
  readonly histogram?: Histogram | undefined;
}

const OPTIONS: NamesOf<PlanReduceOptions> = {
  ...PLAN,
  over: "list",
  decode: true,
  skipNaN: true,
  histogram: "object",
};

/**
 * Plans a group of statistics in float64: arrays `count` (int64), `min`, `max`, `mean` and `variance` (of the
 * population; float64) with the shape of the remaining dimensions, and `histogram` (int64) with the bins as
 * its last dimension. If all dimensions are reduced, the task of the stage "combine" also returns the
 * results.
 * @throws InvalidArgumentError for invalid dimensions or bins and for a `maxMemory` that one chunk does not
 * fit into, UnsupportedError for elements that are not numbers, NotFoundError, AlreadyExistsError without
 * `overwrite` or `resume`
 */
export async function planReduce(
  source: NodeName,
  target: NodeName,
  options: PlanReduceOptions = {},
): Promise<Plan> {
  checkNames(options, "planReduce", OPTIONS);
  const { decode = false, skipNaN = true, histogram, maxMemory, signal } = options;
  checkMemory(maxMemory);
  checkHistogram(histogram);
  const addresses = { from: toAddress(source), to: toAddress(target) };
  const array = await arrayAt(addresses.from, options);
  const to = await writableAt(addresses.to, options);
  planNumbers(array, decode);
  const { shape, metadata } = array;
  const over = dimensionsOf(options.over, shape.length, array.metadata.dimensionNames ?? []);
  const reduction = { over, skipNaN, histogram };
  const described = await describeSource(addresses.from.store, array, options);
  const request = {
    source: described,
    target: addresses.to,
    over,
    decode,
    skipNaN,
    histogram: histogramJson(histogram),
    maxMemory: maxMemory ?? null,
  };
  const {
    id,
    replace,
    asked: planRequest,
  } = await claimTarget(
    to,
    [to],
    { id: await planId("reduce", request), job: "reduction", source: addresses.from },
    options,
  );

  const layout = layOut(array, reduction, maxMemory);
  const { remaining, width, partCount } = layout;
  const { store } = addresses.to;
  const parts = await intermediateArray(
    { store, path: jobPath(to.path, id, "0") },
    {
      shape: [partCount, ...remaining.shape, width],
      dtype: "float64",
      chunkShape: [1, ...remaining.lengths, width],
    },
  );
  const names = keptOf(
    shape.map((_, d) => metadata.dimensionNames?.[d] ?? null),
    over,
  );
  const results: Record<string, Json> = {};
  const make = async (at: Location<DocumentStore>): Promise<void> => {
    for (const [name, array] of Object.entries(await makeResults(at, remaining, names, histogram)))
      results[name] = await describeNew(store, array, at.store);
  };
  const documents = await documentsOf(to, make, { signal });
  const first = createStage({
    target: addresses.to,
    documents: [...documents, ...parts.documents],
    replace,
  });
  const { itemSize } = metadata.dataType;
  const stages = [
    first,
    ...stagesOf(reduction, layout, { source: described, decode, parts: parts.address, results, itemSize }),
  ];
  const estimate = {
    bytesRead: product(shape, itemSize),
    bytesWritten: product(remaining.shape, 8 * width),
    bytesMoved: 2 * product([partCount, ...remaining.shape, width], 8),
    peakMemory: layout.memory,
  };
  return makePlan({ id, job: "reduce", target: addresses.to, asked: planRequest, stages, estimate });
}

/** How a reduction is cut into tasks. */
interface Layout {
  /** Boxes of the source: one task each. */
  readonly boxes: Boxes;
  /** Boxes of the remaining dimensions: what the tasks leave, and the results. */
  readonly remaining: Boxes;
  /** Numbers that a task leaves for each element of `kept`. */
  readonly width: number;
  /** How many tasks leave numbers for the same element. */
  readonly partCount: number;
  /** Bytes that a task takes. */
  readonly memory: number;
}

/** @throws InvalidArgumentError for a `maxMemory` that one chunk does not fit into */
function layOut(array: ZarrArray<unknown>, reduction: Reduction, maxMemory: number | undefined): Layout {
  const { shape, metadata } = array;
  const { over } = reduction;
  const width = widthOf(reduction);
  // Bytes of a box: stored and decoded elements, elements as float64, and two copies of the part (computed
  // and encoded).
  const costOf = (box: readonly number[]): number =>
    product(box, metadata.dataType.itemSize + 16) + product(keptOf(box, over), 2 * 8 * width);
  // Grow along the reduced dimensions first: the longer the boxes are there, the fewer parts have to be
  // combined.
  const order = [...lastToFirst(shape.length)].sort(
    (a, b) => Number(over.includes(b)) - Number(over.includes(a)),
  );
  const fixed = memoryBeside(metadata);
  const { boxes, memory } = fittingBoxes(array, readRuns(metadata), { fixed, maxMemory, costOf, order });
  const remaining = { shape: keptOf(shape, over), lengths: keptOf(boxes.lengths, over) };
  const partCount = product(boxGrid(boxes).filter((_, d) => over.includes(d)));
  return { boxes, remaining, width, partCount, memory };
}

/** What the tasks of a reduction read and write, as it is in their parameters. */
interface Operands {
  readonly source: Json;
  readonly decode: boolean;
  readonly parts: Json;
  readonly results: JsonObject;
  /** Bytes of an element of the source. */
  readonly itemSize: number;
}

function stagesOf(
  { over, skipNaN, histogram }: Reduction,
  { boxes, remaining }: Layout,
  { source, decode, parts, results, itemSize }: Operands,
): Stage[] {
  const parameters: JsonObject = { parts, over, skipNaN, histogram: histogramJson(histogram) };
  const lengths = over.map((d) => lengthsJson(boxes, d));
  return [
    {
      name: "reduce",
      groups: [
        {
          kind: "reduce-box",
          parameters: { ...parameters, source, decode, lengths },
          boxes,
          elementBytes: itemSize,
        },
      ],
    },
    {
      name: "combine",
      groups: [{ kind: "combine-parts", parameters: { ...parameters, results }, boxes: remaining }],
    },
    {
      name: "remove the intermediate array",
      groups: [{ kind: "remove-array", parameters: { array: parts } }],
    },
  ];
}

function checkHistogram(histogram: Histogram | undefined): void {
  if (histogram === undefined) return;
  checkNames(histogram, "histogram", { bins: true, range: "list" });
  const { bins, range: [least = NaN, greatest = NaN] = [] } = histogram;
  if (!Number.isSafeInteger(bins) || bins < 1 || bins > 2 ** 24)
    throw new InvalidArgumentError(`histogram.bins: expected an integer from 1 to 2^24, got ${bins}`);
  if (!Number.isFinite(greatest - least) || !(least < greatest))
    throw new InvalidArgumentError(
      `histogram.range: expected two numbers, the smaller one first, got [${least}, ${greatest}]`,
    );
}

function histogramJson(histogram: Histogram | undefined): Json {
  return histogram === undefined ? null : { bins: histogram.bins, range: [...histogram.range] };
}

/** Indices of the dimensions to reduce, ascending. */
function dimensionsOf(
  over: readonly (string | number)[] | undefined,
  rank: number,
  names: readonly (string | null)[],
): readonly number[] {
  const found = (over ?? Array.from({ length: rank }, (_, d) => d)).map((dimension) => {
    const d =
      typeof dimension === "string" ? names.indexOf(dimension) : dimension < 0 ? rank + dimension : dimension;
    if (Number.isInteger(d) && d >= 0 && d < rank) return d;
    const all = names.length > 0 ? `${rank}: ${names.join(", ")}` : String(rank);
    throw new InvalidArgumentError(`over: no dimension ${dimension}; the array has ${all}`);
  });
  if (new Set(found).size !== found.length)
    throw new InvalidArgumentError(`over: expected each dimension once, got ${over?.join(", ")}`);
  return found.sort((a, b) => a - b);
}

/** Lengths of boxes along a dimension as [length, count] pairs. */
function lengthsJson({ shape, lengths }: Boxes, d: number): Json {
  const along = at(lengths, d);
  if (typeof along === "number") return [[along, Math.max(1, Math.ceil(at(shape, d) / along))]];
  return along.map((item) => (typeof item === "number" ? [item, 1] : [...item]));
}

/** Creates the arrays of the results, by name. @param remaining shape and chunk lengths of the results */
async function makeResults(
  at: Location<WritableStore>,
  remaining: Boxes,
  names: readonly (string | null)[],
  histogram: Histogram | undefined,
): Promise<Record<string, ZarrArray<unknown>>> {
  const group = await create(at, {});
  const results: Record<string, ZarrArray<unknown>> = {};
  for (const name of STATISTICS) {
    results[name] = await create(group.resolve(name), {
      shape: remaining.shape,
      dtype: name === "count" ? "int64" : "float64",
      chunkShape: remaining.lengths,
      dimensionNames: names,
    });
  }
  if (histogram === undefined) return results;
  const { bins, range } = histogram;
  results.histogram = await create(group.resolve("histogram"), {
    shape: [...remaining.shape, bins],
    dtype: "int64",
    chunkShape: [...remaining.lengths, bins],
    dimensionNames: [...names, "bin"],
    attributes: { range: [...range] },
  });
  return results;
}
