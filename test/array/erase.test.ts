/** Removal that is interrupted after any number of its steps, and what is created in its place. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { keysBelow, listDir } from "../../src/core/stores/capabilities.js";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import {
  create,
  deleteNode,
  get,
  type Location,
  open,
  root,
  set,
  type WritableStore,
} from "../../src/index.js";
import { copyNode } from "../../src/main/copy.js";

type MapStore = Map<string, Uint8Array>;

const OPTIONS = { shape: [6, 2], dtype: "int8", chunkShape: [1, 2] } as const;
const FORMATS = [2, 3, "draft"] as const;

/** A store whose process is killed after some deletions. */
function dying(map: MapStore, deletions: number): WritableStore {
  let left = deletions;
  return {
    get: (key) => map.get(key),
    set: (key, value) => map.set(key, value),
    delete(key) {
      if (left-- <= 0) throw new Error("killed");
      map.delete(key);
    },
    list: () => keysBelow(map.keys(), "/"),
    listPrefix: (prefix) => keysBelow(map.keys(), prefix),
    listDir: (prefix) => listDir(map, prefix),
  };
}

async function nines(at: Location<MapStore>, zarrFormat: (typeof FORMATS)[number]): Promise<void> {
  await set(await create(at, { ...OPTIONS, zarrFormat, attributes: { old: true } }), null, 9);
}

/** The elements and attributes of the array, undefined if there is none. */
async function found(map: MapStore, path: string): Promise<string | undefined> {
  const array = await open(root(map).resolve(path), { kind: "array" }).catch(() => undefined);
  if (array === undefined) return undefined;
  const { data } = await get(array);
  return `${[...new Set(Array.from(data, String))].join()} ${JSON.stringify(array.attrs)}`;
}

const OLD = '9 {"old":true}';
const NEW = "0 {}";

/**
 * Calls `remove` with stores that die after 0, 1, 2, ... deletions, until it ends.
 * @param after looks at what is left
 */
async function afterEachStep(
  make: () => Promise<MapStore>,
  remove: (store: WritableStore) => Promise<unknown>,
  after: (map: MapStore) => Promise<void>,
): Promise<number> {
  for (let deletions = 0; ; deletions++) {
    expect(deletions).toBeLessThan(100);
    const map = await make();
    const isKilled = await remove(dying(map, deletions)).then(
      () => false,
      () => true,
    );
    await after(map);
    if (!isKilled) return deletions;
  }
}

describe.each(FORMATS)("an array of format %s", (zarrFormat) => {
  const make = async (): Promise<MapStore> => {
    const map: MapStore = new Map();
    await nines(root(map).resolve("g/a"), zarrFormat);
    return map;
  };
  const options = { ...OPTIONS, zarrFormat };
  const source: MapStore = new Map();

  test.each([
    ["create with overwrite", (at: Location<WritableStore>) => create(at, { ...options, overwrite: true })],
    ["copyNode with overwrite", (at: Location<WritableStore>) => copyNode(source, at, { overwrite: true })],
    ["deleteNode", (at: Location<WritableStore>) => deleteNode(at)],
  ])("%s reads as before, as nothing or as after, and no old element comes back", async (name, remove) => {
    if (source.size === 0) await create(source, options);
    const steps = await afterEachStep(
      make,
      (store) => remove(root(store).resolve("g/a")),
      async (map) => {
        const left = await found(map, "g/a");
        expect([OLD, undefined, ...(name === "deleteNode" ? [] : [NEW])]).toContain(left);
        const again = root(map).resolve("g/a");
        // Without overwrite, too, if nothing is there.
        if (left === undefined) {
          const copy = new Map(map);
          await create(root(copy).resolve("g/a"), options);
          expect(await found(copy, "g/a")).toBe(NEW);
        }
        if (name === "copyNode with overwrite") await copyNode(source, again, { overwrite: true });
        else await create(again, { ...options, overwrite: true });
        expect(await found(map, "g/a")).toBe(NEW);
      },
    );
    expect(steps).toBeGreaterThan(6);
  });
});

