/**
 * Cuts the caller's elements into chunks: a band goes into scratch memory in long runs, from there each chunk into its stored
 * layout and byte order and through the codecs. The reverse of assembler.ts; runs without a pause.
 */
import { cOrderStrides } from "../codecs/array-stage.js";
import type { ChunkLocation } from "../codecs/codec.js";
import { isMemoryOrder, planStoredCopy, runStoredCopy, type StoredCopy } from "../codecs/stored-copy.js";
import type { DimensionSelection } from "../indexing/selection.js";
import { isFilledWith } from "../kernels/filled.js";
import type { CopyPlan } from "../kernels/kernels.js";
import { type ChunkDecoder, chunkBox, offsetOf } from "./assembler.js";
import type { Band, ChunkProjection } from "./bands.js";
import { copyRows, movePlans, type PlanCache, storedPlans } from "./rows.js";

/** The caller's elements in memory byte order; strides in bytes, by dimension of the array (0 repeats one scalar). */
export interface WriteSource {
  readonly bytes: Uint8Array;
  readonly strides: readonly number[];
  readonly offset: number;
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

export const encoderFor: EncoderFactory = (decoder, selection, source, writeEmptyChunks) =>
  source.encoder?.(decoder, selection, source, writeEmptyChunks) ??
  new BandEncoder(decoder, selection, source, writeEmptyChunks);

/** Below this a row is cheaper to copy by a kernel, in spite of the way into the arena. */
const SHORT_ROW_BYTES = 64;

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

export class BandEncoder {
  readonly #decoder: ChunkDecoder;
  readonly #source: WriteSource;
  readonly #writeEmptyChunks: boolean;
  readonly #plans: PlanCache<CopyPlan>;
  readonly #storedPlans: PlanCache<StoredCopy>;
  readonly #itemSize: number;
  readonly #targetStrides: readonly number[];
  /** Fill value in the stored byte order. */
  readonly #storedFill: Uint8Array;

  constructor(
    decoder: ChunkDecoder,
    selection: readonly DimensionSelection[],
    source: WriteSource,
    writeEmptyChunks: boolean,
  ) {
    const { fillPattern, kernels, pipeline } = decoder;
    this.#decoder = decoder;
    this.#source = source;
    this.#writeEmptyChunks = writeEmptyChunks;
    this.#itemSize = fillPattern.length;
    this.#plans = movePlans(this.#itemSize);
    this.#storedPlans = storedPlans(this.#itemSize, pipeline);
    this.#targetStrides = selection.map(({ step }, d) => step * (pipeline.strides[d] ?? 0));
    this.#storedFill = fillPattern.slice();
    if (isMemoryOrder(pipeline)) return;
    const copy = planStoredCopy([], [], [], this.#itemSize, pipeline);
    runStoredCopy(copy, kernels, this.#storedFill, 0, fillPattern, 0);
  }

  /**
   * The band's chunks, encoded as far as that is synchronous; undefined for a chunk of nothing but fill value.
   * @param existing the stored chunks of which parts stay, decoded as far as that is asynchronous
   * @param keep copies encoded bytes, which stand in scratch that is used again; each in memory of its own, which a store may
   *   keep, unless given
   */
  encode(
    band: Band,
    existing: readonly (Uint8Array | undefined)[],
    locate: (chunk: ChunkProjection) => ChunkLocation,
    keep: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes.slice(),
  ): (Uint8Array | undefined)[] {
    const { kernels, pipeline } = this.#decoder;
    const { shape, strides, joined } = this.#boxOf(band);
    const boxBytes = shape.reduce((product, length) => product * length, this.#itemSize);
    kernels.begin(boxBytes + 3 * pipeline.byteLength + pipeline.scratchByteLength + 65536);
    const box = kernels.allocate(boxBytes);
    this.#fillBox(band, box, joined);
    return band.chunks.map((chunk, i) => {
      const mark = kernels.mark();
      const at = locate(chunk);
      const elements = this.#chunkElements(chunk, existing[i], at);
      const { start, shape } = chunkBox(chunk);
      const copy = this.#storedPlans.plan(shape, this.#targetStrides, strides);
      const inChunk = chunk.parts.reduce(
        (sum, { source }, d) => sum + source * (pipeline.strides[d] ?? 0),
        0,
      );
      const inBox = offsetOf(start, strides) - offsetOf(band.start, strides);
      runStoredCopy(copy, kernels, elements, inChunk, box, inBox);
      const empty = !this.#writeEmptyChunks && isFilledWith(kernels, elements, this.#storedFill);
      const encoded = empty ? undefined : keep(pipeline.encode(elements, kernels, at));
      kernels.release(mark);
      return encoded;
    });
  }

  /** A chunk of nothing but fill value. */
  encodeFill(at: ChunkLocation): Uint8Array {
    const { kernels, pipeline } = this.#decoder;
    kernels.begin(2 * pipeline.byteLength + pipeline.scratchByteLength + 65536);
    const elements = kernels.allocate(pipeline.byteLength);
    kernels.fill(elements, this.#storedFill);
    return pipeline.encode(elements, kernels, at).slice();
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

  #fillBox(band: Band, box: Uint8Array, { shape, strides: boxStrides, sourceStrides }: Box["joined"]): void {
    const { bytes, strides, offset } = this.#source;
    const plan = this.#plans.plan(shape, boxStrides, sourceStrides);
    const start = offset + offsetOf(band.start, strides);
    if (plan.run >= SHORT_ROW_BYTES) copyRows(plan, box, 0, bytes, start);
    else this.#decoder.kernels.copy(plan, box, 0, bytes, start);
    this.#decoder.pipeline.normalise?.(box);
  }

  /** The chunk's stored elements before this write, in memory that may be changed. */
  #chunkElements(chunk: ChunkProjection, existing: Uint8Array | undefined, at: ChunkLocation): Uint8Array {
    const { kernels, pipeline } = this.#decoder;
    const elements = kernels.allocate(pipeline.byteLength);
    if (existing !== undefined) {
      const mark = kernels.mark();
      elements.set(pipeline.decode(existing, kernels, at));
      kernels.release(mark);
    } else if (chunk.parts.some(({ count }, d) => count !== pipeline.shape[d])) {
      kernels.fill(elements, this.#storedFill);
    }
    return elements;
  }
}
