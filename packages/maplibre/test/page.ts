/** Maps of stores in memory, which the test drives. */
import { MISSING, mercator, ZarrLayer, type ZarrLayerOptions } from "@wazarr/maplibre";
import { Map as MapLibreMap, restoreNow, setNow } from "maplibre-gl";
import { create, root, type Store, set } from "wazarr";
import { Grid } from "wazarr/geozarr";
import { TileSource } from "wazarr/tiles";

const [ROWS, COLUMNS, STEPS] = [256, 1024, 200];
const CHUNK = 256;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const frame = () => new Promise(requestAnimationFrame);

/** What is reachable; Chromium alone tells it. */
function heapBytes(): number {
  interface Told {
    readonly gc?: (() => void) | undefined;
    readonly performance: Performance & { readonly memory?: { readonly usedJSHeapSize: number } };
  }
  const { gc, performance }: Told = globalThis;
  gc?.();
  return performance.memory?.usedJSHeapSize ?? Number.NaN;
}

/** What a cell of `pattern` has, and of `other`. */
const patternAt = (row: number, column: number): number => (row * 3 + column) % 251;
const otherAt = (row: number, column: number): number => (row + column * 7) % 83;

type Element = (step: number, row: number, column: number) => number;
const VARIABLES: Readonly<Record<string, Element>> = {
  steps: (step) => step + 1,
  pattern: (_, row, column) => patternAt(row, column),
  other: (_, row, column) => otherAt(row, column),
};

/** A world from -180 to 180. Its chunks are made when they are read, and come late. */
async function world(delay: () => number): Promise<Store> {
  const documents = new Map<string, Uint8Array>();
  const group = root(documents);
  await create(group);
  for (const name of Object.keys(VARIABLES))
    await create(group.resolve(name), {
      shape: [STEPS, ROWS, COLUMNS],
      chunkShape: [1, CHUNK, CHUNK],
      dtype: "uint8",
      codecs: [{ name: "bytes" }],
      dimensionNames: ["time", "latitude", "longitude"],
      attributes: { units: "degC" },
    });
  const axes = { latitude: [ROWS, 90, -180 / ROWS], longitude: [COLUMNS, -180, 360 / COLUMNS] } as const;
  for (const [name, [length, start, step]] of Object.entries(axes)) {
    const axis = await create(group.resolve(name), {
      shape: [length],
      dtype: "float64",
      dimensionNames: [name],
    });
    await set(
      axis,
      null,
      Float64Array.from({ length }, (_, i) => start + (i + 0.5) * step),
    );
  }
  const time = await create(group.resolve("time"), {
    shape: [STEPS],
    dtype: "int32",
    dimensionNames: ["time"],
    attributes: { units: "days since 2026-01-01" },
  });
  await set(
    time,
    null,
    Int32Array.from({ length: STEPS }, (_, i) => i),
  );
  return {
    async get(key) {
      const [, name = "", step, row, column] = /^\/(\w+)\/c\/(\d+)\/(\d+)\/(\d+)$/.exec(key) ?? [];
      const { [name]: element } = VARIABLES;
      if (element === undefined) return documents.get(key);
      await pause(delay());
      if (name === "steps") return new Uint8Array(CHUNK * CHUNK).fill(Number(step) + 1);
      return Uint8Array.from({ length: CHUNK * CHUNK }, (_, i) =>
        element(
          Number(step),
          Number(row) * CHUNK + Math.floor(i / CHUNK),
          Number(column) * CHUNK + (i % CHUNK),
        ),
      );
    },
  };
}

/** Two levels that differ: what is drawn tells the level. */
async function twoLevels(): Promise<TileSource<"float32">> {
  const levels = [1, 4].map(async (factor) => {
    const [rows, columns] = [2048 / factor, 4096 / factor];
    const array = await create(new Map(), {
      shape: [rows, columns],
      chunkShape: [256, 256],
      dtype: "uint8",
      fillValue: 50 * factor,
    });
    const place = [360 / columns, 0, -180, 0, -180 / rows, 90] as const;
    return {
      array,
      grid: new Grid({ crs: undefined, shape: [rows, columns], yAxis: 0, xAxis: 1, place, wraps: 360 }),
    };
  });
  return new TileSource(await Promise.all(levels), {
    as: "float32",
    missingAs: MISSING,
    projection: mercator,
  });
}

const white = { id: "white", type: "background", paint: { "background-color": "#ffffff" } } as const;
const black = { id: "black", type: "background", paint: { "background-color": "#000000" } } as const;

/** One of each tile. */
const PLACES = [
  [-135, 10],
  [-45, 10],
  [45, 10],
  [135, 10],
] as const;

class Shown {
  private constructor(
    readonly map: MapLibreMap,
    readonly layer: ZarrLayer,
  ) {}

