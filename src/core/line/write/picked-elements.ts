/** Elements of lists and coordinates on their way into chunks: one by one, to any places. */

import { isMovedAsStored, planStoredCopy, runStoredCopy } from "../../codecs/stored-copy.js";
import { inOneRow } from "../placement.js";
import { copyPicked } from "../placing/copy-picked.js";
import type { WriteBlock } from "../ports.js";
import type { ChunkDecoder } from "../shared/chunk-decoder.js";
import type { SourceElements } from "./caller-elements.js";
import type { ElementSource, OpenBlock } from "./elements.js";

export class PickedElements implements ElementSource {
  readonly #decoder: ChunkDecoder;
  readonly #source: SourceElements;
  readonly #itemSize: number;

  /** @param source its strides are those that the placements of the plan expect */
  constructor(decoder: ChunkDecoder, source: SourceElements) {
    this.#decoder = decoder;
    this.#source = source;
    this.#itemSize = decoder.fillPattern.length;
  }

  isDirect(): boolean {
    return true;
  }

  within({ band, offset }: WriteBlock, _: boolean, moreBytes: number, work: (open: OpenBlock) => void): void {
    const count = band.chunks.reduce((total, { picked }) => total + (picked?.count ?? 0), 0);
    const room = moreBytes + 2 * count * this.#itemSize;
    this.#decoder.kernels.within(room, () => work(this.#open(offset)));
  }

  #open(offset: number): OpenBlock {
    const { kernels } = this.#decoder;
    const itemSize = this.#itemSize;
    const { bytes, strides } = this.#source;
    const unit = Math.max(1, itemSize);
    const inElements = (lengths: readonly number[]): number[] => lengths.map((length) => length / unit);
    const value = { offset: offset / unit, strides: inElements(strides) };
    return {
      asStored: () => undefined,
      place({ picked }, elements, pipeline) {
        if (picked === undefined) return;
        const to = picked.inChunk(inElements(pipeline.strides));
        const from = picked.inResult(value);
        if (isMovedAsStored(pipeline)) {
          copyPicked(elements, to, bytes, from, itemSize);
          return;
        }
        const { count } = picked;
        const given = kernels.allocate(count * itemSize);
        const stored = kernels.allocate(count * itemSize);
        copyPicked(given, inOneRow(...to.shape), bytes, from, itemSize);
        pipeline.normalise?.(given);
        const copy = planStoredCopy([count], [itemSize], [itemSize], itemSize, pipeline);
        runStoredCopy(copy, kernels, stored, 0, given, 0);
        copyPicked(elements, to, stored, inOneRow(...to.shape), itemSize);
      },
    };
  }
}
