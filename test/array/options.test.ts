/**
 * `signal`, `concurrency`, `onProgress` and `out` mean the same wherever they are taken, for every kind of
 * array.
 */
import { describe, expect, test } from "vitest";
import {
  type AbsolutePath,
  create,
  get,
  getChunk,
  open,
  read,
  root,
  type StoreOptions,
  set,
  slice,
} from "../../src/index.js";
import { copyNode, verify } from "../../src/main/copy.js";
import type { OnProgress } from "../../src/main/reading.js";
import { SlowStore } from "../setup/stores.js";

const SIDE = 24;
const COUNT = SIDE * SIDE;

interface Options {
  readonly signal?: AbortSignal;
  readonly concurrency?: number;
  readonly onProgress?: OnProgress;
}

const kinds = [
  { kind: "chunks", layout: { dtype: "int32", chunkShape: [6, 8] }, chunks: 12, bytes: 4 * COUNT },
  {
    kind: "shards",
    layout: { dtype: "int32", chunkShape: [3, 4], shards: [6, 12], codecs: ["zstd"] },
    chunks: 8,
    bytes: 4 * COUNT,
  },
  { kind: "texts", layout: { dtype: "string", chunkShape: [6, 8] }, chunks: 12, bytes: 0 },
  {
    kind: "shards of texts",
    layout: { dtype: "string", chunkShape: [3, 4], shards: [6, 12] },
    chunks: 8,
    bytes: 0,
  },
  {
    kind: "chunks of different shapes",
    layout: {
      dtype: "int32",
      chunkShape: [
        [7, 7, 10],
        [6, [6, 1], 8, 4],
      ],
    },
    chunks: 12,
    bytes: 4 * COUNT,
  },
  {
    kind: "shards of different shapes",
    layout: {
      dtype: "int32",
      chunkShape: [3, 4],
      shards: [
        [6, 6, 12],
        [8, 8, 4, 4],
      ],
    },
    chunks: 12,
    bytes: 4 * COUNT,
  },
  {
    kind: "texts in chunks of different shapes",
    layout: { dtype: "string", chunkShape: [[7, 7, 10], 8] },
    chunks: 9,
    bytes: 0,
  },
] as const;

async function made({ layout }: (typeof kinds)[number]) {
  const store = new SlowStore();
  await create(store, { shape: [SIDE, SIDE], ...layout });
  const array = await open(store, { kind: "array" });
  const values = Array.from({ length: COUNT }, (_, i) => i + 1);
  const data = array.is("string") ? values.map((value) => `${value}`) : Int32Array.from(values);
  if (array.is("string"))
    await set(
      array,
      null,
      values.map((value) => `${value}`),
    );
  else if (array.is("int32")) await set(array, null, Int32Array.from(values));
  store.reset();
  return { store, array, data };
}

type Made = Awaited<ReturnType<typeof made>>;

/** Everything of an array, by each way there is. */
const ways: readonly { name: string; run(on: Made, options: Options): Promise<unknown> }[] = [
  { name: "get", run: ({ array }, options) => get(array, null, options) },
  {
    name: "get of a column",
    run: ({ array }, options) =>
      array.is("string") ? get(array, null, { ...options, as: "column" }) : get(array, null, options),
  },
  {
    name: "read",
    async run({ array }, options) {
      for await (const _ of read(array, null, options));
    },
  },
  {
    name: "set",
    run: ({ array }, options) =>
      array.is("string")
        ? set(array, null, "x", options)
        : set(array.is("int32") ? array : never(), null, 5, options),
  },
  {
    name: "copyNode, chunks as they are",
    run: ({ array }, options) => copyNode(array, new SlowStore(), options),
  },
  {
    name: "copyNode, decoded",
    run: ({ array }, options) =>
      copyNode(array, new SlowStore(), { ...options, codecs: array.is("string") ? ["gzip"] : ["zlib"] }),
  },
  {
    name: "verify",
    run: ({ array }, options) =>
      verify(array, {
        ...options,
        onProblem(problem) {
          throw problem;
        },
      }),
  },
];

function never(): never {
  throw new Error("expected int32 or string");
}

