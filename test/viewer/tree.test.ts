/** The tree of the viewer while a server answers slowly. */
import { expect, test } from "vitest";
import { create, MemoryStore, root, type Store } from "../../src/index.js";
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
    await viewer.page.locator('#tree button[data-path="/late/array"]').waitFor({ timeout: 10_000 });
    expect(await viewer.page.locator("#tree button").count()).toBe(4);
  } finally {
    await viewer.close();
  }
});
