/** Files that the viewer saves. */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { create, MemoryStore, root, set } from "../../src/index.js";
import { openViewer, options, type ViewerPage } from "./viewer-page.js";

async function makeStore(): Promise<MemoryStore> {
  const store = new MemoryStore();
  await create(store);
  const at = (name: string) => root(store).resolve(name);
  const plane = await create(at("plane"), {
    shape: [2, 2, 3],
    chunkShape: [2, 2, 3],
    dtype: "float32",
    dimensionNames: ["t", "y", "x"],
  });
  const data = Float32Array.of(0, 0, 0, 0, 0, 0, 1.5, -2, Number.NaN, 4, 5, 1e30);
  await set(plane, null, { data, shape: [2, 2, 3] });
  const names = await create(at("names"), {
    shape: [2],
    chunkShape: [2],
    dtype: "string",
    dimensionNames: ["id"],
  });
  await set(names, null, { data: ['a, "b"', "c"], shape: [2] });
  const line = await create(at("line"), {
    shape: [3],
    chunkShape: [3],
    dtype: "int64",
    dimensionNames: ["x"],
  });
  await set(line, null, { data: BigInt64Array.of(1n, 2n ** 60n + 1n, 3n), shape: [3] });
  const count = 1001;
  await create(at("series"), { shape: [count], chunkShape: [count], dtype: "uint8", dimensionNames: ["x"] });
  const photo = await create(at("photo"), {
    shape: [1, 2, 3],
    chunkShape: [1, 2, 3],
    dtype: "uint8",
    dimensionNames: ["y", "x", "rgb"],
  });
  await set(photo, null, { data: Uint8Array.of(1, 2, 3, 4, 5, 6), shape: [1, 2, 3] });
  await create(at("large"), { shape: [1001, 1000], chunkShape: [1001, 1000], dtype: "uint8" });
  return store;
}

describe.skipIf(options === undefined)("files", () => {
  let viewer: ViewerPage;
  beforeAll(async () => {
    viewer = await openViewer(await makeStore());
  });
  afterAll(() => viewer?.close());

  async function save(path: string, button: string) {
    await viewer.show(`#url=/data/&path=/${path}&at=t:1`);
    // Of pictures, all that leaves the page is behind one button.
    const isThere = await viewer.page.getByRole("button", { name: button }).isVisible();
    if (!isThere) await viewer.page.getByRole("button", { name: "Share" }).click();
    const [download] = await Promise.all([
      viewer.page.waitForEvent("download"),
      viewer.page.getByRole("button", { name: button }).click(),
    ]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  }

  test("the plane on the screen, with its coordinates; an empty cell where there is no value", async () => {
    const { name, bytes } = await save("plane", "Save CSV");
    expect(name).toBe("plane.csv");
    expect(bytes.toString()).toBe(`y \\ x,0,1,2\r\n0,1.5,-2,\r\n1,4,5,${Math.fround(1e30)}\r\n`);
  });

  test("tables, lines and colours", async () => {
    expect((await save("names", "Save CSV")).bytes.toString()).toBe('id,/names\r\n0,"a, ""b"""\r\n1,c\r\n');
    expect((await save("line", "Save CSV")).bytes.toString()).toBe(
      "x,/line\r\n0,1\r\n1,1152921504606846977\r\n2,3\r\n",
    );
    expect((await save("series", "Save CSV")).bytes.toString()).toMatch(
      /^x,.series\r\n0,0\r\n(?:.*\r\n)*1000,0\r\n$/,
    );
    expect((await save("photo", "Save CSV")).bytes.toString()).toBe(
      "y,x,red,green,blue\r\n0,0,1,2,3\r\n0,1,4,5,6\r\n",
    );
  });

  test("pictures are PNG files of the size of the screen, with a caption; charts are, too", async () => {
    const box = await viewer.page.locator("#picture").boundingBox();
    for (const path of ["plane", "line"]) {
      const { name, bytes } = await save(path, "Save PNG");
      expect(name).toBe(`${path}.png`);
      expect(bytes.subarray(1, 4).toString()).toBe("PNG");
      const width = bytes.readUInt32BE(16);
      if (path === "plane") expect(width).toBe(box?.width);
      if (path === "plane") expect(bytes.readUInt32BE(20)).toBeGreaterThan(box?.height ?? 0);
      expect(width).toBeGreaterThan(300);
    }
  });

  test("too many values for a file are said in words", async () => {
    await viewer.show("#url=/data/&path=/large");
    await viewer.page.getByRole("button", { name: "Share" }).click();
    await viewer.page.getByRole("button", { name: "Save CSV" }).click();
    await viewer.page
      .locator("#problems", { hasText: "1,001,000 values are too many for a CSV file" })
      .waitFor();
  });
});
