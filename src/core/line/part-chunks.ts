/**
 * Chunks in files of which no more is read than a selection needs: layers over a source whose ranges are
 * cheap. `part-rules.ts` says when they save time.
 */
import { noItem } from "../../base/at.js";
import { type Loop, loopsOf, type StridedBox } from "../codecs/strided-box.js";
import type { Extent } from "../stores/keys-and-ranges.js";
import { after, each } from "./awaitable.js";
import { type Span, spanOf } from "./decode.js";
import type {
  Allocate,
  Awaitable,
  ChunkSource,
  CoreArray,
  Encoded,
  Memory,
  Piece,
  Pipeline,
  Requests,
} from "./ports.js";
import { sourceOver } from "./sources.js";

/**
 * Shortest gap inside a span that is left unread, in bytes. One more read takes 1.2 us in Node. In that time
 * the page cache delivers more than this if the bytes are in the processor's caches, and 8 KiB if not. Time
 * of [::2, ::2, ::2] of float32 chunks without the gaps, relative to reading them too: 128^3 (gaps of 64 KiB)
 * 0.69, 80^3 (25 KiB) 0.83, 64^3 (16 KiB) 1; a window of 64^3 with gaps of 13 KiB 1.25.
 */
const SMALLEST_GAP = 24 << 10;

/**
 * Ranges begin and end at pages: a copy from the page cache that begins inside a page takes longer than the
 * bytes it saves.
 */
const PAGE = 4096;

/**
 * A compressed chunk is rarely longer than its elements: memory may not suffice for one that is longer by
 * more than this.
 */
const GROWTH = 512 << 10;

/** If more of a chunk's elements are selected, hardly any of its blocks is unneeded. */
const LARGEST_SHARE = 1 / 2;

/** Spans of uncompressed chunks. The pipelines of the line that is returned take such a span as it is. */
export function spanChunks({ source, pipeline, pipelineOf, kernels, fill, stored }: CoreArray): CoreArray {
  const one = (piece: Piece, requests: Requests, memory: Memory | undefined): Awaitable<Encoded> => {
    const { chunk } = piece;
    const stored = pipelineOf(chunk);
    const span = spanOf(piece, stored, fill.length);
    const offset = span.start - (span.start % PAGE);
    const length = Math.min(Math.ceil(span.end / PAGE) * PAGE, stored.byteLength) - offset;
    const ranges = pagesOf(span, offset, length);
    const into = new Into(length, ranges, offset, memory);
    return after(source.parts(chunk, ranges, requests, { memory: into.memory }), (answer) => {
      if (answer === undefined) return undefined;
      const taken = answer.byteLength === stored.byteLength ? into.take(answer.parts) : undefined;
      if (taken !== undefined) return taken.subarray(span.start - offset, span.end - offset);
      // Of a wrong length: `decode` throws, unless the chunk was replaced since and has the right one now.
      return after(
        source.chunks([{ chunk }], requests),
        ([whole]) =>
          whole && stored.decode(whole, kernels, source.locate(chunk)).subarray(span.start, span.end),
      );
    });
  };
  const ofSpans = new WeakMap<Pipeline, Pipeline>();
  const takesSpans = (stored: Pipeline): Pipeline => {
    const known = ofSpans.get(stored) ?? { ...stored, decodeRange: (bytes) => bytes };
    ofSpans.set(stored, known);
    return known;
  };
  return {
    source: layerOver(source, one),
    pipeline: takesSpans(pipeline),
    pipelineOf: (chunk) => takesSpans(pipelineOf(chunk)),
    kernels,
    fill,
    stored,
  };
}

/**
 * Compressed chunks of which only the blocks that a piece needs are read, into their places in memory for the
 * whole chunk. For codecs with `neededRanges`.
 */
export function blockChunks(source: ChunkSource, pipeline: Pipeline, itemSize: number): ChunkSource {
  const { neededRanges, byteLength } = pipeline;
  if (neededRanges === undefined) return source;
  const whole = (piece: Piece, requests: Requests, memory: Memory | undefined): Awaitable<Encoded> =>
    after(source.chunks([piece], requests, memory), ([bytes]) => bytes);
  const one = (piece: Piece, requests: Requests, memory: Memory | undefined): Awaitable<Encoded> => {
    const { chunk } = piece;
    const span = spanOf(piece, pipeline, itemSize);
    if (selectedBytes(span) > byteLength * LARGEST_SHARE) return whole(piece, requests, memory);
    return after(source.parts(chunk, [], requests), (found) => {
      if (found === undefined) return undefined;
      const { byteLength: length = Number.POSITIVE_INFINITY, version } = found;
      if (length > byteLength + GROWTH) return whole(piece, requests, memory);
      const bytes = (memory?.now ?? ownMemory)(length);
      const steps = neededRanges(bytes, span.start, span);
      const go = (): Awaitable<Encoded> => {
        const step = steps.next();
        if (step.done === true) return step.value ? bytes : whole(piece, requests, memory);
        const ranges = step.value.map(({ start, end }) => ({ offset: start, length: end - start }));
        const into = new Into(length, ranges, 0, undefined, bytes);
        const found = source.parts(chunk, ranges, requests, { memory: into.memory });
        // The memory of the other blocks is gone by then.
        if (found instanceof Promise) return found.then(() => whole(piece, requests, undefined));
        const isSame = found?.version === version && into.take(found?.parts ?? []) !== undefined;
        return isSame ? go() : whole(piece, requests, memory);
      };
      return go();
    });
  };
  return layerOver(source, one);
}

