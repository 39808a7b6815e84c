/**
 * Inflate (RFC 1951) of one stream. Called by src/codecs/gzip/inflate.ts; the containers are in gzip.ts. Strict as
 * zlib is. Measured (Node 20, EPYC, 1 MiB, level 5 or 6): 0.50 GB/s on noisy float32, 0.47 on noisy uint16, 0.97 on source text; fflate 0.14, 0.16
 * and 0.26, node:zlib 0.37, 0.36 and 0.56 in the same run. On noise a literal waits for the one before it: mask, table and shift, 7 cycles;
 * two streams at once are in inflate-pair.ts.
 */
import { FIRST_STREAM } from "./inflate-state";
import { begin, finish, readBlock, result, taken } from "./inflate-streams";

/** Bytes written, or a failure of result.ts with the offset of the block. Reads and writes nothing outside but its own region. */
export function decode(dst: usize, capacity: usize, src: usize, n: usize): i32 {
  begin(FIRST_STREAM, dst, capacity, src, n);
  if (readBlock(FIRST_STREAM)) finish();
  return result(FIRST_STREAM);
}

/** Bytes of its source that the last stream took. */
export function consumed(): usize {
  return taken(FIRST_STREAM);
}
