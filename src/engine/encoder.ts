/**
 * Cuts the caller's elements into chunks, copies each into its stored layout and byte order, and runs the
 * codecs. The reverse of band-assembler.ts; synchronous.
 */

import type { ChunkLocation } from "../core/codecs/pipeline.js";
import { isMemoryOrder, planStoredCopy, runStoredCopy } from "../core/codecs/stored-copy.js";
import type { DimensionSelection } from "../grid/selection.js";
import { isFilledWith } from "../kernels/filled.js";
import type { ChunkDecoder } from "./assembler.js";
import type { Band, ChunkProjection } from "./bands.js";
import { CallerElements, type SourceElements } from "./caller-elements.js";

/** The elements to write. */
export interface WriteSource extends SourceElements {
  /** Encoder for elements of variable length; offset and strides then count elements. */
  readonly encoder?: EncoderFactory;
}

export type EncoderFactory = (
  decoder: ChunkDecoder,
  selection: readonly DimensionSelection[],
  source: WriteSource,
  writeEmptyChunks: boolean,
) => Encoder;

/** Encodes the chunks of a write, one band after the other. */
export type Encoder = Pick<BandEncoder, "encode" | "encodeFill">;

/**
 * Receives each encoded chunk; undefined is a chunk that contains only the fill value. Unless `isOwn`, the
 * bytes are in scratch memory that is used again, or in the caller's array.
 */
export type TakeChunk<Taken, At = ChunkLocation> = (
  encoded: Uint8Array | undefined,
  isOwn: boolean,
  at: At,
  chunk: ChunkProjection,
) => Taken;

/** Called with the shape of each encoded part of a band. */
export type OnPart = (shape: readonly number[]) => void;

/** The shape of the written part of a chunk, for `OnPart`; picked elements count as one row. */
export function partShape({ parts, picked }: ChunkProjection): readonly number[] {
  return picked === undefined ? parts.map(({ count }) => count) : [picked.count];
}

/** The `keep` of `takeWith` for ordinary memory: copies the bytes. */
export const copied = (bytes: Uint8Array): Uint8Array => bytes.slice();

/** A `TakeChunk` that copies chunks with `keep`, unless they have memory of their own. */
export const takeWith =
  (keep: (bytes: Uint8Array) => Uint8Array): TakeChunk<Uint8Array | undefined> =>
  (encoded, isOwn) =>
    encoded === undefined || isOwn ? encoded : keep(encoded);

export const encoderFor: EncoderFactory = (decoder, selection, source, writeEmptyChunks) =>
  source.encoder?.(decoder, selection, source, writeEmptyChunks) ??
  new BandEncoder(decoder, selection, source, writeEmptyChunks);

/** Copies the caller's elements into chunks. */
export type ElementSource = Pick<CallerElements, "isDirect" | "within" | "asTheyAre" | "place">;

export class BandEncoder {
  readonly #decoder: ChunkDecoder;
  readonly #source: ElementSource;
  readonly #writeEmptyChunks: boolean;
  /** One fill value in the stored byte order. */
  readonly #storedFill: Uint8Array;

  constructor(
    decoder: ChunkDecoder,
    selection: readonly DimensionSelection[],
    source: WriteSource,
    writeEmptyChunks: boolean,
    elements: ElementSource = new CallerElements(decoder, selection, source),
  ) {
    const { fillPattern, kernels, pipeline } = decoder;
    this.#decoder = decoder;
    this.#source = elements;
    this.#writeEmptyChunks = writeEmptyChunks;
    this.#storedFill = fillPattern.slice();
    if (isMemoryOrder(pipeline)) return;
    const copy = planStoredCopy([], [], [], fillPattern.length, pipeline);
    runStoredCopy(copy, kernels, this.#storedFill, 0, fillPattern, 0);
  }

  /**
   * Encodes the band's chunks with the synchronous codecs, and hands over each chunk at once.
   * @param existing the stored chunks that keep some of their elements, after the asynchronous decoders
   * @param wantsOwn whether `take` has to copy chunks that have no memory of their own
   * @returns the results of `take`
   */
  encode<Taken, At extends ChunkLocation>(
    band: Band,
    existing: readonly (Uint8Array | undefined)[],
    locate: (chunk: ChunkProjection) => At,
    take: TakeChunk<Taken, At>,
    wantsOwn: boolean,
  ): Taken[] {
    const { kernels, pipeline } = this.#decoder;
    const { wrapped } = pipeline;
    const isDirect = this.#source.isDirect(band);
    // Chunks without a compressor are assembled in the memory in which they stay.
    const inOwn = isDirect && wantsOwn && !wrapped;
    const chunkScratch = inOwn ? pipeline.scratch(0) : pipeline.scratch();
    return this.#source.within(band, isDirect, chunkScratch, (open) =>
      band.chunks.map((chunk, i) => {
        const mark = kernels.mark();
        const at = locate(chunk);
        const own = at.pipeline ?? pipeline;
        const given = isDirect && !wrapped ? this.#source.asTheyAre(chunk, own) : undefined;
        let elements = inOwn ? given?.slice() : given;
        if (elements === undefined) {
          elements = inOwn ? new Uint8Array(own.byteLength) : kernels.allocate(own.byteLength);
          this.#beginWith(existing[i], elements, chunk, at);
          this.#source.place(open, chunk, elements, own);
        }
        const empty = !this.#writeEmptyChunks && isFilledWith(kernels, elements, this.#storedFill);
        const encoded = empty ? undefined : pipeline.encode(elements, kernels, at);
        const taken = take(encoded, inOwn && encoded === elements, at, chunk);
        kernels.release(mark);
        return taken;
      }),
    );
  }

  /** Encodes a chunk that contains only the fill value. */
  encodeFill(at: ChunkLocation): Uint8Array {
    const { kernels, pipeline } = this.#decoder;
    const { byteLength } = at.pipeline ?? pipeline;
    return kernels.within(pipeline.scratch(), () => {
      const elements = kernels.allocate(byteLength);
      kernels.fill(elements, this.#storedFill);
      return pipeline.encode(elements, kernels, at).slice();
    });
  }

  /**
   * Fills `elements` with the chunk before this write: the stored chunk, or the fill value if the write
   * covers only part of the chunk.
   */
  #beginWith(
    existing: Uint8Array | undefined,
    elements: Uint8Array,
    chunk: ChunkProjection,
    at: ChunkLocation,
  ): void {
    const { kernels, pipeline } = this.#decoder;
    const { shape } = at.pipeline ?? pipeline;
    if (existing !== undefined) {
      const mark = kernels.mark();
      elements.set(pipeline.decode(existing, kernels, at));
      kernels.release(mark);
    } else if (chunk.picked !== undefined || chunk.parts.some(({ count }, d) => count !== shape[d])) {
      kernels.fill(elements, this.#storedFill);
    }
  }
}
