/** The viewer in Chromium, as `wazarr serve` has it: what it shows is compared with the arrays themselves. */
import type { Server } from "node:http";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { coloursOf } from "../../examples/viewer/src/picture/colour-maps.js";
import { parseState, writeState } from "../../examples/viewer/src/state.js";
import { startServer } from "../../src/cli/serve/server.js";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { create, get, open, type Store, type StoreOptions, set } from "../../src/index.js";
import { serve } from "../core/stores/server.js";
import icechunk from "../fixtures/icechunk.json" with { type: "json" };
import fixtures from "../fixtures/references.json" with { type: "json" };
import parquet from "../fixtures/references-parquet.json" with { type: "json" };
import { chromiumLaunchOptions } from "../setup/chromium.js";
import { digest } from "./viewer-page.js";

const DATA = "examples/data/jacksboro.zarr";
const [WIDTH, HEIGHT] = [1000, 700];
const options = chromiumLaunchOptions();

/** A store of which one key fails until it is told otherwise. */
const failing = { key: "", count: 0, every: Number.POSITIVE_INFINITY, asked: 0 };
function unreliable(store: FileSystemStore): Store {
  return {
    get(key, given?: StoreOptions) {
      const isTurn = ++failing.asked % failing.every === 0;
      if (key !== failing.key && !isTurn) return store.get(key, given);
      failing.count++;
      throw new Error("the disk is on fire");
    },
    list: (given) => store.list(given),
    listPrefix: (prefix, given) => store.listPrefix(prefix, given),
    listDir: (prefix, given) => store.listDir(prefix, given),
  };
}

/** First coordinates of the chunks that were asked for. */
const planesOf = (requests: readonly { readonly key: string }[]): number[] => {
  const found = requests.flatMap(({ key }) => /^\/(?:c\/)?(\d+)[./]/.exec(key)?.[1] ?? []);
  return [...new Set(found.map(Number))].sort();
};

