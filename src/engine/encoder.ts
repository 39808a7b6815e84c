/**
 * Cuts the caller's elements into chunks: each into its stored layout and byte order and through the codecs. The
 * reverse of band-assembler.ts; runs without a pause.
 */

import { isMemoryOrder, planStoredCopy, runStoredCopy, type StoredCopy } from "../codecs/layout.js";
import type { ChunkLocation, Pipeline } from "../codecs/pipeline.js";
import type { DimensionSelection } from "../grid/selection.js";
import { isFilledWith } from "../kernels/filled.js";
import type { CopyPlan } from "../kernels/kernels.js";
import { cOrderStrides, product } from "../shape.js";
import { type ChunkDecoder, chunkBox, offsetOf } from "./assembler.js";
import type { Band, ChunkProjection } from "./bands.js";
import { usedMemory } from "./result-memory.js";
import { copyRows, movePlans, type PlanCache, storedPlans } from "./rows.js";

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

// The caller's elements on their way into chunks: a band at a time by way of scratch memory, in long runs; or straight, where a chunk's
// rows are long.
/**
 * Below this a row is cheaper to copy by a kernel, in spite of the way into the arena: rows of 256 bytes that are 1 KiB apart are written in
 * two thirds of the time, and as soon where they are 2 KiB and more apart.
 */
const SHORT_ROW_BYTES = 512;

/**
 * From here up rows go straight into their chunk. Shorter ones, a page or more apart, come sooner by way of a band, which is read from
 * one end to the other: rows of 1 KiB into fresh chunks of 256 KiB in 12 to 20 ms for 64 MiB, one by one in 24 to 30.
 */
const LONG_RUN_BYTES = 2048;

/** The caller's elements in memory byte order; strides in bytes, by dimension of the array (0 repeats one scalar). */
interface SourceElements {
  readonly bytes: Uint8Array;
  readonly strides: readonly number[];
  readonly offset: number;
}

/** Scratch for a band: strides by dimension, and how it is filled. */
interface Box {
  /** Room, of which each dimension but the last is filled. */
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  /** The copy that fills it, with as many dimensions as it takes. */
  readonly joined: {
    readonly shape: readonly number[];
    readonly strides: readonly number[];
    readonly sourceStrides: readonly number[];
  };
}

/** A band whose elements are to be had. */
interface OpenSource {
  readonly band: Band;
  readonly strides: readonly number[];
  /** Scratch with the band's elements; undefined when they are copied straight from the caller's. */
  readonly box: Uint8Array | undefined;
}

class BandSource {
  readonly #decoder: ChunkDecoder;
  readonly #source: SourceElements;
  readonly #itemSize: number;
  readonly #selection: readonly DimensionSelection[];
  readonly #plans: PlanCache<CopyPlan>;
  readonly #storedPlans: PlanCache<StoredCopy>;

  constructor(decoder: ChunkDecoder, selection: readonly DimensionSelection[], source: SourceElements) {
    const { pipeline } = decoder;
    this.#decoder = decoder;
    this.#source = source;
    this.#itemSize = decoder.fillPattern.length;
    this.#selection = selection;
    this.#plans = movePlans(this.#itemSize);
    this.#storedPlans = storedPlans(this.#itemSize, pipeline);
  }

  /** Whether chunks are copied straight from the caller's elements. */
  isDirect({ chunks: [first] }: Band): boolean {
    const { pipeline } = this.#decoder;
    const isAsStored = isMemoryOrder(pipeline) && pipeline.normalise === undefined;
    return isAsStored && first !== undefined && this.#runOf(first, pipeline) >= LONG_RUN_BYTES;
  }

