/** A layer of a variable of a Zarr store. */
import { type ColorOptions, type ColorScale, type Colors, colorScale } from "@wazarr/colors";
import {
  type Cell,
  LayerData,
  type LayerOptions,
  type Selection,
  type Statistics,
  TileDrawing,
} from "@wazarr/layer";
import type { CustomLayerInterface, CustomRenderMethodInput, Map as MapLibreMap } from "maplibre-gl";
import * as maplibre from "maplibre-gl";
import { type PolygonGeometry, TileSource } from "wazarr/tiles";
import { LayerEvents } from "./layer-events.js";
import { mercator, viewOf } from "./mercator.js";
import { Offscreen } from "./offscreen.js";

export interface ZarrLayerOptions extends LayerOptions {
  /** The layer's id on the map; "zarr" unless given. */
  readonly id?: string | undefined;
}

export interface PlayOptions {
  /** Milliseconds for which a step is shown at least; 100 unless given. */
  readonly interval?: number | undefined;
  /** Ends the playing. */
  readonly signal?: AbortSignal | undefined;
}

const FADE = 200;
/** How often a source that the caller made is looked at while it reads, in milliseconds. */
const LOOK = 50;

export class ZarrLayer extends LayerEvents implements CustomLayerInterface {
  readonly id: string;
  readonly type = "custom";
  #options: ZarrLayerOptions;
  #opening: Promise<LayerData> | undefined;
  #data: LayerData | undefined;
  #map: MapLibreMap | undefined;
  #drawing: TileDrawing | undefined;
  #offscreen: Offscreen | undefined;
  /** What events have said of. */
  #said = { step: "", progress: "", failures: new Set<unknown>() };

  constructor(options: ZarrLayerOptions) {
    super();
    this.id = options.id ?? "zarr";
    this.#options = options;
  }

  /** Lengths of the dimensions that are not y or x, such as `{ time: 24 }`; none before "ready". */
  get dimensions(): Readonly<Record<string, number>> {
    return this.#data?.dimensions ?? {};
  }

  /** The indices that are drawn. */
  get step(): Readonly<Record<string, number>> {
    return this.#data?.step ?? {};
  }

  /** The unit of the values, as the metadata have it. */
  get unit(): string {
    return this.#data?.unit ?? "";
  }

  /** The colours, as a legend takes them; undefined before "ready". */
  get scale(): ColorScale | undefined {
    return this.#data?.scale;
  }

  /** Whether all tiles of the view have arrived or failed. */
  get isComplete(): boolean {
    return this.#data?.isComplete ?? false;
  }

  /** Errors of tiles of the view. */
  get failures(): readonly unknown[] {
    return this.#data?.failures ?? [];
  }

  get opacity(): number {
    return this.#options.opacity ?? 1;
  }

  set opacity(opacity: number) {
    this.#options = { ...this.#options, opacity };
    this.#map?.triggerRepaint();
  }

