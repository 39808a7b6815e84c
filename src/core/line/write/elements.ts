/**
 * Encodes elements of fixed size: begins with the stored chunk or with fill value, copies the elements of the
 * value to their stored places and byte order, and runs the codecs. The reverse of placing a chunk.
 */

import { at as itemAt } from "../../../base/at.js";
import { isFilledWith } from "../../../kernels/filled.js";
import type { ChunkLocation, Pipeline } from "../../codecs/pipeline.js";
import { isMemoryOrder, planStoredCopy, runStoredCopy } from "../../codecs/stored-copy.js";
import type { ChunkEncoder, Encoded, Receiver, WriteBlock } from "../ports.js";
import type { ChunkProjection } from "../shared/bands.js";
import type { ChunkDecoder } from "../shared/chunk-decoder.js";

/** The elements of one block, ready to be copied into its chunks. */
export interface OpenBlock {
  /**
   * A view of the value that is all of a chunk, exactly as it is stored; undefined if it has to be copied.
   */
  asStored(chunk: ChunkProjection, pipeline: Pipeline): Uint8Array | undefined;
  /** Copies the elements of a chunk to their places among its stored elements. */
  place(chunk: ChunkProjection, elements: Uint8Array, pipeline: Pipeline): void;
}

/** Where the elements of a write come from: a box of the caller's array, or single elements of it. */
export interface ElementSource {
  /** Whether the elements of a block go to their chunks by themselves, and not through scratch memory. */
  isDirect(block: WriteBlock): boolean;
  /** Runs `work` with scratch memory for the block and `moreBytes`. */
  within(block: WriteBlock, isDirect: boolean, moreBytes: number, work: (open: OpenBlock) => void): void;
}

export class ElementEncoder implements ChunkEncoder {
  readonly isNow = true;
  readonly blocksAtOnce = 1;
  readonly #decoder: ChunkDecoder;
  readonly #source: ElementSource;
  readonly #writeEmptyChunks: boolean;
  /** One fill value in the stored byte order. */
  readonly #storedFill: Uint8Array;

  constructor(decoder: ChunkDecoder, source: ElementSource, writeEmptyChunks: boolean) {
    const { fillPattern, kernels, pipeline } = decoder;
    this.#decoder = decoder;
    this.#source = source;
    this.#writeEmptyChunks = writeEmptyChunks;
    this.#storedFill = fillPattern.slice();
    if (isMemoryOrder(pipeline)) return;
    const copy = planStoredCopy([], [], [], fillPattern.length, pipeline);
    runStoredCopy(copy, kernels, this.#storedFill, 0, fillPattern, 0);
  }

  encode(block: WriteBlock, receiver: Receiver): void {
    const { kernels, pipeline } = this.#decoder;
    const { wrapped } = pipeline;
    const isDirect = this.#source.isDirect(block);
    // Chunks without a compressor are put together in the memory in which they stay.
    const allocate = isDirect && !wrapped ? receiver.own : undefined;
    const scratch = allocate === undefined ? pipeline.scratch() : pipeline.scratch(0);
    this.#source.within(block, isDirect, scratch, (open) => {
      const { band, at, old } = block;
      for (const [i, chunk] of band.chunks.entries()) {
        const mark = kernels.mark();
        const place = itemAt(at, i);
        const mine = place.pipeline ?? pipeline;
        const given = isDirect && !wrapped ? open.asStored(chunk, mine) : undefined;
        let elements = allocate === undefined ? given : given?.slice();
        if (elements === undefined) {
          elements = allocate === undefined ? kernels.allocate(mine.byteLength) : allocate(mine.byteLength);
          this.#beginWith(old[i], elements, chunk, place);
          open.place(chunk, elements, mine);
        }
        const isEmpty = !this.#writeEmptyChunks && isFilledWith(kernels, elements, this.#storedFill);
        const encoded = isEmpty ? undefined : pipeline.encode(elements, kernels, place);
        receiver.take(i, encoded, allocate !== undefined && encoded === elements);
        kernels.release(mark);
      }
    });
  }

  encodeFill(at: ChunkLocation): Uint8Array {
    const { kernels, pipeline } = this.#decoder;
    const { byteLength } = at.pipeline ?? pipeline;
    return kernels.within(pipeline.scratch(), () => {
      const elements = kernels.allocate(byteLength);
      kernels.fill(elements, this.#storedFill);
      return pipeline.encode(elements, kernels, at).slice();
    });
  }

  /** Fills `elements` with the chunk before this write, unless the write covers all of it. */
  #beginWith(old: Encoded, elements: Uint8Array, chunk: ChunkProjection, at: ChunkLocation): void {
    const { kernels, pipeline } = this.#decoder;
    const { shape } = at.pipeline ?? pipeline;
    if (old !== undefined) {
      const mark = kernels.mark();
      elements.set(pipeline.decode(old, kernels, at));
      kernels.release(mark);
    } else if (chunk.picked !== undefined || chunk.parts.some(({ count }, d) => count !== shape[d])) {
      kernels.fill(elements, this.#storedFill);
    }
  }
}
