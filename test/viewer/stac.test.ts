/** The viewer with the address of a STAC item: its asset, drawn as the item says. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { create, MemoryStore, root, set } from "../../src/index.js";
import { openViewer, options, type ViewerPage } from "./viewer-page.js";

const SIDE = 32;
const ITEM = {
  type: "Feature",
  stac_version: "1.1.0",
  id: "item",
  properties: {
    renders: { relief: { assets: ["relief"], rescale: [[10, 500]], colormap_name: "rdbu_r" } },
  },
  assets: {
    relief: { href: "./data/", type: "application/vnd.zarr", "xarray:open_kwargs": { group: "inner" } },
    other: { href: "./data/", type: "application/vnd.zarr" },
  },
};

let viewer: ViewerPage;
beforeAll(async () => {
  if (!options) return;
  const store = new MemoryStore();
  await create(store);
  await create(root(store).resolve("inner"));
  const shape = [SIDE, SIDE];
  const array = await create(root(store).resolve("inner/relief"), {
    shape,
    chunkShape: shape,
    dtype: "int16",
  });
  await set(array, null, { data: Int16Array.from({ length: SIDE * SIDE }, (_, i) => i), shape });
  viewer = await openViewer(store);
  const body = JSON.stringify(ITEM);
  await viewer.page.route("**/item.json", (route) =>
    route.fulfill({ body, contentType: "application/json" }),
  );
});
afterAll(() => viewer?.close());

const stateOf = async (): Promise<URLSearchParams> => {
  // The page writes its state into the URL after a pause.
  await viewer.page.waitForFunction(() => location.hash.includes("path="));
  return new URLSearchParams(new URL(viewer.page.url()).hash.slice(1));
};

describe.skipIf(!options)("a STAC item", () => {
  test("an asset opens at its group, with the colours and the range of its render", async () => {
    await viewer.show(`#url=${encodeURIComponent(`${viewer.url}/item.json|stac:relief`)}`);
    expect(await viewer.page.title()).toContain("relief");
    const state = await stateOf();
    expect(Object.fromEntries(state)).toMatchObject({
      path: "/inner/relief",
      colours: "RdBu_r",
      range: "10,500",
    });
  });

  test("a link that says a range counts more", async () => {
    const address = encodeURIComponent(`${viewer.url}/item.json|stac:relief`);
    await viewer.show(`#url=${address}&range=0,9`);
    expect(Object.fromEntries(await stateOf())).toMatchObject({ range: "0,9" });
  });

  test("several assets: the words list them", async () => {
    await viewer.page.goto("about:blank");
    await viewer.page.goto(`${viewer.url}/#url=${encodeURIComponent(`${viewer.url}/item.json`)}`);
    const problems = viewer.page.locator("#problems");
    await problems.getByText("name one").waitFor();
    expect(await problems.textContent()).toContain('"relief" (Zarr), "other" (Zarr)');
  });
});
