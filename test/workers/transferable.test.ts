/** Memory on its way to workers and back: what is copied, what is not, and when it is used again. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { CreateArrayOptions } from "../../src/index.js";
import type {
  Answer,
  ArrayMessage,
  BandMessage,
  ChunksMessage,
  Request,
} from "../../src/workers/messages.js";
import { loadApi, loadFiles, loadWorkers } from "./dist.js";

type Key = `/${string}`;

const api = await loadApi();
const { WorkerPool } = await loadWorkers();
const { FileSystemStore } = await loadFiles();
const pool = new WorkerPool({ size: 2 });
const scratch = mkdtempSync(join(tmpdir(), "wazarr-transferable-"));

interface Piece {
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
}

/** As they were posted: what changes hands is empty afterwards. */
interface Posted {
  readonly arrays: ArrayMessage[];
  readonly bands: { readonly message: BandMessage; readonly encoded: readonly Piece[] }[];
  readonly chunks: { readonly message: ChunksMessage; readonly memory: ArrayBufferLike }[];
  readonly batches: (readonly ArrayBufferLike[])[];
  readonly answers: Answer[];
}
const pieceOf = ({ buffer, byteOffset }: Uint8Array): Piece => ({ buffer, byteOffset });
const posted: Posted = { arrays: [], bands: [], chunks: [], batches: [], answers: [] };
const heard = new WeakSet<Worker>();
const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function (this: Worker, message: Request, transfer) {
  if (!heard.has(this)) this.on("message", (answer: Answer) => posted.answers.push(answer));
  heard.add(this);
  if (message.type === "array") posted.arrays.push(message);
  if (message.type === "encode") {
    const memory = message.chunks.map(({ buffer }) => buffer);
    // Level 1: inner chunks of a shard.
    if (message.level > 0) posted.batches.push(memory);
    else posted.chunks.push(...memory.map((buffer) => ({ message, memory: buffer })));
  }
  if (message.type === "band") {
    const encoded = message.values.flatMap((value) => (value instanceof Uint8Array ? [pieceOf(value)] : []));
    posted.bands.push({ message, encoded });
  }
  postMessage.call(this, message, transfer);
};

/** What was posted since the last time. */
function take(): Posted {
  const { arrays, bands, chunks, batches, answers } = posted;
  return {
    arrays: arrays.splice(0),
    bands: bands.splice(0),
    chunks: chunks.splice(0),
    batches: batches.splice(0),
    answers: answers.splice(0),
  };
}
beforeEach(() => void take());
afterAll(async () => {
  Worker.prototype.postMessage = postMessage;
  await pool.close();
  rmSync(scratch, { recursive: true });
});

/** Four chunks of 16 KiB: of one band, and no longer than memory in which a chunk travels. */
const SHAPE = [128, 128];
const CHUNKS = 4;
const layout = { shape: SHAPE, chunkShape: [64, 64], dtype: "float32" } as const;
const data = Float32Array.from({ length: 128 * 128 }, (_, i) => Math.sin(i / 50) * 100 + (i % 7));
const results = [{}, { shared: true }] as const;

