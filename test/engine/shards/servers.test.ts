/** Shards behind HTTP servers that do not do what ranges ask for: right elements or a typed error, never wrong ones. */
import { expect, onTestFinished, test } from "vitest";
import { get, HttpStore, isZarrError, open, slice } from "../../../src/index.js";
import { type Misbehaviour, serve } from "../../stores/server.js";
import { documentOf, makeShard, SHARD_KEY } from "./hand-made.js";

const ORDER = [2, 0, 3, 1];

const kinds: readonly [how: Misbehaviour, isRead: boolean][] = [
  // Without Range support the whole shard comes, and what is wanted of it is cut out.
  ["ignore-range", true],
  ["refuse-suffix", true],
  ["hide-content-range", true],
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
  const array = await open(new HttpStore(server.url), { kind: "array" });
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
