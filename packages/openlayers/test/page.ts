/** Two maps of a store, one with OpenLayers' own source, which the test compares. */
import { colorScale } from "@wazarr/colors";
import { colorStyle, ZarrSource, type ZarrSourceOptions } from "@wazarr/openlayers";
import WebGLTileLayer from "ol/layer/WebGLTile.js";
import OpenLayersMap from "ol/Map.js";
import type DataTile from "ol/source/DataTile.js";
import GeoZarr from "ol/source/GeoZarr.js";
import View from "ol/View.js";

const url = new URL("store", location.href).href;
const scale = await colorScale(["#000000", "#ffffff"], { range: [0, 255] });

interface Place {
  readonly projection: string;
  readonly center: [number, number];
  readonly resolution: number;
}

class Shown {
  private constructor(
    readonly map: OpenLayersMap,
    readonly layer: WebGLTileLayer,
    readonly target: HTMLElement,
  ) {}

  static async open(source: DataTile, place: Place, style = colorStyle(scale)): Promise<Shown> {
    while (source.getState() === "loading") await new Promise((resolve) => source.once("change", resolve));
    const target = document.createElement("div");
    target.style.cssText = "width: 400px; height: 300px; background: white";
    document.body.append(target);
    const layer = new WebGLTileLayer({ source, style });
    const view = new View({ ...place, constrainResolution: false });
    const map = new OpenLayersMap({ target, layers: [layer], view, controls: [], pixelRatio: 1 });
    const shown = new Shown(map, layer, target);
    await shown.drawn();
    return shown;
  }

  async drawn(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.map.once("rendercomplete", () => resolve());
      this.map.render();
    });
  }

  /** Red, green, blue and alpha of all pixels. */
  pixels(): number[] {
    const canvas = this.target.querySelector("canvas");
    const copy = Object.assign(document.createElement("canvas"), { width: 400, height: 300 });
    const context = copy.getContext("2d");
    if (canvas !== null) context?.drawImage(canvas, 0, 0);
    return [...(context?.getImageData(0, 0, 400, 300).data ?? [])];
  }

  dataAt(place: [number, number]): number[] {
    const pixel = this.map.getPixelFromCoordinate(place);
    const data = this.layer.getData([pixel[0] ?? 0, pixel[1] ?? 0]);
    return data instanceof Float32Array ? [...data] : [];
  }

  close(): void {
    this.map.setTarget(undefined);
    this.target.remove();
  }
}

const opaque = (pixels: readonly number[]): number =>
  pixels.filter((part, i) => i % 4 === 3 && part === 255).length;

const WORLD: Place = { projection: "EPSG:4326", center: [20, 10], resolution: 0.25 };
const sourceOf = (options: Partial<ZarrSourceOptions>) => new ZarrSource({ source: url, ...options });

const scenarios = {
  /** How many pixels differ from those of OpenLayers' own source, and how many are drawn. */
  async beside(place: Place, step: number) {
    const ours = await Shown.open(sourceOf({ variable: "data", selection: { time: step } }), place);
    const theirs = new GeoZarr({
      url,
      variable: "data",
      dimensions: { time: step },
      resample: "nearest",
      transition: 0,
      wrapX: true,
    });
    // Theirs is 1 where ours is: it has 0 for what is missing.
    const other = await Shown.open(theirs, place);
    const [a, b] = [ours.pixels(), other.pixels()];
    const result = {
      different: a.filter((part, i) => part !== b[i]).length / 4,
      drawn: opaque(a),
      theirs: opaque(b),
    };
    ours.close();
    other.close();
    return result;
  },

  /** Pixels along a row and a column through the middle, and data of places. */
  async values(places: [number, number][]) {
    const source = sourceOf({ variable: "data" });
    const shown = await Shown.open(source, WORLD);
    const first = places.map((place) => shown.dataAt(place));
    await source.setSelection({ time: 2 });
    await shown.drawn();
    const later = places.map((place) => shown.dataAt(place));
    const colors = shown.pixels();
    const greys = places.map((place) => {
      const [x = 0, y = 0] = shown.map.getPixelFromCoordinate(place);
      return colors[4 * (Math.floor(y) * 400 + Math.floor(x))];
    });
    const { dimensions, step, unit } = source;
    shown.close();
    return { first, later, greys, dimensions, step, unit };
  },

  async greys(where: Place, places: [number, number][]) {
    const shown = await Shown.open(sourceOf({ variable: "data" }), where);
    const colors = shown.pixels();
    const greys = places.map((place) => {
      const [x = 0, y = 0] = shown.map.getPixelFromCoordinate(place);
      return colors[4 * (Math.floor(y) * 400 + Math.floor(x))];
    });
    shown.close();
    return greys;
  },

  /** The difference of two bands, as an expression of the layer. */
  async bands(place: [number, number]) {
    const source = sourceOf({
      variables: {
        a: { variable: "data", selection: { time: 2 } },
        b: { variable: "data", selection: { time: 0 } },
      },
    });
    const shown = await Shown.open(source, WORLD, colorStyle(scale, ["-", ["band", 1], ["band", 2]]));
    const data = shown.dataAt(place);
    const [x = 0, y = 0] = shown.map.getPixelFromCoordinate(place);
    const grey = shown.pixels()[4 * (Math.floor(y) * 400 + Math.floor(x))];
    shown.close();
    return { data, grey };
  },

  async missing() {
    const source = sourceOf({ variable: "nothing" });
    const reason = await source.opened.catch((error: Error) => error.message);
    return { reason, state: source.getState() };
  },
};

Object.assign(globalThis, { scenarios });
export type Scenarios = typeof scenarios;
