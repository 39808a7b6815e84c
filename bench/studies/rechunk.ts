/**
 * `node scripts/run-ts.mjs bench/studies/rechunk.ts`, after `npm run build`: rechunks 2 GiB from time slices
 * to columns with wazarr (in one process, and in a queue), dask and rechunker. Not a section of `npm run
 * bench`: it takes minutes and needs Redis.
 *
 * The environment variables DASK and RECHUNKER name Python executables that have these packages.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { create, set, slice } from "../../src/index.js";
import { tableAsText } from "../table.js";

const [TIMES, SIDE] = [512, 1024];
const [LENGTH, SHARD, CHUNK] = [512, 128, 16];
/** Port of Redis for the first queue; further queues use the next ports. */
const PORT = 6399;
const QUEUE_FOLDER = resolve("examples/distributed");

const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : "build", "wazarr-rechunk-"));
const source = join(folder, "slices.zarr");

interface Measured {
  readonly seconds: number;
  /** Peak memory in MiB of the process that takes most. */
  readonly memory: number;
}

/** Writes temperatures in steps of 1/64: moving waves with noise. */
async function writeSource(): Promise<void> {
  const shape = [TIMES, SIDE, SIDE];
  const blosc = { id: "blosc", cname: "lz4", clevel: 5, shuffle: 1, blocksize: 0 };
  const array = await create(new FileSystemStore(source), {
    shape,
    dtype: "float32",
    chunkShape: [1, SIDE, SIDE],
    zarrFormat: 2,
    codecs: { compressor: blosc },
  });
  const data = new Float32Array(SIDE * SIDE);
  let seed = 1;
  for (let t = 0; t < TIMES; t++) {
    for (let i = 0; i < data.length; i++) {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff;
      const wave = 20 * Math.sin((i % SIDE) / 90 + t / 20) * Math.cos(i / SIDE / 70);
      data[i] = Math.round((280 + wave + (seed & 255) / 512) * 64) / 64;
    }
    await set(array, [slice(t, t + 1), "..."], { data, shape: [1, SIDE, SIDE] });
  }
}

/** Samples the peak resident memory (VmHWM) of a process. The returned function gives the peak in MiB. */
function watchMemory({ pid }: ChildProcess): () => number {
  let most = 0;
  const timer = setInterval(() => {
    try {
      const [, kibibytes = "0"] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
      most = Math.max(most, Number(kibibytes) / 1024);
    } catch {
      // The process has ended.
    }
  }, 50);
  return () => {
    clearInterval(timer);
    return most;
  };
}

async function run(program: string, args: readonly string[]): Promise<Measured> {
  const begin = performance.now();
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "inherit"] });
  const memory = watchMemory(child);
  const status = await new Promise((ended) => child.once("close", ended));
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${status}`);
  return { seconds: (performance.now() - begin) / 1000, memory: memory() };
}

/** Runs `workers` processes on one queue. */
async function runQueue(target: string, workers: number): Promise<Measured> {
  // A new port: the port of the queue before may still be in use.
  const port = PORT + workers;
  const redis = spawn("redis-server", ["--port", String(port), "--save", ""], { stdio: "ignore" });
  const env = { ...process.env, REDIS_URL: `redis://127.0.0.1:${port}` };
  const options = { env, cwd: QUEUE_FOLDER };
  await sleep(500);
  const begin = performance.now();
  const started = Array.from({ length: workers }, () =>
    spawn("node", ["worker.mjs"], { ...options, stdio: ["ignore", "ignore", "inherit"] }),
  );
  const memories = started.map(watchMemory);
  try {
    const wanted = JSON.stringify({
      zarrFormat: 3,
      chunkShape: [LENGTH, CHUNK, CHUNK],
      shards: [TIMES, SHARD, SHARD],
      codecs: ["zstd"],
    });
    const produce = spawn("node", ["produce.mjs", source, target, wanted], options);
    let said = "";
    produce.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    await new Promise((ended) => produce.once("close", ended));
    const [id = ""] = said.split(" ");
    const watch = spawn("node", ["watch.mjs", id], { ...options, stdio: ["ignore", "ignore", "inherit"] });
    const status = await new Promise((ended) => watch.once("close", ended));
    if (status !== 0) throw new Error(`the queue ended with ${status}`);
    return {
      seconds: (performance.now() - begin) / 1000,
      memory: Math.max(...memories.map((memory) => memory())),
    };
  } finally {
    // SIGKILL, because workers that end in order wait for Redis.
    for (const worker of started) worker.kill("SIGKILL");
    redis.kill();
  }
}

const copy = (target: string, ...more: readonly string[]): Promise<Measured> => {
  const layout = ["--zarr-format", "3", "--chunks", `${LENGTH},${CHUNK},${CHUNK}`];
  const shards = ["--shards", `${TIMES},${SHARD},${SHARD}`, "--codecs", "zstd", "--quiet"];
  return run("node", ["dist/cli.js", "copy", source, target, ...layout, ...shards, ...more]);
};
const python = (executable: string, library: string, target: string): Promise<Measured> =>
  run(executable, [
    "bench/studies/rechunk_dask.py",
    library,
    source,
    target,
    String(LENGTH),
    String(SHARD),
    String(CHUNK),
  ]);

const { DASK, RECHUNKER } = process.env;
const WAYS: Readonly<Record<string, (target: string) => Promise<Measured>>> = {
  "wazarr copy": (target) => copy(target),
  "wazarr copy --workers 2": (target) => copy(target, "--workers", "2"),
  "wazarr, BullMQ, 1 process": (target) => runQueue(target, 1),
  "wazarr, BullMQ, 2 processes": (target) => runQueue(target, 2),
  "wazarr, BullMQ, 4 processes": (target) => runQueue(target, 4),
  ...(DASK !== undefined && { "zarr-python with dask, 2 threads": (target) => python(DASK, "dask", target) }),
  ...(RECHUNKER !== undefined && {
    "rechunker, dask, 2 threads (no shards)": (target) => python(RECHUNKER, "rechunker", target),
  }),
};

try {
  await writeSource();
  const rows: string[][] = [];
  for (const [name, way] of Object.entries(WAYS)) {
    const target = join(folder, "columns.zarr");
    const { seconds, memory } = await way(target);
    rows.push([name, seconds.toFixed(1), memory.toFixed(0)]);
    console.error(rows.at(-1)?.join("  "));
    for (const made of [target, `${target}.tmp`]) rmSync(made, { recursive: true, force: true });
  }
  console.log(
    tableAsText({ header: ["2 GiB of time slices to columns", "s", "peak MiB of a process"], rows }),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
