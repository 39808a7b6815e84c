/**
 * Conversions between stored numbers and the numbers that are used: the WASM module `packed`, or its
 * JavaScript fallback. Lengths are checked by the caller; all numbers are little-endian. An operand at any
 * address outside of the arena makes the fallback run.
 */
import * as fallback from "./javascript/packed.js";
import type { KernelModule, Kernels } from "./kernels.js";
import packedModule from "./modules/packed.generated.js";
import { type FloatKind, type IntegerKind, type StoredKind, WIDTHS } from "./number-kinds.js";

export interface Packed {
  /**
   * value * factor + shift, each step rounded to the target's type; NaN, always with the same bits, for a
   * value that is one of the masks. A shift of -0 keeps the sign of zeros.
   * @param to "F32" holds the integers of at most 16 bits and F32, "F64" any
   * @param masks numbers of the type `to`; of the type `from` if that has 64 bits and is an integer
   */
  unpack(
    target: Uint8Array,
    to: FloatKind,
    source: Uint8Array,
    from: StoredKind,
    masks: Uint8Array,
    factor: number,
    shift: number,
  ): void;
  /**
   * (value - low) * gain, rounded to nearest, ties to even, and held to the range of the integers.
   * @param from "F64" for integers of 32 bits
   * @param missing an integer of the type, for NaN
   */
  narrow(
    target: Uint8Array,
    to: IntegerKind,
    source: Uint8Array,
    from: FloatKind,
    missing: number,
    low: number,
    gain: number,
  ): void;
  /** Rounds doubles to floats. */
  demote(target: Uint8Array, source: Uint8Array): void;
  replaceNaN(target: Uint8Array, kind: FloatKind, value: number): void;
  /** Adds to three doubles: how many of the values are numbers, the least and the greatest of them. */
  statistics(out: Uint8Array, source: Uint8Array, kind: FloatKind): void;
  /**
   * Adds to the counts (u32) of bins of equal width from `low` to `high`; the last bin includes `high`.
   */
  histogram(counts: Uint8Array, source: Uint8Array, kind: FloatKind, low: number, high: number): void;
}

const loaded = new WeakMap<Kernels, Packed>();

/** Loads the module. Quick when it is loaded. */
export async function loadPacked(kernels: Kernels): Promise<Packed> {
  const module = await kernels.loadModule("packed", packedModule);
  if (module === undefined) return fallback;
  let packed = loaded.get(kernels);
  if (packed === undefined) {
    packed = createPacked(module);
    loaded.set(kernels, packed);
  }
  return packed;
}

function createPacked(module: KernelModule): Packed {
  /** Runs a kernel on the addresses of its operands. @returns false if one has none */
  function run(name: string, operands: readonly Uint8Array[], call: Call): boolean {
    const kernel = module.exports[name];
    const [first, second, third = 0] = operands.map((bytes) => module.pointer(bytes));
    if (kernel === undefined || first === undefined || second === undefined || third === undefined)
      return false;
    call(kernel, first, second, third);
    return true;
  }

  return {
    unpack(target, to, source, from, masks, factor, shift) {
      const elements = source.length / WIDTHS[from];
      const count = masks.length / (from === "I64" || from === "U64" ? 8 : WIDTHS[to]);
      const name = `unpack${from}${to}`;
      const operands = count === 0 ? [target, source] : [target, source, masks];
      const isRun = run(name, operands, (kernel, out, values, list) =>
        kernel(out, values, elements, list, count, factor, shift),
      );
      if (!isRun) fallback.unpack(target, to, source, from, masks, factor, shift);
    },
    narrow(target, to, source, from, missing, low, gain) {
      const elements = target.length / WIDTHS[to];
      const isRun = run(`narrow${from}${to}`, [target, source], (kernel, out, values) =>
        kernel(out, values, elements, missing, low, gain),
      );
      if (!isRun) fallback.narrow(target, to, source, from, missing, low, gain);
    },
    demote(target, source) {
      const isRun = run("demote", [target, source], (kernel, out, values) =>
        kernel(out, values, source.length / 8),
      );
      if (!isRun) fallback.demote(target, source);
    },
    replaceNaN(target, kind, value) {
      const isRun = run(`replaceNaN${kind}`, [target, target], (kernel, out) =>
        kernel(out, target.length / WIDTHS[kind], value),
      );
      if (!isRun) fallback.replaceNaN(target, kind, value);
    },
    statistics(out, source, kind) {
      const isRun = run(`statistics${kind}`, [out, source], (kernel, to, values) =>
        kernel(to, values, source.length / WIDTHS[kind]),
      );
      if (!isRun) fallback.statistics(out, source, kind);
    },
    histogram(counts, source, kind, low, high) {
      const isRun = run(`histogram${kind}`, [counts, source], (kernel, to, values) =>
        kernel(to, counts.length / 4, values, source.length / WIDTHS[kind], low, high),
      );
      if (!isRun) fallback.histogram(counts, source, kind, low, high);
    },
  };
}

type Call = (kernel: KernelModule["exports"][string], first: number, second: number, third: number) => void;
