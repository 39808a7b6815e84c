/**
 * The TypeScript twin: the same bits as wasm.ts, without WebAssembly. Loaded only where it is needed (load.ts imports it
 * dynamically). One function a byte width: a loop that sees several typed array classes runs 30 times slower.
 */
import { ARENA_MAXIMUM, Arena } from "./arena.js";
import { checkBounds, checkSwap } from "./bounds.js";
import { fill } from "./fill.js";
import { copyElements, copyPlanned } from "./javascript/copy.js";
import type { Kernels } from "./kernels.js";

export function createJavaScriptKernels(): Kernels {
  const arena = new Arena(
    0,
    new Uint8Array(0),
    (byteLength) => new Uint8Array(Math.min(byteLength, ARENA_MAXIMUM)),
  );
  return {
    name: "javascript",
    begin: (byteLength) => arena.begin(byteLength),
    allocate: (byteLength) => arena.allocate(byteLength),
    mark: () => arena.mark(),
    release: (mark) => arena.release(mark),

    swap(target, source, unit) {
      checkSwap(target, source, unit);
      if (unit === 1) target.set(source);
      else copyElements([source.length / unit, unit, unit], unit, unit, target, 0, source, 0);
    },

    copy(plan, target, targetOffset, source, sourceOffset) {
      if (plan.kind === "empty") return;
      checkBounds(plan, target.length, targetOffset, source.length, sourceOffset);
      copyPlanned(plan, target, targetOffset + plan.targetStart, source, sourceOffset + plan.sourceStart);
    },

    fill,

    loadTransposition: () => Promise.resolve(),
    loadModule: () => Promise.resolve(undefined),
  };
}
