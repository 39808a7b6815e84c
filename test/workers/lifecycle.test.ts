/** Workers begin, end, die and are taken back work from. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Worker as NodeWorker } from "node:worker_threads";
import { expect, test, vi } from "vitest";
import { readOnly, SlowStore } from "../setup/stores.js";
import { dist, loadApi, loadWorkers } from "./dist.js";

const api = await loadApi();
const { WorkerPool } = await loadWorkers();

const CHUNK = 1 << 20;

/** Chunks of a megabyte that take a while to encode. */
async function arrayOf(chunks: number) {
  const store = new Map<string, Uint8Array>();
  const array = await api.create(store, {
    shape: [chunks * CHUNK],
    chunkShape: [CHUNK],
    dtype: "uint8",
    codecs: ["gzip"],
  });
  const data = new Uint8Array(chunks * CHUNK);
  for (let i = 0; i < data.length; i++) data[i] = (i * i) >> 7;
  return { store, array, data };
}

/** Comparing megabytes element by element would take longer than everything else here. */
const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

test.each([{ shared: false }, { shared: true }])(
  "an abort takes back what waits: $shared",
  async ({ shared }) => {
    const pool = new WorkerPool({ size: 1 });
    const { array, data } = await arrayOf(24);
    await api.set(array, null, data);
    const controller = new AbortController();
    const out = shared ? new Uint8Array(new SharedArrayBuffer(data.length)) : new Uint8Array(data.length);
    const reading = api.get(array, null, { workers: pool, signal: controller.signal, out });
    const failure = reading.catch((reason: unknown) => reason);
    while (pool.queued === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    controller.abort(new Error("enough"));
    expect(pool.queued).toBe(0);
    expect(await failure).toMatchObject({ message: "enough" });
    // Nobody writes into `out` from now on.
    out.fill(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isSame(out, new Uint8Array(out.length).fill(1))).toBe(true);
    expect(isSame((await api.get(array, null, { workers: pool })).data, data)).toBe(true);
    await pool.close();
  },
);

/** A worker that gets no bands while it is held up, as if it were slow with them. */
class HeldUp extends EventTarget {
  readonly #worker = new NodeWorker(new URL(dist("workers/worker.js")));
  readonly #held: Parameters<NodeWorker["postMessage"]>[] = [];
  isHeldUp = true;

  constructor() {
    super();
    this.#worker.on("message", (data) => this.dispatchEvent(new MessageEvent("message", { data })));
  }
  get held(): number {
    return this.#held.length;
  }
  postMessage(...message: Parameters<NodeWorker["postMessage"]>): void {
    if (this.isHeldUp && message[0].type === "band") this.#held.push(message);
    else this.#worker.postMessage(...message);
  }
  release(): void {
    this.isHeldUp = false;
    for (const message of this.#held.splice(0)) this.#worker.postMessage(...message);
  }
  terminate(): void {
    this.#worker.terminate();
  }
}

test("an aborted read rejects after slow workers have written into the caller's memory, not before", async () => {
  const worker = new HeldUp();
  // @ts-expect-error It has what the pool uses of a Worker.
  const pool = new WorkerPool({ size: 1, createWorker: () => worker });
  const { array, data } = await arrayOf(4);
  await api.set(array, null, data);
  const controller = new AbortController();
  const out = new Uint8Array(new SharedArrayBuffer(data.length));
  let hasRejected = false;
  const failure = api
    .get(array, null, { workers: pool, signal: controller.signal, out })
    .catch((reason: unknown) => {
      hasRejected = true;
      return reason;
    });
  while (worker.held === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  controller.abort(new Error("enough"));
  // Longer than work gets to end by itself.
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(hasRejected).toBe(false);
  worker.release();
  expect(await failure).toMatchObject({ message: "enough" });
  expect(out.some((element) => element !== 0)).toBe(true);
  await pool.close();
});

test("an abort takes back what waits to be encoded", async () => {
  const pool = new WorkerPool({ size: 1 });
  const { store, array, data } = await arrayOf(24);
  const controller = new AbortController();
  const failure = api
    .set(array, null, data, { workers: pool, signal: controller.signal })
    .catch((reason: unknown) => reason);
  while (pool.queued === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  controller.abort(new Error("enough"));
  expect(pool.queued).toBe(0);
  expect(await failure).toMatchObject({ message: "enough" });
  expect(store.size).toBeLessThan(25);
  await pool.close();
});

test("workers start before the first chunk where that is asked for", async () => {
  const pool = new WorkerPool({ size: 2 });
  expect(pool.running).toBe(0);
  await Promise.all([pool.start(), pool.start()]);
  expect(pool.running).toBe(2);
  const { array, data } = await arrayOf(2);
  await api.set(array, null, data, { workers: pool });
  expect(isSame((await api.get(array, null, { workers: pool })).data, data)).toBe(true);
  expect(pool.running).toBe(2);
  await pool.close();
  await expect(pool.start()).rejects.toMatchObject({ tag: "UnsupportedError" });
});

test("chunks of a store that answers later are asked for before the workers are there, and once", async () => {
  const { store, array, data } = await arrayOf(4);
  await api.set(array, null, data);
  const later = new SlowStore(store);
  const opened = await api.open.v3(readOnly(later), { kind: "array", dtype: "uint8" });
  later.reset();
  const pool = new WorkerPool({ size: 2 });
  // A turn of its own: a read after other work waits for the next one.
  await new Promise((resolve) => setImmediate(resolve));
  const reading = api.get(opened, null, { workers: pool });
  expect(later.requests).toHaveLength(4);
  expect(isSame((await reading).data, data)).toBe(true);
  expect(later.requests.sort()).toEqual(["/c/0", "/c/1", "/c/2", "/c/3"]);
  await pool.close();
});

test("closing rejects what is under way, and what comes later", async () => {
  const pool = new WorkerPool({ size: 2 });
  const { array, data } = await arrayOf(32);
  expect(pool.running).toBe(0);
  const writing = api.set(array, null, data, { workers: pool }).catch((reason: unknown) => reason);
  while (pool.running === 0 || pool.queued === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(pool.running).toBe(2);
  await pool.close();
  expect(pool.running).toBe(0);
  expect(await writing).toMatchObject({
    tag: "UnsupportedError",
    message: "the worker pool is closed; make another WorkerPool",
  });
  await expect(api.get(array, null, { workers: pool })).rejects.toThrow("closed");
  await pool.close();
});

test("a size that is no positive integer is refused", () => {
  for (const size of [0, -1, 1.5, Number.NaN])
    expect(() => new WorkerPool({ size })).toThrow("positive integer");
});

test("where no worker can be started the calling thread does the work, and the console is told once", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const broken = new WorkerPool({
    size: 1,
    createWorker: () => {
      throw new Error("workers are forbidden");
    },
  });
  const { array, data } = await arrayOf(2);
  await api.set(array, null, data, { workers: broken });
  expect(isSame((await api.get(array, null, { workers: broken })).data, data)).toBe(true);
  expect(broken.running).toBe(0);
  const second = await arrayOf(2);
  await api.set(second.array, null, second.data, { workers: broken });
  expect(warn).toHaveBeenCalledOnce();
  expect(warn.mock.lastCall?.[0]).toContain("wazarr/workers/worker");
  expect(warn.mock.lastCall?.[1]).toMatchObject({ message: "workers are forbidden" });
  warn.mockRestore();
});

async function runNode(script: string, ...flags: string[]): Promise<string> {
  const code = `
    import { create, get, set } from ${JSON.stringify(dist("index.js"))};
    import { WorkerPool } from ${JSON.stringify(dist("workers/pool.js"))};
    ${script}`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...flags, "--input-type=module", "-e", code],
    {
      timeout: 30_000,
    },
  );
  return stdout.trim();
}

test("a process ends when its work is done, though the pool was not closed", async () => {
  const output = await runNode(`
    const workers = new WorkerPool({ size: 2 });
    const array = await create(new Map(), { shape: [300, 300], chunkShape: [150, 150], dtype: "float64", codecs: ["gzip"] });
    await set(array, null, 4, { workers });
    const { data } = await get(array, null, { workers, shared: true });
    console.log(data.reduce((sum, value) => sum + value, 0), workers.running);
  `);
  expect(output).toBe("360000 2");
});

test("when a worker such as Bun's ends the calling thread does the work", async () => {
  const output = await runNode(`
    class Ending extends EventTarget {
      postMessage() {
        queueMicrotask(() => this.dispatchEvent(new Event("close")));
      }
      terminate() {}
    }
    const workers = new WorkerPool({ size: 2, createWorker: () => new Ending() });
    const array = await create(new Map(), { shape: [300, 300], chunkShape: [150, 150], dtype: "float64", codecs: ["gzip"] });
    await set(array, null, 4, { workers });
    console.log((await get(array, [299, 299], { workers })), workers.running);
  `);
  expect(output).toBe("4 0");
});

test("when workers die the calling thread does their work, and others start with the next", async () => {
  const output = await runNode(`
    import { Worker } from "node:worker_threads";
    const warnings = [];
    console.warn = (message) => warnings.push(message);
    const workers = new WorkerPool({ size: 2 });
    const started = [];
    const answered = new Set();
    process.on("worker", (worker) => {
      started.push(worker);
      worker.once("message", () => answered.add(worker));
    });
    const data = Float64Array.from({ length: 12 * 65536 }, (_, i) => i % 1000);
    const isRight = (elements) => elements.every((value, i) => value === data[i]);
    for (const shards of [undefined, [6 * 65536]]) {
      const store = new Map();
      const array = await create(store, { shape: [data.length], chunkShape: [65536], shards, dtype: "float64", codecs: ["gzip"] });
      await set(array, null, data, { workers });
      const read = async () => isRight((await get(array, null, { workers })).data);
      const all = () => Promise.all(started.splice(0).map((worker) => worker.terminate()));
      // One that dies before that is not replaced.
      const haveAnswered = async () => {
        while (!started.every((worker) => answered.has(worker))) await read();
      };
      for (const shared of [false, true]) {
        await haveAnswered();
        const reading = get(array, null, { workers, shared });
        await started.shift().terminate();
        console.log("one dies during a read", isRight((await reading).data));
        console.log("next", await read(), workers.running);
        await haveAnswered();
        const second = get(array, null, { workers, shared });
        await all();
        console.log("all die during a read", isRight((await second).data));
        console.log("next", await read(), workers.running);
      }
      await haveAnswered();
      store.clear();
      const writing = set(array, null, data, { workers });
      await all();
      await writing;
      console.log("all die during a write", isRight((await get(array)).data));
      console.log("next", await read(), workers.running);
    }
    console.log(warnings.length, warnings[0].includes("died"));
  `);
  const during = ["one dies during a read true", "next true 2", "all die during a read true", "next true 2"];
  const round = [...during, ...during, "all die during a write true", "next true 2"];
  expect(output.split("\n")).toEqual([...round, ...round, "1 true"]);
});

test("a worker that has never answered is not replaced", async () => {
  const output = await runNode(`
    let made = 0;
    console.warn = () => {};
    class Ending extends EventTarget {
      constructor() {
        super();
        made++;
        setTimeout(() => this.dispatchEvent(new Event("close")));
      }
      postMessage() {}
      terminate() {}
    }
    const workers = new WorkerPool({ size: 2, createWorker: () => new Ending() });
    const array = await create(new Map(), { shape: [300, 300], chunkShape: [150, 150], dtype: "float64", codecs: ["gzip"] });
    await set(array, null, 4, { workers });
    for (let i = 0; i < 3; i++) await get(array, null, { workers });
    console.log(made, workers.running);
  `);
  expect(output).toBe("2 0");
});

test("workers are told of arrays that are gone", async () => {
  const output = await runNode(
    `
    import { Worker } from "node:worker_threads";
    const told = { array: 0, forget: 0 };
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (message, transfer) {
      told[message.type]++;
      return postMessage.call(this, message, transfer);
    };
    const workers = new WorkerPool({ size: 1 });
    for (let i = 0; i < 100; i++) {
      const array = await create(new Map(), { shape: [65536], chunkShape: [65536], dtype: "uint8", codecs: ["gzip"] });
      await get(array, [5], { workers });
    }
    // The garbage collector says so in its own time; the last ones may still be on the stack.
    while (told.forget <= 90) {
      gc();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    console.log(told.array, told.forget);
  `,
    "--expose-gc",
  );
  const [arrays, forgotten] = output.split(" ").map(Number);
  expect(arrays).toBe(100);
  expect(forgotten).toBeGreaterThan(90);
});
