/** Compares one core with a pool of workers on two cores. */
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { create, get, open, set } from "../../src/index.js";
import { WorkerPool } from "../../src/workers/pool.js";
import { type ArrayToWrite, GROUPS } from "../arrays.js";
import { fieldOf } from "../fields.js";
import { FOLDER } from "../folder.js";
import { type Care, here, type Rival, race, timesAsFast } from "../race.js";
import { against, milliseconds, type Section, times } from "../table.js";

const WORKERS = 2;
const NAMES = [
  "gzip 64^3",
  "blosc-lz4-shuffle 64^3",
  "blosc-zstd-shuffle 64^3",
  "zstd 64^3",
  "zstd 32^3 in 128^3 shards",
];

export async function benchCores({ effort }: Care): Promise<Section> {
  await buildWorker();
  const workers = new WorkerPool({ size: WORKERS });
  const alone = Array.from({ length: WORKERS }, () => new WorkerPool({ size: 1 }));
  const rows: string[][] = [];
  try {
    for (const layout of (GROUPS[0]?.arrays ?? []).filter(({ name }) => NAMES.includes(name))) {
      const { shape, dtype } = layout;
      const { data } = fieldOf("build/bench-data", shape, dtype);
      const store = new FileSystemStore(join(FOLDER, "cores"));
      const writer = (pool: WorkerPool | undefined): Rival => {
        let made: Awaited<ReturnType<typeof createIn>> | undefined;
        return here(
          async () => made && set(made, null, { data, shape }, { workers: pool }),
          async () => {
            made = await createIn(store, layout);
            await rest();
          },
        );
      };
      rows.push(row(layout, "write whole", await race([writer(undefined), writer(workers)], effort)));
      const array = await open(store, { kind: "array" });
      const reader = (pool: WorkerPool | undefined): Rival =>
        here(() => get(array, null, { workers: pool }), rest);
      const shared = here(() => get(array, null, { workers, shared: true }), rest);
      const out = new Float32Array(new SharedArrayBuffer(data.byteLength));
      const into = here(() => get(array, null, { workers, out }), rest);
      const outs = alone.map((_, i) =>
        i === 0 ? out : new Float32Array(new SharedArrayBuffer(data.byteLength)),
      );
      /** Measures reading the whole array with a number of workers, each independently. */
      const each = (count: number): Rival =>
        here(
          () =>
            Promise.all(
              alone.slice(0, count).map((own, i) => get(array, null, { workers: own, out: outs[i] })),
            ),
          rest,
        );
      const rivals = [reader(undefined), reader(workers), shared, into, each(1), each(WORKERS)];
      rows.push(row(layout, "read whole", await race(rivals, effort)));
    }
  } finally {
    await Promise.all([workers, ...alone].map((pool) => pool.close()));
    rmSync(join(FOLDER, "cores"), { recursive: true, force: true });
  }
  return {
    title: "Other cores",
    text: `These are the volumes of float32 again, as files, with \`workers: new WorkerPool({ size: ${WORKERS} })\` and without. Workers read the files themselves, and write into a shared result (\`shared: true\`) themselves. Into other results, the calling thread copies. For a write, the calling thread cuts the elements into chunks and writes the files, so three threads share two cores.

Results find memory that earlier results gave back. Shared results are filled with zeros first. "Into shared" is \`out\` with an existing \`SharedArrayBuffer\`. "Two cores give" is a limit: two workers each read the whole array, at the same time and then one after the other, and the ratio of the times is less than 2 if they compete for memory and caches.`,
    tables: [
      {
        header: [
          "data",
          "operation",
          "one thread ms",
          `${WORKERS} workers ms`,
          "times as fast",
          "shared ms",
          "times as fast",
          "into shared ms",
          "times as fast",
          "two cores give",
        ],
        rows,
      },
    ],
  };
}

/**
 * Waits: another thread frees the memory of the previous result, which occupies a core of the workers for up
 * to 30 ms.
 */
async function rest(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 40));
}

function createIn(store: FileSystemStore, { shape, dtype, chunkShape, codecs }: ArrayToWrite) {
  rmSync(store.root, { recursive: true, force: true });
  return create(store, { shape, dtype, chunkShape, codecs });
}

function row({ name }: ArrayToWrite, operation: string, turns: readonly (readonly number[])[]): string[] {
  const [one, two, shared, into, alone, both] = turns;
  const cells = [two, shared, into].flatMap((theirs) => [milliseconds(theirs), against(one, theirs)]);
  const gain = timesAsFast(alone, both);
  return [name, operation, milliseconds(one), ...cells, times(gain && gain * WORKERS)];
}

/**
 * Builds the worker program. The pool looks for it beside its own module, which is the running bundle here.
 */
export async function buildWorker(): Promise<void> {
  await build({
    entryPoints: ["src/workers/worker.ts"],
    outfile: join(dirname(fileURLToPath(import.meta.url)), "worker.js"),
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "warning",
  });
}
