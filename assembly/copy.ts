import { copyRows } from "./copy-rows";
import { gather, strided } from "./copy-strided";
import { swapMask } from "./swap-mask";
import { transpose } from "./transpose";

/** Kinds of copies, as in src/kernels/copy-plan.ts. */
// @ts-ignore: decorator
@inline const ROWS: u32 = 0;
// @ts-ignore: decorator
@inline const GATHER: u32 = 1;
// @ts-ignore: decorator
@inline const TRANSPOSE: u32 = 2;
// @ts-ignore: decorator
@inline const GENERAL: u32 = 3;

/**
 * Bytes of a table entry, one for each dimension: extent, target stride, source stride, counter (u32 each).
 */
// @ts-ignore: decorator
@inline const ENTRY: usize = 16;

/**
 * Runs an N-dimensional strided copy, outermost dimension first. `dims` is a table of `rank` entries; their
 * counters are 0 before and after. `run` bytes are contiguous on both sides (an element, or a row when `kind`
 * is ROWS), and every `unit` bytes of them are reversed. `block` is 8 KiB of scratch memory. `tiled` is a
 * constant: without it the copies of kind TRANSPOSE are gathered, three times slower in half the bytes of
 * code.
 */
// @ts-ignore: decorator
@inline
export function runCopy(
  kind: u32, run: usize, unit: u32,
  dims: usize, rank: u32,
  dst: usize, src: usize, block: usize,
  tiled: bool,
): void {
  const mask = swapMask(unit);
  let n0: u32 = 1, n1: u32 = 1;
  let t0: usize = 0, s0: usize = 0, t1: usize = 0, s1: usize = 0;
  // The innermost dimension that the loop below counts; the two dimensions inside it belong to the kernels.
  let outer = dims + <usize>rank * ENTRY - ENTRY;
  if (rank > 0) {
    n0 = load<u32>(outer), t0 = load<u32>(outer, 4), s0 = load<u32>(outer, 8);
    outer -= ENTRY;
  }
  if (rank > 1) {
    n1 = load<u32>(outer), t1 = load<u32>(outer, 4), s1 = load<u32>(outer, 8);
    outer -= ENTRY;
  }
  // Rows of two or three elements are copied column by column: 3 ns a row, not 7.
  if (kind == GATHER && run < 8 && n0 < 4) {
    const n = n0, t = t0, s = s0;
    n0 = n1, t0 = t1, s0 = s1;
    n1 = n, t1 = t, s1 = s;
    kind = GENERAL;
  }
  for (;;) {
    if (kind == ROWS) copyRows(dst, t1, t0, src, s1, s0, n1, n0, run, unit, mask);
    else if (tiled && kind == TRANSPOSE) transpose(run, dst, t1, src, s1, s0, n1, n0, mask, block);
    else {
      let t = dst, s = src;
      if (kind == GENERAL) for (let i = n1; i; i--, t += t1, s += s1) strided(run, t, t0, s, s0, n0, mask);
      else for (let i = n1; i; i--, t += t1, s += s1) gather(run, t, s, s0, n0, mask);
    }

    let entry = outer;
    for (; entry >= dims; entry -= ENTRY) {
      const extent = load<u32>(entry);
      const counter = load<u32>(entry, 12) + 1;
      const t: usize = load<u32>(entry, 4), s: usize = load<u32>(entry, 8);
      dst += t;
      src += s;
      if (counter < extent) {
        store<u32>(entry, counter, 12);
        break;
      }
      store<u32>(entry, 0, 12);
      dst -= t * extent;
      src -= s * extent;
    }
    if (entry < dims) return;
  }
}

/** `runCopy` without tiles. Kernels.copy calls it until the transposition module is loaded. */
export function copy(
  kind: u32, run: usize, unit: u32,
  dims: usize, rank: u32,
  dst: usize, src: usize, block: usize,
): void {
  runCopy(kind, run, unit, dims, rank, dst, src, block, false);
}