/** Reads each piece by itself; of chunks that are wanted without a piece it knows no parts. */
function layerOver(
  source: ChunkSource,
  one: (piece: Piece, requests: Requests, memory: Memory | undefined) => Awaitable<Encoded>,
): ChunkSource {
  return sourceOver(source, (wanted, requests, memory) =>
    each(
      wanted,
      ({ chunk, parts = [] }) => one({ chunk, parts, whole: false }, requests, memory),
      memory?.keep,
    ),
  );
}

const ownMemory: Allocate = (byteLength) => new Uint8Array(byteLength);

/** Memory that ranges are read into, each at its place. Gaps keep the former contents of the memory. */
class Into {
  readonly #ranges: readonly Extent[];
  readonly #length: number;
  readonly #offset: number;
  readonly #lent: Memory | undefined;
  #bytes: Uint8Array | undefined;
  #next = 0;

  /** @param offset of the memory's first byte */
  constructor(
    length: number,
    ranges: readonly Extent[],
    offset: number,
    memory: Memory | undefined,
    bytes?: Uint8Array,
  ) {
    this.#length = length;
    this.#ranges = ranges;
    this.#offset = offset;
    this.#lent = memory;
    this.#bytes = bytes;
  }

  /** For a store that answers at once and asks for memory range by range. */
  readonly memory: Memory = {
    now: (byteLength) => {
      this.#bytes ??= (this.#lent?.now ?? ownMemory)(this.#length);
      const place = this.#placeOf(this.#bytes, this.#next++);
      return place.length === byteLength ? place : ownMemory(byteLength);
    },
    later: (byteLength) => (this.#lent?.later ?? ownMemory)(byteLength),
    keep: (bytes) => bytes,
  };

  #placeOf(bytes: Uint8Array, i: number): Uint8Array {
    const { offset, length } = this.#ranges[i] ?? noItem(this.#ranges, i);
    return bytes.subarray(offset - this.#offset, offset - this.#offset + length);
  }

  /** All of the memory, with parts at their places; undefined if one is not as long as its range. */
  take(parts: readonly Uint8Array[]): Uint8Array | undefined {
    const [only] = parts;
    if (parts.length !== this.#ranges.length) return undefined;
    // A part that came later has memory of its own, and stays there.
    if (this.#bytes === undefined && parts.length === 1 && only?.length === this.#length) return only;
    const bytes = this.#bytes ?? this.memory.later(this.#length);
    for (const [i, part] of parts.entries()) {
      const place = this.#placeOf(bytes, i);
      if (part.length !== place.length) return undefined;
      if (part.buffer !== place.buffer || part.byteOffset !== place.byteOffset) place.set(part);
    }
    return bytes;
  }
}

/** Pieces with gaps between them. Each is `length` bytes long; the loops give where they begin. */
interface Runs {
  readonly length: number;
  /** Outermost first; empty if there is one run. */
  readonly loops: readonly Loop[];
}

/** The runs of selected elements, counted from the lowest byte; short gaps belong to them. */
function runsOf(box: StridedBox): Runs {
  const loops = loopsOf(box);
  let length = box.itemSize;
  for (let inner = loops.at(-1); inner !== undefined; inner = loops.at(-1)) {
    if (inner.step - length >= SMALLEST_GAP) break;
    length += (inner.count - 1) * inner.step;
    loops.pop();
  }
  return { length, loops };
}

function selectedBytes(box: StridedBox): number {
  const { length, loops } = runsOf(box);
  return loops.reduce((total, { count }) => total * count, length);
}

/** The pages of each run of a span, within the pages of the span. */
function pagesOf(span: Span, offset: number, length: number): Extent[] {
  const { loops, length: run } = runsOf(span);
  const pages: Extent[] = [];
  const visit = (depth: number, at: number): void => {
    const loop = loops[depth];
    if (loop !== undefined) {
      for (let i = 0; i < loop.count; i++) visit(depth + 1, at + i * loop.step);
      return;
    }
    const from = Math.max(offset, Math.floor(at / PAGE) * PAGE);
    const to = Math.min(offset + length, Math.ceil((at + run) / PAGE) * PAGE);
    pages.push({ offset: from, length: to - from });
  };
  visit(0, span.start);
  return pages;
}
