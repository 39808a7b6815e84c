/** Damaged chunks and documents: what is around them is shown, and they are marked. */
import { expect, test } from "vitest";
import { create, MemoryStore, root, set } from "../../src/index.js";
import { openViewer, options } from "./viewer-page.js";

test.skipIf(options === undefined)("one damaged chunk of four, and one truncated document", async () => {
  const store = new MemoryStore();
  const layout = { shape: [200, 200], chunkShape: [100, 100], dtype: "float32", codecs: ["gzip"] } as const;
  await create(store);
  for (const name of ["a", "b"]) await set(await create(root(store).resolve(name), layout), null, 3);
  for (const key of ["/a/c/1/1", "/b/zarr.json"] as const) {
    const whole = (await store.get(key)) ?? new Uint8Array();
    await store.set(key, whole.subarray(0, whole.length >> 1));
  }
  const viewer = await openViewer(store);
  const { page } = viewer;
  try {
    await viewer.show("#url=/data/");
    await page.locator('#tree button[data-path="/a"][aria-current="true"]').waitFor();
    await page.locator('#tree li[data-path="/b"]', { hasText: "unreadable" }).waitFor();
    expect(await page.locator("#axes").getAttribute("data-holes")).toBe("1");
    expect(await page.locator("#problems p").first().textContent()).toContain("/a/c/1/1");
    await page.locator("#canvas").hover({ position: { x: 500, y: 250 } });
    await page.locator("#readout", { hasText: ": 3" }).waitFor({ timeout: 30_000 });
  } finally {
    await viewer.close();
  }
});

test.skipIf(options === undefined)("a folder of stores is listed", async () => {
  const store = new MemoryStore();
  await create(root(store).resolve("one.zarr"), { shape: [4], dtype: "uint8" });
  store.delete("/zarr.json");
  const viewer = await openViewer(store);
  try {
    await viewer.show("#url=/data/");
    await viewer.page.locator('#tree button[data-path="/one.zarr"]').waitFor({ timeout: 30_000 });
    expect(await viewer.page.locator("#words").innerText()).toContain("choose one");
  } finally {
    await viewer.close();
  }
});
