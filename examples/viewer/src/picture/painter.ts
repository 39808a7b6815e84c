/**
 * Tiles as textures of WebGL2, in their own type; colours are looked up in the shader. Where a tile lies is for
 * the vertex shader of the caller, which sets `at` to the place in the tile.
 */
import type { Curve } from "../state.js";
import type { Range } from "./contrast.js";
import { endsOf, linearOf } from "./curve.js";
import type { TextureData } from "./texture-data.js";

/** A tile in the graphics memory. */
export interface Texture {
  readonly handle: WebGLTexture;
  readonly kind: Kind;
  readonly width: number;
  readonly height: number;
  readonly byteLength: number;
  /** Value of a 1 in the texture. */
  readonly unit: number;
}

/** How values become colours: those of a map, or one colour that is added to what is there. */
export interface Paint {
  /** Stored values at both ends. */
  readonly range: readonly [number, number];
  /** In floats, missing values are NaN already. */
  readonly missing: readonly number[];
  readonly colour?: readonly [red: number, green: number, blue: number] | undefined;
  /** From 0 to 1. */
  readonly opacity: number;
  /** Default: colours follow values evenly. */
  readonly curve?: Curve | undefined;
  /** 256 colours, where there is no colour that is added. Known by identity. */
  readonly table?: Uint8Array | undefined;
  /** Of the same elements of something else, which are taken away: the difference is drawn. */
  readonly minus?: Minuend | undefined;
  /** Of colours themselves: whether only their edges are drawn. */
  readonly isOutlined?: boolean | undefined;
  /** From stored to decoded values, which curves are of. */
  readonly decoding?: readonly [scale: number, offset: number] | undefined;
}

export interface Minuend {
  readonly texture: Texture;
  /** What its stored values are multiplied with, so that they are of the same unit. */
  readonly factor: number;
}

type Kind = "float" | "int" | "uint" | "colours";

/** Near the largest float32. */
const LARGEST = 1e38;
/** Half the width of outlines, in CSS pixels. */
const OUTLINE = 1;
/** Where a colour is added, none is looked up. */
const NO_COLOURS = new Uint8Array(1024);

const SAMPLERS: Readonly<Record<Kind, string>> = {
  float: "sampler2D",
  int: "isampler2D",
  uint: "usampler2D",
  colours: "sampler2D",
};

const PAINTED = `#version 300 es
precision highp float;
uniform sampler2D values;
uniform float opacity;
// Pixels of the screen of an outline; 0: filled.
uniform float outline;
in vec2 at;
out vec4 colour;
vec4 colourAt(vec2 place) {
  vec2 size = vec2(textureSize(values, 0));
  return texelFetch(values, ivec2(clamp(place * size, vec2(0), size - 1.0)), 0);
}
void main() {
  colour = colourAt(at);
  vec2 reach = outline * vec2(length(vec2(dFdx(at.x), dFdy(at.x))), length(vec2(dFdx(at.y), dFdy(at.y))));
  if (outline > 0.0 && colourAt(at + vec2(reach.x, 0)) == colour && colourAt(at - vec2(reach.x, 0)) == colour
    && colourAt(at + vec2(0, reach.y)) == colour && colourAt(at - vec2(0, reach.y)) == colour) discard;
  colour.a *= opacity;
  colour.rgb *= colour.a;
}`;

const fragment = (kind: Kind): string => `#version 300 es
precision highp float;
precision highp int;
precision highp ${SAMPLERS[kind]};
uniform ${SAMPLERS[kind]} values;
uniform ${SAMPLERS[kind]} others;
// What one of the others is among the values; 0 without a difference.
uniform float minus;
uniform sampler2D colours;
// First value as a pair of floats, and how far the last is from it.
uniform vec3 range;
uniform vec4 missing;
uniform vec4 added;
uniform float opacity;
// 0: even, 1: logarithm, 2: logarithm of the distance from zero.
uniform int curve;
// Scale and offset of decoded values, and both ends of the colours among these.
uniform vec4 decoding;
uniform float linearPart;
in vec2 at;
out vec4 colour;
float bent(float value) {
  return curve == 1 ? log(max(value, 1e-37)) : sign(value) * log(1.0 + abs(value) / linearPart);
}
void main() {
  vec2 size = vec2(textureSize(values, 0));
  // Textures of single values have 0 as the second.
  vec2 pair = vec2(texelFetch(values, ivec2(min(at * size, size - 1.0)), 0).rg);
  float value = pair.r;
  // NaN is no number's equal; the driver may not have isnan.
  if (!(value < 0.0 || value >= 0.0) || any(equal(vec4(value), missing))) discard;
  if (minus != 0.0) {
    vec2 other = vec2(texelFetch(others, ivec2(min(at * size, size - 1.0)), 0).rg);
    if (!(other.r < 0.0 || other.r >= 0.0) || any(equal(vec4(other.r), missing))) discard;
    pair -= other * minus;
    value = pair.r;
  }
  float part = clamp(((value - range.x) + (pair.g - range.y)) / range.z, 0.0, 1.0);
  if (curve > 0) {
    float low = bent(decoding.z);
    float decoded = (pair.r + pair.g) * decoding.x + decoding.y;
    part = clamp((bent(decoded) - low) / (bent(decoding.w) - low), 0.0, 1.0);
  }
  if (added.a > 0.0) colour = vec4(added.rgb * part, 1);
  else colour = texelFetch(colours, ivec2(int(part * 255.0 + 0.5), 0), 0) * opacity;
}`;

