/**
 * Branches, tags, commits and moments of Icechunk, and nodes that moved, as icechunk itself tells of them.
 */
import { describe, expect, test } from "vitest";
import { get, open, root } from "../../../src/index.js";
import { IcechunkStore } from "../../../src/stores/icechunk/icechunk.js";
import { CASES, filesOf } from "../../setup/icechunk-fixtures.js";
import { RangeStore, readOnly } from "../../setup/stores.js";

type Elements = Record<string, { shape: number[]; data: number[] }>;

async function expectElements(store: IcechunkStore, expected: Elements): Promise<void> {
  for (const [path, { shape, data }] of Object.entries(expected)) {
    const chunk = await get(await open(root(store).resolve(path), { kind: "array" }));
    expect([path, chunk.shape, Array.from(chunk.data, Number)]).toEqual([path, shape, data]);
  }
  const paths = store.contents().filter(({ kind }) => kind === "array");
  expect(paths.map(({ path }) => path.slice(1)).sort()).toEqual(Object.keys(expected).sort());
}

describe.each([1, 2] as const)("format %i", (version) => {
  const told = CASES[`history ${version}`];
  const files = filesOf(`history ${version}`);

  test("branches and tags", async () => {
    const store = await IcechunkStore.open(files);
    expect(Object.fromEntries(await store.branches())).toEqual(told.branches);
    expect(Object.fromEntries(await store.tags())).toEqual(told.tags);
    expect((await IcechunkStore.open(files, { tag: "v2" })).snapshot).toBe(told.tags.v2);
    await expect(IcechunkStore.open(files, { tag: "gone" })).rejects.toMatchObject({ tag: "NotFoundError" });
  });

  test("history, newest first", async () => {
    const store = await IcechunkStore.open(files);
    const commits = [];
    for await (const { snapshot, parent, message, time } of store.history())
      commits.push({ snapshot, parent: parent ?? null, message, time: time.getTime() });
    // icechunk's times have microseconds.
    expect(commits).toEqual(
      told.history.map(({ time, ...each }) => ({ ...each, time: new Date(time).getTime() })),
    );
    expect(commits.length).toBeGreaterThan(4);
  });

  test("a snapshot as of a moment", async () => {
    let opened = 0;
    for (const [i, expected] of told.as_of.entries()) {
      if (expected === null) continue;
      const asOf = new Date(told.moments[i] ?? 0);
      const store = await IcechunkStore.open(files, { asOf });
      expect(store.snapshot).toBe(expected);
      expect((await get(await open(root(store).resolve("a"), { kind: "array" }))).data).toEqual(
        Int32Array.from({ length: 8 }, () => i),
      );
      opened++;
    }
    expect(opened).toBeGreaterThan(3);
    const [newest] = told.history;
    const exactly = new Date(newest?.time ?? 0);
    expect((await IcechunkStore.open(files, { asOf: exactly })).snapshot).toBe(newest?.snapshot);
    expect((await IcechunkStore.open(files, { asOf: exactly, tag: "v2" })).snapshot).toBe(told.tags.v2);
    const before = await IcechunkStore.open(files, { asOf: new Date(exactly.getTime() - 1) });
    expect(before.snapshot).toBe(told.history[1]?.snapshot);
    await expect(IcechunkStore.open(files, { asOf: new Date(0) })).rejects.toThrow(
      /no snapshot of branch "main" at or before 1970-01-01T00:00:00.000Z; its first is of 2/,
    );
    for (const asOf of [new Date("never"), "2026-01-01", 0, null])
      await expect(Reflect.apply(IcechunkStore.open, IcechunkStore, [files, { asOf }])).rejects.toMatchObject(
        {
          tag: "InvalidArgumentError",
        },
      );
  });

  test("what is asked for, and no more", async () => {
    const counting = new RangeStore(files);
    const store = await IcechunkStore.open(readOnly(counting), { asOf: new Date() });
    // Format 2 has everything in one file; format 1 has no file "repo", and one for the branch. The newest
    // snapshot is read for its commit and for its nodes.
    expect(counting.requests).toHaveLength(version === 2 ? 2 : 4);
    counting.reset();
    for await (const commit of store.history()) if (commit.message === "commit 4") break;
    expect(counting.requests).toHaveLength(version === 2 ? 1 : 3);
  });
});

test("branches of format 1 need a listing", async () => {
  const store = await IcechunkStore.open(readOnly(new RangeStore(filesOf("history 1"))));
  await expect(store.branches()).rejects.toThrow(/cannot be listed; open a branch by its name/);
  const newer = await IcechunkStore.open(readOnly(new RangeStore(filesOf("history 2"))));
  expect([...(await newer.branches()).keys()].sort()).toEqual(["main", "side"]);
});

test.each([1, 2] as const)(
  "snapshots of format %i that expired are in no history, and are still read",
  async (version) => {
    const { commits, expired, history } = CASES[`history ${version}`];
    expect(expired).toEqual(commits.slice(0, 2).sort());
    expect(history.some(({ snapshot }) => expired.includes(snapshot))).toBe(false);
    const files = filesOf(`history ${version}`);
    for (const [i, snapshot] of commits.slice(0, 2).entries()) {
      const store = await IcechunkStore.open(files, { snapshot });
      const { data } = await get(await open(root(store).resolve("a"), { kind: "array" }));
      expect(data).toEqual(Int32Array.from({ length: 8 }, () => i));
      // A snapshot of format 1 says itself what it follows.
      if (version === 2) await expect(store.history().next()).rejects.toThrow(/it may have expired/);
      else expect((await store.history().next()).value).toMatchObject({ snapshot, message: `commit ${i}` });
    }
  },
);

test("a history that goes in a circle", async () => {
  const files = filesOf("history 1");
  const first = CASES["history 1"].history[2]?.snapshot;
  const last = files.get(`/snapshots/${CASES["history 1"].branches.main}`);
  if (last === undefined || first === undefined) throw new Error("no snapshot");
  // The branch's snapshot in place of one of its ancestors.
  files.set(`/snapshots/${first}`, last);
  const store = await IcechunkStore.open(files);
  await expect(
    (async () => {
      for await (const _ of store.history());
    })(),
  ).rejects.toThrow(/its own ancestor/);
});

test("nodes that were moved and renamed, before and after", async () => {
  const { before, expected_before, after } = CASES["moved 2"];
  const files = filesOf("moved 2");
  await expectElements(await IcechunkStore.open(files, { snapshot: before }), expected_before);
  const store = await IcechunkStore.open(files);
  await expectElements(store, after);
  expect(Object.keys(after).sort()).toEqual(["kept", "new/deep/b", "renamed"]);
  expect(await store.has("/old/a/c/0")).toBe(false);
});
