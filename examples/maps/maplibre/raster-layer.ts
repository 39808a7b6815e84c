/** Tiles of latitudes and longitudes in Mercator's projection: one quad each, reprojected by its shaders. */
import type { CustomLayerInterface, CustomRenderMethodInput } from "maplibre-gl";
import type { Tile, TileSource } from "wazarr/tiles";

const VERTEX = `#version 300 es
uniform mat4 matrix;
uniform vec4 box; // west, north, east, south in degrees
out vec2 place; // in Mercator's plane, which is 1 wide and high
void main() {
  vec2 corner = mix(box.xy, box.zw, vec2(gl_VertexID & 1, gl_VertexID >> 1));
  float latitude = radians(clamp(corner.y, -85.051129, 85.051129));
  place = 0.5 + vec2(corner.x / 360.0, -asinh(tan(latitude)) / radians(360.0));
  gl_Position = matrix * vec4(place, 0, 1);
}`;
const FRAGMENT = `#version 300 es
precision highp float;
uniform highp sampler2D values;
uniform vec4 edges; // first column, first row, last column, last row, in degrees
uniform vec3 range; // the values of the first and last colour; what missing ones are
in vec2 place;
out vec4 color;
void main() {
  vec2 degree = vec2((place.x - 0.5) * 360.0, degrees(atan(sinh((0.5 - place.y) * radians(360.0)))));
  float value = texture(values, (degree - edges.xy) / (edges.zw - edges.xy)).r;
  if (value == range.z) discard;
  float share = clamp((value - range.x) / (range.y - range.x), 0.0, 1.0);
  color = vec4(share, 0.5 - abs(share - 0.5), 1.0 - share, 1); // from blue over grey to red
}`;

export class RasterLayer implements CustomLayerInterface {
  /** A float32 that stands for missing values. */
  static readonly MISSING = -(2 ** 100);
  readonly id = "raster";
  readonly type = "custom";
  /** By key of the tile. */
  readonly #textures = new Map<string, WebGLTexture>();
  #program: WebGLProgram = {};

  constructor(
    readonly source: TileSource<"float32">,
    readonly range: readonly [low: number, high: number],
  ) {}

  onAdd(_map: unknown, gl: WebGL2RenderingContext): void {
    this.#program = gl.createProgram();
    for (const [i, text] of [VERTEX, FRAGMENT].entries()) {
      const shader = gl.createShader(i === 0 ? gl.VERTEX_SHADER : gl.FRAGMENT_SHADER) ?? {};
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(this.#program, shader);
    }
    gl.linkProgram(this.#program);
  }

  render(gl: WebGL2RenderingContext, { defaultProjectionData }: CustomRenderMethodInput): void {
    const { tiles } = this.source.picture();
    const uniform = (name: string) => gl.getUniformLocation(this.#program, name);
    gl.useProgram(this.#program);
    gl.bindVertexArray(null);
    gl.disable(gl.DEPTH_TEST);
    gl.activeTexture(gl.TEXTURE0);
    gl.uniformMatrix4fv(uniform("matrix"), false, defaultProjectionData.mainMatrix);
    gl.uniform3f(uniform("range"), ...this.range, RasterLayer.MISSING);
    for (const tile of tiles) {
      const [west, south, east, north] = tile.bounds;
      gl.bindTexture(gl.TEXTURE_2D, this.#textures.get(tile.key) ?? this.#texture(gl, tile));
      gl.uniform4f(uniform("box"), west, north, east, south);
      gl.uniform4f(uniform("edges"), ...tile.corners[0], ...tile.corners[2]);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
    for (const [key, texture] of this.#textures) {
      if (tiles.some((tile) => tile.key === key)) continue;
      gl.deleteTexture(texture);
      this.#textures.delete(key);
    }
  }

  #texture(gl: WebGL2RenderingContext, { key, shape: [rows, columns], data }: Tile<"float32">): WebGLTexture {
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32F, columns, rows, 0, gl.RED, gl.FLOAT, data);
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
      gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
    for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T])
      gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
    this.#textures.set(key, texture);
    return texture;
  }
}
