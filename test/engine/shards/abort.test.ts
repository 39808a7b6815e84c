/** Reads that share a fetch, some of which are aborted. */
import { describe, expect, onTestFinished, test } from "vitest";
import { create, get, HttpStore, type JsonObject, open, set, slice } from "../../../src/index.js";
import { serve } from "../../core/stores/server.js";
import { LITTLE } from "../../setup/codecs.js";
import { HeldStore, readOnly } from "../../setup/stores.js";

const sharding = (chunkShape: number[], codecs: JsonObject[]) => ({
  name: "sharding_indexed",
  configuration: { chunk_shape: chunkShape, codecs, index_codecs: [LITTLE], index_location: "end" },
});

/** Elements are their own indices, plus one. */
async function write(codecs: ReturnType<typeof sharding>[]): Promise<Map<string, Uint8Array>> {
  const values = new Map<string, Uint8Array>();
  const array = await create(values, { shape: [64], chunkShape: [32], dtype: "uint8", codecs });
  await set(
    array,
    null,
    Uint8Array.from({ length: 64 }, (_, i) => i + 1),
  );
  return values;
}

/** Answers everything that was asked by now. */
async function answer(store: HeldStore): Promise<void> {
  store.answer();
  await new Promise(setImmediate);
}

/** Answers, also what is asked because of the answers, until this is settled. */
async function answerUntil<T>(store: HeldStore, settled: Promise<T>): Promise<T> {
  let isDone = false;
  const done = (): void => {
    isDone = true;
  };
  settled.then(done, done);
  while (!isDone) await answer(store);
  return settled;
}

async function openHeld(codecs: ReturnType<typeof sharding>[]) {
  const store = new HeldStore(await write(codecs));
  const array = await open(readOnly(store), { kind: "array" });
  await array.prepare();
  return { store, array };
}

const kinds: [name: string, codecs: ReturnType<typeof sharding>[]][] = [
  ["a shard", [sharding([4], [LITTLE])]],
  ["a shard in a shard", [sharding([16], [sharding([4], [LITTLE])])]],
];

describe.each(kinds)("the index of %s, which several reads wait for", (_, codecs) => {
  test("comes for all but those that are aborted", async () => {
    const { store, array } = await openHeld(codecs);
    const callers = Array.from({ length: 6 }, (_, i) => {
      const abort = new AbortController();
      return { abort, read: get(array, [i], { signal: abort.signal }) };
    });
    const outcomes = Promise.allSettled(callers.map(({ read }) => read));
    await store.untilAsked(1);
    // The first one began the fetch; aborting it is what must not matter.
    for (const i of [0, 3, 4]) callers[i]?.abort.abort(new Error(`caller ${i} leaves`));
    expect(
      (await answerUntil(store, outcomes)).map((outcome) =>
        outcome.status === "fulfilled" ? outcome.value : String(outcome.reason),
      ),
    ).toEqual(["Error: caller 0 leaves", 2, 3, "Error: caller 3 leaves", "Error: caller 4 leaves", 6]);
    // One index a level, and one range for each read that went on.
    expect(store.requests.length).toBe(codecs === kinds[0]?.[1] ? 1 + 3 : 2 + 3);
  });

  test("comes for the others when one leaves at any moment", async () => {
    for (let moment = 0; moment < 6; moment++) {
      const { store, array } = await openHeld(codecs);
      const abort = new AbortController();
      const first = get(array, [slice(0, 8)], { signal: abort.signal });
      const second = get(array, [slice(4, 12)]);
      const outcome = Promise.allSettled([first]);
      await store.untilAsked(1);
      for (let i = 0; i < moment; i++) await answer(store);
      abort.abort(new Error("enough"));
      expect([...(await answerUntil(store, second)).data]).toEqual([5, 6, 7, 8, 9, 10, 11, 12]);
      await outcome;
    }
  });

  test("is not fetched any further when all have left, and is fetched anew by the next", async () => {
    const { store, array } = await openHeld(codecs);
    const abort = new AbortController();
    const reads = Promise.allSettled([1, 2].map((at) => get(array, [at], { signal: abort.signal })));
    await store.untilAsked(1);
    abort.abort(new Error("enough"));
    for (const { status } of await reads) expect(status).toBe("rejected");
    expect(store.aborted).toHaveLength(1);
    expect(await answerUntil(store, get(array, [1]))).toBe(2);
  });
});

test("HTTP: an aborted read stops its requests, those of others go on", async () => {
  const values = await write([sharding([4], [LITTLE])]);
  const server = await serve(values);
  onTestFinished(() => server.close());
  // With versions the indexes are known, and the inner chunks come in requests of their own.
  server.versionHeader = "etag";
  const array = await open(new HttpStore(server.url), { kind: "array" });
  await get(array, [0]);
  server.requests.length = 0;
  const abort = new AbortController();
  const coalesce = { maximumGap: 0, maximumSize: 4 };
  server.onRequest = () => {
    if (server.requests.length === 3) abort.abort(new Error("enough"));
  };
  const [aborted, whole] = await Promise.allSettled([
    get(array, [slice(0, 32)], { signal: abort.signal, coalesce, concurrency: 1 }),
    get(array, [slice(0, 32)], { coalesce, concurrency: 1 }),
  ]);
  expect(aborted).toMatchObject({ status: "rejected", reason: new Error("enough") });
  expect(whole).toMatchObject({ status: "fulfilled" });
  if (whole.status === "fulfilled")
    expect([...whole.value.data]).toEqual(Array.from({ length: 32 }, (_, i) => i + 1));
  expect(server.requests.length).toBeLessThan(2 * 8);
});
