/** Sequences, and the literals between them, as the match finders of the zstd encoder write them. */
import { commonLength } from "./lz-encode";
import { repeats, sequencesEnd } from "./zstd-encode-context";

/** A sequence in a u64: literal length (18 bits), match length (18), offset as the format codes it (28). */
// @ts-ignore: decorator
@inline
export function packSequence(literalLength: usize, matchLength: usize, offset: u32): u64 {
  return <u64>literalLength | (<u64>matchLength << 18) | (<u64>offset << 36);
}

/** Copies literals, 16 bytes at a time where the source is long enough; the target has room for that. */
// @ts-ignore: decorator
@inline
export function takeLiterals(dst: usize, src: usize, srcEnd: usize, length: usize): void {
  if (length + 16 > srcEnd - src) {
    memory.copy(dst, src, length);
    return;
  }
  const end = dst + length;
  do {
    v128.store(dst, v128.load(src));
    dst += 16;
    src += 16;
  } while (dst < end);
}

/**
 * Codes an offset (RFC 8878 section 3.1.1.5) after `literalLength` literals: 1 to 3 for one of the three
 * repeated offsets, else the offset plus 3. The offset becomes the first repeated one.
 */
// @ts-ignore: decorator
@inline
export function codeOffset(offset: u32, literalLength: usize): u32 {
  const first = load<u32>(repeats());
  const second = load<u32>(repeats(), 4);
  const third = load<u32>(repeats(), 8);
  // Without literals, repeated offsets count from the second.
  const shift: u32 = literalLength == 0 ? 1 : 0;
  // Without branches, which would be unpredictable.
  const isFirst = <u32>(offset == first) & (shift ^ 1);
  const isSecond = <u32>(offset == second);
  store<u32>(repeats(), offset);
  store<u32>(repeats(), select<u32>(second, first, isFirst), 4);
  store<u32>(repeats(), select<u32>(third, second, isFirst | isSecond), 8);
  const other = select<u32>(3 - shift, offset + 3, offset == third);
  return select<u32>(1, select<u32>(2 - shift, other, isSecond), isFirst);
}

/** Whether the bytes at `position`, right after a match, repeat at the second of the repeated offsets. */
// @ts-ignore: decorator
@inline
export function isRepeated(src: usize, position: usize): bool {
  const second = <usize>load<u32>(repeats(), 4);
  return second <= position - src && load<u32>(position - second) == load<u32>(position);
}

/**
 * Adds matches with the second of the repeated offsets that begin right at `position`, after a match, to
 * `sequence`. Returns where the last one ends, and stores the end of the sequences at `sequencesEnd()`.
 */
export function addRepeated(sequence: usize, src: usize, position: usize, searchEnd: usize, end: usize): usize {
  while (position < searchEnd && isRepeated(src, position)) {
    const second = load<u32>(repeats(), 4);
    const length: usize = 4 + commonLength(position + 4, position + 4 - second, end);
    store<u64>(sequence, packSequence(0, length, 1));
    store<u32>(repeats(), load<u32>(repeats()), 4);
    store<u32>(repeats(), second);
    sequence += 8;
    position += length;
  }
  store<usize>(sequencesEnd(), sequence);
  return position;
}
