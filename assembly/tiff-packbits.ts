// PackBits: runs, each a byte with a sign and what it counts.
import { failure, OUTPUT_OVERRUN, TRUNCATED } from "./result";

/** @returns bytes written, or a failure */
export function packbits(dst: usize, capacity: usize, src: usize, length: usize): i32 {
  let at = src, to = dst;
  const end = src + length, limit = dst + capacity;
  while (at < end) {
    const run = <i32>load<i8>(at++);
    if (run == -128) continue;
    const count = <usize>(run < 0 ? 1 - run : 1 + run);
    if (at + (run < 0 ? 1 : count) > end) return failure(TRUNCATED, at - 1 - src);
    if (to + count > limit) return failure(OUTPUT_OVERRUN, at - 1 - src);
    if (run < 0) memory.fill(to, load<u8>(at++), count);
    else {
      memory.copy(to, at, count);
      at += count;
    }
    to += count;
  }
  return <i32>(to - dst);
}
