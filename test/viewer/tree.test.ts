/** The tree of the viewer while a server answers slowly. */
import { expect, test } from "vitest";
import { consolidateMetadata, create, MemoryStore, root, type Store, set } from "../../src/index.js";
import { openViewer, options } from "./viewer-page.js";

test.skipIf(options === undefined)("a click while the tree is filled does not end it", async () => {
  const values = new MemoryStore();
  await create(values);
  await create(root(values).resolve("early"), { shape: [4, 4], chunkShape: [4, 4], dtype: "uint8" });
  await create(root(values).resolve("late"));
  await create(root(values).resolve("late/array"), { shape: [4], chunkShape: [4], dtype: "uint8" });
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow: Store = {
    async get(key) {
      if (key.startsWith("/late/array/")) await gate;
      return values.get(key);
    },
    list: () => values.list(),
    listPrefix: (prefix) => values.listPrefix(prefix),
    listDir: (prefix) => values.listDir(prefix),
  };
  const viewer = await openViewer(slow);
  try {
    await viewer.show("#url=/data/&path=/early");
    await viewer.page.locator('#tree button[data-path="/late"]').waitFor();
    await viewer.page.locator('#tree button[data-path="/early"]').click();
    release();
    await viewer.page.locator('#tree button[data-path="/late/array"]').waitFor({ timeout: 30_000 });
    expect(await viewer.page.locator("#tree button").count()).toBe(4);
  } finally {
    await viewer.close();
  }
});

test.skipIf(options === undefined).each([3, 2] as const)(
  "a group of v%i opens on its first picture, without a 404",
  async (zarrFormat) => {
    const values = new MemoryStore();
    const at = (path: string) => root(values).resolve(path);
    const square = { zarrFormat, shape: [4, 4], chunkShape: [4, 4], dtype: "uint8" } as const;
    const dimensionNames = ["y", "x"];
    await create(values, { zarrFormat });
    await create(at("a"), { zarrFormat, shape: [4], dtype: "uint8", dimensionNames: ["x"] });
    await create(at("b"), { zarrFormat });
    await set(await create(at("b/c"), { ...square, dimensionNames }), null, 7);
    if (zarrFormat === 2) await consolidateMetadata(values);
    const viewer = await openViewer(values);
    try {
      const missing: string[] = [];
      viewer.page.on("response", (response) => {
        if (response.status() === 404) missing.push(new URL(response.url()).pathname);
      });
      await viewer.show("#url=/data/");
      await viewer.page.locator('#tree button[data-path="/b/c"][aria-current="true"]').waitFor();
      expect(await viewer.page.locator("#canvas").isVisible()).toBe(true);
      expect(missing).toEqual([]);
    } finally {
      await viewer.close();
    }
  },
);

test.skipIf(options === undefined)(
  "a link with the format: one request for documents, and no 404",
  async () => {
    const values = new MemoryStore();
    await create(values);
    const layout = { shape: [4, 4], chunkShape: [4, 4], dtype: "uint8", fillValue: 1 } as const;
    const array = await create(root(values).resolve("a"), layout);
    await set(array, null, 7);
    await consolidateMetadata(values);
    const viewer = await openViewer(values);
    try {
      const asked: string[] = [];
      const missing: string[] = [];
      viewer.page.on("response", (response) => {
        const { pathname } = new URL(response.url());
        if (pathname.startsWith("/data/")) asked.push(pathname);
        if (response.status() === 404) missing.push(pathname);
      });
      await viewer.show("#url=/data/&path=/a&format=v3");
      expect(new Set(asked)).toEqual(new Set(["/data/zarr.json", "/data/a/c/0/0"]));
      expect(missing).toEqual([]);
    } finally {
      await viewer.close();
    }
  },
);
