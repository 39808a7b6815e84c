/**
 * Inflates (RFC 1951) one stream, as strictly as zlib. Called by src/core/codecs/gzip/inflate.ts; gzip.ts
 * reads the containers. Measured (Node 20, EPYC, 1 MiB, level 5 or 6): 0.50 GB/s on noisy float32, 0.47 on
 * noisy uint16, 0.97 on source text; fflate 0.14, 0.16 and 0.26, node:zlib 0.37, 0.36 and 0.56 in the same
 * run. On noise a literal waits for the one before it: mask, table and shift, 7 cycles. inflate-pair.ts
 * decodes two streams at once.
 */
import { FIRST_STREAM } from "./inflate-state";
import { begin, finish, readBlock, result, taken } from "./inflate-streams";

/**
 * Returns bytes written, or a failure of result.ts with the block's offset. Accesses only `src`, `dst` and
 * the module's own region.
 */
export function decode(dst: usize, capacity: usize, src: usize, n: usize): i32 {
  begin(FIRST_STREAM, dst, capacity, src, n);
  if (readBlock(FIRST_STREAM)) finish();
  return result(FIRST_STREAM);
}

/** Source bytes that the last stream took. */
export function consumed(): usize {
  return taken(FIRST_STREAM);
}
