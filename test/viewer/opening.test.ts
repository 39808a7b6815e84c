/** How data are opened: what is asked for, and what is said where nothing can be. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeDataset } from "../../src/formats/xarray.js";
import { MemoryStore } from "../../src/index.js";
import { openViewer, options, type ViewerPage } from "./viewer-page.js";

async function makeStore(): Promise<MemoryStore> {
  const store = new MemoryStore();
  const axis = (dim: string, length: number, units: string) => ({
    dims: [dim],
    data: Float64Array.from({ length }, (_, i) => i),
    attrs: { units },
  });
  await writeDataset(store, {
    coords: { lat: axis("lat", 6, "degrees_north"), lon: axis("lon", 8, "degrees_east") },
    dataVars: {
      mask: { dims: ["lat", "lon"], shape: [6, 8], data: new Uint8Array(48) },
      t2m: { dims: ["lat", "lon"], shape: [6, 8], data: Float32Array.from({ length: 48 }, (_, i) => i) },
    },
  });
  return store;
}

describe.skipIf(options === undefined)("opening", { timeout: 180_000 }, () => {
  let viewer: ViewerPage;
  beforeAll(async () => {
    viewer = await openViewer(await makeStore());
  });
  afterAll(() => viewer?.close());

  test("no document and no listing is asked for twice; masks come after the data", async () => {
    const { page } = viewer;
    const asked: string[] = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (/^\/data\/(?:.*zarr\.json)?$/.test(pathname)) asked.push(pathname);
    });
    await viewer.show("#url=/data/");
    await page.locator('#tree button[data-path="/lon"]').waitFor();
    expect(asked).toContain("/data/zarr.json");
    expect(asked.toSorted()).toEqual([...new Set(asked)].sort());
    const paths = page.locator("#tree button[data-path]");
    expect(await paths.evaluateAll((all) => all.map((each) => each.getAttribute("data-path")))).toEqual([
      ...["/", "/t2m", "/mask", "/lat", "/lon"],
    ]);
  });

  test.each([
    // Nothing in an address ends the quotes of a command that people paste.
    ["cors.test", "does not let pages read it", "npx wazarr serve 'http://cors.test/it%27s;.zarr' --open"],
    ["silent.test", "does not answer", "whether the server runs"],
  ])("%s %s", async (host, words, advice) => {
    const { page, url } = viewer;
    await page.route(`http://${host}/**`, (route) =>
      host === "silent.test"
        ? route.abort("connectionrefused")
        : route.fulfill({ headers: { "access-control-allow-origin": "https://else.test" }, body: "{}" }),
    );
    await page.goto("about:blank");
    await page.goto(`${url}/#url=${encodeURIComponent(`http://${host}/it's;.zarr`)}`);
    await page.getByRole("heading", { name: `${host} ${words}` }).waitFor();
    expect(await page.locator(".notice").innerText()).toContain(advice);
    await page.getByRole("button", { name: "Try again" }).waitFor();
  });
});
