/** Which bytes of a chunk decode.ts looks at for some of its elements, where the chunk is elsewhere and they alone are read. */
import type { FindNeededRanges } from "../codec.js";
import { type BloscHeader, HEADER_LENGTH, splitCount } from "./formats.js";
import { readHeader } from "./header.js";
import { type ByteRange, neededOf, neededWithin } from "./needed.js";

/**
 * The header, the table of blocks, and those blocks that have any of the elements.
 *
 * @param bytes as many as the chunk has
 * @param start where the lowest element begins in the decoded chunk
 * @returns false where `decodeRange` may look at others, too: in chunks that are unusual, or damaged
 */
export const neededRanges: FindNeededRanges = function* (bytes, start, elements) {
  if (bytes.length < HEADER_LENGTH) return false;
  yield [{ start: 0, end: HEADER_LENGTH }];
  const header = headerOf(bytes);
  if (header === undefined || header.copied) return false;
  const { blocksize, byteLength } = header;
  const blocks = Math.ceil(byteLength / blocksize);
  const tableEnd = HEADER_LENGTH + 4 * blocks;
  yield [{ start: HEADER_LENGTH, end: tableEnd }];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const offsets = Uint32Array.from({ length: blocks }, (_, i) => view.getUint32(HEADER_LENGTH + 4 * i, true));
  // Blocks were written as they were ready, in any order: one ends where another begins.
  const begins = offsets.toSorted();
  if ((begins[0] ?? 0) < tableEnd || (begins.at(-1) ?? 0) >= bytes.length) return false;

  const needed = neededOf(start, elements);
  const extents: { readonly start: number; readonly end: number; readonly block: number }[] = [];
  for (let block = 0; block < blocks; block++) {
    const from = block * blocksize;
    if (!neededWithin(needed, from, Math.min(from + blocksize, byteLength))) continue;
    const offset = offsets[block] ?? 0;
    extents.push({ start: offset, end: endOf(begins, offset, bytes.length), block });
  }
  extents.sort((a, b) => a.start - b.start);
  const ranges: ByteRange[] = [];
  for (let i = 0; i < extents.length; ) {
    const begin = extents[i]?.start ?? 0;
    let end = extents[i]?.end ?? 0;
    // Neighbours in one go.
    for (i++; (extents[i]?.start ?? Number.POSITIVE_INFINITY) <= end; i++) end = extents[i]?.end ?? end;
    ranges.push({ start: begin, end });
  }
  yield ranges;
  // Streams that reach into the next block would be decoded from whatever stands there.
  return extents.every(({ start: from, end, block }) => {
    const length = Math.min(blocksize, byteLength - block * blocksize);
    let at = from;
    for (let split = splitCount(header, length); split > 0 && at + 4 <= end; split--) {
      at += 4 + view.getUint32(at, true);
      if (split === 1) return at <= end;
    }
    return false;
  });
};

function headerOf(bytes: Uint8Array): BloscHeader | undefined {
  try {
    return readHeader(bytes);
  } catch {
    // Said by the decoder, with where the chunk is.
    return undefined;
  }
}

/** The first of `begins` behind `offset`, or the end of the chunk. */
function endOf(begins: Uint32Array, offset: number, byteLength: number): number {
  let low = 0;
  let high = begins.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((begins[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return begins[low] ?? byteLength;
}
