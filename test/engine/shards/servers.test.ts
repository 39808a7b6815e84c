/**
 * Shards behind HTTP servers that do not do what ranges ask for: right elements or a typed error, never wrong
 * ones.
 */
import { expect, onTestFinished, test } from "vitest";
import { create, get, HttpStore, isZarrError, open, set, slice } from "../../../src/index.js";
import { type Misbehaviour, serve } from "../../core/stores/server.js";
import { documentOf, makeShard, SHARD_KEY } from "./hand-made.js";

const ORDER = [2, 0, 3, 1];

const kinds: readonly [how: Misbehaviour, isRead: boolean][] = [
  // Without Range support the whole shard comes, and what is wanted of it is cut out.
  ["ignore-range", true],
  ["refuse-suffix", true],
  ["hide-content-range", false],
  ["suffix-as-prefix", false],
  ["wrong-content-range", false],
  ["wrong-range", false],
  ["half", false],
  [{ status: 501 }, false],
  [{ status: 416 }, false],
];

test.each(
  kinds.flatMap(([how, isRead]) =>
    (["start", "end"] as const).map((location) => ({ how, isRead, location })),
  ),
)("$how, index at the $location", async ({ how, isRead, location }) => {
  const values = new Map([
    ["/zarr.json", documentOf(location)],
    [SHARD_KEY, makeShard(location, [1, 2, 3, 4], ORDER)],
  ]);
  const server = await serve(values);
  onTestFinished(() => server.close());
  const array = await open(new HttpStore(server.url, { retry: { baseDelay: 1 } }), { kind: "array" });
  server.misbehaviour = how;
  server.misbehavingKeys = /^\/c/;
  const selections = [
    [slice(0, 4), slice(4, 8)],
    [slice(3, 5), slice(3, 5)],
  ];
  const expected = [new Array(16).fill(2), [1, 2, 3, 4]];
  for (const [i, selection] of selections.entries()) {
    const [outcome] = await Promise.allSettled([get(array, selection)]);
    if (outcome?.status === "fulfilled") {
      expect([...Object(outcome.value).data]).toEqual(expected[i]);
    } else {
      expect(isRead).toBe(false);
      if (!isZarrError(outcome?.reason, "StoreError", "CodecError")) throw outcome?.reason;
      expect(outcome.reason.key).toBe(SHARD_KEY);
    }
  }
  // It behaves again: nothing wrong was kept.
  server.misbehaviour = undefined;
  for (const [i, selection] of selections.entries()) {
    expect([...Object(await get(array, selection)).data]).toEqual(expected[i]);
  }
});

test("whole shards come from servers that ignore ranges in one request, not once for each part", async () => {
  const values = new Map<string, Uint8Array>();
  const shape = [12 << 20];
  await set(
    await create(values, { shape, dtype: "uint8", chunkShape: [1 << 20], shards: shape, codecs: ["crc32c"] }),
    null,
    7,
  );
  const server = await serve(values);
  onTestFinished(() => server.close());
  const array = await open.v3(new HttpStore(server.url), { kind: "array" });
  const requests = async (selection: [ReturnType<typeof slice>]): Promise<(string | undefined)[]> => {
    server.requests.splice(0);
    const { data } = await get(array, selection);
    expect(data instanceof Uint8Array && data.every((value) => value === 7)).toBe(true);
    return server.requests.map(({ range }) => range);
  };
  const everything = () => requests([slice(null)]);
  server.misbehaviour = "ignore-range";
  // The index; what came was the whole shard.
  expect(await everything()).toEqual([expect.stringMatching(/^bytes=-\d+$/), undefined]);
  expect(await everything()).toEqual([undefined]);
  server.misbehaviour = undefined;
  expect(await requests([slice(2)])).toEqual(["bytes=0-1048579"]);
  expect(await everything()).toEqual(["bytes=0-4194319", "bytes=4194320-8388639", "bytes=8388640-12582959"]);
});
