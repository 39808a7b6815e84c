/** The small pictures in the tree of the viewer. */
import type { Route } from "playwright";
import { expect, test } from "vitest";
import { create, MemoryStore, root, set } from "../../src/index.js";
import { openViewer, options } from "./viewer-page.js";

const [FIRST, LAST] = ["68,1,84,255", "253,231,37,255"];

async function makeStore(): Promise<MemoryStore> {
  const store = new MemoryStore();
  const at = (path: string) => root(store).resolve(path);
  const square = {
    shape: [4, 4],
    chunkShape: [4, 4],
    dtype: "int16",
    dimensionNames: ["lat", "lon"],
  } as const;
  await create(store);
  await create(at("other"));
  await set(await create(at("other/z"), square), null, 1);
  // Its last row is the most northern one.
  const ascending = { data: Float32Array.of(10, 20, 30, 40), shape: [4] };
  await set(
    await create(at("lat"), { shape: [4], dtype: "float32", dimensionNames: ["lat"] }),
    null,
    ascending,
  );
  const rows = { data: Int16Array.from({ length: 16 }, (_, i) => (i < 8 ? 5 : 7)), shape: [4, 4] };
  await set(await create(at("a"), square), null, rows);
  const attributes = { _FillValue: -1 };
  const b = await create(at("b"), {
    ...square,
    shape: [3, 4, 4],
    chunkShape: [1, 4, 4],
    attributes,
    dimensionNames: ["time", "y", "x"],
  });
  await set(b, [0, "..."], rows);
  await set(b, [0, 0, null], -1);
  const photo = {
    shape: [4, 4, 3],
    chunkShape: [4, 4, 3],
    dtype: "uint8",
    dimensionNames: ["y", "x", "rgb"],
  } as const;
  const colours = {
    data: Uint8Array.from({ length: 48 }, (_, i) => [200, 100, 50][i % 3] ?? 0),
    shape: [4, 4, 3],
  };
  await set(await create(at("c"), photo), null, colours);
  await set(await create(at("large"), { ...square, shape: [12, 12] }), null, 3);
  await set(await create(at("late"), square), null, 3);
  return store;
}

test.skipIf(options === undefined)("small pictures of all variables that are small", async () => {
  const viewer = await openViewer(await makeStore(), { width: 1000, height: 1400 });
  const { page } = viewer;
  try {
    const held = new Map<string, Route>();
    for (const name of ["c", "late"])
      await page.route(`**/data/${name}/c/**`, (route) => void held.set(name, route));
    const asked: string[] = [];
    const missing: string[] = [];
    const stopped: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    page.on("requestfailed", (request) => stopped.push(new URL(request.url()).pathname));
    page.on("response", (response) => {
      if (response.status() === 404) missing.push(response.url());
    });
    /** Red, green, blue and alpha in the middle of the first and of the last row. */
    const pixels = (name: string) =>
      page.locator(`#tree button[data-path="/${name}"] canvas`).evaluate((canvas) => {
        if (!(canvas instanceof HTMLCanvasElement) || canvas.width === 0) return [];
        const rows = [0, canvas.height - 1];
        return rows.map((row) =>
          String(canvas.getContext("2d")?.getImageData(canvas.width / 2, row, 1, 1).data),
        );
      });
    await page.goto(`${viewer.url}/#url=/data/&path=/c`);
    await page.locator('#tree button[data-path="/late"] canvas').waitFor({ timeout: 30_000 });
    await expect.poll(() => held.has("c")).toBe(true);
    await page.waitForTimeout(200);
    const isOfOther = (path: string): boolean => /^\/data\/(?:a|b|late|large)\/c\//.test(path);
    expect(asked.filter(isOfOther)).toEqual([]);
    await held.get("c")?.continue();

    await expect.poll(() => held.has("late")).toBe(true);
    expect(await pixels("a")).toEqual([LAST, FIRST]);
    expect(await pixels("b")).toEqual(["0,0,0,0", LAST]);
    expect(await pixels("c")).toEqual(["200,100,50,255", "200,100,50,255"]);
    expect(await page.locator("#tree canvas").count()).toBe(5);
    expect(asked.filter(isOfOther)).toEqual(["/data/a/c/0/0", "/data/b/c/0/0/0", "/data/late/c/0/0"]);

    await page.evaluate(() => {
      location.hash = "#url=/data/other";
    });
    await expect.poll(() => stopped).toEqual(["/data/late/c/0/0"]);
    await expect.poll(() => pixels("z")).toHaveLength(2);
    expect(missing).toEqual([]);
  } finally {
    await viewer.close();
  }
});
