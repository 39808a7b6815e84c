/**
 * The one seam between TypeScript and WebAssembly. All other code calls these functions on `Uint8Array`s. Two implementations give
 * identical bits: wasm.ts (SIMD, on one shared memory) and javascript/kernels.ts (the fallback where WebAssembly or SIMD is missing or
 * forbidden, the baseline of the benchmarks, the oracle of the tests).
 */

/** Byte-swap unit: 1 means no swap. A complex64 has element width 8 and unit 4. */
export type SwapUnit = 1 | 2 | 4 | 8 | 16;

/** An N-dimensional strided copy, prepared once and run on many chunks. Made by `planCopy` (copy-plan.ts). */
export interface CopyRequest {
  /** Elements along each dimension. */
  readonly shape: readonly number[];
  /** Bytes from one element to the next along each dimension; may be negative or zero (a broadcast source). */
  readonly targetStrides: readonly number[];
  readonly sourceStrides: readonly number[];
  /** Bytes per element, any positive integer. */
  readonly width: number;
  /** Every `swapUnit` bytes inside an element are reversed on the way. Divides `width`. */
  readonly swapUnit: SwapUnit;
}

/** A module of the package (*.generated.ts): its bytes deflated, then in base64. */
export type PackedModule = string;

export interface Kernels {
  readonly name: "wasm" | "javascript";

  /**
   * Scratch memory ("the arena") where kernels run without copies. `begin(n)` drops everything allocated before and makes
   * room for `n` bytes in all (the only moment at which WASM memory may grow, so no view is ever detached while in
   * use); `allocate` hands out 16-byte aligned pieces; when the room is used up it hands out ordinary memory, which every
   * kernel accepts too, only slower. `mark`/`release` free in stack order. Contents are undefined. Views are valid until
   * released; nothing may be held across an await.
   */
  begin(byteLength: number): void;
  allocate(byteLength: number): Uint8Array;
  mark(): number;
  release(mark: number): void;

  /** Reverses every `unit` bytes. `target` and `source` have equal length, a multiple of `unit`; they may be the same memory. */
  swap(target: Uint8Array, source: Uint8Array, unit: SwapUnit): void;

  /**
   * Runs a prepared copy. Offsets are in bytes into the arrays and name the element at index [0, 0, ...]. Bounds are
   * checked once against the plan's extents: a plan that would leave either array throws RangeError before a byte moves.
   * Target and source must not overlap. Bytes of the target between those the plan writes keep their values (in shared
   * memory they are not even touched, so that threads may write neighbouring elements).
   */
  copy(
    plan: CopyPlan,
    target: Uint8Array,
    targetOffset: number,
    source: Uint8Array,
    sourceOffset: number,
  ): void;

  /** Fills `target` with `pattern` repeated. `target.length` is a multiple of `pattern.length`. */
  fill(target: Uint8Array, pattern: Uint8Array): void;

  /**
   * Makes copies between permuted dimensions (kind "transpose") fast; right they are without it. Awaited by whatever prepares
   * such copies: most arrays have none, so that their kernel is not part of the core.
   */
  loadTransposition(): Promise<void>;

  /**
   * Loads a further WASM module (checksums, blosc, zstd, ...) on the same memory; undefined where this implementation has none
   * (the twin, or a forbidden compile), and the codec takes its TypeScript path. Memoised.
   */
  loadModule(name: string, packed: PackedModule): Promise<KernelModule | undefined>;
}

/** An extra WASM module: its exports, and how to reach arena memory from them. */
export interface KernelModule {
  readonly exports: Readonly<Record<string, (...args: number[]) => number>>;
  /** Address of a view that lies in the arena; undefined for any other memory. */
  pointer(bytes: Uint8Array): number | undefined;
}

/** @throws WebAssembly.LinkError where the module has no such export */
export function exportOf({ exports }: KernelModule, name: string): KernelModule["exports"][string] {
  const found = exports[name];
  if (found === undefined) throw new WebAssembly.LinkError(`expected a kernel module that exports ${name}`);
  return found;
}

/** How the innermost dimensions of a copy lie; decides which kernel runs. */
export type CopyKind = "empty" | "rows" | "gather" | "transpose" | "general";

/** Opaque outside src/kernels: a CopyRequest with dimensions merged, ordered and classified. */
export interface CopyPlan {
  readonly request: CopyRequest;
  readonly kind: CopyKind;
  /** Bytes before and after the [0, 0, ...] element that the plan touches, for the bounds check. */
  readonly targetBefore: number;
  readonly targetAfter: number;
  readonly sourceBefore: number;
  readonly sourceAfter: number;
  /** From the [0, 0, ...] element to where the merged dimensions begin (reversed dimensions run from their far end). */
  readonly targetStart: number;
  readonly sourceStart: number;
  /** Bytes that are contiguous on both sides: an element of 1, 2, 4, 8 or 16 bytes, or for "rows" any run of elements. */
  readonly run: number;
  /** Merged dimensions of runs, outermost first: extent, target stride, source stride of each. */
  readonly dimensions: readonly number[];
}

// What both implementations share: the checks of operands other than copies, and the fill.

/** @throws RangeError unless the lengths are equal and a multiple of `unit` */
export function checkSwap(target: Uint8Array, source: Uint8Array, unit: number): void {
  if (target.length !== source.length || source.length % unit !== 0) {
    throw new RangeError(
      `swap expected the same multiple of ${unit} bytes, got ${target.length} and ${source.length} bytes`,
    );
  }
}

/** @throws RangeError unless `length` is a multiple of the pattern's length */
export function checkPattern(length: number, pattern: Uint8Array): void {
  if (pattern.length === 0 || length % pattern.length !== 0) {
    throw new RangeError(`fill expected a multiple of ${pattern.length} bytes, got ${length} bytes`);
  }
}

/** `fill` copies blocks of at least this length: a source that stays in the level-1 cache. */
const BLOCK_LENGTH = 16 * 1024;

/**
 * Fills by the engine's own fill and memmove, which run at memory speed: no kernel would be faster.
 *
 * @throws RangeError unless the target's length is a multiple of the pattern's
 */
export function fill(target: Uint8Array, pattern: Uint8Array): void {
  checkPattern(target.length, pattern);
  const first = pattern[0] ?? 0;
  if (pattern.every((byte) => byte === first)) {
    target.fill(first);
    return;
  }
  if (target.length === 0) return;
  target.set(pattern);
  let filled = pattern.length;
  for (; filled < target.length && filled < BLOCK_LENGTH; filled *= 2) {
    target.copyWithin(filled, 0, Math.min(filled, target.length - filled));
  }
  for (const block = filled; filled < target.length; filled += block) {
    target.copyWithin(filled, 0, Math.min(block, target.length - filled));
  }
}
