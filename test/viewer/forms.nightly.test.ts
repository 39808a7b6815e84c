/** What the viewer makes of every kind of array: a picture, a chart, a table, or words. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BoolArray, create, MemoryStore, root, set } from "../../src/index.js";
import { fromFloat32Array, ticksFrom } from "../../src/main/data-types.js";
import { openViewer, options, type ViewerPage } from "./viewer-page.js";

const SIDE = 16;
const grid = <Value>(of: (row: number, column: number) => Value): Value[] =>
  Array.from({ length: SIDE * SIDE }, (_, i) => of(Math.floor(i / SIDE), i % SIDE));
const square = { shape: [SIDE, SIDE], chunkShape: [SIDE, SIDE], dimensionNames: ["y", "x"] };

async function makeStore(): Promise<MemoryStore> {
  const store = new MemoryStore();
  await create(store);
  const at = (name: string) => root(store).resolve(name);
  const { shape } = square;
  const booleans = await create(at("bool"), { ...square, dtype: "bool" });
  await set(booleans, null, { data: BoolArray.from(grid((row) => row > 7)), shape });
  const halves = await create(at("float16"), { ...square, dtype: "float16" });
  await set(halves, null, {
    data: await fromFloat32Array(Float32Array.from(grid((row) => row / 4)), "float16"),
    shape,
  });
  for (const dtype of ["int4", "float8_e4m3"] as const) {
    const small = await create(at(dtype), { ...square, dtype });
    await set(small, null, { data: grid((row) => row - 8), shape });
  }
  const huge = await create(at("huge"), { ...square, dtype: "float64" });
  await set(huge, null, { data: Float64Array.from(grid((row) => (row - 7) * 1e200)), shape });
  const large = await create(at("int64"), { ...square, dtype: "int64" });
  await set(large, null, { data: BigInt64Array.from(grid((row) => 2n ** 62n + BigInt(row))), shape });
  const ids = await create(at("ids"), { shape: [3], dtype: "int64", dimensionNames: ["station"] });
  await set(ids, null, { data: BigInt64Array.of(2n ** 60n + 1n, -5n, 3n), shape: [3] });
  const close = await create(at("uint32"), { ...square, dtype: "uint32" });
  await set(close, null, { data: Uint32Array.from(grid((row) => 4e9 + row)), shape });
  await create(at("nothing"), { ...square, dtype: "float32", fillValue: Number.NaN });
  await create(at("empty"), { shape: [0, 5], chunkShape: [1, 5], dtype: "float32" });
  const scalar = await create(at("scalar"), { shape: [], chunkShape: [], dtype: "float64" });
  await set(scalar, null, 42.5);
  const strings = await create(at("strings"), { shape: [250], chunkShape: [250], dtype: "string" });
  await set(strings, null, { data: Array.from({ length: 250 }, (_, i) => `station ${i}`), shape: [250] });
  const unit = { unit: "D", scaleFactor: 1 } as const;
  const dates = await create(at("dates"), { shape: [3], chunkShape: [3], dtype: "<M8[D]" });
  for (const [i, day] of ["1969-07-20", "2026-11-25", "NaT"].entries())
    await set(dates, [i], ticksFrom(day, unit) ?? 0n);
  const structs = await create(at("structs"), {
    shape: [2],
    chunkShape: [2],
    dtype: {
      name: "struct",
      configuration: {
        fields: [
          { name: "id", data_type: "int32" },
          { name: "mass", data_type: "float64" },
        ],
      },
    },
  });
  await set(structs, [1], { id: 7, mass: 1.5 });
  const time = await create(at("time"), {
    shape: [24],
    chunkShape: [24],
    dtype: "int64",
    dimensionNames: ["time"],
    attributes: { units: "hours since 2026-08-01" },
  });
  await set(time, null, { data: BigInt64Array.from({ length: 24 }, (_, i) => BigInt(i)), shape: [24] });
  const series = await create(at("series"), {
    shape: [24],
    chunkShape: [24],
    dtype: "int16",
    dimensionNames: ["time"],
    attributes: { units: "K", scale_factor: 0.5, add_offset: 270, _FillValue: -1 },
  });
  await set(series, null, {
    data: Int16Array.from({ length: 24 }, (_, i) => (i === 9 ? -1 : i)),
    shape: [24],
  });
  return store;
}

describe.skipIf(options === undefined)("every kind of array", () => {
  let viewer: ViewerPage;
  beforeAll(async () => {
    viewer = await openViewer(await makeStore());
  });
  afterAll(() => viewer?.close());

  const show = (path: string, more = ""): Promise<void> => viewer.show(`#url=/data/&path=/${path}${more}`);
  const words = (): Promise<string | null> => viewer.page.locator("#words").textContent();
  const cells = (): Promise<string[]> => viewer.page.locator("#table td").allTextContents();

  /** Red, green, blue and alpha of the middles of elements; the view is of 32 pixels an element. */
  async function colours(places: readonly (readonly [row: number, column: number])[]): Promise<string[]> {
    return viewer.page.evaluate((wanted) => {
      const canvas = document.querySelector("#canvas");
      const gl = canvas instanceof HTMLCanvasElement ? canvas.getContext("webgl2") : null;
      if (!gl) throw new Error("no WebGL2");
      return wanted.map(([row, column]) => {
        const pixel = new Uint8Array(4);
        const left = Math.floor(gl.drawingBufferWidth / 2 + 32 * (column - 8) + 16);
        const top = Math.floor(gl.drawingBufferHeight / 2 + 32 * (row - 8) + 16);
        gl.readPixels(left, gl.drawingBufferHeight - 1 - top, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
        return pixel.join();
      });
    }, places);
  }

  test.each(["bool", "float16", "int4", "float8_e4m3", "huge", "uint32"])(
    "%s: different values have different colours",
    async (path) => {
      await show(path, "&view=8,8,32");
      const [first, same, middle, last] = await colours([
        [1, 3],
        [1, 12],
        [10, 3],
        [14, 3],
      ]);
      expect(first).toMatch(/,255$/);
      expect(same).toBe(first);
      expect(last).toMatch(/,255$/);
      expect(new Set([first, middle, last]).size).toBe(path === "bool" ? 2 : 3);
    },
  );

  test("integers of 64 bits are drawn, and told exactly", async () => {
    await show("int64", "&view=8,8,32");
    expect((await colours([[1, 1]]))[0]).toMatch(/,255$/);
    await viewer.page.locator("#canvas").focus();
    await viewer.page.keyboard.press("ArrowUp");
    await viewer.page.locator("#readout", { hasText: /y 7, x 8: 4611686018427387911$/ }).waitFor();
    await show("ids");
    const svg = viewer.page.locator("#chart svg");
    expect(await svg.getAttribute("aria-label")).toBe("/ids along station: from -5 to 1.1529e+18");
    // No word is cut off by the edge.
    const left = await svg
      .locator("text")
      .evaluateAll((words) => words.map((word) => word.getBoundingClientRect().left));
    const box = await svg.boundingBox();
    expect(Math.min(...left)).toBeGreaterThanOrEqual(box?.x ?? Number.NaN);
    await viewer.page.locator("#chart .line").focus();
    await viewer.page.keyboard.press("ArrowLeft");
    await viewer.page.locator("#readout", { hasText: /^station 0: 1152921504606846977$/ }).waitFor();
  });

  test("an array without values, and an empty one, are said in words", async () => {
    await show("nothing");
    expect(await words()).toBe("No values here: all are NaN, infinite or missing.");
    await show("empty");
    expect(await words()).toBe("This array is empty: it has 0 × 5 elements.");
  });

  test("nothing of the last array stays when the next has another form", async () => {
    await show("bool", "&view=8,8,32");
    await viewer.page.locator('#tree button[data-path="/structs"]').click();
    await viewer.page.locator("#table td").first().waitFor();
    expect(await viewer.page.locator("#canvas").isVisible()).toBe(false);
    expect(await viewer.page.locator("#colours").innerHTML()).toBe("");
    await viewer.page.locator('#tree button[data-path="/"]').click();
    await viewer.page.locator("#words", { hasText: "choose one of its arrays" }).waitFor();
    expect(await viewer.page.locator("#table").isVisible()).toBe(false);
    expect(await colours([[1, 1]])).toEqual(["0,0,0,0"]);
  });

  test("scalars, dates and structs are tables", async () => {
    await show("scalar");
    expect(await cells()).toEqual(["42.5"]);
    await show("dates");
    expect(await cells()).toEqual(["1969-07-20", "2026-11-25", "NaT"]);
    await show("structs");
    expect(await viewer.page.locator("#table thead th").allTextContents()).toEqual(["dim 0", "id", "mass"]);
    expect(await cells()).toEqual(["0", "0", "7", "1.5"]);
    await show("time");
    expect((await cells())[5]).toBe("2026-08-01T05:00");
  });

  test("long tables have pages", async () => {
    await show("strings");
    expect((await cells()).length).toBe(100);
    await viewer.page.getByRole("button", { name: "Next rows" }).click();
    await viewer.page.locator("#table td", { hasText: "station 100" }).waitFor();
    await viewer.page.getByRole("button", { name: "Next rows" }).click();
    await viewer.page.locator("#table td", { hasText: "station 249" }).waitFor();
    expect((await cells()).length).toBe(50);
    expect(await viewer.page.getByRole("button", { name: "Next rows" }).isDisabled()).toBe(true);
  });

  test("an array of one dimension is a line of decoded values, with a gap where there is none", async () => {
    await show("series");
    const svg = viewer.page.locator("#chart svg");
    expect(await svg.getAttribute("aria-label")).toBe("/series along time: from 270 to 281.5 K");
    const path = await svg.locator("path").getAttribute("d");
    // Two moves: the first value, and the first after the gap.
    const points = [...(path ?? "").matchAll(/M(\S+) (\S+)L\1 \2/g)];
    expect(points.length).toBe(2);
    await viewer.page.locator("#chart .line").focus();
    await viewer.page.keyboard.press("ArrowRight");
    await viewer.page.locator("#readout", { hasText: /^time 2026-08-01T01:00 \[1\]: 270.5 K$/ }).waitFor();
  });
});
