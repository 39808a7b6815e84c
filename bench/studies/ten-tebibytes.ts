/**
 * Calculates the cost of a large copy on many workers: `node scripts/run-ts.mjs
 * bench/studies/ten-tebibytes.ts`. The plan is real and needs only the metadata document of the source.
 * Requests are counted box by box with a function that is checked against a small copy that really runs.
 * Speed and prices are assumptions (README.md).
 */
import { deepStrictEqual } from "node:assert";
import { Location } from "../../src/array/nodes/nodes.js";
import { open } from "../../src/array/open/open.js";
import { readRuns } from "../../src/array/read/read-runs.js";
import { product } from "../../src/base/shape.js";
import { boxAt, boxGrid } from "../../src/grid/boxes.js";
import { type ChunkRuns, chunkAt, chunkRuns } from "../../src/grid/chunk-grid.js";
import { create, type Readable, set } from "../../src/index.js";
import { storeOf } from "../../src/work/jobs/documents.js";
import { type Boxes, type Plan, planCopy, runLocal, tasksOf } from "../../src/work/jobs.js";

const ASSUMED = {
  workers: 100,
  /** Bytes of elements per second that a worker reads, decodes, encodes and writes. */
  bytesPerSecond: 100e6,
  /** Prices in US dollars. */
  workerHour: 0.08,
  getRequest: 0.0004 / 1000,
  putRequest: 0.005 / 1000,
  storedGigabyteMonth: 0.023,
  /** Compression ratio: bytes of elements divided by stored bytes. */
  compression: 2,
};

interface Case {
  readonly shape: number[];
  readonly source: number[];
  readonly target: { readonly chunkShape: number[]; readonly shards: number[] };
  readonly maxMemory: number;
}

/**
 * Hourly data with 37 levels at a quarter of a degree, one chunk per hour, rechunked to time series in
 * shards.
 */
const LARGE: Case = {
  shape: [71760, 37, 720, 1440],
  source: [1, 37, 720, 1440],
  target: { chunkShape: [1495, 1, 12, 12], shards: [8970, 1, 72, 96] },
  maxMemory: 6e9,
};
const SMALL: Case = {
  shape: [96, 4, 48, 48],
  source: [1, 4, 48, 48],
  target: { chunkShape: [24, 1, 6, 6], shards: [48, 1, 12, 12] },
  maxMemory: 33_960_000,
};

/** A store that counts requests. */
class Counting extends Map<string, Uint8Array> {
  documents = 0;
  gets = 0;
  puts = 0;
  override get(key: string): Uint8Array | undefined {
    if (key.endsWith(".json")) this.documents++;
    else this.gets++;
    return super.get(key);
  }
  override set(key: string, value: Uint8Array): this {
    if (!key.endsWith(".json")) this.puts++;
    return super.set(key, value);
  }
}

async function planOf({ shape, source, target, maxMemory }: Case) {
  const stores = { source: new Counting(), target: new Counting() };
  const openIt = (name: string): Counting => (name === "source" ? stores.source : stores.target);
  const array = await create(stores.source, { shape, dtype: "float32", chunkShape: source });
  const plan = await planCopy("source", "target", { ...target, maxMemory, open: openIt });
  return { plan, stores, openIt, array };
}

/** Number of chunks that boxes touch, summed over all boxes. */
function chunksOf(boxes: Boxes, runs: readonly ChunkRuns[]): number {
  const along = boxes.shape.map((extent, d) => {
    const own: Boxes = { shape: [extent], lengths: [boxes.lengths[d] ?? 1] };
    let sum = 0;
    for (let n = 0; n < product(boxGrid(own)); n++) {
      const { start, shape } = boxAt(own, n);
      const [first = 0, length = 1] = [start[0], shape[0]];
      sum += chunkAt(runs[d] ?? [], first + length - 1) - chunkAt(runs[d] ?? [], first) + 1;
    }
    return sum;
  });
  return product(along);
}

/** The copy tasks, by stage. */
async function stagesOf(plan: Plan, source: Counting) {
  const [first] = tasksOf(plan, 0);
  const written = storeOf(JSON.parse(JSON.stringify(first?.parameters.documents)));
  const metadataAt = async ({ store, path }: { store: string; path: `/${string}` }) => {
    const at: Readable = store === "source" ? source : written;
    return (await open(new Location(at, path), { kind: "array" })).metadata;
  };
  const stages = [];
  for (const { name, groups } of plan.stages) {
    for (const { kind, boxes, parameters, elementBytes } of groups) {
      if (kind !== "copy-box" || boxes === undefined) continue;
      const { source: from, target: to } = JSON.parse(JSON.stringify(parameters));
      stages.push({
        name,
        tasks: product(boxGrid(boxes)),
        bytes: product(boxes.shape, elementBytes),
        gets: chunksOf(boxes, readRuns(await metadataAt(from))),
        puts: chunksOf(boxes, chunkRuns((await metadataAt(to)).chunkGrid)),
      });
    }
  }
  return stages;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/**
 * Requests per task that are not for chunks, counted in a small copy that really runs. Its chunk requests
 * check the calculated ones.
 */
async function documentsPerTask(): Promise<number> {
  const { plan, stores, openIt, array } = await planOf(SMALL);
  const data = Float32Array.from({ length: product(SMALL.shape) }, (_, i) => i + 1);
  await set(array, null, { data, shape: SMALL.shape });
  const both = Object.values(stores);
  for (const store of both) store.documents = store.gets = store.puts = 0;
  await runLocal(plan, { open: openIt, ledger: false });
  const found = { gets: sum(both.map(({ gets }) => gets)), puts: sum(both.map(({ puts }) => puts)) };
  const asked = sum(both.map(({ documents }) => documents)) / plan.estimate.tasks;
  const stages = await stagesOf(plan, stores.source);
  const expected = { gets: sum(stages.map(({ gets }) => gets)), puts: sum(stages.map(({ puts }) => puts)) };
  deepStrictEqual(found, expected);
  return asked;
}

const { plan, stores } = await planOf(LARGE);
const stages = await stagesOf(plan, stores.source);
const hours = stages.map(
  ({ tasks, bytes }) =>
    (Math.ceil(tasks / ASSUMED.workers) * (bytes / tasks)) / ASSUMED.bytesPerSecond / 3600,
);
for (const [i, { name, tasks, bytes, gets, puts }] of stages.entries()) {
  const size = `${(bytes / tasks / 1e9).toFixed(2)} GB`;
  console.log(
    `${name}: ${tasks} tasks of ${size}, ${gets} GETs, ${puts} PUTs, ${(hours[i] ?? 0).toFixed(2)} h`,
  );
}
const perTask = await documentsPerTask();
const { tasks, bytesRead, bytesMoved, bytesWritten, peakMemory } = plan.estimate;
const gets = Math.round(sum(stages.map((stage) => stage.gets)) + perTask * tasks);
const puts = sum(stages.map((stage) => stage.puts));
const time = sum(hours);
// Half of the moved bytes are writes to intermediate arrays, which are stored for the whole duration.
const intermediate = bytesMoved / 2 / ASSUMED.compression / 1e9;
const dollars = {
  workers: time * ASSUMED.workers * ASSUMED.workerHour,
  gets: gets * ASSUMED.getRequest,
  puts: puts * ASSUMED.putRequest,
  intermediate: (intermediate * ASSUMED.storedGigabyteMonth * time) / (30 * 24),
};
console.log({ tasks, perTask, gets, puts, time, dollars, total: sum(Object.values(dollars)) });
console.log({ bytesRead, bytesMoved, bytesWritten, peakMemory, intermediateStored: intermediate });