describe.skipIf(options === undefined)("the viewer", () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  let url: string;

  beforeAll(async () => {
    const viewer = pathToFileURL("dist/viewer/");
    server = await startServer(unreliable(new FileSystemStore(DATA)), { port: 0, viewer });
    const address = server.address();
    url = `http://localhost:${typeof address === "object" ? address?.port : ""}`;
    // WebGL without graphics hardware.
    const args = (options?.args ?? []).filter((flag) => flag !== "--disable-gpu");
    browser = await chromium.launch({
      ...options,
      args: [...args, "--enable-unsafe-swiftshader", "--use-angle=swiftshader"],
    });
    page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
  });
  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
  });

  async function show(hash: string): Promise<void> {
    await page.goto("about:blank");
    await page.goto(`${url}/${hash}`);
    await loaded();
  }
  const loaded = (): Promise<unknown> =>
    page.waitForFunction(() => document.getElementById("canvas")?.dataset.loading === "0");
  const readout = (pattern: RegExp): Promise<void> =>
    page.locator("#readout", { hasText: pattern }).waitFor({ timeout: 30_000 });

  const ELEVATION = "#url=/data/&path=/elevation&view=200,170,2&range=200,1000&colours=viridis";

  /** What is drawn, without the panels over it. */
  const pixelsOf = (): Promise<number> => page.locator("#canvas").evaluate(digest);

  test("hovering tells the value of the array, and its coordinates", async () => {
    await show(ELEVATION);
    const array = await open.v3(new FileSystemStore(`${DATA}/elevation`), { kind: "array" });
    const box = await page.locator("#canvas").boundingBox();
    if (!box) throw new Error("no canvas");
    for (const [x, y] of [
      [200, 170],
      [150, 100],
      [250, 200],
    ] as const) {
      await page.mouse.move(
        box.x + box.width / 2 + 2 * (x - 200) + 1,
        box.y + box.height / 2 + 2 * (y - 170) + 1,
      );
      const value = await get(array, [y, x]);
      await readout(new RegExp(`latitude .* \\[${y}\\], longitude .* \\[${x}\\]: ${value} m$`));
    }
  });

  test("the picture has the colours of the values, pixel by pixel", async () => {
    await show(ELEVATION);
    const files = new FileSystemStore(`${DATA}/elevation`);
    const { data, shape } = await get(await open.v3(files, { kind: "array", dtype: "int16" }));
    const places: [x: number, y: number][] = [];
    for (let y = 100; y < 240; y += 7) for (let x = 120; x < 280; x += 7) places.push([x, y]);
    const pixels = await page.evaluate((points) => {
      const canvas = document.querySelector("#canvas");
      const gl = canvas instanceof HTMLCanvasElement ? canvas.getContext("webgl2") : null;
      if (!gl) throw new Error("no WebGL2");
      const [width, height] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
      return points.map(([x, y]) => {
        const pixel = new Uint8Array(4);
        const left = Math.floor(width / 2 + 2 * (x - 200) + 1);
        const top = Math.floor(height / 2 + 2 * (y - 170) + 1);
        gl.readPixels(left, height - 1 - top, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
        return [...pixel];
      });
    }, places);
    const colours = coloursOf("viridis");
    for (const [i, [x, y]] of places.entries()) {
      const value = data[y * (shape[1] ?? 0) + x] ?? 0;
      const index = Math.floor(Math.min(1, Math.max(0, (value - 200) / 800)) * 255 + 0.5);
      // A value between two colours may be rounded either way.
      for (const [k, channel] of colours.subarray(4 * index, 4 * index + 3).entries())
        expect(Math.abs((pixels[i]?.[k] ?? -99) - channel), `${x}, ${y}`).toBeLessThanOrEqual(8);
    }
    expect(places.length).toBeGreaterThan(400);
  });

  test("zooming changes the link, and the link shows the same picture", async () => {
    await show(ELEVATION);
    await page.locator("#canvas").focus();
    await page.keyboard.press("+");
    await page.keyboard.press("Shift+ArrowRight");
    await loaded();
    await page.waitForURL(/view=2\d\d\.?\d*%2C170%2C3/);
    const inViridis = await pixelsOf();
    await page.selectOption("#map", "magma");
    await page.waitForURL(/colours=magma/);
    const link = page.url();
    await expect.poll(pixelsOf).not.toBe(inViridis);
    const before = await pixelsOf();
    await show(link.slice(link.indexOf("#")));
    expect(await page.locator("#map").inputValue()).toBe("magma");
    await expect.poll(pixelsOf).toBe(before);
  });

  test("a chunk that fails is told by its key, the others are there, and a button tries again", async () => {
    failing.key = "/elevation/c/1/1";
    await show("?url=/data/&path=/elevation&stage=plane");
    const problem = page.locator("#problems p");
    await problem.first().waitFor();
    expect(await problem.first().textContent()).toContain("/elevation/c/1/1");
    failing.key = "";
    // One button for all tiles of the layer. The list is empty in the next frame.
    await problem.first().locator("button").click();
    await page.waitForFunction(() => document.querySelector("#problems p") === null);
    await loaded();
    expect(failing.count).toBeGreaterThan(0);
  });

  test("coordinates that fail are told, and a button brings them", async () => {
    failing.key = "/longitude/c/0";
    await show(ELEVATION);
    const problem = page.locator("#problems p");
    expect(await problem.allTextContents()).toEqual([
      expect.stringMatching(/^The coordinates of longitude: /),
    ]);
    failing.key = "";
    await problem.locator("button").click();
    await page.waitForFunction(() => document.querySelector("#problems p") === null);
    await loaded();
    await page.mouse.move(500, 350);
    await readout(/longitude -84\.\d+° /);
  });

  test("a server that fails at one request in twenty: the picture is whole all the same", async () => {
    await show(ELEVATION);
    const whole = await pixelsOf();
    failing.every = 20;
    failing.count = 0;
    await show(ELEVATION);
    await expect.poll(pixelsOf).toBe(whole);
    expect(await page.locator("#problems p").count()).toBe(0);
    failing.every = Number.POSITIVE_INFINITY;
    expect(failing.count).toBeGreaterThan(0);
  });

  test("a store that is not there is told", async () => {
    await page.goto("about:blank");
    await page.goto(`${url}/#url=/data/nothing`);
    await page.locator("#problems", { hasText: /nothing/ }).waitFor();
  });

  test("the example of a time series: slider, play, and the series through a point", async () => {
    await show("#url=example:0&path=/height&stage=plane");
    await page.locator("#sliders output", { hasText: /^2026-08-01 \[0\] of 0 to \d+$/ }).waitFor();
    await page.locator("#sliders input").focus();
    await page.keyboard.press("ArrowRight");
    await page.locator("#sliders output", { hasText: "2026-08-01T01:00" }).waitFor();
    const play = page.getByRole("button", { name: "Play time" });
    expect((await play.locator("svg").boundingBox())?.width).toBeGreaterThan(10);
    await play.click();
    const pause = page.getByRole("button", { name: "Pause time" });
    expect((await pause.locator("svg").boundingBox())?.width).toBeGreaterThan(10);
    await page.locator("#sliders output", { hasText: /T0[3-9]:00/ }).waitFor();
    await pause.click();
    await play.waitFor();
    await page.locator("#canvas").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.locator("#profile [role=img][aria-label*='along time']").waitFor();
  });

  test("other dimensions on the screen: the same element shows the same colour and value", async () => {
    // Longitude across and time down; then the other way round, which the array does not store so.
    // Beside the cross, in the same element.
    const colourAt = async (x: number, y: number): Promise<string> =>
      (await page.screenshot({ clip: { x: x + 3, y: y + 3, width: 1, height: 1 } })).toString("base64");
    const seen: string[][] = [];
    for (const [axes, x, y] of [
      ["axis=time&axis=lon", 100, 7],
      ["axis=lon&axis=time", 7, 100],
    ] as const) {
      await show(`#url=example:0&path=/height&${axes}&at=lat:40&range=-1,1&view=${x + 0.5},${y + 0.5},12`);
      const box = await page.locator("#canvas").boundingBox();
      if (!box) throw new Error("no canvas");
      const [left, top] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(left, top);
      await readout(/lon -80° \[100\].*time 2026-08-01T07:00|time 2026-08-01T07:00.*lon -80/);
      const value = (await page.locator("#readout").textContent())?.match(/: (-?[\d.]+) m$/)?.[1] ?? "";
      seen.push([value, await colourAt(left, top)]);
    }
    expect(seen[0]?.[0]).toMatch(/\d/);
    expect(seen[1]).toEqual(seen[0]);
    await page.selectOption("#across", { label: "lat" });
    await page.waitForURL(/axis=lon&axis=lat/);
    await loaded();
  });

  test("the example of an OME-Zarr image: channels over each other, the level that fits", async () => {
    await show("#url=example:1");
    expect(await page.locator("#colours input[type=checkbox]").count()).toBe(3);
    await page.getByRole("checkbox", { name: "membranes" }).uncheck();
    await loaded();
    await page.locator("#canvas").hover();
    await readout(/micrometer.*nuclei: \d+/);
  });

  test("a reference document of another server, and its array", async () => {
    const files = await serve(
      new Map([
        [
          "/cube.json",
          Buffer.from(JSON.stringify(fixtures.documents.hdf5).replaceAll("http://files.test/", "")),
        ],
        ["/first.h5", Buffer.from(fixtures.files["first.h5"], "base64")],
      ]),
    );
    try {
      await show(`#url=${encodeURIComponent(`${files.url}/cube.json`)}&path=/t2m&stage=plane`);
      await page.locator("#canvas").hover();
      await readout(/: 2\d\d/);
    } finally {
      await files.close();
    }
  });

  test("a public bucket, an Icechunk repository at a tag, and references in Parquet", async () => {
    const bytesOf = (base64: string) => Buffer.from(base64, "base64");
    const values = new Map<string, Uint8Array>();
    for (const [key, base64] of Object.entries(icechunk.repositories[2].values))
      values.set(`/repository${key}`, bytesOf(base64));
    for (const [key, base64] of Object.entries(parquet.folders.pyarrow.files))
      values.set(`/refs.parq/${key}`, bytesOf(base64));
    const files = await serve(values);
    const inBuckets: string[] = [];
    await page.route(/amazonaws|blob\.core/, (route) => {
      inBuckets.push(route.request().url());
      return route.fulfill({ status: 404, headers: { "access-control-allow-origin": "*" } });
    });
    try {
      const goTo = async (address: string): Promise<void> => {
        await page.goto("about:blank");
        await page.goto(`${url}/#url=${encodeURIComponent(address)}`);
      };
      await goTo(`${files.url}/repository|icechunk://tag.v1/`);
      await page.locator('[data-path="/field"]').waitFor({ timeout: 30_000 });
      await goTo(`${files.url}/refs.parq`);
      await page.locator('[data-path="/many"]').waitFor({ timeout: 30_000 });
      for (const address of ["s3://b/data.zarr", "abfs://c@a.dfs.core.windows.net/data.zarr"]) {
        await goTo(address);
        await page.locator("#problems p").waitFor({ timeout: 30_000 });
      }
      expect(inBuckets).toContain("https://b.s3.amazonaws.com/data.zarr/zarr.json");
      expect(inBuckets).toContain("https://a.blob.core.windows.net/c/data.zarr/zarr.json");
    } finally {
      await page.unroute(/amazonaws|blob\.core/);
      await files.close();
    }
  });

  test.each([
    { how: "dimension_names", dimensionNames: ["time", "y", "x"] },
    { how: "_ARRAY_DIMENSIONS of v3", attributes: { _ARRAY_DIMENSIONS: ["time", "y", "x"] } },
    { how: "_ARRAY_DIMENSIONS of v2", dimensionNames: ["time", "y", "x"], zarrFormat: 2 },
  ] as const)("a link to a plane reads no other, by the names of $how", async ({ how: _, ...named }) => {
    const values = new Map<string, Uint8Array>();
    const array = await create(values, {
      shape: [8, 16, 16],
      chunkShape: [1, 16, 16],
      dtype: "uint8",
      ...named,
    });
    await set(array, null, 1);
    const files = await serve(values);
    const planesRead = async (index: number): Promise<number[]> => {
      files.reset();
      await show(`#url=${encodeURIComponent(files.url)}&at=time:${index}`);
      await expect.poll(() => planesOf(files.requests).length).toBeGreaterThanOrEqual(3);
      return planesOf(files.requests);
    };
    try {
      // That of the link, and the next two steps of its slider.
      expect(await planesRead(3)).toEqual([3, 4, 5]);
      expect(await planesRead(-1)).toEqual([0, 1, 2]);
      expect(await planesRead(1000)).toEqual([0, 1, 7]);
    } finally {
      await files.close();
    }
  });

  test("everything has a name for screen readers", async () => {
    await show(ELEVATION);
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll("button, input, select, canvas, progress")]
        .filter((control) => !control.closest("[aria-hidden='true'], [hidden]"))
        .filter(
          (control) =>
            !control.getAttribute("aria-label") &&
            !control.textContent?.trim() &&
            !("labels" in control && control.labels instanceof NodeList && control.labels.length > 0),
        )
        .map((control) => control.outerHTML),
    );
    expect(nameless).toEqual([]);
  });
});