  static async open(options: ZarrLayerOptions, zoom = 1): Promise<Shown> {
    const map = new MapLibreMap({
      container: "map",
      style: { version: 8, sources: {}, layers: [white] },
      zoom,
      pixelRatio: 1,
      attributionControl: false,
      canvasContextAttributes: { preserveDrawingBuffer: true },
    });
    await map.once("load");
    const layer = new ZarrLayer({ colors: ["#000000", "#ffffff"], range: [0, 255], fade: 0, ...options });
    map.addLayer(layer);
    return new Shown(map, layer);
  }

  async complete(): Promise<void> {
    while (!this.layer.isComplete) await frame();
    await this.frames(3);
  }

  async frames(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      this.map.triggerRepaint();
      await frame();
    }
  }

  /** The colour at a place, as the canvas has it. */
  at(longitude: number, latitude: number): number[] {
    const gl = this.map.getCanvas().getContext("webgl2");
    const { x, y } = this.map.project([longitude, latitude]);
    const pixel = new Uint8Array(4);
    gl?.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl?.readPixels(
      Math.floor(x),
      gl.drawingBufferHeight - 1 - Math.floor(y),
      1,
      1,
      gl.RGBA,
      gl.UNSIGNED_BYTE,
      pixel,
    );
    return [...pixel];
  }

  /** The grey of each tile, in one look at the row of the canvas on which they all are. */
  greys(): number[] {
    const gl = this.map.getCanvas().getContext("webgl2");
    const { y } = this.map.project([...PLACES[0]]);
    const width = gl?.drawingBufferWidth ?? 0;
    const row = new Uint8Array(4 * width);
    gl?.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl?.readPixels(0, gl.drawingBufferHeight - 1 - Math.floor(y), width, 1, gl.RGBA, gl.UNSIGNED_BYTE, row);
    return PLACES.map((place) => row[4 * Math.floor(this.map.project([...place]).x)] ?? -1);
  }

  close(): void {
    this.map.remove();
  }
}

