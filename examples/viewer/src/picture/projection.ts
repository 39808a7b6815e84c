/** The largest value along each line of sight through a volume, in WebGL2. */
import type { Volume } from "../data/volume.js";

const VERTEX = `#version 300 es
out vec2 place;
void main() {
  place = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  gl_Position = vec4(place, 0, 1);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
precision highp sampler3D;
uniform sampler3D volume;
uniform sampler2D colours;
uniform mat3 turn;
uniform vec3 extent;
uniform vec2 window;
in vec2 place;
out vec4 colour;
const int STEPS = 256;
void main() {
  // Parallel lines of sight, in units of the longest side.
  vec3 from = turn * vec3(place * window, -1.0);
  vec3 along = turn * vec3(0, 0, 2.0);
  vec3 low = (-0.5 * extent - from) / along;
  vec3 high = (0.5 * extent - from) / along;
  vec3 first = min(low, high);
  vec3 last = max(low, high);
  float begin = max(max(first.x, first.y), first.z);
  float end = min(min(last.x, last.y), last.z);
  if (begin >= end) discard;
  float largest = 0.0;
  for (int i = 0; i < STEPS; i++) {
    vec3 at = from + along * mix(begin, end, (float(i) + 0.5) / float(STEPS));
    largest = max(largest, texture(volume, at / extent + 0.5).r);
  }
  colour = texture(colours, vec2(largest, 0.5));
}`;

export interface Turn {
  /** In radians. */
  readonly around: number;
  readonly up: number;
}

/** @throws Error where there is no WebGL2 */
export function createProjection(canvas: HTMLCanvasElement) {
  const gl = canvas.getContext("webgl2", { antialias: false, preserveDrawingBuffer: true });
  if (!gl) throw new Error("this browser shows no WebGL2, which the picture needs");
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
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
  const of = (name: string): WebGLUniformLocation | null => gl.getUniformLocation(program, name);
  const [texture, table] = [gl.createTexture(), gl.createTexture()];
  let extent: Volume["extent"] = [1, 1, 1];
  let hasVolume = false;

  function filtered(target: GLenum): void {
    if (!gl) return;
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
      gl.texParameteri(target, name, gl.LINEAR);
    for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T, gl.TEXTURE_WRAP_R])
      gl.texParameteri(target, name, gl.CLAMP_TO_EDGE);
  }

  return {
    setVolume({ data, shape: [depth, height, width], extent: sides }: Volume): void {
      extent = sides;
      hasVolume = true;
      gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
      gl.bindTexture(gl.TEXTURE_3D, texture);
      filtered(gl.TEXTURE_3D);
      gl.texImage3D(gl.TEXTURE_3D, 0, gl.R8, width, height, depth, 0, gl.RED, gl.UNSIGNED_BYTE, data);
    },
    /** @param bytes 256 colours */
    setColours(bytes: Uint8Array): void {
      gl.bindTexture(gl.TEXTURE_2D, table);
      filtered(gl.TEXTURE_2D);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    },
    draw({ around, up }: Turn, zoom: number): void {
      const { width, height } = canvas;
      gl.viewport(0, 0, width, height);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
      if (!hasVolume || width === 0 || height === 0) return;
      gl.useProgram(program);
      gl.activeTexture(gl.TEXTURE0);
      gl.bindTexture(gl.TEXTURE_3D, texture);
      gl.activeTexture(gl.TEXTURE1);
      gl.bindTexture(gl.TEXTURE_2D, table);
      gl.uniform1i(of("volume"), 0);
      gl.uniform1i(of("colours"), 1);
      const [s, c, t, d] = [Math.sin(around), Math.cos(around), Math.sin(up), Math.cos(up)];
      // The first dimension goes down, as in the planes.
      gl.uniformMatrix3fv(of("turn"), false, [c, 0, -s, s * t, -d, c * t, s * d, t, c * d]);
      gl.uniform3f(of("extent"), extent[2], extent[1], extent[0]);
      const least = Math.min(width, height);
      const half = 0.8 / zoom;
      gl.uniform2f(of("window"), (half * width) / least, (half * height) / least);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    },
  };
}