describe.each(kinds)("$kind", (kind) => {
  test.each(ways)("$name tells of its progress", async ({ run }) => {
    const steps: Parameters<OnProgress>[0][] = [];
    await run(await made(kind), { onProgress: (progress) => steps.push(progress) });
    const last = steps.at(-1);
    expect(last?.chunksDone).toBe(last?.chunksTotal);
    expect(last?.bytes).toBe(kind.bytes);
    expect(last?.chunksTotal).toBeGreaterThanOrEqual(kind.chunks);
    for (const [i, { chunksDone, chunksTotal, bytes }] of steps.entries()) {
      expect(chunksTotal).toBe(last?.chunksTotal);
      expect(chunksDone).toBeGreaterThanOrEqual(steps[i - 1]?.chunksDone ?? 0);
      expect(bytes).toBeGreaterThanOrEqual(steps[i - 1]?.bytes ?? 0);
    }
  });

  test.each(ways)("$name stops when it is told to", async ({ run }) => {
    const on = await made(kind);
    const reason = new Error("enough");
    await expect(run(on, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    on.store.reset();
    const running = run(on, { signal: controller.signal, concurrency: 1 });
    setTimeout(() => controller.abort(reason), 1);
    await expect(running).rejects.toBe(reason);
    // A store that looks at the signal is not asked for anything any more.
    const { length } = on.store.requests;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(on.store.requests.length).toBe(length);
  });

  test.each(ways)("$name has no more under way than it may", async ({ run }) => {
    const on = await made(kind);
    await run(on, { concurrency: 2 });
    expect(on.store.mostUnderWay).toBeLessThanOrEqual(2);
    for (const concurrency of [0, 1.5, Number.NaN]) {
      await expect(run(on, { concurrency })).rejects.toMatchObject({ tag: "InvalidArgumentError" });
    }
  });

  test("getChunk takes them all", async () => {
    const on = await made(kind);
    const steps: Parameters<OnProgress>[0][] = [];
    const { data, shape } = await getChunk(on.array, [1, 1], {
      onProgress: (progress) => steps.push(progress),
    });
    expect(steps.at(-1)).toMatchObject({ chunksDone: 1, chunksTotal: 1 });
    await expect(getChunk(on.array, [1, 1], { concurrency: 0 })).rejects.toMatchObject({
      tag: "InvalidArgumentError",
    });
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(getChunk(on.array, [1, 1], { signal })).rejects.toThrow("enough");
    const selection = [1, 1].map((at, d) => slice(at * (shape[d] ?? 0), (at + 1) * (shape[d] ?? 0)));
    expect([...data]).toEqual([...(await get(on.array, selection)).data]);
  });

  test("out is filled and given back", async () => {
    const { array, data } = await made(kind);
    if (array.is("string")) {
      const out = new Array<string>(COUNT);
      const got = await get(array, null, { out });
      expect(got.data).toBe(out);
      expect(out).toEqual(data);
      const chunk = await getChunk(array, [0, 0]);
      const place = new Array<string>(chunk.data.length);
      expect((await getChunk(array, [0, 0], { out: place })).data).toBe(place);
      expect(place).toEqual(chunk.data);
    } else if (array.is("int32")) {
      const out = new Int32Array(COUNT).fill(-1);
      const got = await get(array, null, { out });
      expect(got.data).toBe(out);
      expect(out).toEqual(data);
      const chunk = await getChunk(array, [0, 0]);
      const place = new Int32Array(chunk.data.length);
      expect((await getChunk(array, [0, 0], { out: place })).data).toBe(place);
      expect(place).toEqual(chunk.data);
      await expect(get(array, null, { out: new Int32Array(3) })).rejects.toThrow("out: expected");
    } else never();
  });

  test("verify stops when it is told to, and reads as many chunks at once as it may", async () => {
    const { array, store } = await made(kind);
    const onProblem = (problem: Error) => {
      throw problem;
    };
    const report = await verify(array, { onProblem, concurrency: 2 });
    expect(report).toMatchObject({ chunks: kind.chunks, problems: 0 });
    expect(store.mostUnderWay).toBeLessThanOrEqual(2);
    await expect(verify(array, { onProblem, concurrency: 0 })).rejects.toThrow("concurrency");
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(verify(array, { onProblem, signal })).rejects.toThrow("enough");
  });
});

test("a write lets an abort in though the store answers at once", async () => {
  const array = await create(new Map<string, Uint8Array>(), {
    shape: [8192, 4096],
    chunkShape: [64, 64],
    dtype: "uint8",
    codecs: ["gzip"],
  });
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error("enough")), 1);
  await expect(set(array, null, 7, { signal: controller.signal })).rejects.toThrow("enough");
});

test("copyNode rejects with the signal's reason, too, where the store is reading or writing a chunk", async () => {
  const reason = new Error("enough");
  const options = { shape: [4], chunkShape: [2], dtype: "int8" } as const;
  for (const side of ["source", "target"]) {
    const controller = new AbortController();
    const { signal } = controller;
    class Interrupting extends SlowStore {
      override async get(key: AbsolutePath, options?: StoreOptions): Promise<Uint8Array | undefined> {
        if (side === "source" && key.startsWith("/c/")) controller.abort(reason);
        return super.get(key, options);
      }
      override async set(key: AbsolutePath, value: Uint8Array): Promise<void> {
        if (side === "target" && key.startsWith("/copy/c/")) controller.abort(reason);
        signal.throwIfAborted();
        return super.set(key, value);
      }
    }
    const store = new Interrupting();
    const array = await create(store, options);
    await set(array, null, 1);
    await expect(copyNode(array, root(new Interrupting()).resolve("copy"), { signal })).rejects.toBe(reason);
  }
});

test("any number of requests may be under way at once", async () => {
  const array = await create(new Map<string, Uint8Array>(), { shape: [4], chunkShape: [1], dtype: "int8" });
  const concurrency = 2 ** 40;
  await set(array, null, 3, { concurrency });
  const target = new Map<string, Uint8Array>();
  await copyNode(array, target, { concurrency });
  const copy = await open(target, { kind: "array" });
  expect(await verify(copy, { concurrency, onProblem: never })).toMatchObject({ chunks: 4, problems: 0 });
  expect((await get(copy, null, { concurrency })).data).toEqual(Int8Array.of(3, 3, 3, 3));
});
