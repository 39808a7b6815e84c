/**
 * Decodes blosc chunks, whole or only the blocks that a range of the decoded bytes touches, and LZ4 streams
 * of those only as far as the range goes. After the header comes a table with the offset of every block. A
 * block is one or more streams in a row, each after its length; their decoded bytes are the shuffled block.
 */
import { CodecError, InvalidArgumentError } from "../../../base/errors.js";
import { product } from "../../../base/shape.js";
import type { Kernels } from "../../../kernels/kernels.js";
import type { DecodeContext } from "../codec.js";
import { DecodedTooLong } from "../decoder-result.js";
import type { StridedBox } from "../strided-box.js";
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
  return decodeRange(bytes, header, { start, end: stop }, context.kernels, decoders, needed);
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
  range: ByteRange,
  kernels: Kernels,
  decoders: BlockDecoders,
  needed: Needed | undefined,
): Uint8Array {
  const { start, end } = range;
  // Not copied: the result may be a view of the input, as with checksums.
  if (header.copied) return bytes.subarray(HEADER_LENGTH + start, HEADER_LENGTH + end);
  if (start === end) return bytes.subarray(0, 0);
  const { blocksize, byteLength } = header;
  const first = Math.floor(start / blocksize);
  const last = Math.ceil(end / blocksize);
  const base = first * blocksize;
  const target = kernels.allocate(Math.min(last * blocksize, byteLength) - base);
  const mark = kernels.mark();
  const blocks = new Blocks(bytes, header, range, target, kernels, decoders, needed);
  let budget = bytes.length;
  for (let block = first; block < last; block++) {
    const part = blocks.neededOf(block);
    if (part === undefined) continue;
    const pair = block + 1 < last ? blocks.decodePair(block) : undefined;
    if (pair !== undefined && pair <= budget) {
      budget -= pair;
      block++;
      continue;
    }
    budget -= blocks.decode(block, part);
    if (budget < 0) {
      // Without this check, blocks that share bytes would let a small chunk take unlimited time.
      throw new CodecError(
        `expected blocks that do not overlap, got block ${block}, which overlaps another`,
        {
          codec: BLOSC,
          offset: blocks.offsetOf(block),
        },
      );
    }
  }
  kernels.release(mark);
  return target.subarray(start - base, end - base);
}

/** Decodes blocks of a chunk to their places in a target that begins with the first of them. */
class Blocks {
  readonly #bytes: Uint8Array;
  readonly #table: DataView;
  readonly #header: BloscHeader;
  readonly #range: ByteRange;
  readonly #needed: Needed | undefined;
  readonly #target: Uint8Array;
  readonly #base: number;
  readonly #kernels: Kernels;
  readonly #decodePair: BlockDecoders["decodePair"];
  readonly #streams: StreamContext;
  /** Scratch memory for a block before the filter is undone, and for bitunshuffle. */
  readonly #shuffled: Uint8Array | undefined;
  readonly #workspace: Uint8Array;
  readonly #period: ReturnType<typeof periodOf>;

  constructor(
    bytes: Uint8Array,
    header: BloscHeader,
    range: ByteRange,
    target: Uint8Array,
    kernels: Kernels,
    decoders: BlockDecoders,
    needed: Needed | undefined,
  ) {
    const { blocksize, filter, format, typesize } = header;
    this.#bytes = bytes;
    this.#table = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#header = header;
    this.#range = range;
    this.#needed = needed;
    this.#period = needed && periodOf(needed, header);
    this.#target = target;
    this.#base = Math.floor(range.start / blocksize) * blocksize;
    this.#kernels = kernels;
    this.#decodePair = decoders.decodePair;
    const decoder = isForeign(format) ? decoders.findCodec(format) : bloscKernels(kernels)[format];
    this.#streams = { kernels, format, decoder };
    this.#shuffled = filter === "none" ? undefined : kernels.allocate(Math.min(blocksize, target.length));
    this.#workspace =
      filter === "bitshuffle" ? kernels.allocate(bitunshuffleWorkspace(typesize)) : new Uint8Array();
  }

