/** Draws tiles in WebGL 2: triangles at their places, and a texture of each variable. */
import * as twgl from "twgl.js";
import type { Tile } from "wazarr/tiles";
import type { LayerData, LayerTile } from "./layer-data.js";
import { fragmentShader } from "./shader.js";

interface Drawn {
  readonly textures: readonly WebGLTexture[];
  readonly triangles: twgl.BufferInfo;
  readonly size: string;
  /** When it was first drawn, in milliseconds; -Infinity if it did not fade in. */
  readonly since: number;
}

/** How a map places vertices. */
export interface Placing {
  /** Tells programs apart. */
  readonly name: string;
  /** GLSL with `vec4 place(vec2 position)`: the place in the picture. */
  readonly glsl: string;
  /** Of the function. */
  readonly uniforms: Readonly<Record<string, unknown>>;
}

interface Frame {
  readonly opacity: number;
  /** Milliseconds in which tiles appear. */
  readonly fade: number;
  readonly now: number;
}

/** Textures that wait for a tile of their size. */
const MOST_SPARE = 32;

export class TileDrawing {
  readonly #gl: WebGL2RenderingContext;
  readonly #programs = new Map<string, twgl.ProgramInfo>();
  /** Of the last frame, by id. */
  #tiles = new Map<string, Drawn>();
  /** Those before, which stay below until what replaces them has faded in. */
  #below = new Map<string, Drawn>();
  #step = "";
  readonly #spare = new Map<string, WebGLTexture[]>();
  #colors: { readonly table: Uint8Array; readonly texture: WebGLTexture } | undefined;

  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl;
  }

  /** Textures of values in memory, spare ones among them. */
  get textures(): number {
    const drawn = [...this.#tiles.values(), ...this.#below.values()];
    const spare = [...this.#spare.values()].reduce((sum, list) => sum + list.length, 0);
    return drawn.reduce((sum, { textures }) => sum + textures.length, spare);
  }

  /**
   * Draws a frame. @returns whether tiles are still fading in, so that the next frame differs
   */
  draw(data: LayerData, { name, glsl, uniforms }: Placing, { opacity, fade, now }: Frame): boolean {
    const gl = this.#gl;
    const tiles = data.tiles();
    this.#take(tiles, JSON.stringify(data.step), fade > 0 ? now : -Infinity);
    const shareOf = ({ since }: Drawn): number => (fade > 0 ? Math.min(1, (now - since) / fade) : 1);
    const isFading = [...this.#tiles.values()].some((drawn) => shareOf(drawn) < 1);
    if (!isFading) this.#clear(this.#below);
    const { table } = data.scale;
    if (this.#colors?.table !== table) this.#makeColors(table);
    const program = this.#program(name, glsl, data);
    gl.disable(gl.CULL_FACE);
    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.STENCIL_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.useProgram(program.program);
    const common = {
      ...uniforms,
      ...data.uniforms,
      colorRange: [...data.scale.range],
      colorTable: this.#colors?.texture,
    };
    for (const drawn of [...this.#below.values(), ...this.#tiles.values()]) {
      const values = Object.fromEntries(drawn.textures.map((each, i) => [`values_${data.names[i]}`, each]));
      twgl.setBuffersAndAttributes(gl, program, drawn.triangles);
      twgl.setUniforms(program, { ...common, ...values, opacity: opacity * shareOf(drawn) });
      twgl.drawBufferInfo(gl, drawn.triangles);
    }
    return isFading;
  }

  /** Frees what the graphics card holds. */
  close(): void {
    const gl = this.#gl;
    this.#clear(this.#tiles);
    this.#clear(this.#below);
    for (const texture of [...this.#spare.values()].flat()) gl.deleteTexture(texture);
    this.#spare.clear();
    gl.deleteTexture(this.#colors?.texture ?? null);
    for (const { program } of this.#programs.values()) gl.deleteProgram(program);
  }

  /** Makes what is new; puts what is gone below, or frees it if it is of another step. */
  #take(tiles: readonly LayerTile[], step: string, now: number): void {
    const isSameStep = step === this.#step && this.#tiles.size > 0;
    this.#step = step;
    const gone = this.#tiles;
    if (!isSameStep) this.#clear(this.#below);
    this.#tiles = new Map();
    for (const tile of tiles) {
      const drawn =
        gone.get(tile.id) ?? this.#below.get(tile.id) ?? this.#make(tile, isSameStep ? now : -Infinity);
      gone.delete(tile.id);
      this.#below.delete(tile.id);
      this.#tiles.set(tile.id, drawn);
    }
    if (isSameStep && now > -Infinity) for (const [id, drawn] of gone) this.#below.set(id, drawn);
    else this.#clear(gone);
  }

  #make({ tile, values }: LayerTile, since: number): Drawn {
    const { mesh, shape } = tile;
    const position = mesh.size === 2 ? mesh.positions : mesh.positions.filter((_, i) => i % mesh.size < 2);
    const triangles = twgl.createBufferInfoFromArrays(this.#gl, {
      position: { numComponents: 2, data: Float32Array.from(position) },
      coordinates: { numComponents: 2, data: mesh.textureCoordinates },
      indices: mesh.indices,
    });
    const size = shape.join("x");
    return { textures: values.map((each) => this.#texture(size, each)), triangles, size, since };
  }

  /** A spare texture of the size, or a new one, with the elements of a tile. */
  #texture(size: string, { shape: [height, width], data }: Tile<"float32">): WebGLTexture {
    const gl = this.#gl;
    const spare = this.#spare.get(size)?.pop();
    const texture = spare ?? gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    if (spare === undefined) {
      gl.texStorage2D(gl.TEXTURE_2D, 1, gl.R32F, width, height);
      this.#exact();
    }
    this.#plain();
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, height, gl.RED, gl.FLOAT, data);
    return texture;
  }

  #makeColors(table: Uint8Array): void {
    const gl = this.#gl;
    gl.deleteTexture(this.#colors?.texture ?? null);
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    this.#plain();
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, table.length / 4, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, table);
    this.#exact();
    this.#colors = { table, texture };
  }

  /** The map may have left other ways of unpacking. */
  #plain(): void {
    const gl = this.#gl;
    gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, null);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
  }

  /** Without interpolation: a pixel has the colour of one element. */
  #exact(): void {
    const gl = this.#gl;
    for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
      gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
    for (const wrap of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T])
      gl.texParameteri(gl.TEXTURE_2D, wrap, gl.CLAMP_TO_EDGE);
  }

  #program(name: string, glsl: string, { names, expression, scale, uniforms }: LayerData): twgl.ProgramInfo {
    const fragment = fragmentShader(names, expression, scale, Object.keys(uniforms));
    const key = `${name} ${fragment}`;
    const known = this.#programs.get(key);
    if (known !== undefined) return known;
    const vertex = `#version 300 es
${glsl}
in vec2 position;
in vec2 coordinates;
out vec2 inTile;
void main() {
  inTile = coordinates;
  gl_Position = place(position);
}`;
    let reason = "";
    const onError = (message: string): void => {
      reason = message;
    };
    const made = twgl.createProgramInfo(this.#gl, [vertex, fragment], { errorCallback: onError });
    if (reason !== "") throw new TypeError(`expression: ${JSON.stringify(expression)} is no GLSL: ${reason}`);
    this.#programs.set(key, made);
    return made;
  }

  #clear(tiles: Map<string, Drawn>): void {
    const gl = this.#gl;
    for (const { textures, triangles, size } of tiles.values()) {
      const spare = this.#spare.get(size) ?? [];
      this.#spare.set(size, spare);
      for (const texture of textures)
        if (this.#spareCount() < MOST_SPARE) spare.push(texture);
        else gl.deleteTexture(texture);
      for (const { buffer } of Object.values(triangles.attribs ?? {})) gl.deleteBuffer(buffer);
      gl.deleteBuffer(triangles.indices ?? null);
    }
    tiles.clear();
  }

  #spareCount(): number {
    return [...this.#spare.values()].reduce((sum, list) => sum + list.length, 0);
  }
}
