/** A canvas with the tiles of a view, which can be moved and enlarged. */
import { type ColorScale, type Colors, colorScale } from "@wazarr/colors";
import { type Cell, LayerData, type Selection, TileDrawing } from "@wazarr/layer";
import type { Location, Store } from "wazarr";
import { openLevels } from "./open-levels.js";
import { PlaneView } from "./plane-view.js";

type Pair = readonly [number, number];

export interface Look {
  readonly colors: Colors;
  /** Of the first picture that is whole, if none is given. */
  readonly range: Pair | undefined;
}

const SAME = { forward: (point: [number, number]) => point, inverse: (point: [number, number]) => point };
const PLACE = "uniform vec4 view; vec4 place(vec2 at) { return vec4((at - view.xy) * view.zw, 0, 1); }";

export class Picture {
  readonly data: LayerData;
  readonly view: PlaneView;
  readonly #canvas: HTMLCanvasElement;
  readonly #drawing: TileDrawing;
  readonly #gl: WebGL2RenderingContext;
  readonly #finest: number;
  readonly #onDraw: () => void;
  #look: Look;
  #range: Pair | undefined;
  #frame = 0;

  private constructor(
    canvas: HTMLCanvasElement,
    gl: WebGL2RenderingContext,
    data: LayerData,
    view: PlaneView,
    given: { readonly look: Look; readonly finest: number; readonly onDraw: () => void },
  ) {
    this.#canvas = canvas;
    this.#gl = gl;
    this.#drawing = new TileDrawing(gl);
    this.data = data;
    this.view = view;
    this.#look = given.look;
    this.#finest = given.finest;
    this.#onDraw = given.onDraw;
  }

  /**
   * @param onDraw after every frame
   * @throws what `openLevels` and `LayerData.open` throw, and Error without WebGL 2
   */
  static async open(
    canvas: HTMLCanvasElement,
    [location, variable]: readonly [Location<Store>, string],
    {
      selection,
      look,
      onDraw,
    }: { readonly selection: Selection; readonly look: Look; readonly onDraw: () => void },
  ): Promise<Picture> {
    const gl = canvas.getContext("webgl2", { premultipliedAlpha: true });
    if (gl === null) throw new Error("this browser has no WebGL 2");
    const { levels, isDown } = await openLevels(location, variable);
    const [finest] = levels;
    if (finest === undefined) throw new Error("internal error: no levels");
    const { grid } = finest;
    const [rows, columns] = grid.shape;
    const view = new PlaneView([grid.toCoordinates(0, 0), grid.toCoordinates(columns, rows)], isDown);
    let picture: Picture | undefined;
    const options = { source: levels, selection, colors: look.colors, range: look.range };
    const data = await LayerData.open(options, SAME, () => picture?.draw());
    picture = new Picture(canvas, gl, data, view, { look, finest: Math.max(...grid.resolution), onDraw });
    return picture;
  }

  /** Reads and draws what the canvas shows now. */
  show(): void {
    const { clientWidth, clientHeight } = this.#canvas;
    if (clientWidth === 0) return;
    this.view.resize(clientWidth, clientHeight);
    this.#canvas.width = Math.round(clientWidth * devicePixelRatio);
    this.#canvas.height = Math.round(clientHeight * devicePixelRatio);
    const { bounds, resolution } = this.view.view;
    this.data.show({ bounds, resolution: resolution / devicePixelRatio });
    this.draw();
  }

  /** Draws in the next frame. */
  draw(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => void this.#draw());
  }

  zoom(factor: number, at: Pair): void {
    this.view.zoom(factor, at, this.#finest);
    this.show();
  }

  async setLook(look: Look): Promise<void> {
    this.#look = look;
    this.data.scale = await this.#scaleFor(look.range ?? this.#range ?? [0, 1]);
    this.draw();
  }

  /** What is at a place in the plane; undefined outside of the data. */
  query(point: Pair, signal: AbortSignal): Promise<Cell | undefined> {
    return this.data.queryPoint(point, signal);
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
    this.#drawing.close();
    this.data.close();
  }

  async #draw(): Promise<void> {
    const { data } = this;
    if (this.#look.range === undefined && this.#range === undefined && data.tiles().length > 0) {
      const { minimum, maximum, count } = data.statistics();
      const range = count === 0 ? undefined : ([minimum, maximum > minimum ? maximum : minimum + 1] as const);
      // Until all has arrived, the colours are those of what has.
      if (data.isComplete) this.#range = range;
      if (range !== undefined) data.scale = await this.#scaleFor(range);
    }
    const gl = this.#gl;
    gl.viewport(0, 0, this.#canvas.width, this.#canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const placing = { name: "plane", glsl: PLACE, uniforms: { view: this.view.transform } };
    this.#drawing.draw(data, placing, { opacity: 1, fade: 0, now: 0 });
    this.#onDraw();
  }

  #scaleFor(range: Pair): Promise<ColorScale> {
    return colorScale(this.#look.colors, { range });
  }
}
