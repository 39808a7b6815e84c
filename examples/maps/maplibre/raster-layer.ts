/** A layer of tiles in Mercator's projection or on a globe. */
import type { CustomLayerInterface, CustomRenderMethodInput } from "maplibre-gl";
import type { ProgramInfo } from "twgl.js";
import { Drawing, programOf } from "../drawing.js";
import type { MapSource } from "../raster.js";

export class RasterLayer implements CustomLayerInterface {
  readonly id = "raster";
  readonly type = "custom";
  #drawing: Drawing | undefined;
  /** By projection. */
  readonly #programs = new Map<string, ProgramInfo>();

  constructor(readonly source: MapSource) {}

  onAdd(_map: unknown, gl: WebGL2RenderingContext): void {
    this.#drawing = new Drawing(gl);
  }

  render(gl: WebGL2RenderingContext, { shaderData, defaultProjectionData }: CustomRenderMethodInput): void {
    const { vertexShaderPrelude, define, variantName } = shaderData;
    const place = `${vertexShaderPrelude}\n${define}\nvec4 place(vec2 p) { return projectTile(p); }`;
    const program = this.#programs.get(variantName) ?? programOf(gl, place);
    this.#programs.set(variantName, program);
    gl.disable(gl.DEPTH_TEST);
    this.#drawing?.draw(program, this.source.picture().tiles, {
      u_projection_matrix: defaultProjectionData.mainMatrix,
      u_projection_fallback_matrix: defaultProjectionData.fallbackMatrix,
      u_projection_tile_mercator_coords: defaultProjectionData.tileMercatorCoords,
      u_projection_clipping_plane: defaultProjectionData.clippingPlane,
      u_projection_transition: defaultProjectionData.projectionTransition,
    });
  }
}
