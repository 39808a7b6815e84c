/** The maps of examples/maps in a page: their data, and what colours must be where. */
import { readFileSync } from "node:fs";
import { decode } from "fast-png";
import type { Page } from "playwright";
import proj4 from "proj4";
import { create, root, set } from "../../src/index.js";
import { serve } from "../browser/server.js";
import type { InstalledBrowser } from "../setup/browser-processes.js";
import { bundled, type DrawnPage, openDrawnPage } from "../setup/drawn-page.js";

export type Library = "maplibre" | "openlayers" | "deckgl";
/** Longitude and latitude. */
type Place = readonly [longitude: number, latitude: number];
/** Where a place is in the picture; undefined if it is not to be seen. */
export type Camera = (place: Place) => readonly [x: number, y: number] | undefined;

/** What is where; undefined for a place outside, or too near to the edge of a pixel. */
export interface MapData {
  readonly store: ReadonlyMap<string, Uint8Array>;
  valueAt(time: number, place: Place): number | undefined;
}

const STEPS = 6;
const MISSING_COLUMN = 20;
const elementAt = (time: number, row: number, column: number): number =>
  column === MISSING_COLUMN ? -9999 : (time * 37 + row * 3 + column) % 256;

async function raster(rows: number, columns: number, attributes: object, dimensions: readonly string[]) {
  const store = new Map<string, Uint8Array>();
  const group = root(store);
  await create(group);
  const array = await create(group.resolve("data"), {
    shape: [STEPS, rows, columns],
    chunkShape: [1, rows, columns / 2],
    dtype: "int16",
    dimensionNames: ["time", ...dimensions],
    attributes: { ...attributes },
  });
  const values = Int16Array.from({ length: STEPS * rows * columns }, (_, i) =>
    elementAt(Math.floor(i / (rows * columns)), Math.floor(i / columns) % rows, i % columns),
  );
  await set(array, null, { data: values, shape: [STEPS, rows, columns] });
  return { store, group };
}

function pixelAt(time: number, column: number, row: number, [rows, columns]: readonly [number, number]) {
  const isInside = row >= 0 && row < rows && column >= 0 && column < columns;
  const isNearEdge = [row, column].some((place) => Math.abs(place - Math.round(place)) < 0.3);
  return isInside && !isNearEdge ? elementAt(time, Math.floor(row), Math.floor(column)) : undefined;
}

/** A world from 0 to 360 in pixels of 3 x 2 degrees, from north to south; one column is missing. */
export async function worldData(): Promise<MapData> {
  const [rows, columns] = [90, 120];
  const { store, group } = await raster(rows, columns, {}, ["latitude", "longitude"]);
  const axes = [["latitude", rows, 89, -2] as const, ["longitude", columns, 1.5, 3] as const];
  for (const [name, length, first, step] of axes) {
    const axis = await create(group.resolve(name), {
      shape: [length],
      dtype: "float64",
      dimensionNames: [name],
    });
    const data = Float64Array.from({ length }, (_, i) => first + i * step);
    await set(axis, null, { data, shape: [length] });
  }
  return {
    store,
    valueAt: (time, [longitude, latitude]) =>
      pixelAt(time, ((longitude + 720) % 360) / 3, (90 - latitude) / 2, [rows, columns]),
  };
}

/** Metres of UTM's zone 60, over the dateline, in pixels of 9.5 x 7 km. */
export async function utmData(): Promise<MapData> {
  const [rows, columns] = [100, 80];
  const transform = [9500, 0, 300_000, 0, -7000, 7_400_000];
  const attributes = {
    "proj:code": "EPSG:32660",
    "spatial:transform": transform,
    "spatial:dimensions": ["y", "x"],
  };
  const { store } = await raster(rows, columns, attributes, ["y", "x"]);
  return {
    store,
    valueAt(time, place) {
      const [x, y] = proj4("EPSG:4326", "EPSG:32660", [...place]);
      const column = ((x ?? Number.NaN) - 300_000) / 9500;
      return pixelAt(time, column, (7_400_000 - (y ?? Number.NaN)) / 7000, [rows, columns]);
    },
  };
}

const [WIDTH, HEIGHT] = [800, 600];
const RADIANS = Math.PI / 180;
const mercator = (latitude: number): number => Math.asinh(Math.tan(latitude * RADIANS)) / (2 * Math.PI);

