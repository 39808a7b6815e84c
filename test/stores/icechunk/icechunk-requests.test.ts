/**
 * How many requests a picture of an Icechunk repository takes. icechunk-js, whose way is the measure, takes
 * "repo", snapshot, manifest and chunk; in format 1 "repo", whether there is a branch, its file, snapshot,
 * manifest and chunk; and a manifest for each chunk where several are read at the same time. The counts of
 * both are in docs/stores-icechunk.md.
 */
import { describe, expect, test } from "vitest";
import { get, open, root, slice } from "../../../src/index.js";
import { IcechunkStore } from "../../../src/stores/icechunk/icechunk.js";
import { CASES, filesOf } from "../../setup/icechunk-fixtures.js";
import { RangeStore, readOnly } from "../../setup/stores.js";

/** The folder of each requested file, and "repo". */
const kindsOf = (requests: readonly string[]): string[] =>
  requests.map((key) => key.split("/")[1]?.split(" ")[0] ?? "");
const manifestsIn = (requests: readonly string[]): string[] =>
  requests.filter((key) => key.startsWith("/manifests/"));

describe("a first tile", () => {
  test.each([
    ["history 2", ["repo", "snapshots", "manifests", "chunks"]],
    ["history 1", ["repo", "refs", "snapshots", "manifests", "chunks"]],
    ["split 2", ["repo", "snapshots", "manifests", "chunks"]],
  ] as const)("of %s", async (name, expected) => {
    const store = new RangeStore(filesOf(name));
    const array = await open(root(await IcechunkStore.open(readOnly(store))).resolve("a"), { kind: "array" });
    await get(array, [slice(0, 1), "..."]);
    expect(kindsOf(store.requests)).toEqual(expected);
  });

  test("of four chunks that are read at the same time takes their manifest once", async () => {
    const store = new RangeStore(filesOf("split 2"));
    const array = await open(root(await IcechunkStore.open(readOnly(store))).resolve("a"), { kind: "array" });
    await get(array, [slice(0, 4), "..."]);
    expect(kindsOf(store.requests)).toEqual([
      "repo",
      "snapshots",
      "manifests",
      ...Array<string>(4).fill("chunks"),
    ]);
  });
});

test.each(["history 1", "history 2", "moved 2"] as const)(
  "of %s, no transaction log is asked for",
  async (name) => {
    const store = new RangeStore(filesOf(name));
    const repository = await IcechunkStore.open(store);
    for await (const { snapshot } of repository.history())
      for (const key of await (await IcechunkStore.open(store, { snapshot })).list())
        await repository.get(key);
    const known = ["repo", "refs", "snapshots", "manifests", "chunks", "config.yaml"];
    expect(kindsOf(store.requests).filter((kind) => !known.includes(kind))).toEqual([]);
    expect(kindsOf(store.requests)).toContain("chunks");
  },
);

describe("split manifests", () => {
  const opened = async () => {
    const store = new RangeStore(filesOf("split 2"));
    const array = await open(root(await IcechunkStore.open(readOnly(store))).resolve("a"), { kind: "array" });
    return { store, array };
  };

  test("are read as needed, each once, and give what zarr-python reads", async () => {
    const { store, array } = await opened();
    const { shape, data } = await get(array);
    expect({ shape, data: Array.from(data, Number) }).toEqual(CASES["split 2"].expected.a);
    const manifests = manifestsIn(store.requests);
    expect(manifests).toHaveLength(10);
    expect(new Set(manifests).size).toBe(10);
  });

  test("two pictures far apart take two", async () => {
    const { store, array } = await opened();
    for (const at of [0, 30, 1, 31]) await get(array, [slice(at, at + 1), "..."]);
    expect(manifestsIn(store.requests)).toHaveLength(2);
  });

  test("that are read one after the other are asked for ahead, one at a time", async () => {
    const { store, array } = await opened();
    const counts: number[] = [];
    for (let i = 0; i < 40; i++) {
      await get(array, [slice(i, i + 1), "..."]);
      if (i % 4 === 0) counts.push(manifestsIn(store.requests).length);
    }
    // Three pictures come without a request more; then the next manifest is on its way before it is needed.
    expect(counts).toEqual([1, 2, 3, 5, 6, 7, 8, 9, 10, 10]);
    expect(new Set(manifestsIn(store.requests)).size).toBe(10);
  });

  test("one that was asked for ahead and failed is asked for again", async () => {
    const files = filesOf("split 2");
    const store = new RangeStore(files);
    const array = await open(root(await IcechunkStore.open(readOnly(store))).resolve("a"), { kind: "array" });
    for (const at of [0, 4, 8]) await get(array, [slice(at, at + 1), "..."]);
    const missing = new Map(files);
    const before = new Set(manifestsIn(store.requests));
    for (const key of missing.keys())
      if (key.startsWith("/manifests/") && !before.has(key)) files.delete(key);
    await expect(get(array, [slice(12, 13), "..."])).rejects.toThrow(/no manifest/);
    for (const [key, bytes] of missing) files.set(key, bytes);
    for (const at of [12, 16, 20])
      expect((await get(array, [slice(at, at + 1), "..."])).data).toEqual(
        Int32Array.from({ length: 4 }, (_, i) => 4 * at + i),
      );
  });
});
