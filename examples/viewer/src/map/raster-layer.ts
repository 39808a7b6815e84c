/** A layer of MapLibre: tiles of a scene on the plane or globe, and the coastlines over them. */
import type { CustomLayerInterface, CustomRenderMethodInput } from "maplibre-gl";
import type { Tile } from "wazarr/tiles";
import { createPainter, type Painter } from "../picture/painter.js";
import type { Pass } from "../picture/scene.js";
import { sidesOf } from "../picture/sides.js";
import { createTextures } from "../picture/textures.js";
import { placeOf } from "../picture/tiles.js";
import { page } from "../state-of-page.js";
import { CORNER, type Segments, worldLines } from "./world.js";

/** Half the widths of lines, in pixels. */
const [COAST, BORDER] = [0.75, 0.45];

const VERTEX = `
layout(location = 0) in vec2 position;
layout(location = 1) in vec2 coordinates;
out vec2 at;
void main() {
  at = coordinates;
  gl_Position = projectTile(position);
}`;

const LINE_VERTEX = `
layout(location = 0) in vec2 here;
layout(location = 1) in vec2 there;
layout(location = 2) in float side;
uniform vec2 size;
uniform float halfWidth;
void main() {
  vec4 from = projectTile(here);
  vec4 to = projectTile(there);
  vec2 along = (to.xy / to.w - from.xy / from.w) * size;
  float longest = length(along);
  vec2 across = longest > 0.0 ? vec2(-along.y, along.x) / longest : vec2(0);
  gl_Position = from + vec4(across * side * halfWidth * 2.0 / size * from.w, 0, 0);
}`;

const LINE_FRAGMENT = `#version 300 es
precision highp float;
uniform vec4 ink;
out vec4 colour;
void main() {
  colour = ink;
}`;

interface Mesh {
  readonly vertices: WebGLVertexArrayObject;
  readonly count: number;
}

export class RasterLayer implements CustomLayerInterface {
  readonly id = "raster";
  readonly type = "custom";
  #painter: Painter | undefined;
  #textures: ReturnType<typeof createTextures> | undefined;
  #lines: { readonly coasts: Mesh; readonly borders: Mesh } | undefined;
  readonly #linePrograms = new Map<string, WebGLProgram>();
  /** Of the tiles of the last frame, which keep their places from step to step. */
  #meshes = new Map<object, Mesh>();

  /** @param onReady is called once there is a context to draw in */
  constructor(
    readonly passes: () => readonly Pass[],
    readonly onReady: () => void,
  ) {}

  onAdd(_map: unknown, gl: WebGL2RenderingContext): void {
    this.#painter = createPainter(gl);
    this.#textures = createTextures(this.#painter);
    const { coasts, borders } = worldLines();
    this.#lines = { coasts: lineMesh(gl, coasts), borders: lineMesh(gl, borders) };
    this.onReady();
  }

  onRemove(): void {
    this.#textures?.clear();
  }