/** In Mercator's projection. @param world its width in pixels */
export function flat([longitude, latitude]: Place, world: number): Camera {
  return ([east, north]) => {
    const turned = ((east - longitude + 540) % 360) - 180;
    return [WIDTH / 2 + (turned / 360) * world, HEIGHT / 2 - (mercator(north) - mercator(latitude)) * world];
  };
}

/** Degrees as they are. @param resolution degrees of a pixel */
export function degrees([longitude, latitude]: Place, resolution: number): Camera {
  return ([east, north]) => {
    const turned = ((east - longitude + 540) % 360) - 180;
    return [WIDTH / 2 + turned / resolution, HEIGHT / 2 - (north - latitude) / resolution];
  };
}

/** On MapLibre's globe: a sphere that a camera of 36.87 degrees looks at. */
export function globe([longitude, latitude]: Place, world: number): Camera {
  const radius = world / (2 * Math.PI) / Math.cos(latitude * RADIANS);
  const distance = (0.5 * HEIGHT) / Math.tan((36.87 / 2) * RADIANS);
  const [cos, sin] = [Math.cos(latitude * RADIANS), Math.sin(latitude * RADIANS)];
  return ([east, north]) => {
    const [turn, up] = [(east - longitude) * RADIANS, north * RADIANS];
    const [x, y, z] = [Math.cos(up) * Math.sin(turn), Math.sin(up), Math.cos(up) * Math.cos(turn)];
    const [high, near] = [y * cos - z * sin, y * sin + z * cos];
    if (near < 0.5) return undefined;
    const scale = (distance * radius) / (distance + radius * (1 - near));
    return [WIDTH / 2 + x * scale, HEIGHT / 2 - high * scale];
  };
}

/** What the colours are at a value, as numbers from 0 to 255. */
function colorOf(value: number): readonly number[] {
  if (value === -9999) return [255, 255, 255];
  const share = value / 255;
  return [share, 0.5 - Math.abs(share - 0.5), 1 - share].map((part) => Math.round(part * 255));
}

const lattice = (longitudes: readonly number[], latitudes: readonly number[]): Place[] =>
  latitudes.flatMap((latitude) => longitudes.map((longitude) => [longitude, latitude] as const));
const from = (first: number, step: number, count: number) =>
  Array.from({ length: count }, (_, i) => first + i * step);

/** Next to the poles in the middle of columns, which are narrow there. */
const PLACES: readonly Place[] = [
  ...lattice(from(-178.6, 7.2, 50), [-84.9, -79, -59, -33, -1, 21, 45, 61, 65, 79, 84.9]),
  ...lattice([179.3, 178.1, 176.2, -179.3, -177.1], [-84.9, -33, 21, 79, 84.9]),
  ...lattice(from(1.5, 36, 10), [-89, 89]),
  ...lattice([...from(174.13, 0.71, 8), ...from(-179.9, 0.71, 8)], from(60.7, 0.43, 14)),
];

/** Compares a picture of the map with what must be there. */
export function compare(png: Uint8Array, { valueAt }: MapData, time: number, camera: Camera) {
  const { data: pixels, width, channels } = decode(png);
  let compared = 0;
  const wrong = PLACES.flatMap((place) => {
    const [x = -1, y = -1] = (camera(place) ?? []).map(Math.floor);
    const value = valueAt(time, place);
    if (value === undefined || x < 5 || y < 5 || x >= WIDTH - 5 || y >= HEIGHT - 5) return [];
    compared++;
    const expected = colorOf(value);
    const start = (y * width + x) * channels;
    const seen = Array.from(pixels.slice(start, start + 3), Number);
    // A browser paints what is transparent white.
    const isNear = seen.every((part, i) => Math.abs(part - (expected[i] ?? 0)) <= 1);
    return isNear ? [] : [`${place} at ${x}, ${y}: expected ${expected}, saw ${seen}`];
  });
  return { compared, wrong };
}

const sites = new Map<Library, ReturnType<typeof buildSite>>();

/** Scripts of a map by path, and its page. */
function siteOf(library: Library) {
  const site = sites.get(library) ?? buildSite(library);
  sites.set(library, site);
  return site;
}

async function buildSite(library: Library) {
  const folder = `examples/maps/${library}`;
  const scripts = await bundled(`${folder}/main.ts`);
  scripts.set("/main.ts", scripts.get("/main.js") ?? new Uint8Array());
  return { scripts, page: readFileSync(`${folder}/index.html`, "utf8") };
}

