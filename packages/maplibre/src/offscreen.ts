/**
 * A picture that is drawn beside the map and then put on it: layers are made transparent as a whole, and tiles
 * that lie over each other are not seen through each other.
 */
import * as twgl from "twgl.js";

const VERTEX = `#version 300 es
in vec2 position;
out vec2 place;
void main() {
  place = position * 0.5 + 0.5;
  gl_Position = vec4(position, 0, 1);
}`;
const FRAGMENT = `#version 300 es
precision highp float;
uniform sampler2D picture;
uniform float opacity;
in vec2 place;
out vec4 color;
void main() { color = texture(picture, place) * opacity; }`;

export class Offscreen {
  readonly #gl: WebGL2RenderingContext;
  readonly #program: twgl.ProgramInfo;
  readonly #corners: twgl.BufferInfo;
  #buffer: twgl.FramebufferInfo | undefined;

  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl;
    this.#program = twgl.createProgramInfo(gl, [VERTEX, FRAGMENT]);
    this.#corners = twgl.createBufferInfoFromArrays(gl, {
      position: { numComponents: 2, data: [-1, -1, 3, -1, -1, 3] },
    });
  }

  /** Begins an empty picture of the size of the map. */
  begin(): void {
    const gl = this.#gl;
    const { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
    if (this.#buffer?.width !== width || this.#buffer.height !== height) {
      // WebKit draws into a texture of another size, but reads it as it was: a new size is a new texture.
      this.#deleteBuffer();
      const attachments = [{ format: gl.RGBA, minMag: gl.NEAREST }];
      this.#buffer = twgl.createFramebufferInfo(gl, attachments, width, height);
    }
    twgl.bindFramebufferInfo(gl, this.#buffer);
    gl.disable(gl.SCISSOR_TEST);
    gl.colorMask(true, true, true, true);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
  }

  /** Puts the picture on the map. */
  put(opacity: number): void {
    const gl = this.#gl;
    if (this.#buffer === undefined) return;
    // The map has set depths so that layers above it are.
    gl.disable(gl.CULL_FACE);
    gl.useProgram(this.#program.program);
    twgl.setBuffersAndAttributes(gl, this.#program, this.#corners);
    twgl.setUniforms(this.#program, { picture: this.#buffer.attachments[0], opacity });
    twgl.drawBufferInfo(gl, this.#corners);
  }

  close(): void {
    const gl = this.#gl;
    gl.deleteProgram(this.#program.program);
    this.#deleteBuffer();
    for (const { buffer } of Object.values(this.#corners.attribs ?? {})) gl.deleteBuffer(buffer);
  }
  #deleteBuffer(): void {
    if (this.#buffer === undefined) return;
    this.#gl.deleteFramebuffer(this.#buffer.framebuffer);
    this.#gl.deleteTexture(this.#buffer.attachments[0] ?? null);
  }
}
