/** Draws tiles in WebGL 2: triangles at their places, and a texture of values that the shader colours. */
import * as twgl from "twgl.js";
import type { Tile } from "wazarr/tiles";
import { COLORS, RANGE } from "./raster.js";

/** @param place a function of GLSL, `vec4 place(vec2 position)`: the place in the picture */
export function programOf(gl: WebGL2RenderingContext, place: string): twgl.ProgramInfo {
  const vertex = `#version 300 es
${place}
in vec2 position;
in vec2 coordinates;
out vec2 inTile;
void main() {
  inTile = coordinates;
  gl_Position = place(position);
}`;
  const fragment = `#version 300 es
precision highp float;
uniform highp sampler2D values;
uniform vec2 range;
in vec2 inTile;
out vec4 color;
${COLORS}
void main() {
  color = colorOf(texture(values, inTile).r, range);
  if (color.a == 0.0) discard;
}`;
  return twgl.createProgramInfo(gl, [vertex, fragment]);
}

interface Drawn {
  readonly values: WebGLTexture;
  readonly triangles: twgl.BufferInfo;
}

export class Drawing {
  /** Of the tiles of the last picture. */
  #tiles = new Map<string, Drawn>();

  constructor(readonly gl: WebGL2RenderingContext) {}

  /** @param uniforms of the function `place` */
  draw(program: twgl.ProgramInfo, tiles: readonly Tile<"float32">[], uniforms: object): void {
    const { gl } = this;
    const before = this.#tiles;
    this.#tiles = new Map();
    gl.disable(gl.CULL_FACE);
    gl.useProgram(program.program);
    for (const tile of tiles) {
      const id = `${tile.key} ${tile.turn}`;
      const drawn = before.get(id) ?? this.#make(tile);
      this.#tiles.set(id, drawn);
      before.delete(id);
      twgl.setBuffersAndAttributes(gl, program, drawn.triangles);
      twgl.setUniforms(program, { ...uniforms, range: RANGE, values: drawn.values });
      twgl.drawBufferInfo(gl, drawn.triangles);
    }
    for (const { values, triangles } of before.values()) {
      gl.deleteTexture(values);
      for (const { buffer } of Object.values(triangles.attribs ?? {})) gl.deleteBuffer(buffer);
      gl.deleteBuffer(triangles.indices ?? null);
    }
  }

  #make({ shape: [height, width], data, mesh }: Tile<"float32">): Drawn {
    const { gl } = this;
    const values = twgl.createTexture(gl, {
      ...{ src: data, width, height, internalFormat: gl.R32F, minMag: gl.NEAREST, wrap: gl.CLAMP_TO_EDGE },
      ...{ flipY: 0, premultiplyAlpha: 0 },
    });
    const position = mesh.positions.filter((_, i) => i % mesh.size < 2);
    const triangles = twgl.createBufferInfoFromArrays(gl, {
      position: { numComponents: 2, data: Float32Array.from(position) },
      coordinates: { numComponents: 2, data: mesh.textureCoordinates },
      indices: mesh.indices,
    });
    return { values, triangles };
  }
}
