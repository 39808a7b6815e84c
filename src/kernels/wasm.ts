/**
 * The kernels in WASM. This file checks operands, finds addresses and calls; the kernels are in
 * assembly/core.ts.
 */
import { numberAt } from "../base/at.js";
import { copyInPieces, entersWhole, type Side } from "./copy-in-pieces.js";
import { checkBounds, planCopy } from "./copy-plan.js";
import type { CopyKind, CopyPlan, KernelModule, Kernels, PackedModule } from "./kernels.js";
import { type Arena, BLOCK, type KernelMemory, SOURCE_STAGING, TABLE } from "./memory.js";
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
  memory: KernelMemory,
  core: KernelModule["exports"],
  loadModule: LoadModule,
): Kernels {
  const { arena } = memory;
  const { swap: swapKernel, copy: copyKernel } = core;
  if (copyKernel === undefined || swapKernel === undefined) {
    throw new WebAssembly.LinkError("no kernel copy or swap");
  }
  const copies = new Copies(memory, copyKernel);
  return {
    name: "wasm",
    within: arena.within,
    begin: (byteLength) => arena.begin(byteLength),
    allocate: arena.allocate,
    isScratch: arena.has,
    mark: arena.mark,
    release: arena.release,

    swap(target, source, unit) {
      checkSwap(target, source, unit);
      if (arena.has(target) && arena.has(source)) {
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
      copies.copy(plan, target, 0, source, 0);
    },

    copy: copies.copy,

    fill,

    async loadTransposition() {
      const { default: packed } = await import("./modules/transposition.generated.js");
      const { exports } = await loadModule("transposition", packed);
      if (exports.copy !== undefined) copies.kernel = exports.copy;
    },

    loadModule,
  };
}

/** Whether a `set` does the same: it reaches memory outside the arena, too, and needs no table. */
function isOneRun({ kind, request, dimensions }: CopyPlan): boolean {
  return kind === "rows" && request.swapUnit === 1 && dimensions.length === 0;
}

/** Runs copy plans. The kernel finds a plan's dimensions in a table in WASM memory. */
class Copies {
  kernel: KernelModule["exports"][string];
  readonly #memory: WebAssembly.Memory;
  readonly #arena: Arena;
  #table: Int32Array;
  /** The plan whose dimensions are in the table: usually every chunk has the same plan. */
  #tabled: CopyPlan | undefined;

  constructor({ memory, arena }: KernelMemory, kernel: KernelModule["exports"][string]) {
    this.kernel = kernel;
    this.#memory = memory;
    this.#arena = arena;
    this.#table = new Int32Array(memory.buffer, TABLE, TABLE_WORDS);
  }

  readonly copy: Kernels["copy"] = (plan, target, targetOffset, source, sourceOffset) => {
    if (plan.kind === "empty") return;
    checkBounds(plan, target.length, targetOffset, source.length, sourceOffset);
    const { run } = plan;
    const to = targetOffset + plan.targetStart;
    let from = sourceOffset + plan.sourceStart;
    if (isOneRun(plan)) {
      target.set(source.subarray(from, from + run), to);
      return;
    }
    if (this.#tabled !== plan || this.#table.length === 0) this.#write(plan);
    const arena = this.#arena;
    let here = source;
    if (!arena.has(source) && entersWhole(plan)) {
      const low = sourceOffset - plan.sourceBefore;
      arena.bytes.set(source.subarray(low, sourceOffset + plan.sourceAfter), SOURCE_STAGING);
      here = arena.bytes;
      from += SOURCE_STAGING - low;
    }
    if (arena.has(target) && arena.has(here))
      this.#run(plan, run, target.byteOffset + to, here.byteOffset + from);
    else this.#copyInPieces(plan, this.#sideOf(target, to), this.#sideOf(here, from));
  };

  #run({ kind, request, dimensions }: CopyPlan, run: number, target: number, source: number): void {
    this.kernel(KINDS[kind], run, request.swapUnit, TABLE, dimensions.length / 3, target, source, BLOCK);
  }

  #copyInPieces(plan: CopyPlan, target: Side, source: Side): void {
    const rank = plan.dimensions.length / 3;
    copyInPieces(plan, target, source, this.#arena.bytes, (box, t, s) => {
      for (let d = 0; d < rank; d++) this.#table[d * ENTRY_WORDS] = numberAt(box, d);
      this.#run(plan, numberAt(box, rank), t, s);
    });
    // The extents in the table are those of the last piece.
    this.#tabled = undefined;
  }

  #write(plan: CopyPlan): void {
    // The memory has grown.
    if (this.#table.length === 0) this.#table = new Int32Array(this.#memory.buffer, TABLE, TABLE_WORDS);
    // Strides beyond 2^32 wrap here. Only JavaScript uses such strides, between pieces.
    for (const [i, number] of plan.dimensions.entries())
      this.#table[ENTRY_WORDS * Math.floor(i / 3) + (i % 3)] = number;
    this.#tabled = plan;
  }

  #sideOf(bytes: Uint8Array, start: number): Side {
    return { bytes, start, pointer: this.#arena.has(bytes) ? bytes.byteOffset : undefined };
  }
}
