/**
 * The caller's elements on their way into chunks: a band at a time through scratch memory, in long runs; or
 * directly, if a chunk's rows are long.
 */
import { noItem } from "../base/at.js";
import { cOrderStrides, product } from "../base/shape.js";
import type { Pipeline } from "../core/codecs/pipeline.js";
import { isMovedAsStored, runStoredCopy, type StoredCopy } from "../core/codecs/stored-copy.js";
import type { DimensionSelection } from "../grid/selection.js";
import type { CopyPlan } from "../kernels/kernels.js";
import { type ChunkDecoder, offsetOf } from "./assembler.js";
import { type Band, type ChunkProjection, chunkBox } from "./bands.js";
import { copyRows, movePlans, type PlanCache, SHORT_ROW_BYTES, storedPlans } from "./rows.js";

/**
 * Shortest rows that are copied directly to their chunk. Shorter rows that are a page or more apart are
 * copied through a band, which is then read from end to end in less time: rows of 1 KiB into fresh chunks of
 * 256 KiB take 12 to 20 ms for 64 MiB, row by row 24 to 30.
 */
const LONG_RUN_BYTES = 2048;

/**
 * The caller's elements in memory byte order; strides in bytes, by dimension of the array (0 repeats one
 * scalar).
 */
export interface SourceElements {
  readonly bytes: Uint8Array;
  readonly strides: readonly number[];
  readonly offset: number;
}

/** Shape and strides of a band's scratch memory, and the copy that fills it. */
interface Box {
  /** The allocated shape; the last dimension may have padding. */
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  /** The copy that fills it, with as few dimensions as it needs. */
  readonly joined: {
    readonly shape: readonly number[];
    readonly strides: readonly number[];
    readonly sourceStrides: readonly number[];
  };
}

/** A band whose elements are ready to be copied into chunks. */
interface OpenSource {
  readonly band: Band;
  readonly strides: readonly number[];
  /**
   * Scratch memory with the band's elements; undefined if they are copied directly from the caller's array.
   */
  readonly box: Uint8Array | undefined;
}
export class CallerElements {
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

  /** Whether chunks are copied directly from the caller's array. */
  isDirect({ chunks: [first] }: Band): boolean {
    const { pipeline } = this.#decoder;
    const isAsStored = isMovedAsStored(pipeline);
    return isAsStored && first !== undefined && this.#runOf(first, pipeline) >= LONG_RUN_BYTES;
  }

  /** Runs `work` on a band, with scratch memory for the band and `moreBytes`. */
  within<Result>(
    band: Band,
    isDirect: boolean,
    moreBytes: number,
    work: (open: OpenSource) => Result,
  ): Result {
    const { kernels } = this.#decoder;
    if (isDirect) return kernels.within(moreBytes, () => work({ band, strides: [], box: undefined }));
    const { shape, strides, joined } = this.#boxOf(band);
    const byteLength = product(shape, this.#itemSize);
    return kernels.within(byteLength + moreBytes, () => {
      const box = kernels.allocate(byteLength);
      this.#fillBox(band, box, joined);
      return work({ band, strides, box });
    });
  }

  /** Copies the elements of a chunk of `pipeline` to their stored positions. */
  place(
    { band, strides, box }: OpenSource,
    chunk: ChunkProjection,
    elements: Uint8Array,
    pipeline: Pipeline,
  ): void {
    const { kernels } = this.#decoder;
    const { start, shape } = chunkBox(chunk);
    const inChunk = chunk.parts.reduce(
      (sum, { source }, d) => sum + source * (pipeline.strides[d] ?? noItem(pipeline.strides, d)),
      0,
    );
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

  /**
   * Returns a view of the chunk in the caller's array, if its elements lie there exactly as they are stored.
   */
  asTheyAre(chunk: ChunkProjection, pipeline: Pipeline): Uint8Array | undefined {
    const { byteLength } = pipeline;
    if (this.#runOf(chunk, pipeline) !== byteLength) return undefined;
    const start = this.#offsetOf(chunkBox(chunk).start);
    return this.#source.bytes.subarray(start, start + byteLength);
  }

  /**
   * Bytes that are contiguous both in the chunk and in the caller's array. In one dimension it needs no copy
   * plan for each length of chunk.
   */
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
    return this.#selection.map(({ step }, d) => step * (strides[d] ?? noItem(strides, d)));
  }

  #offsetOf(start: readonly number[]): number {
    return this.#source.offset + offsetOf(start, this.#source.strides);
  }

  /**
   * Scratch memory for the band, in C order. If the distance of the source's rows is at most twice their
   * length, the scratch memory has the same distance. One run then copies all rows of a plane with the gaps,
   * in a third of the time (rows of 512 bytes).
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