  /**
   * Shows another step, at once if its tiles are there, else when they cover the view. Dimensions that are not
   * named stay as they are.
   * @throws Error for an unknown dimension or label
   */
  async setSelection(selection: Selection): Promise<void> {
    await (await this.#opened()).select(selection);
    this.#map?.triggerRepaint();
  }

  /** Other colours, or another range. @throws RangeError for colours and ranges that are none */
  async setColors(colors: Colors, options: ColorOptions = {}): Promise<void> {
    const scale = await colorScale(colors, options);
    (await this.#opened()).scale = scale;
    this.#map?.triggerRepaint();
  }

  /** Other numbers of the expression; those that are not named stay as they are. */
  async setUniforms(uniforms: Readonly<Record<string, number>>): Promise<void> {
    const data = await this.#opened();
    data.uniforms = { ...data.uniforms, ...uniforms };
    this.#map?.triggerRepaint();
  }

  /**
   * Plays a dimension until the signal, or the end of the layer: each step is drawn whole, and none is left
   * out.
   * @throws the error of a tile that failed, and for an unknown dimension
   */
  async play(dimension: string, { interval = 100, signal }: PlayOptions = {}): Promise<void> {
    const data = await this.#opened();
    for await (const _ of data.play(dimension)) {
      const map = this.#map;
      if (signal?.aborted || map === undefined) return;
      map.triggerRepaint();
      await Promise.all([map.once("render"), new Promise((resolve) => setTimeout(resolve, interval))]);
      if (signal?.aborted) return;
    }
  }

  /** The values at a place of the map; undefined outside of the data. */
  query(
    place: { readonly lng: number; readonly lat: number },
    signal?: AbortSignal,
  ): Promise<Cell | undefined>;
  /** Statistics of the values in a polygon of GeoJSON. */
  query(polygon: PolygonGeometry, signal?: AbortSignal): Promise<Statistics & { readonly label: string }>;
  async query(where: { readonly lng: number; readonly lat: number } | PolygonGeometry, signal?: AbortSignal) {
    const data = await this.#opened();
    if ("type" in where) return data.queryPolygon(where, signal);
    return data.queryPoint([where.lng, where.lat], signal);
  }

  /** Of the first variable in the tiles that are drawn, in their level. */
  async getStatistics(): Promise<Statistics> {
    const data = await this.#opened();
    await data.complete();
    return data.statistics();
  }

  /** The labels of a dimension, such as times in ISO 8601; undefined if it has no coordinate. */
  async labels(dimension: string): Promise<readonly string[] | undefined> {
    return (await this.#opened()).labelsOf(dimension);
  }

  /** Reads again what failed. */
  retry(): void {
    this.#data?.retry();
    this.#said.failures.clear();
  }

  onAdd(map: MapLibreMap, gl: WebGL2RenderingContext): void {
    this.#map = map;
    this.#drawing = new TileDrawing(gl);
    this.#offscreen = new Offscreen(gl);
    map.on("move", this.#show);
    map.on("resize", this.#show);
    void this.#open(map);
  }

  onRemove(map: MapLibreMap): void {
    map.off("move", this.#show);
    map.off("resize", this.#show);
    this.#drawing?.close();
    this.#offscreen?.close();
    this.#data?.close();
    this.#map = this.#data = this.#opening = this.#drawing = this.#offscreen = undefined;
  }

  prerender(
    _gl: WebGLRenderingContext | WebGL2RenderingContext,
    { shaderData, defaultProjectionData }: CustomRenderMethodInput,
  ): void {
    const [data, drawing, offscreen] = [this.#data, this.#drawing, this.#offscreen];
    if (data === undefined || drawing === undefined || offscreen === undefined) return;
    const { vertexShaderPrelude, define, variantName } = shaderData;
    const placing = {
      name: variantName,
      glsl: `${vertexShaderPrelude}\n${define}\nvec4 place(vec2 p) { return projectTile(p); }`,
      uniforms: {
        u_projection_matrix: defaultProjectionData.mainMatrix,
        u_projection_fallback_matrix: defaultProjectionData.fallbackMatrix,
        u_projection_tile_mercator_coords: defaultProjectionData.tileMercatorCoords,
        u_projection_clipping_plane: defaultProjectionData.clippingPlane,
        u_projection_transition: defaultProjectionData.projectionTransition,
      },
    };
    offscreen.begin();
    const { fade = FADE } = this.#options;
    const isFading = drawing.draw(data, placing, { opacity: 1, fade, now: maplibre.now() });
    if (isFading) this.#map?.triggerRepaint();
    this.#tell(data);
  }

  render(): void {
    if (this.#data !== undefined) this.#offscreen?.put(this.opacity);
  }

  #opened(): Promise<LayerData> {
    this.#opening ??= LayerData.open(this.#options, mercator, () => this.#map?.triggerRepaint());
    return this.#opening;
  }

  async #open(map: MapLibreMap): Promise<void> {
    try {
      const data = await this.#opened();
      if (this.#map !== map) return data.close();
      this.#data = data;
      this.#show();
      this.fire("ready", { type: "ready" });
      map.triggerRepaint();
    } catch (error) {
      if (this.#map === map) this.#fail(error);
    }
  }

  #show = (): void => {
    const [map, data] = [this.#map, this.#data];
    if (map === undefined || data === undefined) return;
    try {
      data.show(viewOf(map));
    } catch (error) {
      this.#fail(error);
    }
  };

  /** Fires events of what is new since the last frame. */
  #tell(data: LayerData): void {
    const [said, progress, step] = [this.#said, data.progress, data.step];
    const texts = { step: JSON.stringify(step), progress: JSON.stringify(progress) };
    const [isOther, isFurther] = [said.step !== texts.step, said.progress !== texts.progress];
    const { failures } = data;
    const fresh = failures.filter((failure) => !said.failures.has(failure));
    this.#said = { ...texts, failures: new Set(failures) };
    if (isOther) this.fire("step", { type: "step", step });
    if (isFurther) this.fire("progress", { type: "progress", ...progress });
    for (const failure of fresh) this.#fail(failure);
    // It calls nobody when a tile arrives.
    if (this.#options.source instanceof TileSource && !data.isComplete)
      setTimeout(() => this.#map?.triggerRepaint(), LOOK);
  }

  #fail(error: unknown): void {
    const reason = error instanceof Error ? error : new Error(String(error));
    this.#map?.fire("error", { error: reason, layer: this });
  }
}
