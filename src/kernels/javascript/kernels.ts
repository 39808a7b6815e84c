/** The kernels without WebAssembly: the same bits as wasm.ts. load.ts imports this module dynamically, only where it is needed. */

import { checkBounds, checkSwap, fill } from "../bounds.js";
import type { Kernels } from "../kernels.js";
import { ARENA_MAXIMUM, Arena } from "../memory.js";
import { copyElements, copyPlanned } from "./copy.js";

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
