/** axe finds nothing in any state of the viewer, light on a desk and dark on a phone. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeMultiscale, writePlate } from "../../src/formats/ome-zarr.js";
import { create, MemoryStore, root, set } from "../../src/index.js";
import { openViewer, options, type ViewerPage } from "./viewer-page.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

async function makeStore(): Promise<MemoryStore> {
  const store = new MemoryStore();
  await create(store, { attributes: { title: "a store" } });
  const at = (name: string) => root(store).resolve(name);
  const cube = await create(at("cube"), {
    ...{ shape: [4, 6, 8], dtype: "float32", dimensionNames: ["z", "y", "x"] },
  });
  const data = Float32Array.from({ length: 192 }, (_, i) => i);
  await set(cube, null, { data, shape: [4, 6, 8] });
  const line = await create(at("line"), { shape: [5], dtype: "float32", dimensionNames: ["n"] });
  await set(line, null, { data: Float32Array.of(1, 3, 2, 5, 4), shape: [5] });
  const map = await create(at("map"), {
    ...{ shape: [2, 6, 8], dtype: "float32", dimensionNames: ["step", "lat", "lon"] },
  });
  await set(map, null, { data: data.subarray(0, 96), shape: [2, 6, 8] });
  for (const [name, length, units] of [
    ["lat", 6, "degrees_north"],
    ["lon", 8, "degrees_east"],
  ] as const) {
    const coordinate = await create(at(name), {
      ...{ shape: [length], dtype: "float64", dimensionNames: [name], attributes: { units } },
    });
    await set(coordinate, null, { data: Float64Array.from({ length }, (_, i) => 10 * i), shape: [length] });
  }
  const axes = [{ name: "c", type: "channel" }, { name: "y" }, { name: "x" }] as const;
  const image = { data: new Uint8Array(128).fill(9), shape: [2, 8, 8] };
  await writeMultiscale(at("plate/A/1/0"), image, { axes: [...axes], scaleFactors: [] });
  await writePlate(at("plate"), { name: "a plate", wells: { "A/1": ["0"] } });
  const names = await create(at("names"), { shape: [2], dtype: "string", dimensionNames: ["id"] });
  await set(names, null, { data: ["a", "b"], shape: [2] });
  return store;
}

const STATES = {
  start: "",
  cards: "#url=/data/&stage=cards",
  plane: "#url=/data/&path=/cube&stage=plane&point=2,3&point=4,1&region=1,1,3,3",
  planes: "#url=/data/&path=/cube&stage=planes",
  projection: "#url=/data/&path=/cube&stage=volume",
  map: "#url=/data/&path=/map&point=2,3&base=http://localhost/{z}/{x}/{y}.png",
  globe: "#url=/data/&path=/map&stage=globe",
  compared: "#url=/data/&path=/map&at=step:1&with=0&curtain=0.5",
  difference: "#url=/data/&path=/cube&stage=plane&at=z:2&with=0",
  plate: "#url=/data/&path=/plate",
  well: "#url=/data/&path=/plate/A/1/0",
  share: "#url=/data/&path=/cube&stage=plane",
  keys: "#url=/data/&path=/cube&stage=plane",
  opening: "#url=/data/&path=/cube&stage=plane",
  line: "#url=/data/&path=/line",
  table: "#url=/data/&path=/names",
  missing: "#url=/data/nothing",
} as const;

/** What is pressed in a state. */
const BUTTONS: ReadonlyMap<string, string> = new Map([
  ["share", "Share"],
  ["keys", "Keys"],
  ["opening", "open other data"],
]);

const FINDINGS = `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + " " + target + " " + failureSummary)))`;

describe.skipIf(options === undefined).each([
  ["light", 1280, 800],
  ["dark", 390, 844],
] as const)("%s, %i pixels wide", (colorScheme, width, height) => {
  let viewer: ViewerPage;
  beforeAll(async () => {
    viewer = await openViewer(await makeStore(), { width, height });
    await viewer.page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  });
  afterAll(() => viewer?.close());

  test.each(Object.entries(STATES))("axe finds nothing: %s", async (state, hash) => {
    const { page, url } = viewer;
    if (state === "missing") {
      await page.goto(`${url}/${hash}`);
      await page.locator("#problems .problem").waitFor();
    } else await viewer.show(hash);
    // On a phone, some of the buttons are not there.
    const button = page.getByRole("button", { name: BUTTONS.get(state) ?? "none" }).first();
    if (await button.isVisible()) await button.click();
    await page.evaluate(AXE);
    expect(await page.evaluate(FINDINGS)).toEqual([]);
  });
});
