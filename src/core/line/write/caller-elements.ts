/**
 * The caller's elements on their way into chunks: a band at a time through scratch memory, in long runs; or
 * directly, if a chunk's rows are long.
 */
import { numberAt } from "../../../base/at.js";
import { cOrderStrides, offsetOf, product } from "../../../base/shape.js";
import type { DimensionSelection } from "../../../grid/selection.js";
import type { CopyPlan } from "../../../kernels/kernels.js";
import type { Pipeline } from "../../codecs/pipeline.js";
import { copyRows, movePlans, type PlanCache, SHORT_ROW_BYTES, storedPlans } from "../../codecs/rows.js";
import { isMovedAsStored, runStoredCopy, type StoredCopy } from "../../codecs/stored-copy.js";
import type { WriteBlock } from "../ports.js";
import { type Band, type ChunkProjection, chunkBox } from "../shared/bands.js";
import type { ChunkDecoder } from "../shared/chunk-decoder.js";
import type { ElementSource, OpenBlock } from "./elements.js";

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

export class CallerElements implements ElementSource {
  readonly #decoder: ChunkDecoder;
  readonly #source: SourceElements;
  readonly #itemSize: number;
  readonly #selection: readonly DimensionSelection[];
  readonly #plans: PlanCache<CopyPlan>;
  readonly #storedPlans: PlanCache<StoredCopy>;

  /** @param selection of the whole array; only its steps are used */
  constructor(decoder: ChunkDecoder, selection: readonly DimensionSelection[], source: SourceElements) {
    this.#decoder = decoder;
    this.#source = source;
    this.#itemSize = decoder.fillPattern.length;
    this.#selection = selection;
    this.#plans = movePlans(this.#itemSize);
    this.#storedPlans = storedPlans(this.#itemSize, decoder.pipeline);
  }

  isDirect({ band }: WriteBlock): boolean {
    const { pipeline } = this.#decoder;
    const [first] = band.chunks;
    const isAsStored = isMovedAsStored(pipeline);
    return isAsStored && first !== undefined && this.#runOf(first, pipeline) >= LONG_RUN_BYTES;
  }

  within(block: WriteBlock, isDirect: boolean, moreBytes: number, work: (open: OpenBlock) => void): void {
    const { kernels } = this.#decoder;
    if (isDirect) {
      kernels.within(moreBytes, () => work(this.#fromCaller(block)));
      return;
    }
    const { band, offset } = block;
    const box = boxOf(band.shape, this.#source.strides, this.#itemSize);
    const byteLength = product(box.shape, this.#itemSize);
    kernels.within(byteLength + moreBytes, () => {
      const elements = kernels.allocate(byteLength);
      this.#fill(elements, box, offset + offsetOf(band.start, this.#source.strides));
      work(this.#fromBox(band, elements, box.strides));
    });
  }

  /** Chunks are copied from the caller's array. */
  #fromCaller({ offset }: WriteBlock): OpenBlock {
    const { bytes, strides } = this.#source;
    return {
      asStored: (chunk, pipeline) => {
        const { byteLength } = pipeline;
        if (this.#runOf(chunk, pipeline) !== byteLength) return undefined;
        const start = offset + offsetOf(chunkBox(chunk).start, strides);
        return bytes.subarray(start, start + byteLength);
      },
      place: (chunk, elements, pipeline) => {
        const { start, shape } = chunkBox(chunk);
        const plan = this.#plans.plan(shape, this.#targetStrides(pipeline), strides);
        copyRows(plan, elements, inChunk(chunk, pipeline), bytes, offset + offsetOf(start, strides));
      },
    };
  }

  /** Chunks are copied from scratch memory, which has the elements of the band. */
  #fromBox(band: Band, box: Uint8Array, strides: readonly number[]): OpenBlock {
    const { kernels } = this.#decoder;
    const first = offsetOf(band.start, strides);
    return {
      asStored: () => undefined,
      place: (chunk, elements, pipeline) => {
        const { start, shape } = chunkBox(chunk);
        const copy = this.#storedPlans.plan(shape, this.#targetStrides(pipeline), strides);
        const from = offsetOf(start, strides) - first;
        runStoredCopy(copy, kernels, elements, inChunk(chunk, pipeline), box, from);
      },
    };
  }

  /**
   * Bytes that are contiguous both in the chunk and in the caller's array. In one dimension it needs no copy
   * plan for each length of chunk.
   */
  #runOf(chunk: ChunkProjection, pipeline: Pipeline): number {
    const { strides } = this.#source;
    const [part] = chunk.parts;
    const targetStrides = this.#targetStrides(pipeline);
    const isLine = strides.length === 1 && strides[0] === this.#itemSize;
    if (part && isLine && targetStrides[0] === this.#itemSize) return part.count * this.#itemSize;
    return this.#plans.plan(chunkBox(chunk).shape, targetStrides, strides).run;
  }

  #targetStrides({ strides }: Pipeline): readonly number[] {
    return this.#selection.map(({ step }, d) => step * numberAt(strides, d));
  }

  #fill(box: Uint8Array, { joined: { shape, strides, sourceStrides } }: Box, start: number): void {
    const { kernels, pipeline } = this.#decoder;
    const { bytes } = this.#source;
    const plan = this.#plans.plan(shape, strides, sourceStrides);
    if (plan.run >= SHORT_ROW_BYTES) copyRows(plan, box, 0, bytes, start);
    else kernels.copy(plan, box, 0, bytes, start);
    pipeline.normalise?.(box);
  }
}

/** Offset of the first written element among the stored elements of a chunk. */
function inChunk({ parts }: ChunkProjection, { strides }: Pipeline): number {
  return parts.reduce((sum, { source }, d) => sum + source * numberAt(strides, d), 0);
}

/**
 * Scratch memory for a band, in C order. If the distance of the source's rows is at most twice their length,
 * the scratch memory has the same distance. One run then copies all rows of a plane with the gaps, in a third
 * of the time (rows of 512 bytes).
 */
function boxOf(shape: readonly number[], strides: readonly number[], itemSize: number): Box {
  const rows = shape.at(-2) ?? 1;
  const columns = shape.at(-1) ?? 1;
  const pitch = (strides.at(-2) ?? 0) / itemSize;
  const isClose = strides.at(-1) === itemSize && pitch > columns && pitch <= 2 * columns;
  if (rows < 2 || !isClose || !Number.isInteger(pitch)) {
    const plain = cOrderStrides(shape, itemSize);
    return { shape, strides: plain, joined: { shape, strides: plain, sourceStrides: strides } };
  }
  const padded = [...shape.slice(0, -1), pitch];
  const paddedStrides = cOrderStrides(padded, itemSize);
  const drop = (lengths: readonly number[]): number[] => [...lengths.slice(0, -2), itemSize];
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