const scenarios = {
  /** Which steps the tiles show, frame after frame, while another step is chosen again and again. */
  async steps(count: number) {
    const shown = await Shown.open({ source: await world(() => Math.random() * 20), variable: "steps" }, 0);
    const mixed: number[][] = [];
    const seen = new Set<number>();
    const look = () => {
      const greys = shown.greys();
      if (new Set(greys).size > 1) mixed.push(greys);
      seen.add(greys[0] ?? -1);
    };
    await shown.complete();
    shown.map.on("render", look);
    for (let step = 0; step < count; step++) {
      await shown.layer.setSelection({ time: step });
      // Some steps are left before they have arrived.
      if (step % 5 === 0) continue;
      while (shown.layer.step.time !== step) await frame();
      await frame();
    }
    await shown.complete();
    const last = shown.at(45, 10);
    const { step } = shown.layer;
    shown.close();
    return { mixed, seen: seen.size, last, step };
  },

  async play() {
    const shown = await Shown.open(
      {
        source: await world(() => Math.random() * 20),
        variable: "steps",
        selection: { time: "2026-07-15" },
      },
      0,
    );
    const mixed: number[][] = [];
    const steps: (number | undefined)[] = [];
    const stop = new AbortController();
    shown.map.on("render", () => {
      const greys = shown.greys();
      if (new Set(greys).size > 1 && steps.length > 1) mixed.push(greys);
    });
    shown.layer.on("step", ({ step }) => {
      steps.push(step.time);
      if (steps.length > 8) stop.abort();
    });
    await shown.layer.play("time", { interval: 0, signal: stop.signal });
    shown.close();
    return { mixed, steps };
  },

  async values() {
    const shown = await Shown.open({ source: await world(() => 0), variable: "pattern" });
    await shown.complete();
    const { layer } = shown;
    const box = [
      [
        [0, 0],
        [20, 0],
        [20, 20],
        [0, 20],
        [0, 0],
      ],
    ] as const;
    const result = {
      point: await layer.query({ lng: 10.1, lat: 20.2 }),
      around: await layer.query({ lng: 370.1, lat: 20.2 }),
      area: await layer.query({ type: "Polygon", coordinates: box }),
      statistics: await layer.getStatistics(),
      labels: (await layer.labels("time"))?.slice(0, 2),
      dimensions: layer.dimensions,
      unit: layer.unit,
    };
    shown.close();
    return result;
  },

  /** Opacity, visibility, and the order of layers. */
  async asLayers() {
    const shown = await Shown.open({
      source: await world(() => 0),
      variable: "steps",
      selection: { time: 99 },
      opacity: 0.5,
    });
    await shown.complete();
    const half = shown.at(10, 10);
    shown.layer.opacity = 1;
    await shown.frames(3);
    const whole = shown.at(10, 10);
    shown.map.setLayoutProperty("zarr", "visibility", "none");
    await shown.frames(3);
    const hidden = shown.at(10, 10);
    shown.map.setLayoutProperty("zarr", "visibility", "visible");
    shown.map.addLayer(black, "zarr");
    await shown.frames(3);
    const above = shown.at(10, 10);
    shown.map.moveLayer("zarr", "black");
    await shown.frames(3);
    const below = shown.at(10, 10);
    await shown.layer.setColors("viridis", { range: [0, 100] });
    shown.map.moveLayer("zarr");
    await shown.frames(3);
    const viridis = shown.at(10, 10);
    shown.map.removeLayer("zarr");
    shown.map.addLayer(shown.layer, "black");
    await shown.complete();
    const before = shown.at(10, 10);
    shown.map.moveLayer("zarr");
    await shown.frames(3);
    const again = shown.at(10, 10);
    shown.close();
    return { half, whole, hidden, above, below, viridis, before, again };
  },

  async severalVariables() {
    const source = await world(() => Math.random() * 10);
    const difference = await Shown.open({
      source,
      variables: { a: "pattern", b: "other" },
      expression: "a - weight * b",
      uniforms: { weight: 1 },
      range: [-100, 155],
    });
    await difference.complete();
    const place = { lng: 10.1, lat: 20.2 };
    const values = (await difference.layer.query(place))?.values;
    const seen = difference.at(place.lng, place.lat);
    await difference.layer.setUniforms({ weight: 0.5 });
    await difference.frames(3);
    const weighted = difference.at(place.lng, place.lat);
    difference.close();
    const bands = {
      red: { variable: "steps", selection: { time: 9 } },
      green: { variable: "steps", selection: { time: 99 } },
      blue: "steps",
    };
    const rgb = await Shown.open({ source, variables: bands, selection: { time: 199 } });
    await rgb.complete();
    const color = rgb.at(10, 10);
    await rgb.layer.setSelection({ time: 149 });
    await rgb.complete();
    const later = rgb.at(10, 10);
    rgb.close();
    return { values, seen, weighted, color, later };
  },

  /** A zoom to the finer level, which appears slowly; the map's clock stands until the test moves it. */
  async fading() {
    setNow(0);
    const shown = await Shown.open({ source: await twoLevels(), fade: 1000 }, 0.6);
    await shown.complete();
    const colorAt = async (time: number) => {
      setNow(time);
      await shown.frames(3);
      return shown.at(3, 3);
    };
    const coarse = await colorAt(5000);
    shown.map.jumpTo({ zoom: 4 });
    await shown.complete();
    const seen = { coarse, start: shown.at(3, 3), half: await colorAt(5500), fine: await colorAt(6000) };
    restoreNow();
    shown.close();
    return seen;
  },

  /** After so many pans, and so many more: textures on the graphics card, and bytes of the page's heap. */
  async pans(counts: readonly number[]) {
    let textures = 0;
    const { createTexture, deleteTexture } = WebGL2RenderingContext.prototype;
    WebGL2RenderingContext.prototype.createTexture = function () {
      textures++;
      return createTexture.call(this);
    };
    WebGL2RenderingContext.prototype.deleteTexture = function (texture) {
      if (texture !== null) textures--;
      deleteTexture.call(this, texture);
    };
    const shown = await Shown.open({ source: await twoLevels() }, 3);
    const after: { readonly textures: number; readonly heap: number }[] = [];
    let i = 0;
    for (const count of counts) {
      for (const end = i + count; i < end; i++) {
        shown.map.jumpTo({ center: [((i * 37) % 360) - 180, ((i * 11) % 120) - 60] });
        await frame();
      }
      await shown.complete();
      after.push({ textures, heap: heapBytes() });
    }
    shown.close();
    Object.assign(WebGL2RenderingContext.prototype, { createTexture, deleteTexture });
    return after;
  },

  async errors() {
    const messages: string[] = [];
    const shown = await Shown.open({ source: new Map(), variable: "nothing" });
    shown.map.on("error", ({ error }) => messages.push(error.message));
    while (messages.length === 0) await frame();
    shown.close();
    const failing = await world(() => 0);
    const source: Store = {
      get: (key) =>
        key.endsWith("/c/0/0/1") ? Promise.reject(new Error("no such chunk")) : failing.get(key),
    };
    const part = await Shown.open({ source, variable: "pattern" });
    part.map.on("error", ({ error }) => messages.push(error.message));
    const progress: string[] = [];
    part.layer.on("progress", ({ settled, total }) => progress.push(`${settled} of ${total}`));
    await part.complete();
    const { failures } = part.layer;
    const rest = part.at(10, 10);
    part.close();
    return { messages, progress, failures: failures.length, rest };
  },
};

Object.assign(globalThis, { scenarios });
export type Scenarios = typeof scenarios;
