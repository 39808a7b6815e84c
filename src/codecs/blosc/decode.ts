/**
 * Decodes blosc chunks, whole or only the blocks that a range of the decoded bytes touches, and LZ4 streams
 * of those only as far as the range goes. After the header comes a table with the offset of every block. A
 * block is one or more streams in a row, each after its length; their decoded bytes are the shuffled block.
 */
import { CodecError, InvalidArgumentError } from "../../errors.js";
import type { Kernels } from "../../kernels/kernels.js";
import { product } from "../../shape.js";
import type { DecodeContext, StridedBox } from "../codec.js";
import { DecodedTooLong } from "../decoder-result.js";
import { BLOSC, type BloscHeader, bitunshuffleWorkspace, HEADER_LENGTH, splitCount } from "./formats.js";
import { readHeader } from "./header.js";
import { bloscKernels, bloscOperand } from "./kernels.js";
import { type ByteRange, type Needed, neededOf, neededWithin, periodOf, unshuffleSpread } from "./needed.js";
import { type BlockDecoders, decodeStream, isForeign, type StreamContext } from "./streams.js";

/**
 * Decodes bytes `start` to `end` (exclusive) of the chunk, by default all. Decodes only the blocks that
 * contain them, and of these no more than is needed, so damage elsewhere goes unnoticed.
 *
 * @param elements the elements that are needed, from the lowest one at `start` on
 * @throws CodecError for anything but a complete, consistent chunk of the length the context expects;
 * InvalidArgumentError for a range outside the chunk
 */
export function decodeBlocks(
  bytes: Uint8Array,
  context: DecodeContext,
  decoders: BlockDecoders,
  start = 0,
  end?: number,
  elements?: StridedBox,
): Uint8Array {
  const header = checkedHeader(bytes, context);
  const { byteLength } = header;
  const stop = end ?? byteLength;
  if (!(start >= 0 && start <= stop && stop <= byteLength)) {
    throw new InvalidArgumentError(
      `expected a range within the ${byteLength} decoded bytes, got ${start} to ${end}`,
      { codec: BLOSC },
    );
  }
  // Mostly all elements are needed, or all of a range.
  const isAll = elements === undefined || product(elements.shape, elements.itemSize) === stop - start;
  const needed = isAll ? undefined : neededOf(start, elements);
  return decodeRange(bytes, header, start, stop, context.kernels, decoders, needed);
}

function checkedHeader(bytes: Uint8Array, context: DecodeContext): BloscHeader {
  const header = readHeader(bytes);
  const { byteLength, maximumByteLength } = context;
  const expected = byteLength ?? `at most ${maximumByteLength}`;
  if (byteLength !== undefined ? header.byteLength === byteLength : header.byteLength <= maximumByteLength)
    return header;
  const message = `expected a chunk of ${expected} decoded bytes, got one of ${header.byteLength}`;
  throw new DecodedTooLong(message, maximumByteLength, { codec: BLOSC, offset: 4 });
}