/** Programs and textures of one context. */
export function createPainter(gl: WebGL2RenderingContext) {
  const programs = new Map<string, ReturnType<typeof link>>();
  const tables = new Map<Uint8Array, WebGLTexture>();

  function texture(): WebGLTexture {
    const handle = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, handle);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    return handle;
  }

  function link(kind: Kind, vertex: string) {
    const program = gl.createProgram();
    for (const [type, source] of [
      [gl.VERTEX_SHADER, vertex],
      [gl.FRAGMENT_SHADER, kind === "colours" ? PAINTED : fragment(kind)],
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
    const at = (name: string): WebGLUniformLocation | null => gl.getUniformLocation(program, name);
    const where = new Map<string, WebGLUniformLocation | null>();
    const of = (name: string): WebGLUniformLocation | null => {
      const known = where.get(name);
      if (known !== undefined) return known;
      const found = at(name);
      where.set(name, found);
      return found;
    };
    return { program, of };
  }

  function programOf(kind: Kind, vertex: string) {
    const key = `${kind} ${vertex}`;
    const known = programs.get(key) ?? link(kind, vertex);
    programs.set(key, known);
    return known;
  }

  function formatOf(data: TextureData): { kind: Kind; internal: number; format: number; type: number } {
    const integer = (kind: Kind, internal: number, type: number) => ({
      kind,
      internal,
      format: gl.RED_INTEGER,
      type,
    });
    if (data instanceof Uint8Array) return integer("uint", gl.R8UI, gl.UNSIGNED_BYTE);
    if (data instanceof Uint16Array) return integer("uint", gl.R16UI, gl.UNSIGNED_SHORT);
    if (data instanceof Int8Array) return integer("int", gl.R8I, gl.BYTE);
    if (data instanceof Int16Array) return integer("int", gl.R16I, gl.SHORT);
    if ("rgba" in data)
      return { kind: "colours", internal: gl.RGBA8, format: gl.RGBA, type: gl.UNSIGNED_BYTE };
    if ("pairs" in data) return { kind: "float", internal: gl.RG32F, format: gl.RG, type: gl.FLOAT };
    return { kind: "float", internal: gl.R32F, format: gl.RED, type: gl.FLOAT };
  }

  return {
    upload(data: TextureData, width: number, height: number): Texture {
      const { kind, internal, format, type } = formatOf(data);
      const [values, unit] =
        "pairs" in data ? [data.pairs, data.unit] : "rgba" in data ? [data.rgba, 1] : [data, 1];
      const handle = texture();
      gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
      gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false);
      gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
      gl.texImage2D(gl.TEXTURE_2D, 0, internal, width, height, 0, format, type, values);
      return { handle, kind, width, height, byteLength: values.byteLength, unit };
    },

    free({ handle }: Texture): void {
      gl.deleteTexture(handle);
    },

    /** Sets all of a program but where the tile lies. @returns where its uniforms are */
    use(tile: Texture, paint: Paint, vertex: string) {
      const found = programOf(tile.kind, vertex);
      const { program, of } = found;
      gl.useProgram(program);
      gl.activeTexture(gl.TEXTURE0);
      gl.bindTexture(gl.TEXTURE_2D, tile.handle);
      gl.activeTexture(gl.TEXTURE1);
      gl.bindTexture(gl.TEXTURE_2D, tableOf(paint.table ?? NO_COLOURS));
      gl.activeTexture(gl.TEXTURE2);
      // A sampler of integers takes no other texture, even one that is not looked at.
      gl.bindTexture(gl.TEXTURE_2D, (paint.minus?.texture ?? tile).handle);
      gl.activeTexture(gl.TEXTURE0);
      gl.uniform1i(of("values"), 0);
      gl.uniform1i(of("colours"), 1);
      gl.uniform1i(of("others"), 2);
      const { minus } = paint;
      gl.uniform1f(of("minus"), minus ? (minus.factor * minus.texture.unit) / tile.unit : 0);
      gl.uniform1f(of("outline"), paint.isOutlined ? OUTLINE * devicePixelRatio : 0);
      const [low, high] = paint.range.map((end) => Math.min(LARGEST, Math.max(-LARGEST, end / tile.unit)));
      const near = Math.fround(low ?? 0);
      gl.uniform3f(of("range"), near, (low ?? 0) - near, (high ?? 1) - (low ?? 0) || 1e-37);
      // As the texture has them; those that are not used are NaN, which equals nothing.
      const [a = Number.NaN, b = Number.NaN, c = Number.NaN, d = Number.NaN] =
        tile.kind === "float" ? [] : paint.missing;
      gl.uniform4f(of("missing"), a, b, c, d);
      const [red, green, blue] = paint.colour ?? [0, 0, 0];
      const { opacity } = paint;
      gl.uniform4f(of("added"), red * opacity, green * opacity, blue * opacity, paint.colour ? 1 : 0);
      gl.uniform1f(of("opacity"), opacity);
      setCurve(found, tile.unit, paint);
      gl.enable(gl.BLEND);
      gl.blendFunc(gl.ONE, paint.colour ? gl.ONE : gl.ONE_MINUS_SRC_ALPHA);
      return found;
    },
  };

  function tableOf(bytes: Uint8Array): WebGLTexture {
    const known = tables.get(bytes);
    if (known) return known;
    const made = texture();
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    tables.set(bytes, made);
    return made;
  }

  function setCurve(
    { of }: ReturnType<typeof link>,
    unit: number,
    { curve = "linear", decoding: [scale, offset] = [1, 0], range }: Paint,
  ): void {
    gl.uniform1i(of("curve"), { linear: 0, log: 1, symmetric: 2 }[curve]);
    const decoded: Range = [range[0] * scale + offset, range[1] * scale + offset];
    const [low, high] = endsOf(curve, decoded);
    gl.uniform4f(of("decoding"), unit * scale, offset, low, high);
    gl.uniform1f(of("linearPart"), linearOf([low, high]));
  }
}

export type Painter = ReturnType<typeof createPainter>;
