/** A layer of tiles in Mercator's projection or on a globe. */
import type { CustomLayerInterface, CustomRenderMethodInput } from "maplibre-gl";
import { meshOf, type PlaneProjection } from "wazarr/tiles";
import { Drawing, programOf } from "../drawing.js";
import type { MapSource, Turns } from "../raster.js";

export class RasterLayer implements CustomLayerInterface {
  readonly id = "raster";
  readonly type = "custom";
  #drawing: Drawing | undefined;
  /** By projection. */
  readonly #programs = new Map<string, WebGLProgram>();

  constructor(
    readonly source: MapSource,
    readonly projection: Pick<PlaneProjection, "forward">,
    readonly turns: Turns,
    readonly range: readonly [low: number, high: number],
  ) {}

  onAdd(_map: unknown, gl: WebGL2RenderingContext): void {
    this.#drawing = new Drawing(gl, (tile) => meshOf(this.source.levels, tile, this.projection));
  }

  render(gl: WebGL2RenderingContext, input: CustomRenderMethodInput): void {
    const { shaderData, defaultProjectionData: data } = input;
    const { vertexShaderPrelude, define, variantName } = shaderData;
    const vertex = `${vertexShaderPrelude}\n${define}\nvec4 place(vec2 p) { return projectTile(p); }`;
    // The globe has places beyond Mercator's square: its poles.
    const isOutside = define.includes("GLOBE") ? "false" : "p.y < 0.0 || p.y > 1.0";
    const fragment = `bool isOutside(vec2 p) { return ${isOutside}; }`;
    const program = this.#programs.get(variantName) ?? programOf(gl, vertex, fragment);
    this.#programs.set(variantName, program);
    gl.useProgram(program);
    const uniform = (name: string) => gl.getUniformLocation(program, name);
    gl.uniformMatrix4fv(uniform("u_projection_matrix"), false, data.mainMatrix);
    gl.uniformMatrix4fv(uniform("u_projection_fallback_matrix"), false, data.fallbackMatrix);
    gl.uniform4f(uniform("u_projection_tile_mercator_coords"), ...data.tileMercatorCoords);
    gl.uniform4f(uniform("u_projection_clipping_plane"), ...data.clippingPlane);
    gl.uniform1f(uniform("u_projection_transition"), data.projectionTransition);
    gl.uniform2f(uniform("range"), ...this.range);
    gl.disable(gl.DEPTH_TEST);
    this.#drawing?.draw(this.source.picture().tiles, this.turns.number);
  }
}
