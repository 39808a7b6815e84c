/** Draws tiles into boxes of a canvas. */
import { createPainter, type Paint, type Texture } from "./painter.js";

/** A box of the screen, in pixels from the top left. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const VERTEX = `#version 300 es
uniform vec4 box;
uniform vec2 flip;
out vec2 at;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  at = mix(corner, 1.0 - corner, flip);
  gl_Position = vec4((box.xy + corner * box.zw) * vec2(2, -2) + vec2(-1, 1), 0, 1);
}`;

/** @throws Error where there is no WebGL2 */
export function createRenderer(canvas: HTMLCanvasElement) {
  const found = canvas.getContext("webgl2", { stencil: true, antialias: false, preserveDrawingBuffer: true });
  if (!found) throw new Error("this browser shows no WebGL2, which the picture needs");
  const gl = found;
  const painter = createPainter(gl);

  return {
    painter,

    clear(): void {
      gl.viewport(0, 0, canvas.width, canvas.height);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
    },

    /** From now on, nothing is drawn outside these pixels from the left. Undefined: everywhere. */
    clip(sides: readonly [left: number, right: number] | undefined): void {
      if (sides === undefined) gl.disable(gl.SCISSOR_TEST);
      else {
        gl.enable(gl.SCISSOR_TEST);
        gl.scissor(sides[0], 0, Math.max(0, sides[1] - sides[0]), canvas.height);
      }
    },

    /** From now on, what is drawn first stays: other colours are mixed with those of the pass before. */
    beginPass(): void {
      gl.clear(gl.STENCIL_BUFFER_BIT);
      gl.enable(gl.STENCIL_TEST);
      gl.stencilFunc(gl.EQUAL, 0, 1);
      gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
    },

    draw(tile: Texture, { left, top, width, height }: Box, paint: Paint, isFlipped: boolean): void {
      const { of } = painter.use(tile, paint, VERTEX);
      gl.uniform4f(
        of("box"),
        left / canvas.width,
        top / canvas.height,
        width / canvas.width,
        height / canvas.height,
      );
      gl.uniform2f(of("flip"), 0, isFlipped ? 1 : 0);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    },
  };
}

export type Renderer = ReturnType<typeof createRenderer>;
