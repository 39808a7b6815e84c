/** Pictures of stores in memory, which the test drives. */
import { Deck, MapView, OrthographicView } from "@deck.gl/core";
import { type Cell, ZarrLayer, type ZarrLayerProps, type ZarrPickingInfo, zarrTiles } from "@wazarr/deckgl";
import { create, root, type Store, set } from "wazarr";
import { levelsInPixels } from "wazarr/tiles";

const [STEPS, ROWS, COLUMNS] = [4, 180, 360];
const valueAt = (step: number, row: number, column: number): number => (step * 40 + row + column) % 200;

async function world(): Promise<Store> {
  const store = new Map<string, Uint8Array>();
  const group = root(store);
  await create(group);
  const attributes = {
    "proj:code": "EPSG:4326",
    "spatial:dimensions": ["y", "x"],
    "spatial:transform": [1, 0, -180, 0, -1, 90],
    units: "m",
  };
  const array = await create(group.resolve("data"), {
    shape: [STEPS, ROWS, COLUMNS],
    chunkShape: [1, 180, 180],
    dtype: "int16",
    dimensionNames: ["time", "y", "x"],
    attributes,
  });
  const data = Int16Array.from({ length: STEPS * ROWS * COLUMNS }, (_, i) =>
    valueAt(Math.floor(i / (ROWS * COLUMNS)), Math.floor(i / COLUMNS) % ROWS, i % COLUMNS),
  );
  await set(array, null, { data, shape: [STEPS, ROWS, COLUMNS] });
  return store;
}

class Shown {
  isComplete = false;
  step: Readonly<Record<string, number>> = {};
  readonly failures: unknown[] = [];
  readonly deck: Deck<MapView | OrthographicView>;

  constructor(view: MapView | OrthographicView, initialViewState: object) {
    const parent = document.querySelector<HTMLDivElement>("#map");
    this.deck = new Deck({
      parent,
      width: 400,
      height: 300,
      views: view,
      initialViewState,
      useDevicePixels: 1,
    });
  }

  async show(props: Partial<ZarrLayerProps>): Promise<void> {
    this.isComplete = false;
    const common = { id: "zarr", pickable: true, colors: ["#000000", "#ffffff"], range: [0, 255] as const };
    const layer = new ZarrLayer({
      source: new Map(),
      ...common,
      ...props,
      onStep: (step, isComplete) => {
        this.step = step;
        this.isComplete = isComplete;
      },
      onFailure: (error) => this.failures.push(error),
    });
    this.deck.setProps({ layers: [layer] });
    const { time } = props.selection ?? {};
    while (!this.isComplete || (time !== undefined && this.step.time !== time)) {
      if (this.failures.length > 0) return;
      await new Promise(requestAnimationFrame);
    }
    for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
  }

  /** The colour of a pixel. */
  async at(x: number, y: number): Promise<number[]> {
    return new Promise((resolve) => {
      // In the task in which it was drawn.
      const onAfterRender = ({ gl }: { gl: WebGL2RenderingContext }): void => {
        const pixel = new Uint8Array(4);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        gl.readPixels(x, gl.drawingBufferHeight - 1 - y, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
        resolve([...pixel]);
      };
      this.deck.setProps({ onAfterRender });
      this.deck.redraw("test");
    });
  }

  async greys(pixels: readonly (readonly [number, number])[]): Promise<(number | undefined)[]> {
    const greys: (number | undefined)[] = [];
    for (const pixel of pixels) greys.push((await this.at(...pixel))[0]);
    return greys;
  }

  pick(x: number, y: number): Cell | undefined {
    const info: ZarrPickingInfo | null = this.deck.pickObject({ x, y });
    return info?.cell;
  }

  place([longitude, latitude]: readonly [number, number]): readonly [number, number] {
    const [x = 0, y = 0] = this.deck.getViewports()[0]?.project([longitude, latitude]) ?? [];
    return [Math.floor(x), Math.floor(y)];
  }

  close(): void {
    this.deck.finalize();
    document.querySelector("canvas")?.remove();
  }
}

const scenarios = {
  async map(places: [number, number][]) {
    const shown = new Shown(new MapView({ id: "map" }), { longitude: 0, latitude: 0, zoom: 2 });
    const source = await world();
    await shown.show({ source, variable: "data", selection: { time: 0 } });
    const pixels = places.map((place) => shown.place(place));
    const first = await shown.greys(pixels);
    await shown.show({ source, variable: "data", selection: { time: 2 } });
    const later = await shown.greys(pixels);
    const picked = pixels.map((pixel) => shown.pick(...pixel));
    const { failures } = shown;
    shown.close();
    return { first, later, picked, failures: failures.map(String) };
  },

  /** Three channels of an image in pixels. */
  async image() {
    const array = await create(new Map(), {
      shape: [3, 512, 512],
      chunkShape: [1, 256, 256],
      dtype: "uint16",
      dimensionNames: ["c", "y", "x"],
    });
    for (const [c, value] of [1000, 2000, 3000].entries()) await set(array, [c, null, null], value);
    const shown = new Shown(new OrthographicView({ id: "image" }), { target: [256, 256, 0], zoom: -1 });
    const variables = {
      red: { selection: { c: 0 } },
      green: { selection: { c: 1 } },
      blue: { selection: { c: 2 } },
    };
    await shown.show({ source: levelsInPixels([array]), variables, range: [0, 4000] });
    const color = await shown.at(200, 150);
    const picked = shown.pick(200, 150);
    const { failures } = shown;
    shown.close();
    return { color, picked, failures: failures.map(String) };
  },

  async tiles() {
    const getTileData = await zarrTiles({ source: await world(), variable: "data", selection: { time: 1 } });
    const bbox = { west: 0, south: 0, east: 45, north: 40.97989806962013 };
    const { data, width, height } = await getTileData({ bbox });
    return { width, height, first: data[0], last: data[data.length - 1] };
  },

  async failure() {
    const shown = new Shown(new MapView({ id: "map" }), { longitude: 0, latitude: 0, zoom: 1 });
    await shown.show({ source: new Map(), variable: "nothing" });
    const { failures } = shown;
    shown.close();
    return failures.map(String);
  },
};

Object.assign(globalThis, { scenarios });
export type Scenarios = typeof scenarios;