test("a link may begin with a question mark", () => {
  expect(parseState("?url=a.zarr&at=time:4")).toEqual(parseState("#url=a.zarr&at=time:4"));
  expect(parseState("?url=a.zarr").url).toBe("a.zarr");
});

test("a state survives its way through a URL", () => {
  const state = parseState(
    "#url=s3://b/k&path=/a&format=v3&at=time:3&at=a:b:4&axis=time&axis=x&colours=RdBu_r&channel=1,0,0.5,10,20&channel=x&labels=1,0.25,a,b&labels=2,1,c&range=-1,2.5&view=1,2,0.5&stage=globe&map=10,-20.5,3&curve=log&point=3,4&point=5,6&region=0,1,2,3&with=7&curtain=0.25&range-with=2,9&base=https://a.org/{z}/{x}/{y}.png&opacity=0.4&lines=0&turn=1,0.5,2&embed=1",
  );
  expect(state).toEqual({
    url: "s3://b/k",
    path: "/a",
    format: "v3",
    indices: new Map([
      ["time", 3],
      ["a:b", 4],
    ]),
    axes: ["time", "x"],
    colours: "RdBu_r",
    range: [-1, 2.5],
    channels: new Map([[1, { isVisible: false, opacity: 0.5, range: [10, 20] }]]),
    labels: new Map([
      ["a,b", { isVisible: true, isOutlined: false, opacity: 0.25 }],
      ["c", { isVisible: true, isOutlined: true, opacity: 1 }],
    ]),
    view: { centre: [1, 2], zoom: 0.5 },
    stage: "globe",
    camera: [10, -20.5, 3],
    curve: "log",
    points: [
      { x: 3, y: 4 },
      { x: 5, y: 6 },
    ],
    region: [
      { x: 0, y: 1 },
      { x: 2, y: 3 },
    ],
    compared: { step: 7 },
    curtain: 0.25,
    comparedRange: [2, 9],
    base: { address: "https://a.org/{z}/{x}/{y}.png", opacity: 0.4 },
    isWithoutLines: true,
    turn: [1, 0.5, 2],
    isEmbedded: true,
  });
  expect(parseState(writeState(state))).toEqual(state);
  expect(
    parseState(
      "#range=1,x&view=1,2&colours=none&at=time&stage=x&map=1,2&point=1,x&region=1,2.5,3,4&with=x&curtain=2&base=nowhere&turn=1,2",
    ),
  ).toEqual({
    url: undefined,
    path: undefined,
    format: undefined,
    indices: new Map(),
    axes: undefined,
    colours: undefined,
    range: undefined,
    channels: new Map(),
    labels: new Map(),
    view: undefined,
    stage: undefined,
    camera: undefined,
    curve: "linear",
    points: [],
    region: [],
    compared: undefined,
    isWithoutLines: false,
    isEmbedded: false,
  });
  expect(parseState(writeState(parseState("#with=/t2m"))).compared).toEqual({ path: "/t2m" });
});
