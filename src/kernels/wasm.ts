/** The WASM implementation: a thin shell that checks, finds addresses and calls. Its kernels are in assembly/core.ts. */
import { copyInPieces, type RunPiece } from "./bounce.js";
import { checkBounds, checkPattern, checkSwap } from "./bounds.js";
import { fill } from "./fill.js";
import type { CopyKind, CopyPlan, KernelModule, Kernels } from "./kernels.js";
import { BLOCK, BOUNCE_LENGTH, type KernelMemory, SOURCE_BOUNCE, TABLE } from "./memory.js";

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
    for (let at = 0; at < source.length; at += BOUNCE_LENGTH) {
      const piece = source.subarray(at, at + BOUNCE_LENGTH);
      arena.bytes.set(piece, SOURCE_BOUNCE);
      swapKernel?.(SOURCE_BOUNCE, SOURCE_BOUNCE, piece.length, unit);
      target.set(arena.bytes.subarray(SOURCE_BOUNCE, SOURCE_BOUNCE + piece.length), at);
    }
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
      if (tabled !== plan) writeTable(plan);
      const kind = KINDS[plan.kind];
      const { run } = plan;
      const unit = plan.request.swapUnit;
      const rank = plan.dimensions.length / 3;
      const targetStart = targetOffset + plan.targetStart;
      const sourceStart = sourceOffset + plan.sourceStart;
      const targetPointer = inWasm(target) ? target.byteOffset : undefined;
      const sourcePointer = inWasm(source) ? source.byteOffset : undefined;
      if (targetPointer !== undefined && sourcePointer !== undefined) {
        copyKernel(
          kind,
          run,
          unit,
          TABLE,
          rank,
          targetPointer + targetStart,
          sourcePointer + sourceStart,
          BLOCK,
        );
        return;
      }
      const runPiece: RunPiece = (dimension, extent, to, from) => {
        if (dimension === rank) {
          copyKernel(KINDS.rows, extent, unit, TABLE, 0, to, from, BLOCK);
          return;
        }
        const word = dimension * ENTRY_WORDS;
        const whole = table[word] ?? 1;
        table[word] = extent;
        copyKernel(kind, run, unit, TABLE + word * 4, rank - dimension, to, from, BLOCK);
        table[word] = whole;
      };
      copyInPieces(
        plan,
        { bytes: target, start: targetStart, pointer: targetPointer },
        { bytes: source, start: sourceStart, pointer: sourcePointer },
        arena.bytes,
        runPiece,
      );
    },

    fill,

    isFilledWith(source, pattern) {
      checkPattern(source.length, pattern);
      const period = pattern.length;
      for (let i = 0; i < Math.min(period, source.length); i++) if (source[i] !== pattern[i]) return false;
      if (inWasm(source)) return repeats(source.byteOffset, source.length, period) !== 0;
      // Pieces overlap by one period, which ties each to the one before.
      if (period > BOUNCE_LENGTH / 2) return source.every((byte, i) => byte === pattern[i % period]);
      for (let at = 0; at + period < source.length; at += BOUNCE_LENGTH - period) {
        const piece = source.subarray(at, at + BOUNCE_LENGTH);
        arena.bytes.set(piece, SOURCE_BOUNCE);
        if (repeats(SOURCE_BOUNCE, piece.length, period) === 0) return false;
      }
      return true;
    },

    loadModule,
  };
}
