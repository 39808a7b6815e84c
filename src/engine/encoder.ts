/**
 * Cuts the caller's elements into chunks: each into its stored layout and byte order (band-source.ts) and through the codecs. The
 * reverse of band-assembler.ts; runs without a pause.
 */
import type { ChunkLocation } from "../codecs/pipeline.js";
import { isMemoryOrder, planStoredCopy, runStoredCopy } from "../codecs/stored-copy.js";
import type { DimensionSelection } from "../grid/selection.js";
import { isFilledWith } from "../kernels/filled.js";
import type { ChunkDecoder } from "./assembler.js";
import { BandSource, type SourceElements } from "./band-source.js";
import type { Band, ChunkProjection } from "./bands.js";
import { usedMemory } from "./result-memory.js";

/** What is to be written. */
export interface WriteSource extends SourceElements {
  /** What encodes elements that are no bytes of fixed size; offset and strides count elements, then. */
  readonly encoder?: EncoderFactory;
}

export type EncoderFactory = (
  decoder: ChunkDecoder,
  selection: readonly DimensionSelection[],
  source: WriteSource,
  writeEmptyChunks: boolean,
) => Encoder;

/** Encodes the chunks of one band after the other; see BandEncoder. */
export type Encoder = Pick<BandEncoder, "encode" | "encodeFill">;

/**
 * What becomes of an encoded chunk; undefined is one of nothing but fill value. Unless `isOwn` it stands in scratch that is used
 * again, or among the caller's elements.
 */
export type TakeChunk<Taken, At = ChunkLocation> = (
  encoded: Uint8Array | undefined,
  isOwn: boolean,
  at: At,
  chunk: ChunkProjection,
) => Taken;

/** Told of the shape of a part of a band that is encoded. */
export type OnPart = (shape: readonly number[]) => void;

/** What `takeWith` is given where nobody lends memory. */
export const copied = (bytes: Uint8Array): Uint8Array => bytes.slice();

/** Chunks in memory that `keep` copies them into. */
export const takeWith =
  (keep: (bytes: Uint8Array) => Uint8Array): TakeChunk<Uint8Array | undefined> =>
  (encoded, isOwn) =>
    encoded === undefined || isOwn ? encoded : keep(encoded);

export const encoderFor: EncoderFactory = (decoder, selection, source, writeEmptyChunks) =>
  source.encoder?.(decoder, selection, source, writeEmptyChunks) ??
  new BandEncoder(decoder, selection, source, writeEmptyChunks);

/** What puts the caller's elements into chunks. */
export type ElementSource = Pick<BandSource, "isDirect" | "open" | "asTheyAre" | "place">;

export class BandEncoder {
  readonly #decoder: ChunkDecoder;
  readonly #source: ElementSource;
  readonly #writeEmptyChunks: boolean;
  /** Fill value in the stored byte order. */
  readonly #storedFill: Uint8Array;

  constructor(
    decoder: ChunkDecoder,
    selection: readonly DimensionSelection[],
    source: WriteSource,
    writeEmptyChunks: boolean,
    elements: ElementSource = new BandSource(decoder, selection, source),
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
   * Encodes the band's chunks as far as that is synchronous, and hands over each as soon as it is there.
   * @param existing the stored chunks of which parts stay, decoded as far as that is asynchronous
   * @param wantsOwn whether `take` has to copy what is not in memory of its own
   * @returns what `take` made of them
   */
  encode<Taken, At extends ChunkLocation>(
    band: Band,
    existing: readonly (Uint8Array | undefined)[],
    locate: (chunk: ChunkProjection) => At,
    take: TakeChunk<Taken, At>,
    wantsOwn: boolean,
  ): Taken[] {
    const { kernels, pipeline } = this.#decoder;
    const { byteLength, scratchByteLength, wrapped } = pipeline;
    const isDirect = this.#source.isDirect(band);
    // What is not encoded any further is put together where it stays.
    const inOwn = isDirect && wantsOwn && !wrapped;
    const open = this.#source.open(band, isDirect, (inOwn ? 0 : 3 * byteLength) + scratchByteLength + 65536);
    return band.chunks.map((chunk, i) => {
      const mark = kernels.mark();
      const at = locate(chunk);
      const own = at.pipeline ?? pipeline;
      const given = isDirect && !wrapped ? this.#source.asTheyAre(chunk, own) : undefined;
      let elements = inOwn ? given?.slice() : given;
      if (elements === undefined) {
        elements = inOwn
          ? (usedMemory(own.byteLength) ?? new Uint8Array(own.byteLength))
          : kernels.allocate(own.byteLength);
        this.#beginWith(existing[i], elements, chunk, at);
        this.#source.place(open, chunk, elements, own);
      }
      const empty = !this.#writeEmptyChunks && isFilledWith(kernels, elements, this.#storedFill);
      const encoded = empty ? undefined : pipeline.encode(elements, kernels, at);
      const taken = take(encoded, inOwn && encoded === elements, at, chunk);
      kernels.release(mark);
      return taken;
    });
  }

  /** A chunk of nothing but fill value. */
  encodeFill(at: ChunkLocation): Uint8Array {
    const { kernels, pipeline } = this.#decoder;
    const { byteLength } = at.pipeline ?? pipeline;
    kernels.begin(2 * byteLength + pipeline.scratchByteLength + 65536);
    const elements = kernels.allocate(byteLength);
    kernels.fill(elements, this.#storedFill);
    return pipeline.encode(elements, kernels, at).slice();
  }

  /** The chunk's stored elements before this write, where any of them stay. */
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
    } else if (chunk.chosen !== undefined || chunk.parts.some(({ count }, d) => count !== shape[d])) {
      kernels.fill(elements, this.#storedFill);
    }
  }
}