  /** Begins a band: makes room in the arena for it and for so many bytes more, and drops whatever was there. */
  open(band: Band, isDirect: boolean, moreBytes: number): OpenSource {
    const { kernels } = this.#decoder;
    if (isDirect) {
      kernels.begin(moreBytes);
      return { band, strides: [], box: undefined };
    }
    const { shape, strides, joined } = this.#boxOf(band);
    const byteLength = product(shape, this.#itemSize);
    kernels.begin(byteLength + moreBytes);
    const box = kernels.allocate(byteLength);
    this.#fillBox(band, box, joined);
    return { band, strides, box };
  }

  /** Puts the elements of a chunk of `pipeline` where they are stored. */
  place(
    { band, strides, box }: OpenSource,
    chunk: ChunkProjection,
    elements: Uint8Array,
    pipeline: Pipeline,
  ): void {
    const { kernels } = this.#decoder;
    const { start, shape } = chunkBox(chunk);
    const inChunk = chunk.parts.reduce((sum, { source }, d) => sum + source * (pipeline.strides[d] ?? 0), 0);
    if (box === undefined) {
      copyRows(
        this.#directPlan(chunk, pipeline),
        elements,
        inChunk,
        this.#source.bytes,
        this.#offsetOf(start),
      );
      return;
    }
    const copy = this.#storedPlans.plan(shape, this.#targetStrides(pipeline), strides);
    const inBox = offsetOf(start, strides) - offsetOf(band.start, strides);
    runStoredCopy(copy, kernels, elements, inChunk, box, inBox);
  }

  /** The elements of a chunk as they lie in the caller's memory, where they lie there as they are stored. */
  asTheyAre(chunk: ChunkProjection, pipeline: Pipeline): Uint8Array | undefined {
    const { byteLength } = pipeline;
    if (this.#runOf(chunk, pipeline) !== byteLength) return undefined;
    const start = this.#offsetOf(chunkBox(chunk).start);
    return this.#source.bytes.subarray(start, start + byteLength);
  }

  /** Bytes that lie together in the chunk and at the caller's. In one dimension there is no plan to be made for each length of chunk. */
  #runOf(chunk: ChunkProjection, pipeline: Pipeline): number {
    const { strides } = this.#source;
    const [part] = chunk.parts;
    const isLine = strides.length === 1 && strides[0] === this.#itemSize;
    return part && isLine && this.#targetStrides(pipeline)[0] === this.#itemSize
      ? part.count * this.#itemSize
      : this.#directPlan(chunk, pipeline).run;
  }

  #directPlan(chunk: ChunkProjection, pipeline: Pipeline): CopyPlan {
    return this.#plans.plan(chunkBox(chunk).shape, this.#targetStrides(pipeline), this.#source.strides);
  }

  #targetStrides({ strides }: Pipeline): readonly number[] {
    return this.#selection.map(({ step }, d) => step * (strides[d] ?? 0));
  }

  #offsetOf(start: readonly number[]): number {
    return this.#source.offset + offsetOf(start, this.#source.strides);
  }

  /**
   * Scratch for the band: in C order, and where rows of the source are at most twice as far apart as they are long, just as far
   * apart: one run then brings all rows of a plane with what lies between them, in a third of the time (rows of 512 bytes).
   */
  #boxOf({ shape }: Band): Box {
    const { strides } = this.#source;
    const rows = shape.at(-2) ?? 1;
    const columns = shape.at(-1) ?? 1;
    const pitch = (strides.at(-2) ?? 0) / this.#itemSize;
    const isClose = strides.at(-1) === this.#itemSize && pitch > columns && pitch <= 2 * columns;
    if (rows < 2 || !isClose || !Number.isInteger(pitch)) {
      const plain = cOrderStrides(shape, this.#itemSize);
      return { shape, strides: plain, joined: { shape, strides: plain, sourceStrides: strides } };
    }
    const padded = [...shape.slice(0, -1), pitch];
    const paddedStrides = cOrderStrides(padded, this.#itemSize);
    const drop = (lengths: readonly number[]): number[] => [...lengths.slice(0, -2), this.#itemSize];
    return {
      shape: padded,
      strides: paddedStrides,
      joined: {
        shape: [...shape.slice(0, -2), (rows - 1) * pitch + columns],
        strides: drop(paddedStrides),
        sourceStrides: drop(strides),
      },
    };
  }

  #fillBox(band: Band, box: Uint8Array, { shape, strides, sourceStrides }: Box["joined"]): void {
    const { kernels, pipeline } = this.#decoder;
    const { bytes } = this.#source;
    const plan = this.#plans.plan(shape, strides, sourceStrides);
    const start = this.#offsetOf(band.start);
    if (plan.run >= SHORT_ROW_BYTES) copyRows(plan, box, 0, bytes, start);
    else kernels.copy(plan, box, 0, bytes, start);
    pipeline.normalise?.(box);
  }
}