function decodeRange(
  bytes: Uint8Array,
  header: BloscHeader,
  start: number,
  end: number,
  kernels: Kernels,
  decoders: BlockDecoders,
  needed: Needed | undefined,
): Uint8Array {
  // Not copied: the result may be a view of the input, as with checksums.
  if (header.copied) return bytes.subarray(HEADER_LENGTH + start, HEADER_LENGTH + end);
  if (start === end) return bytes.subarray(0, 0);
  const { blocksize, byteLength, filter, typesize } = header;
  const first = Math.floor(start / blocksize);
  const last = Math.ceil(end / blocksize);
  const base = first * blocksize;
  const target = kernels.allocate(Math.min(last * blocksize, byteLength) - base);
  const mark = kernels.mark();
  const functions = bloscKernels(kernels);
  const { format } = header;
  const decoder = isForeign(format) ? decoders.findCodec(format) : functions[format];
  const streams: StreamContext = { kernels, format, decoder };
  const shuffled = filter === "none" ? undefined : kernels.allocate(Math.min(blocksize, target.length));
  const workspace =
    filter === "bitshuffle" ? kernels.allocate(bitunshuffleWorkspace(typesize)) : new Uint8Array();
  const table = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const period = needed && periodOf(needed, header);
  const within = (from: number): ByteRange | undefined => {
    const to = Math.min(from + blocksize, end);
    return needed ? neededWithin(needed, from, to) : { start: Math.max(start, from), end: to };
  };
  const { decodePair } = decoders;
  let budget = bytes.length;
  for (let block = first; block < last; block++) {
    const from = block * blocksize;
    const part = within(from);
    if (part === undefined) continue;
    const at = from - base;
    const rest = target.subarray(at);
    const pair =
      decodePair && block + 1 < last && within(from + blocksize)
        ? decodePair(bytes, header, block, rest, end - from, kernels)
        : undefined;
    if (pair !== undefined && pair <= budget) {
      budget -= pair;
      block++;
      continue;
    }
    const decoded = rest.subarray(0, blocksize);
    const range = { start: part.start - from, end: part.end - from };
    const into = shuffled?.subarray(0, decoded.length) ?? decoded;
    const offset = table.getUint32(HEADER_LENGTH + 4 * block, true);
    const beforeBlock = kernels.mark();
    const splits = splitCount(header, decoded.length);
    const wanted = (split: number, length: number): number => {
      if (filter === "none") return range.end - split * length;
      // Each stream is a plane, and has one byte of each element.
      return filter === "shuffle" && splits > 1 ? Math.ceil(range.end / typesize) : length;
    };
    const { parts, taken } = decodeBlock(into, bytes, table, offset, splits, wanted, streams);
    if (period) unshuffleSpread(kernels, decoded, parts, typesize, range, period);
    else if (filter === "none") joined(into, parts);
    else {
      const content =
        parts[0]?.length === into.length ? bloscOperand(kernels, parts[0]) : joined(into, parts);
      if (filter === "shuffle") functions.unshuffle(decoded, content, typesize, range.start, range.end);
      else functions.bitunshuffle(decoded, content, typesize, workspace);
    }
    kernels.release(beforeBlock);
    budget -= taken;
    if (budget < 0) {
      // Without this check, blocks that share bytes would let a small chunk take unlimited time.
      throw new CodecError(`expected blocks that do not overlap, got block ${block} over others`, {
        codec: BLOSC,
        offset,
      });
    }
  }
  kernels.release(mark);
  return target.subarray(start - base, end - base);
}

/**
 * Decodes the streams of one block. Returns the parts of the block in order, still filtered, and the number
 * of source bytes they took. Each part has its place in `into` but may be elsewhere: stored parts are views
 * of the source, and a foreign codec allocates its own memory.
 *
 * @param wanted how many bytes are needed of a stream of that length
 */
function decodeBlock(
  into: Uint8Array,
  source: Uint8Array,
  view: DataView,
  offset: number,
  splits: number,
  wanted: (split: number, length: number) => number,
  streams: StreamContext,
): { readonly parts: readonly Uint8Array[]; readonly taken: number } {
  const length = into.length / splits;
  if (!Number.isInteger(length)) {
    throw new CodecError(`expected a block of ${into.length} bytes to divide into ${splits} streams`, {
      codec: BLOSC,
      offset: 8,
    });
  }
  const parts: Uint8Array[] = [];
  let from = offset;
  for (let split = 0; split < splits; split++) {
    const begin = from + 4;
    const encodedLength = begin <= source.length ? view.getUint32(from, true) : Number.POSITIVE_INFINITY;
    if (encodedLength > source.length - begin) {
      throw new CodecError(`expected a stream of the block at byte ${from}, got the end of the chunk`, {
        codec: BLOSC,
        offset: from,
      });
    }
    const stream = source.subarray(begin, begin + encodedLength);
    const enough = Math.min(Math.max(wanted(split, length), 0), length);
    // A stream as long as its decoded bytes is stored.
    parts.push(
      encodedLength === length
        ? stream.subarray(0, enough)
        : decodeStream(into.subarray(split * length, (split + 1) * length), stream, begin, enough, streams),
    );
    from = begin + encodedLength;
  }
  return { parts, taken: from - offset };
}

/** Copies the parts that are elsewhere to their places in `into`. */
function joined(into: Uint8Array, parts: readonly Uint8Array[]): Uint8Array {
  const length = into.length / parts.length;
  for (const [split, part] of parts.entries()) {
    const at = split * length;
    if (part.buffer !== into.buffer || part.byteOffset !== into.byteOffset + at) into.set(part, at);
  }
  return into;
}
