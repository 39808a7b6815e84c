/** The WASM implementation: a thin shell that checks, finds addresses and calls. Its kernels are in assembly/core.ts. */
import { copyInPieces, type Side } from "./bounce.js";
import { checkBounds, checkPattern, checkSwap } from "./bounds.js";
import { fill } from "./fill.js";
import type { CopyKind, CopyPlan, KernelModule, Kernels } from "./kernels.js";
import { BLOCK, type KernelMemory, SOURCE_BOUNCE, TABLE } from "./memory.js";
import { copyInSteps } from "./pack.js";

/** Numbers of the kinds in assembly/copy.ts. */
const KINDS = {
  empty: 0,
  rows: 0,
  gather: 1,
  transpose: 2,
  scatter: 3,
  general: 3,
} as const satisfies Record<CopyKind, number>;
/** Int32 words of the dimension table and of one entry of it. */
const TABLE_WORDS = 256;
const ENTRY_WORDS = 4;

/** Bytes from outside WASM memory that a swap or test takes at a time, so that they are still in cache on the way back. */
const PIECE_LENGTH = 64 * 1024;

export type LoadModule = Kernels["loadModule"];

/** @param core the exports of assembly/core.ts on `memory` */
export function createWasmKernels(
  { memory, arena }: KernelMemory,
  core: KernelModule["exports"],
  loadModule: LoadModule,
): Kernels {
  const { copy: copyKernel, repeats, swap: swapKernel } = core;
  if (copyKernel === undefined || repeats === undefined || swapKernel === undefined) {
    throw new WebAssembly.LinkError("expected a kernel module that exports copy, repeats and swap");
  }
  let table = new Int32Array(memory.buffer, TABLE, TABLE_WORDS);
  /** The plan whose dimensions the table holds: chunk after chunk it is the same one. */
  let tabled: CopyPlan | undefined;

  const inWasm = (bytes: Uint8Array) => bytes.buffer === arena.bytes.buffer;

  function writeTable(plan: CopyPlan): void {
    // Strides beyond 2^32 wrap, and are used only between pieces, by JavaScript.
    const { dimensions } = plan;
    for (let from = 0, to = 0; from < dimensions.length; from += 3, to += ENTRY_WORDS) {
      table[to] = dimensions[from] ?? 0;
      table[to + 1] = dimensions[from + 1] ?? 0;
      table[to + 2] = dimensions[from + 2] ?? 0;
    }
    tabled = plan;
  }

  function swapInPieces(target: Uint8Array, source: Uint8Array, unit: number): void {
    for (let at = 0; at < source.length; at += PIECE_LENGTH) {
      const piece = source.subarray(at, at + PIECE_LENGTH);
      arena.bytes.set(piece, SOURCE_BOUNCE);
      swapKernel?.(SOURCE_BOUNCE, SOURCE_BOUNCE, piece.length, unit);
      target.set(arena.bytes.subarray(SOURCE_BOUNCE, SOURCE_BOUNCE + piece.length), at);
    }
  }

  function runInside(plan: CopyPlan, target: number, source: number): void {
    if (tabled !== plan) writeTable(plan);
    copyKernel?.(
      KINDS[plan.kind],
      plan.run,
      plan.request.swapUnit,
      TABLE,
      plan.dimensions.length / 3,
      target + plan.targetStart,
      source + plan.sourceStart,
      BLOCK,
    );
  }

  const sideOf = (bytes: Uint8Array, offset: number): Side => ({
    bytes,
    offset,
    pointer: inWasm(bytes) ? bytes.byteOffset : undefined,
  });

  function runOutside(plan: CopyPlan, target: Side, source: Side): void {
    if (target.pointer !== undefined && source.pointer !== undefined) {
      runInside(plan, target.pointer + target.offset, source.pointer + source.offset);
      return;
    }
    if (copyInSteps(plan, target, source, arena.bytes, runOutside)) return;
    const rank = plan.dimensions.length / 3;
    writeTable(plan);
    copyInPieces(plan, target, source, arena.bytes, (box, to, from) => {
      for (let d = 0; d < rank; d++) table[d * ENTRY_WORDS] = box[d] ?? 1;
      const run = box[rank] ?? plan.run;
      copyKernel?.(KINDS[plan.kind], run, plan.request.swapUnit, TABLE, rank, to, from, BLOCK);
    });
    // The boxes have overwritten the extents.
    tabled = undefined;
  }

  return {
    name: "wasm",
    begin(byteLength) {
      arena.begin(byteLength);
      if (table.buffer !== arena.bytes.buffer) table = new Int32Array(memory.buffer, TABLE, TABLE_WORDS);
    },
    allocate: (byteLength) => arena.allocate(byteLength),
    mark: () => arena.mark(),
    release: (mark) => arena.release(mark),

    swap(target, source, unit) {
      checkSwap(target, source, unit);
      if (inWasm(target) && inWasm(source))
        swapKernel(target.byteOffset, source.byteOffset, source.length, unit);
      else swapInPieces(target, source, unit);
    },

    copy(plan, target, targetOffset, source, sourceOffset) {
      if (plan.kind === "empty") return;
      checkBounds(plan, target.length, targetOffset, source.length, sourceOffset);
      const { buffer } = arena.bytes;
      if (target.buffer === buffer && source.buffer === buffer) {
        runInside(plan, target.byteOffset + targetOffset, source.byteOffset + sourceOffset);
      } else {
        runOutside(plan, sideOf(target, targetOffset), sideOf(source, sourceOffset));
      }
    },

    fill,

    isFilledWith(source, pattern) {
      checkPattern(source.length, pattern);
      const period = pattern.length;
      for (let i = 0; i < Math.min(period, source.length); i++) if (source[i] !== pattern[i]) return false;
      if (inWasm(source)) return repeats(source.byteOffset, source.length, period) !== 0;
      // Pieces overlap by one period, which ties each to the one before.
      if (period > PIECE_LENGTH / 2) return source.every((byte, i) => byte === pattern[i % period]);
      for (let at = 0; at + period < source.length; at += PIECE_LENGTH - period) {
        const piece = source.subarray(at, at + PIECE_LENGTH);
        arena.bytes.set(piece, SOURCE_BOUNCE);
        if (repeats(SOURCE_BOUNCE, piece.length, period) === 0) return false;
      }
      return true;
    },

    loadModule,
  };
}
