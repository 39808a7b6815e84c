/**
 * Inflates (RFC 1951) two independent streams. Blocks of literals are decoded at once: while one stream waits
 * for its literal, the other goes on. Blocks with many matches, which the processor mispredicts, are decoded
 * one by one. Called by src/core/codecs/gzip/inflate.ts. A separate module for applications that read many
 * chunks.
 */
import { runPair } from "./inflate-pair-symbols";
import { FIRST_STREAM, PLAIN, RESULTS, SECOND_STREAM, SOURCE } from "./inflate-state";
import { runStream, runSymbols } from "./inflate-symbols";
import { begin, endBlock, finish, readBlock, result, taken } from "./inflate-streams";

/** Decodes each stream as `decode` of inflate.ts does; `written` and `consumed` return the results. */
export function decodePair(
  dst: usize, capacity: usize, src: usize, n: usize, dst2: usize, capacity2: usize, src2: usize, n2: usize,
): void {
  begin(FIRST_STREAM, dst, capacity, src, n);
  begin(SECOND_STREAM, dst2, capacity2, src2, n2);
  let first = readBlock(FIRST_STREAM);
  let second = readBlock(SECOND_STREAM);
  while (first && second) {
    // The stream whose block is plain waits for a plain block of the other.
    if (!load<u32>(FIRST_STREAM, PLAIN)) {
      runSymbols();
      first = endBlock(FIRST_STREAM);
    } else if (!load<u32>(SECOND_STREAM, PLAIN)) {
      runSecond();
      second = endBlock(SECOND_STREAM);
    } else {
      const ended = runPair();
      if (ended & 1) first = endBlock(FIRST_STREAM);
      if (ended & 2) second = endBlock(SECOND_STREAM);
    }
  }
  if (first) finish();
  report(FIRST_STREAM, 0);
  if (second) {
    // `finish` decodes the first stream, so the second one's state moves there.
    memory.copy(SOURCE, SOURCE + SECOND_STREAM, SECOND_STREAM);
    finish();
  }
  report(second ? FIRST_STREAM : SECOND_STREAM, 8);
}

function runSecond(): void {
  runStream(SECOND_STREAM);
}

/** Returns the result that `decode` gives for one stream of the pair. @param which 0 or 1 */
export function written(which: usize): i32 {
  return load<i32>(RESULTS + (which << 3));
}

/** Source bytes that a stream took. @param which 0 or 1 */
export function consumed(which: usize): usize {
  return load<usize>(RESULTS + (which << 3), 4);
}

function report(stream: usize, offset: usize): void {
  store<i32>(RESULTS + offset, result(stream));
  store<usize>(RESULTS + offset, taken(stream), 4);
}