test.each([2, 3] as const)(
  "a group of format %s is nothing before its arrays lose chunks",
  async (zarrFormat) => {
    const make = async (): Promise<MapStore> => {
      const map: MapStore = new Map();
      // The inner array is listed first.
      await nines(root(map).resolve("g/a/b"), zarrFormat);
      map.set("/g/thesis.txt", Uint8Array.of(1));
      await nines(root(map).resolve("g/c"), zarrFormat);
      map.set("/g/.zmetadata", new TextEncoder().encode('{"zarr_consolidated_format":1,"metadata":{}}'));
      return map;
    };
    const steps = await afterEachStep(
      make,
      (store) => deleteNode(root(store).resolve("g")),
      async (map) => {
        const isThere = [...map.keys()].some((key) => /^\/g\/(zarr\.json|\.zgroup)$/.test(key));
        if (isThere)
          expect(await Promise.all(["g/a/b", "g/c"].map((path) => found(map, path)))).toEqual([OLD, OLD]);
        if (!map.has("/g/.zmetadata")) return;
        expect(isThere).toBe(true);
        expect(await found(map, "g/c")).toBe(OLD);
      },
    );
    expect(steps).toBeGreaterThan(12);
    await afterEachStep(
      make,
      (store) => deleteNode(root(store).resolve("g")),
      async (map) => {
        for (const path of ["g/a/b", "g/c"]) expect([OLD, undefined]).toContain(await found(map, path));
        await create(root(map).resolve("g"), { zarrFormat, overwrite: true });
        expect([...map.keys()].filter((key) => /\/g\/.*(zarray|zarr\.json|zmetadata)/.test(key))).toEqual(
          zarrFormat === 3 ? ["/g/zarr.json"] : [],
        );
      },
    );
  },
);

test("overwriting a path without a node leaves what is not Zarr's", async () => {
  const map: MapStore = new Map([
    ["/d/thesis.txt", Uint8Array.of(1)],
    ["/d/photos/1", Uint8Array.of(1)],
  ]);
  await nines(root(map).resolve("d/x"), 3);
  map.delete("/d/zarr.json");
  await create(root(map).resolve("d"), { ...OPTIONS, overwrite: true });
  expect([...map.keys()].sort()).toEqual(["/d/photos/1", "/d/thesis.txt", "/d/zarr.json", "/zarr.json"]);
});

test("chunks of an array that another process creates meanwhile are no leftovers", async () => {
  const map: MapStore = new Map();
  let isFirst = true;
  const store: WritableStore = {
    ...dying(map, Number.POSITIVE_INFINITY),
    async listPrefix(prefix) {
      if (isFirst) {
        isFirst = false;
        await nines(root(map).resolve("a"), 3);
      }
      return keysBelow(map.keys(), prefix);
    },
  };
  await expect(create(root(store).resolve("a"), OPTIONS)).rejects.toMatchObject({
    tag: "AlreadyExistsError",
  });
  expect(await found(map, "a")).toBe(OLD);
});

test("a store that cannot remove what is below a node says so before anything is removed", async () => {
  const map: MapStore = new Map();
  await nines(root(map).resolve("a"), 3);
  const before = new Map(map);
  const { get: read, set: write, delete: remove } = dying(map, Number.POSITIVE_INFINITY);
  const stores: WritableStore[] = [
    { get: read, set: write },
    { get: read, set: write, ...(remove && { delete: remove }) },
  ];
  for (const store of stores) {
    const at = root(store).resolve("a");
    for (const call of [() => create(at, { ...OPTIONS, overwrite: true }), () => deleteNode(at)])
      await expect(call()).rejects.toMatchObject({ tag: "UnsupportedError", path: "/a" });
    expect(map).toEqual(before);
  }
});

/** The number of files; 0 for a folder that is gone by now. */
function filesIn(folder: string): number {
  try {
    return readdirSync(folder).length;
  } catch (error) {
    expect(error).toMatchObject({ code: "ENOENT" });
    return 0;
  }
}

test("a directory disappears at once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wazarr-erase-"));
  const store = new FileSystemStore(folder);
  for (let i = 0; i < 300; i++) await store.set(`/a/c/${i}`, Uint8Array.of(i));
  const seen = new Set<number>();
  let isDone = false;
  const removing = store.deletePrefix("/a/").then(() => {
    isDone = true;
  });
  while (!isDone) {
    seen.add(filesIn(join(folder, "a/c")));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await removing;
  expect([...seen].filter((count) => count !== 0 && count !== 300)).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});