  render(
    gl: WebGL2RenderingContext,
    { shaderData, defaultProjectionData: data }: CustomRenderMethodInput,
  ): void {
    const { vertexShaderPrelude, define } = shaderData;
    const head = `#version 300 es\n${vertexShaderPrelude}\n${define}\n`;
    const setPlace = (of: (name: string) => WebGLUniformLocation | null): void => {
      gl.uniformMatrix4fv(of("u_projection_matrix"), false, [...data.mainMatrix]);
      gl.uniformMatrix4fv(of("u_projection_fallback_matrix"), false, [...data.fallbackMatrix]);
      gl.uniform4f(of("u_projection_tile_mercator_coords"), ...data.tileMercatorCoords);
      gl.uniform4f(of("u_projection_clipping_plane"), ...data.clippingPlane);
      gl.uniform1f(of("u_projection_transition"), data.projectionTransition);
    };
    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.STENCIL_TEST);
    gl.disable(gl.CULL_FACE);
    this.#drawTiles(gl, head + VERTEX, setPlace);
    this.#drawLines(gl, head + LINE_VERTEX, setPlace);
    gl.bindVertexArray(null);
  }

  #drawTiles(
    gl: WebGL2RenderingContext,
    vertex: string,
    setPlace: (of: (name: string) => WebGLUniformLocation | null) => void,
  ): void {
    if (!this.#painter || !this.#textures) return;
    const before = this.#meshes;
    this.#meshes = new Map();
    let count = 0;
    for (const { tiles, paint, minus, side } of this.passes()) {
      this.#clip(gl, side);
      const others = minus && new Map(minus.tiles.picture().tiles.map((tile) => [placeOf(tile), tile]));
      for (const tile of tiles.picture().tiles) {
        const other = others?.get(placeOf(tile));
        if (others && !other) continue;
        const texture = minus && other && this.#textures.of(other, minus.tiles.toTexture);
        const taken = texture ? { ...paint, minus: { texture, factor: minus.factor } } : paint;
        const { mesh } = tile;
        const drawn = before.get(mesh) ?? this.#meshes.get(mesh) ?? tileMesh(gl, tile);
        before.delete(mesh);
        this.#meshes.set(mesh, drawn);
        const { of } = this.#painter.use(this.#textures.of(tile, tiles.toTexture), taken, vertex);
        setPlace(of);
        gl.bindVertexArray(drawn.vertices);
        gl.drawElements(gl.TRIANGLES, drawn.count, gl.UNSIGNED_INT, 0);
        count++;
      }
    }
    this.#clip(gl, undefined);
    this.#textures.trim(count);
    for (const { vertices } of before.values()) gl.deleteVertexArray(vertices);
  }

  /** To one side of the curtain. */
  #clip(gl: WebGL2RenderingContext, side: Pass["side"]): void {
    if (side === undefined) {
      gl.disable(gl.SCISSOR_TEST);
      return;
    }
    const [left, right] = sidesOf(side, gl.drawingBufferWidth);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(left, 0, right - left, gl.drawingBufferHeight);
  }

  #drawLines(
    gl: WebGL2RenderingContext,
    vertex: string,
    setPlace: (of: (name: string) => WebGLUniformLocation | null) => void,
  ): void {
    if (!this.#lines || page.peek().isWithoutLines) return;
    const program = this.#linePrograms.get(vertex) ?? linked(gl, vertex, LINE_FRAGMENT);
    this.#linePrograms.set(vertex, program);
    gl.useProgram(program);
    const of = (name: string): WebGLUniformLocation | null => gl.getUniformLocation(program, name);
    setPlace(of);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.uniform2f(of("size"), gl.drawingBufferWidth, gl.drawingBufferHeight);
    const { coasts, borders } = this.#lines;
    for (const [mesh, width, alpha] of [
      [borders, BORDER, 0.4],
      [coasts, COAST, 0.8],
    ] as const) {
      gl.uniform1f(of("halfWidth"), width * devicePixelRatio);
      gl.uniform4f(of("ink"), 0.04 * alpha, 0.06 * alpha, 0.08 * alpha, alpha);
      gl.bindVertexArray(mesh.vertices);
      gl.drawElements(gl.TRIANGLES, mesh.count, gl.UNSIGNED_INT, 0);
    }
  }
}

function tileMesh(gl: WebGL2RenderingContext, { mesh }: Tile): Mesh {
  const { positions, size, textureCoordinates, indices } = mesh;
  const vertices = gl.createVertexArray();
  gl.bindVertexArray(vertices);
  attribute(gl, 0, Float32Array.from(positions.filter((_, i) => i % size < 2)), 2);
  attribute(gl, 1, textureCoordinates, 2);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
  return { vertices, count: indices.length };
}

function lineMesh(gl: WebGL2RenderingContext, { corners, indices }: Segments): Mesh {
  const vertices = gl.createVertexArray();
  gl.bindVertexArray(vertices);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, corners, gl.STATIC_DRAW);
  for (const [location, size, first] of [
    [0, 2, 0],
    [1, 2, 2],
    [2, 1, 4],
  ] as const) {
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, size, gl.FLOAT, false, 4 * CORNER, 4 * first);
  }
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
  gl.bindVertexArray(null);
  return { vertices, count: indices.length };
}

function attribute(gl: WebGL2RenderingContext, location: number, data: Float32Array, size: number): void {
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
  gl.enableVertexAttribArray(location);
  gl.vertexAttribPointer(location, size, gl.FLOAT, false, 0, 0);
}

function linked(gl: WebGL2RenderingContext, vertex: string, fragment: string): WebGLProgram {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type);
    if (!shader) throw new Error("the graphics context was lost");
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS))
    throw new Error(gl.getProgramInfoLog(program) ?? "shader");
  return program;
}