  /** The offset of a block in the chunk. */
  offsetOf(block: number): number {
    return this.#table.getUint32(HEADER_LENGTH + 4 * block, true);
  }

  /** The decoded bytes of the chunk that are needed of a block; undefined for none. */
  neededOf(block: number): ByteRange | undefined {
    const from = block * this.#header.blocksize;
    const to = Math.min(from + this.#header.blocksize, this.#range.end);
    if (this.#needed) return neededWithin(this.#needed, from, to);
    return { start: Math.max(this.#range.start, from), end: to };
  }

  /** Decodes a block and the next at once. @returns the bytes that they took; undefined if it cannot */
  decodePair(block: number): number | undefined {
    if (this.#decodePair === undefined || this.neededOf(block + 1) === undefined) return undefined;
    const from = block * this.#header.blocksize;
    const rest = this.#target.subarray(from - this.#base);
    return this.#decodePair(this.#bytes, this.#header, block, rest, this.#range.end - from, this.#kernels);
  }

  /** @param part bytes of the chunk that are needed of the block @returns bytes of the chunk that it took */
  decode(block: number, part: ByteRange): number {
    const { blocksize, filter, typesize } = this.#header;
    const kernels = this.#kernels;
    const from = block * blocksize;
    const at = from - this.#base;
    const decoded = this.#target.subarray(at, at + blocksize);
    const range = { start: part.start - from, end: part.end - from };
    const into = this.#shuffled?.subarray(0, decoded.length) ?? decoded;
    const mark = kernels.mark();
    const splits = splitCount(this.#header, decoded.length);
    const neededLength = (split: number, length: number): number => {
      if (filter === "none") return range.end - split * length;
      // Each stream is a plane, and has one byte of each element.
      return filter === "shuffle" && splits > 1 ? Math.ceil(range.end / typesize) : length;
    };
    const offset = this.offsetOf(block);
    const { parts, consumed } = decodeBlock(
      into,
      this.#bytes,
      this.#table,
      offset,
      splits,
      neededLength,
      this.#streams,
    );
    if (this.#period) unshuffleSpread(kernels, decoded, parts, typesize, range, this.#period);
    else if (filter === "none") joined(into, parts);
    else {
      const { unshuffle, bitunshuffle } = bloscKernels(kernels);
      const content =
        parts[0]?.length === into.length ? bloscOperand(kernels, parts[0]) : joined(into, parts);
      if (filter === "shuffle") unshuffle(decoded, content, typesize, range.start, range.end);
      else bitunshuffle(decoded, content, typesize, this.#workspace);
    }
    kernels.release(mark);
    return consumed;
  }
}

/**
 * Decodes the streams of one block. Returns the parts of the block in order, still filtered, and the number
 * of source bytes they took. Each part has its place in `into` but may be elsewhere: stored parts are views
 * of the source, and a foreign codec allocates its own memory.
 *
 * @param neededLength how many bytes are needed of a stream of that length
 */
function decodeBlock(
  into: Uint8Array,
  source: Uint8Array,
  view: DataView,
  offset: number,
  splits: number,
  neededLength: (split: number, length: number) => number,
  streams: StreamContext,
): { readonly parts: readonly Uint8Array[]; readonly consumed: number } {
  const length = into.length / splits;
  if (!Number.isInteger(length)) {
    throw new CodecError(`expected a block that divides into ${splits} streams, got ${into.length} bytes`, {
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
    const enough = Math.min(Math.max(neededLength(split, length), 0), length);
    // A stream as long as its decoded bytes is stored.
    parts.push(
      encodedLength === length
        ? stream.subarray(0, enough)
        : decodeStream(into.subarray(split * length, (split + 1) * length), stream, begin, enough, streams),
    );
    from = begin + encodedLength;
  }
  return { parts, consumed: from - offset };
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
