/** The module for arrays whose dimensions are permuted. The export list is the ABI of src/kernels/wasm.ts. */
import { runCopy } from "./copy";

/** `copy` of the core module, with transposition by tiles. Kernels.copy calls it instead. */
export function copy(
  kind: u32, run: usize, unit: u32,
  dims: usize, rank: u32,
  dst: usize, src: usize, block: usize,
): void {
  runCopy(kind, run, unit, dims, rank, dst, src, block, true);
}
