/**
 * The kernels in WASM. This file checks operands, finds addresses and calls; the kernels are in
 * assembly/core.ts.
 */

import { copyInPieces, entersWhole, type Side } from "./copy-in-pieces.js";
import { checkBounds, planCopy } from "./copy-plan.js";
import type { CopyKind, CopyPlan, KernelModule, Kernels, PackedModule } from "./kernels.js";
import { BLOCK, type KernelMemory, SOURCE_STAGING, TABLE } from "./memory.js";
import { checkSwap, fill } from "./operands.js";

/** Numbers of the copy kinds in assembly/copy.ts. */
const KINDS = {
  empty: 0,
  rows: 0,
  gather: 1,
  transpose: 2,
  general: 3,
} as const satisfies Record<CopyKind, number>;

/** Length of the dimension table, and of one entry, in words of 32 bits. */
const TABLE_WORDS = 256;
const ENTRY_WORDS = 4;

export type LoadModule = (name: string, packed: PackedModule) => Promise<KernelModule>;

/** @param core the exports of assembly/core.ts on `memory` */
export function createWasmKernels(
  { memory, arena }: KernelMemory,
  core: KernelModule["exports"],
  loadModule: LoadModule,
): Kernels {
  const { swap: swapKernel } = core;
  let { copy: copyKernel } = core;
  if (copyKernel === undefined || swapKernel === undefined) {
    throw new WebAssembly.LinkError("no kernel copy or swap");
  }
  let table = new Int32Array(memory.buffer, TABLE, TABLE_WORDS);
  /** The plan whose dimensions are in the table: usually every chunk has the same plan. */
  let tabled: CopyPlan | undefined;

  const inWasm = (bytes: { readonly buffer: ArrayBufferLike }) => bytes.buffer === arena.bytes.buffer;

  function writeTable(plan: CopyPlan): void {
    // Strides beyond 2^32 wrap here. Only JavaScript uses such strides, between pieces.
    const { dimensions } = plan;
    // The memory has grown.
    if (table.length === 0) table = new Int32Array(memory.buffer, TABLE, TABLE_WORDS);
    for (let from = 0, to = 0; from < dimensions.length; from += 3, to += ENTRY_WORDS) {
      table[to] = dimensions[from] ?? 0;
      table[to + 1] = dimensions[from + 1] ?? 0;
      table[to + 2] = dimensions[from + 2] ?? 0;
    }
    tabled = plan;
  }

  const sideOf = (bytes: Uint8Array, start: number): Side => ({
    bytes,
    start,
    pointer: inWasm(bytes) ? bytes.byteOffset : undefined,
  });

  function copy(
    plan: CopyPlan,
    target: Uint8Array,
    targetOffset: number,
    source: Uint8Array,
    sourceOffset: number,
  ): void {
    if (plan.kind === "empty") return;
    checkBounds(plan, target.length, targetOffset, source.length, sourceOffset);
    if (tabled !== plan || table.length === 0) writeTable(plan);
    const kind = KINDS[plan.kind];
    const { run } = plan;
    const unit = plan.request.swapUnit;
    const rank = plan.dimensions.length / 3;
    const to = targetOffset + plan.targetStart;
    let from = sourceOffset + plan.sourceStart;
    let here = source;
    if (!inWasm(source) && entersWhole(plan)) {
      const low = sourceOffset - plan.sourceBefore;
      arena.bytes.set(source.subarray(low, sourceOffset + plan.sourceAfter), SOURCE_STAGING);
      here = arena.bytes;
      from += SOURCE_STAGING - low;
    }
    if (inWasm(target) && inWasm(here)) {
      copyKernel?.(kind, run, unit, TABLE, rank, target.byteOffset + to, here.byteOffset + from, BLOCK);
      return;
    }
    copyInPieces(plan, sideOf(target, to), sideOf(here, from), arena.bytes, (box, t, s) => {
      for (let d = 0; d < rank; d++) table[d * ENTRY_WORDS] = box[d] ?? 1;
      copyKernel?.(kind, box[rank] ?? run, unit, TABLE, rank, t, s, BLOCK);
    });
    // `copyInPieces` has overwritten the extents in the table.
    tabled = undefined;
  }

  return {
    name: "wasm",
    within: (byteLength, work) => arena.within(byteLength, work),
    begin: (byteLength) => arena.begin(byteLength),
    allocate: (byteLength) => arena.allocate(byteLength),
    isScratch: inWasm,
    mark: () => arena.mark(),
    release: (mark) => arena.release(mark),

    swap(target, source, unit) {
      checkSwap(target, source, unit);
      if (inWasm(target) && inWasm(source)) {
        swapKernel(target.byteOffset, source.byteOffset, source.length, unit);
        return;
      }
      const shape = [source.length / unit];
      const strides = [unit];
      const plan = planCopy({
        shape,
        targetStrides: strides,
        sourceStrides: strides,
        width: unit,
        swapUnit: unit,
      });
      copy(plan, target, 0, source, 0);
    },

    copy,

    fill,

    async loadTransposition() {
      const { default: packed } = await import("./modules/transposition.generated.js");
      const { exports } = await loadModule("transposition", packed);
      copyKernel = exports.copy;
    },

    loadModule,
  };
}
