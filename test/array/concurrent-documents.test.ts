/** Writers that change the same documents at the same time: one after the other would give the same. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import {
  consolidateMetadata,
  create,
  open,
  root,
  updateAttributes,
  type WritableStore,
  withConsolidatedMetadata,
} from "../../src/index.js";
import { SlowStore } from "../setup/stores.js";

const scratch = mkdtempSync(join(tmpdir(), "wazarr-documents-"));
afterAll(() => rmSync(scratch, { recursive: true }));
let count = 0;

/** It cannot be listed, so it has no consolidated metadata. */
const SLOW = "a store that answers later";

const stores: readonly (readonly [name: string, make: () => WritableStore])[] = [
  ["memory", () => new Map<string, Uint8Array>()],
  [SLOW, () => new SlowStore()],
  ["files with locks", () => new FileSystemStore(join(scratch, String(count++)), { locks: true })],
];

describe.each(stores)("%s", (_, make) => {
  test.each([2, 3, "draft"] as const)(
    "one of two that create a node gets an error: format %s",
    async (zarrFormat) => {
      const store = make();
      const results = await Promise.allSettled([
        create(store, { zarrFormat, shape: [4], dtype: "int32", chunkShape: [4] }),
        create(store, { zarrFormat, shape: [8], dtype: "float64", chunkShape: [2] }),
      ]);
      expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      for (const result of results) {
        if (result.status === "rejected") expect(result.reason).toMatchObject({ tag: "AlreadyExistsError" });
        else expect((await open(store, { kind: "array" })).shape).toEqual(result.value.shape);
      }
    },
  );

  test.each([2, 3] as const)(
    "a group and nodes below it are created at once: format %s",
    async (zarrFormat) => {
      const store = make();
      const at = root(store);
      const attributes = { title: "kept" };
      const results = await Promise.allSettled([
        create(at.resolve("g/a"), { zarrFormat, shape: [4], dtype: "int8" }),
        create(at.resolve("g"), { zarrFormat, attributes }),
        create(at.resolve("g/b"), { zarrFormat, shape: [4], dtype: "int8" }),
      ]);
      // Whoever comes first creates the group: then it has the attributes, or its creator knows that it has
      // not.
      const group = await open(at.resolve("g"), { kind: "group" });
      expect(group.attrs).toEqual(results[1].status === "fulfilled" ? attributes : {});
      for (const name of ["a", "b"])
        expect((await open(at.resolve(`g/${name}`), { kind: "array" })).shape).toEqual([4]);
    },
  );
});

describe.each(stores.filter(([name]) => name !== SLOW))("%s", (_, make) => {
  test.each([2, 3] as const)(
    "attributes that change during a consolidation stay: format %s",
    async (zarrFormat) => {
      const store = make();
      const group = await create(store, { zarrFormat });
      for (const name of ["a", "b", "c"])
        await create(group.resolve(name), { zarrFormat, shape: [2], dtype: "uint8" });
      await Promise.all([
        consolidateMetadata(store),
        updateAttributes(group, { important: 1 }),
        consolidateMetadata(store),
      ]);
      expect((await open(store, { kind: "group" })).attrs).toEqual({ important: 1 });
      const consolidated = await withConsolidatedMetadata(store);
      expect(consolidated.contents()).toHaveLength(4);
      expect((await open(consolidated, { kind: "group" })).attrs).toEqual({ important: 1 });
    },
  );
});

test("overwriting under locks leaves no locks", async () => {
  const store = new FileSystemStore(join(scratch, String(count++)), { locks: true });
  for (const overwrite of [false, true, true])
    await create(root(store).resolve("a/b"), { shape: [2], dtype: "uint8", overwrite });
  expect(readdirSync(join(store.root, "a", "b"))).toEqual(["zarr.json"]);
});