/** A map in Chromium. */
export class ShownMap {
  private constructor(
    readonly data: MapData,
    readonly drawn: DrawnPage,
  ) {}

  get page(): Page {
    return this.drawn.page;
  }

  get errors(): string[] {
    return this.drawn.errors;
  }

  static async open(library: Library, data: MapData): Promise<ShownMap> {
    const site = { ...(await siteOf(library)), store: data.store };
    return new ShownMap(data, await openDrawnPage(site, [WIDTH, HEIGHT + 40]));
  }

  /** @param query after `?range=0,255`; with what MapLibre has after `#` */
  async goto(query: string): Promise<void> {
    await this.page.goto("about:blank");
    await this.page.goto(`${this.drawn.server.url}?range=0,255${query}`);
    await this.shows("0");
  }

  async shows(text: string): Promise<void> {
    const isShown = (wanted: string) => document.querySelector("output")?.value === wanted;
    await this.page.waitForFunction(isShown, text, { timeout: 30_000 }).catch((error: unknown) => {
      throw new Error(`expected a map that says ${text}; the page's errors: ${this.errors}`, {
        cause: error,
      });
    });
  }

  async compare(time: number, camera: Camera) {
    // What is complete is drawn in the next frame.
    await this.page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    return compare(await this.page.screenshot(), this.data, time, camera);
  }

  close(): Promise<void> {
    return this.drawn.close();
  }
}

/** In a page that nobody drives: sends the pictures of two steps, and what went wrong. */
const LOOK = `<style>#map { width: ${WIDTH}px !important; height: ${HEIGHT}px !important }</style><script>
const canvases = new Set();
const { getContext } = HTMLCanvasElement.prototype;
HTMLCanvasElement.prototype.getContext = function (type, options) {
  if (!/webgl/.test(type)) return getContext.call(this, type, options);
  canvases.add(this);
  return getContext.call(this, type, { ...options, preserveDrawingBuffer: true });
};
const problems = [];
addEventListener("error", ({ message }) => problems.push(message));
addEventListener("unhandledrejection", ({ reason }) => problems.push(String(reason)));
const began = Date.now();
async function picture(step) {
  while (document.querySelector("output")?.value !== step && Date.now() - began < 150000)
    await new Promise((resolve) => setTimeout(resolve, 50));
  for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
  const all = Object.assign(document.createElement("canvas"), { width: ${WIDTH}, height: ${HEIGHT} });
  const context = all.getContext("2d");
  context.fillStyle = "white";
  context.fillRect(0, 0, ${WIDTH}, ${HEIGHT});
  for (const canvas of canvases) if (canvas.isConnected) context.drawImage(canvas, 0, 0, ${WIDTH}, ${HEIGHT});
  return all.toDataURL();
}
addEventListener("load", async () => {
  const pictures = [await picture("0")];
  const slider = document.querySelector("input");
  if (slider !== null) {
    slider.value = "4";
    slider.dispatchEvent(new Event("input"));
    pictures.push(await picture("4"));
  }
  void fetch("/told", { method: "POST", body: JSON.stringify({ pictures, problems }) });
});
</script>`;

/** Of a page for both its pictures, and the start of its browser: milliseconds. */
const PATIENCE = 200_000;

/** Pictures of the steps 0 and 4 in a browser that nobody drives. */
export async function picturesIn(browser: InstalledBrowser, library: Library, data: MapData, query: string) {
  const { scripts, page } = await siteOf(library);
  let tell = (_body: string): void => {};
  const told = new Promise<string>((resolve, reject) => {
    tell = resolve;
    // A browser that does not start tells nothing, and would be left running when the test has timed out.
    const fail = () =>
      reject(new Error(`expected a page that tells what it shows, got none from ${browser.name}`));
    setTimeout(fail, PATIENCE).unref();
  });
  const site = { scripts, page: page.replace("</head>", `${LOOK}</head>`), store: data.store };
  const server = await serve({ ...site, onPost: (body) => tell(body) });
  const running = await browser.open(`${server.url}?range=0,255${query}`, true);
  try {
    const { pictures, problems }: { pictures: string[]; problems: string[] } = JSON.parse(await told);
    return {
      pictures: pictures.map((url) => Buffer.from(url.slice(url.indexOf(",") + 1), "base64")),
      problems,
    };
  } finally {
    await running.close();
    await server.close();
  }
}
