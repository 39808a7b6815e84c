/**
 * The functions of assembly/blosc-encode.ts on byte arrays: in WASM if its module is loaded and all operands lie in the arena,
 * else the twins. Both give the same bytes.
 */
import type { Kernels } from "../../../kernels/kernels.js";
import bloscEncodeModule from "../../../kernels/modules/blosc-encode.generated.js";
import { functionsOf, intoArena, lazyKernelModule } from "../../kernel-module.js";
import type { HashedBytes, LzFormat } from "../formats.js";
import { bitshuffle, shuffle } from "../javascript/shared.js";
import { encodeLz, encodeLz4High } from "./lz-encode.js";

/** Encoders return a count, or 0 when the result does not fit. */
export interface BloscEncodeKernels {
  /**
   * `workspace` is LZ_WORKSPACE bytes; `acceleration` >= 1 trades size for speed. The hash that finds matches covers `hashed`
   * bytes: 6 for shuffled elements, else 5.
   */
  encodeLz(
    format: LzFormat,
    target: Uint8Array,
    source: Uint8Array,
    workspace: Uint8Array,
    acceleration: number,
    hashed: HashedBytes,
  ): number;
  /** `workspace` is LZ4_HIGH_WORKSPACE bytes; `depth` is the number of candidates for each match. */
  encodeLz4High(target: Uint8Array, source: Uint8Array, workspace: Uint8Array, depth: number): number;
  /** Target and source have equal length and do not overlap. */
  shuffle(target: Uint8Array, source: Uint8Array, typesize: number): void;
  /** As `shuffle`; `workspace` is as long as the source. */
  bitshuffle(target: Uint8Array, source: Uint8Array, typesize: number, workspace: Uint8Array): void;
}

const TWINS: BloscEncodeKernels = { encodeLz, encodeLz4High, shuffle, bitshuffle };

const kernelModule = lazyKernelModule("blosc-encode", bloscEncodeModule);

export async function loadBloscEncodeKernels(kernels: Kernels): Promise<void> {
  await kernelModule.load(kernels);
}

export function bloscEncodeKernels(kernels: Kernels): BloscEncodeKernels {
  const module = kernelModule.of(kernels);
  return module === undefined ? TWINS : inWasm(module);
}

/** Copies `bytes` into the arena if needed and possible, so that the functions above run in WASM. */
export function encodeOperand(kernels: Kernels, bytes: Uint8Array): Uint8Array {
  const module = kernelModule.of(kernels);
  return module === undefined ? bytes : intoArena(kernels, module, bytes);
}

const inWasm = functionsOf((module, find): BloscEncodeKernels => {
  const [encode, encodeHigh] = [find("lz_encode"), find("lz4_encode_high")];
  const [shuffleForth, bitshuffleForth] = [find("shuffle"), find("bitshuffle")];
  /** Undefined if one of the operands is outside the arena. */
  const addresses = (target: Uint8Array, source: Uint8Array, workspace = target) => {
    const [to, from, scratch] = [target, source, workspace].map((bytes) => module.pointer(bytes));
    return to === undefined || from === undefined || scratch === undefined
      ? undefined
      : { to, from, scratch };
  };
  return {
    encodeLz(format, target, source, workspace, acceleration, hashed) {
      const at = addresses(target, source, workspace);
      return at === undefined
        ? encodeLz(format, target, source, workspace, acceleration, hashed)
        : encode(format, at.to, target.length, at.from, source.length, at.scratch, acceleration, hashed);
    },
    encodeLz4High(target, source, workspace, depth) {
      const at = addresses(target, source, workspace);
      return at === undefined
        ? encodeLz4High(target, source, workspace, depth)
        : encodeHigh(at.to, target.length, at.from, source.length, at.scratch, depth);
    },
    shuffle(target, source, typesize) {
      const at = addresses(target, source);
      if (at === undefined) shuffle(target, source, typesize);
      else shuffleForth(at.to, at.from, source.length, typesize);
    },
    bitshuffle(target, source, typesize, workspace) {
      const at = addresses(target, source, workspace);
      if (at === undefined) bitshuffle(target, source, typesize);
      else bitshuffleForth(at.to, at.from, source.length, typesize, at.scratch);
    },
  };
});
