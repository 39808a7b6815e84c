/** The checksums on whichever kernels there are: WASM where its module is loaded and has room, else the TypeScript twins. */
import type { Kernels } from "../../kernels/kernels.js";
import checksumsModule from "../../kernels/modules/checksums.generated.js";
import { inArena, lazyKernelModule } from "../kernel-module.js";
import * as twins from "./javascript.js";

const kernelModule = lazyKernelModule("checksums", checksumsModule);

/** Loads the WASM module; the functions below work without, at about a tenth of the speed. */
export async function loadChecksums(kernels: Kernels): Promise<void> {
  const module = await kernelModule.load(kernels);
  module?.exports.initialiseTables?.();
}

/** CRC-32C (Castagnoli). */
export function crc32c(kernels: Kernels, bytes: Uint8Array): number {
  return (
    run(kernels, bytes, (exports, address) => exports.crc32c?.(0, address, bytes.length)) ??
    twins.crc32c(bytes)
  );
}

/** CRC-32 (IEEE 802.3). */
export function crc32(kernels: Kernels, bytes: Uint8Array): number {
  return (
    run(kernels, bytes, (exports, address) => exports.crc32?.(0, address, bytes.length)) ?? twins.crc32(bytes)
  );
}

export function adler32(kernels: Kernels, bytes: Uint8Array): number {
  return (
    run(kernels, bytes, (exports, address) => exports.adler32?.(1, address, bytes.length)) ??
    twins.adler32(bytes)
  );
}

type Exports = Readonly<Record<string, (...args: number[]) => number>>;

/** What the WASM module makes of bytes; undefined where it is not loaded or has no room. */
export function run(
  kernels: Kernels,
  bytes: Uint8Array,
  call: (exports: Exports, address: number) => number | undefined,
): number | undefined {
  const module = kernelModule.of(kernels);
  if (module === undefined) return undefined;
  const mark = kernels.mark();
  const address = inArena(kernels, module, bytes);
  const result = address === undefined ? undefined : call(module.exports, address);
  kernels.release(mark);
  return result === undefined ? undefined : result >>> 0;
}
