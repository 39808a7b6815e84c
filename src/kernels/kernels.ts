/**
 * The only interface between TypeScript and WebAssembly. All other code calls these functions on
 * `Uint8Array`s. Two implementations give identical bits: wasm.ts (SIMD, on one shared memory) and
 * javascript/kernels.ts (the fallback if WebAssembly or SIMD is missing or forbidden, the baseline of the
 * benchmarks, the oracle of the tests).
 */

/** Byte-swap unit: 1 means no swap. A complex64 has element width 8 and unit 4. */
export type SwapUnit = 1 | 2 | 4 | 8 | 16;

/** An N-dimensional strided copy, prepared once and run on many chunks. Made by `planCopy` (copy-plan.ts). */
export interface CopyRequest {
  /** Elements along each dimension. */
  readonly shape: readonly number[];
  /**
   * Bytes from one element to the next along each dimension; may be negative or zero (a broadcast source).
   */
  readonly targetStrides: readonly number[];
  readonly sourceStrides: readonly number[];
  /** Bytes per element, any positive integer. */
  readonly width: number;
  /** Number of bytes that are reversed together inside an element. Divides `width`. */
  readonly swapUnit: SwapUnit;
}

/** A WASM module of the package (*.generated.ts): deflated, then base64. */
export type PackedModule = string;

export interface Kernels {
  readonly name: "wasm" | "javascript";

  /**
   * Runs synchronous work with room for `byteLength` bytes of scratch memory ("the arena"), in which kernels
   * run without copies, and returns what it returns. Whatever it allocated is given up when it ends, or
   * throws: nothing may be held across an await. Inside of other work it uses the room that is left. WASM
   * memory grows only for the outermost work, so no view is ever detached while in use. Small pieces, of rows
   * and tables, need not be counted.
   */
  within<Result>(byteLength: number, work: () => Result): Result;
  /**
   * A piece of scratch memory, 16-byte aligned, with undefined contents. Where the room is used up, and
   * outside of `within`, it is ordinary memory, which every kernel accepts too, only slower.
   */
  allocate(byteLength: number): Uint8Array;
  /** Whether `bytes` are in the arena, and have to be copied by whoever keeps them. */
  isScratch(bytes: { readonly buffer: ArrayBufferLike }): boolean;
  /** The end of what is allocated. `release` gives up what was allocated after it, in stack order. */
  mark(): number;
  release(mark: number): void;
  /**
   * Opens the arena for good, and drops what was allocated. For tests and benchmarks of single kernels; the
   * library uses `within`.
   */
  begin(byteLength: number): void;

  /**
   * Reverses every `unit` bytes. `target` and `source` have equal length, a multiple of `unit`; they may be
   * the same memory.
   */
  swap(target: Uint8Array, source: Uint8Array, unit: SwapUnit): void;

  /**
   * Runs a prepared copy. Offsets are byte offsets in the arrays of the element at index [0, 0, ...]. Bounds
   * are checked once against the plan's extents: a plan that would leave either array throws RangeError
   * before a byte moves. Target and source must not overlap. Bytes of the target between those that the plan
   * writes keep their values; in shared memory they are not even written, so that threads may write
   * neighbouring elements.
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
   * Loads the fast kernel for copies between permuted dimensions (kind "transpose"); without it they are
   * correct but slow. Callers that prepare such copies await it. Most arrays have none, so that kernel is not
   * part of the core.
   */
  loadTransposition(): Promise<void>;

  /**
   * Loads a further WASM module (checksums, blosc, zstd, ...) on the same memory. Memoised. Undefined if this
   * implementation has no modules (the fallback); the codec then runs in TypeScript.
   */
  loadModule(name: string, packed: PackedModule): Promise<KernelModule | undefined>;
}

/** A WASM module: its exports, and the addresses of arena memory for them. */
export interface KernelModule {
  readonly exports: Readonly<Record<string, (...args: number[]) => number>>;
  /** Address of a view in the arena; undefined for any other memory. */
  pointer(bytes: Uint8Array): number | undefined;
}

/** @throws WebAssembly.LinkError if the module has no such export */
export function exportOf({ exports }: KernelModule, name: string): KernelModule["exports"][string] {
  const found = exports[name];
  if (found === undefined) throw new WebAssembly.LinkError(`expected a kernel module that exports ${name}`);
  return found;
}

/** The layout of the innermost dimensions of a copy; decides which kernel runs. */
export type CopyKind = "empty" | "rows" | "gather" | "transpose" | "general";

/** Opaque outside src/kernels: a CopyRequest with dimensions merged, ordered and classified. */
export interface CopyPlan {
  readonly request: CopyRequest;
  readonly kind: CopyKind;
  /** Bytes before and after element [0, 0, ...] that the plan touches, for the bounds check. */
  readonly targetBefore: number;
  readonly targetAfter: number;
  readonly sourceBefore: number;
  readonly sourceAfter: number;
  /**
   * Offset from element [0, 0, ...] to the start of the merged dimensions (reversed dimensions start at their
   * far end).
   */
  readonly targetStart: number;
  readonly sourceStart: number;
  /**
   * Bytes that are contiguous on both sides: an element of 1, 2, 4, 8 or 16 bytes, or for "rows" a run of any
   * length.
   */
  readonly run: number;
  /** Merged dimensions, outermost first: extent, target stride and source stride of each. */
  readonly dimensions: readonly number[];
}
