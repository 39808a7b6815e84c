/** Draws tiles in WebGL 2: triangles at their places, and a texture of values that the shader colours. */
import type { Tile, TileMesh } from "wazarr/tiles";
import { COLORS } from "./raster.js";

const FRAGMENT = `#version 300 es
precision highp float;
uniform highp sampler2D values;
uniform vec2 range;
in vec2 inTile;
in vec2 onMap;
out vec4 color;
${COLORS}
void main() {
  color = colorOf(texture(values, inTile).r, range);
  if (color.a == 0.0 || isOutside(onMap)) discard;
}`;

/**
 * @param vertex declares `vec4 place(vec2 position)`, the place in the picture
 * @param fragment declares `bool isOutside(vec2 position)`
 */
export function programOf(gl: WebGL2RenderingContext, vertex: string, fragment: string): WebGLProgram {
  const vertexShader = `#version 300 es
${vertex}
layout(location = 0) in vec2 position;
layout(location = 1) in vec2 coordinates;
out vec2 inTile;
out vec2 onMap;
void main() {
  inTile = coordinates;
  onMap = position;
  gl_Position = place(position);
}`;
  const program = gl.createProgram();
  for (const [type, text] of [
    [gl.VERTEX_SHADER, vertexShader],
    [gl.FRAGMENT_SHADER, FRAGMENT.replace("void main", `${fragment}\nvoid main`)],
  ] as const) {
    const shader = gl.createShader(type) ?? {};
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  return program;
}

interface Drawn {
  readonly texture: WebGLTexture;
  readonly vertices: WebGLVertexArrayObject;
  readonly buffers: readonly WebGLBuffer[];
  readonly count: number;
}

export class Drawing {
  /** Of the tiles of the last picture, by what they are and where. */
  #tiles = new Map<string, Drawn>();

  constructor(
    readonly gl: WebGL2RenderingContext,
    readonly meshOf: (tile: Tile) => TileMesh,
  ) {}

  /**
   * With the program in use, whose uniforms are set.
   * @param turn a number; with another one, tiles are at other places
   */
  draw(tiles: readonly Tile<"float32">[], turn: number): void {
    const { gl } = this;
    const before = this.#tiles;
    this.#tiles = new Map();
    gl.disable(gl.CULL_FACE);
    gl.activeTexture(gl.TEXTURE0);
    for (const tile of tiles) {
      const key = `${tile.key} ${tile.bounds[0]} ${turn}`;
      const drawn = before.get(key) ?? this.#make(tile);
      this.#tiles.set(key, drawn);
      before.delete(key);
      gl.bindTexture(gl.TEXTURE_2D, drawn.texture);
      gl.bindVertexArray(drawn.vertices);
      gl.drawElements(gl.TRIANGLES, drawn.count, gl.UNSIGNED_INT, 0);
    }
    gl.bindVertexArray(null);
    for (const { texture, vertices, buffers } of before.values()) {
      gl.deleteTexture(texture);
      gl.deleteVertexArray(vertices);
      for (const buffer of buffers) gl.deleteBuffer(buffer);
    }
  }

  #make(tile: Tile<"float32">): Drawn {
    const { gl } = this;
    const { positions, size, textureCoordinates, indices } = this.meshOf(tile);
    const vertices = gl.createVertexArray();
    gl.bindVertexArray(vertices);
    const buffers = [
      this.#attribute(0, size, Float32Array.from(positions)),
      this.#attribute(1, 2, textureCoordinates),
      gl.createBuffer(),
    ];
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers[2] ?? null);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    return { texture: this.#texture(tile), vertices, buffers, count: indices.length };
  }

  /** Its first two numbers. */
  #attribute(location: number, size: number, data: Float32Array): WebGLBuffer {
    const { gl } = this;
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, 2, gl.FLOAT, false, 4 * size, 0);
    return buffer;
  }

  #texture({ shape: [rows, columns], data }: Tile<"float32">): WebGLTexture {
    const { gl } = this;
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    for (const name of [gl.UNPACK_FLIP_Y_WEBGL, gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL])
      gl.pixelStorei(name, false);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32F, columns, rows, 0, gl.RED, gl.FLOAT, data);
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
      gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
    for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T])
      gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
    return texture;
  }
}