/** A Map with the array in it, whose values are in memory that `copy` makes of them. */
async function stored(copy: (value: Uint8Array) => Uint8Array) {
  const store = new Map<string, Uint8Array>();
  await api.set(await api.create(store, { ...layout, codecs: ["gzip"] }), null, data);
  for (const [key, value] of store) store.set(key, copy(value));
  return store;
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  new Uint8Array(buffer, byteOffset, byteLength);

async function read(store: Parameters<typeof api.open>[0], result: { shared?: boolean }) {
  const array = await api.open(store, { kind: "array" });
  const { data: elements } = await api.get(array, null, { workers: pool, ...result });
  if (!(elements instanceof Float32Array)) throw new Error("expected float32");
  expect(isSame(bytesOf(elements), bytesOf(data))).toBe(true);
  const { bands, answers } = take();
  expect(bands).toHaveLength(1);
  return {
    encoded: bands.flatMap((band) => band.encoded),
    returned: answers.flatMap((answer) => answer.returned),
  };
}

// The first, since what this thread has compiled once stays.
test("chunks of gzip above 4 MiB are not decoded in pairs, and workers are not sent what does that", async () => {
  const modules: string[] = [];
  for (const length of [4 * 2 ** 20 + 1, 2 ** 16]) {
    const options = { shape: [length], chunkShape: [length], dtype: "uint8", codecs: ["gzip"] } as const;
    const prepared = await (await api.create(new Map(), options)).prepare();
    expect(await pool.reader(prepared, new AbortController().signal)).toBeDefined();
    for (const message of take().arrays) modules.push(...message.modules.map(([name]) => name));
    if (length > 2 ** 22) expect(modules).not.toContain("inflate-pair");
  }
  expect(modules).toContain("inflate-pair");
});

describe.each(results)("encoded chunks read into %o", (result) => {
  test("from a store that gives shared memory go as they are", async () => {
    const store = await stored((value) => {
      const shared = new Uint8Array(new SharedArrayBuffer(value.length));
      shared.set(value);
      return shared;
    });
    const memory = new Set([...store.values()].map(({ buffer }) => buffer));
    for (let twice = 0; twice < 2; twice++) {
      const { encoded, returned } = await read(store, result);
      expect(encoded).toHaveLength(CHUNKS);
      for (const { buffer } of encoded) expect(memory).toContain(buffer);
      expect(returned).toHaveLength(0);
    }
  });

  test("from a store that gives memory of its own are copied, into memory that comes back", async () => {
    const store = await stored((value) => value.slice());
    const memory = new Set([...store.values()].map(({ buffer }) => buffer));
    const first = await read(store, result);
    const second = await read(store, result);
    for (const { encoded, returned } of [first, second]) {
      expect(encoded).toHaveLength(CHUNKS);
      for (const { buffer } of encoded) expect(memory).not.toContain(buffer);
      // All of them in one piece.
      expect(new Set(encoded.map(({ buffer }) => buffer)).size).toBe(1);
      expect(returned).toHaveLength(1);
    }
    expect(first.returned).toContain(second.encoded[0]?.buffer);
  });
});

/** Answers later, and says that it is done with a value's memory only then. */
class CopyingStore {
  readonly copiesValues = true;
  readonly values = new Map<string, Uint8Array>();
  /** What is written waits for it. */
  gate = Promise.resolve();
  waiting = 0;

  get(key: Key): Uint8Array | undefined {
    return this.values.get(key);
  }

  async set(key: Key, value: Uint8Array): Promise<void> {
    this.waiting++;
    await this.gate;
    this.waiting--;
    this.values.set(key, value.slice());
  }
}

/** What a store has to have in it. */
async function expected(options: CreateArrayOptions<"float32">, elements: Float32Array) {
  const values = new Map<string, Uint8Array>();
  await api.set(await api.create(values, options), null, elements);
  return values;
}

async function expectChunks(
  store: { get(key: Key): unknown },
  values: Map<string, Uint8Array>,
): Promise<void> {
  for (const [key, value] of values) {
    if (!key.startsWith("/c/")) continue;
    const got = await store.get(`/${key.slice(1)}`);
    expect(got instanceof Uint8Array && isSame(got, value), key).toBe(true);
  }
}

const encodedOf = ({ answers }: Posted) =>
  answers.flatMap(({ chunks, returned }) => chunks.map((bytes) => ({ bytes, returned })));

describe.each([
  ["files", (name: string) => new FileSystemStore(join(scratch, name))],
  ["a store that answers later", () => new CopyingStore()],
] as const)("chunks written to %s, which copies values,", (kind, makeStore) => {
  test("are encoded in the memory in which they came, which is used for the next", async () => {
    const options = { ...layout, codecs: ["gzip"] };
    const store = makeStore(`${kind}-short`);
    const array = await api.create(store, options);
    const writes: Posted[] = [];
    for (let twice = 0; twice < 2; twice++) {
      await api.set(array, null, data, { workers: pool });
      writes.push(take());
    }
    await expectChunks(store, await expected(options, data));
    for (const write of writes) {
      expect(write.chunks).toHaveLength(CHUNKS);
      for (const { message } of write.chunks) expect(message.inPlace).toBe(true);
      const encoded = encodedOf(write);
      expect(encoded).toHaveLength(CHUNKS);
      for (const { bytes, returned } of encoded) expect(returned).toEqual([bytes.buffer]);
    }
    const [first, second] = writes.map((write) => new Set(encodedOf(write).map(({ bytes }) => bytes.buffer)));
    expect(first?.size).toBe(CHUNKS);
    expect(second?.size).toBe(CHUNKS);
    for (const { memory } of writes[1]?.chunks ?? []) expect(first).toContain(memory);
  });
});

test("chunks that become longer than the memory in which they came have memory of their own, which is used for the next", async () => {
  // Of a size that no other test has used memory of.
  const options = { shape: [192, 192], chunkShape: [96, 96], dtype: "float32", codecs: ["crc32c"] } as const;
  const elements = Float32Array.from({ length: 192 * 192 }, (_, i) => i);
  const store = new CopyingStore();
  const array = await api.create(store, options);
  await api.set(array, null, elements, { workers: pool });
  const first = encodedOf(take());
  await expectChunks(store, await expected(options, elements));
  expect(first).toHaveLength(CHUNKS);
  for (const { bytes, returned } of first) {
    expect(returned).toHaveLength(1);
    expect(returned).not.toContain(bytes.buffer);
  }
  await api.set(array, null, elements, { workers: pool });
  const memory = new Set(first.flatMap(({ bytes, returned }) => [bytes.buffer, ...returned]));
  for (const chunk of take().chunks) expect(memory).toContain(chunk.memory);
});

test("memory of a chunk is used again only when the store has copied it", async () => {
  const options = { ...layout, codecs: ["gzip"] };
  const store = new CopyingStore();
  const array = await api.create(store, options);
  let open = (): void => {};
  store.gate = new Promise((resolve) => {
    open = resolve;
  });
  const writing = api.set(array, null, data, { workers: pool });
  while (store.waiting < CHUNKS) await new Promise((resolve) => setTimeout(resolve, 1));
  const others = data.map((element) => -element);
  const meanwhile = new CopyingStore();
  await api.set(await api.create(meanwhile, options), null, others, { workers: pool });
  open();
  await writing;
  await expectChunks(store, await expected(options, data));
  await expectChunks(meanwhile, await expected(options, others));
});

test("a store that keeps values is given memory of their own, no longer than they are", async () => {
  const options = { ...layout, codecs: ["gzip"] };
  const store = new Map<string, Uint8Array>();
  await api.set(await api.create(store, options), null, data, { workers: pool });
  const write = take();
  expect(write.chunks.map(({ message }) => message.inPlace)).toEqual(new Array(CHUNKS).fill(false));
  for (const { bytes, returned } of encodedOf(write)) {
    expect(bytes.buffer.byteLength).toBe(bytes.length);
    expect(returned).not.toContain(bytes.buffer);
  }
  const kept = new Map(store);
  await api.set(await api.create(new Map(), options), null, 5, { workers: pool });
  await expectChunks(kept, await expected(options, data));
});

test("inner chunks are encoded in the memory in which they came, those of a band together, and it is used for the next", async () => {
  const options = { ...layout, codecs: ["gzip"], shards: SHAPE };
  const store = new FileSystemStore(join(scratch, "shards"));
  const array = await api.create(store, options);
  const memory: Set<ArrayBufferLike>[] = [];
  for (let twice = 0; twice < 2; twice++) {
    await api.set(array, null, data, { workers: pool });
    const write = take();
    expect(write.chunks).toHaveLength(0);
    expect(write.batches.map(({ length }) => length)).toEqual([CHUNKS]);
    memory.push(new Set(write.batches.flat()));
    const encoded = encodedOf(write);
    expect(encoded).toHaveLength(CHUNKS);
    for (const { bytes, returned } of encoded) expect(returned).toContain(bytes.buffer);
    if (twice === 0) memory[0] = new Set(encoded.map(({ bytes }) => bytes.buffer));
  }
  for (const buffer of memory[1] ?? []) expect(memory[0]).toContain(buffer);
  await expectChunks(store, await expected(options, data));
});

test.each(["crc32c", "numcodecs.base64"])(
  "inner chunks that %s makes longer are those that were written",
  async (name) => {
    const options = { ...layout, codecs: [{ name, configuration: {} }], shards: SHAPE };
    const store = new FileSystemStore(join(scratch, name));
    await api.set(await api.create(store, options), null, data, { workers: pool });
    expect(take().batches).toHaveLength(1);
    await expectChunks(store, await expected(options, data));
  },
);

test("an inner chunk that cannot be encoded is the same error as without workers", async () => {
  const codecs = [{ name: "cast_value", configuration: { data_type: "uint8" } }, "bytes", "crc32c"] as const;
  const options = { ...layout, codecs, shards: SHAPE, fillValue: 0 };
  const elements = new Float32Array(data.length).fill(1);
  elements[128 * 70 + 3] = 300;
  const failure = async (write: { workers?: typeof pool }) => {
    const array = await api.create(new Map(), options);
    return api.set(array, null, elements, write).catch((error: unknown) => error);
  };
  const error = await failure({ workers: pool });
  expect(take().batches).toHaveLength(1);
  expect(error).toMatchObject({ tag: "CodecError", chunk: [1, 0] });
  expect(error).toEqual(await failure({}));
});
