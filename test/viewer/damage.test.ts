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

/** How many pixels of a square around the middle of a canvas are not transparent. To be run in the page. */
function inkInMiddle(canvas: Element): number {
  if (!(canvas instanceof HTMLCanvasElement)) throw new Error("no canvas");
  const image = canvas.getContext("2d")?.getImageData(canvas.width / 2 - 30, canvas.height / 2 - 30, 60, 60);
  return image?.data.filter((value, i) => i % 4 === 3 && value > 0).length ?? 0;
}

test.skipIf(options === undefined)(
  "a step of one chunk, which is damaged, as plane, map and globe",
  async () => {
    const store = new MemoryStore();
    const shape = [2, 18, 36];
    const layout = { shape, chunkShape: [1, 18, 36], dtype: "float32", codecs: ["gzip"] } as const;
    await create(store);
    const names = ["time", "lat", "lon"];
    await set(await create(root(store).resolve("t"), { ...layout, dimensionNames: names }), null, 3);
    for (const [name, length, units] of [
      ["lat", 18, "degrees_north"],
      ["lon", 36, "degrees_east"],
    ] as const) {
      const attributes = { units };
      const degrees = { shape: [length], dtype: "float64", dimensionNames: [name], attributes } as const;
      const data = Float64Array.from({ length }, (_, i) => 10 * i - 5 * length + 5);
      await set(await create(root(store).resolve(name), degrees), null, { data, shape: [length] });
    }
    const whole = (await store.get("/t/c/1/0/0")) ?? new Uint8Array();
    await store.set("/t/c/1/0/0", whole.subarray(0, whole.length >> 1));
    const viewer = await openViewer(store);
    const { page } = viewer;
    try {
      for (const [stage, marks] of [
        ["plane", "#axes"],
        ["map", "#map-stage canvas.over"],
        ["globe", "#map-stage canvas.over"],
      ] as const) {
        await viewer.show(`#url=/data/&path=/t&stage=${stage}`);
        const holes = page.locator(marks);
        expect(Number(await holes.getAttribute("data-holes"))).toBe(0);
        await page.locator("#dimension-time").press("ArrowRight");
        await expect.poll(async () => Number(await holes.getAttribute("data-holes"))).toBeGreaterThan(0);
        // Something is drawn in the middle.
        await expect.poll(() => holes.evaluate(inkInMiddle)).toBeGreaterThan(100);
        // The chunk is of several tiles of a map, and is told once.
        expect(await page.locator("#problems p").count()).toBe(1);
      }
    } finally {
      await viewer.close();
    }
  },
);

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
