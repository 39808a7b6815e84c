/** Places picked elements: chunks are decoded as in any read, and their picked elements are copied out. */
import { isMovedAsStored, planStoredCopy, runStoredCopy } from "../../codecs/stored-copy.js";
import { ChunkAtHand, decodePiece, spanOf } from "../decode.js";
import { inOneRow } from "../placement.js";
import type { Block, CoreArray, Encoded, Piece, Placer, Target } from "../ports.js";
import type { Placing } from "../prepared.js";
import { read } from "../read.js";
import { copyPicked } from "./copy-picked.js";

/** Elements in any order, as they are stored. */
export function pickedAsStored(itemSize: number): Placing {
  return {
    itemSize,
    run: ({ line, plan, target, options, done }) =>
      read(line, plan, new PickedPlacer(line, target), options, done),
  };
}

class PickedPlacer implements Placer {
  readonly #array: CoreArray;
  readonly #target: Target;
  readonly #atHand: ChunkAtHand;
  readonly #isZeroFill: boolean;

  /** @param target its strides, in bytes, are those that the placements of the pieces expect */
  constructor(array: CoreArray, target: Target) {
    this.#array = array;
    this.#target = target;
    this.#atHand = new ChunkAtHand(array.source);
    this.#isZeroFill = target.isBlank && array.fill.every((byte) => byte === 0);
  }

  room({ pieces }: Block): number {
    const count = pieces.reduce((total, { picked }) => total + (picked?.count ?? 0), 0);
    return this.#array.pipeline.scratch() + 2 * count * this.#array.fill.length;
  }

  place(block: Block, encoded: readonly Encoded[], first: number, isBlank: boolean): void {
    const { kernels } = this.#array;
    kernels.within(this.room(block), () => {
      for (const [i, piece] of block.pieces.entries()) {
        const bytes = encoded[first + i];
        const mark = kernels.mark();
        if (bytes !== undefined) this.#one(piece, bytes);
        else if (!isBlank || !this.#isZeroFill) this.#fill(piece);
        kernels.release(mark);
      }
    });
  }

  /** Bytes of an element; 1 for elements without bytes, whose strides are 0. */
  get #unit(): number {
    return Math.max(1, this.#array.fill.length);
  }

  get #result() {
    const { offset, strides } = this.#target;
    return { offset: offset / this.#unit, strides: strides.map((stride) => stride / this.#unit) };
  }

  #fill({ picked }: Piece): void {
    if (picked === undefined) return;
    const { fill } = this.#array;
    const target = picked.inResult(this.#result);
    const still = { shape: target.shape, offset: 0, strides: target.shape.map(() => 0) };
    copyPicked(this.#target.bytes, target, fill, still, fill.length);
  }

  #one(piece: Piece, encoded: Uint8Array): void {
    const { picked } = piece;
    if (picked === undefined) return;
    const { kernels, fill } = this.#array;
    const itemSize = fill.length;
    const pipeline = this.#array.pipelineOf(piece.chunk);
    const span = spanOf(piece, pipeline, itemSize);
    const { elements, first } = decodePiece(pipeline, encoded, span, kernels, this.#atHand.is(piece.chunk));
    const inChunk = picked.inChunk(pipeline.strides.map((stride) => stride / this.#unit));
    // Of the elements that are there, the first is that of the span's start, or of the chunk.
    const source = { ...inChunk, offset: inChunk.offset - (span.first - first) / this.#unit };
    const target = picked.inResult(this.#result);
    if (isMovedAsStored(pipeline)) {
      copyPicked(this.#target.bytes, target, elements, source, itemSize);
      return;
    }
    const { count } = picked;
    const stored = kernels.allocate(count * itemSize);
    const taken = kernels.allocate(count * itemSize);
    copyPicked(stored, inOneRow(...target.shape), elements, source, itemSize);
    const copy = planStoredCopy([count], [itemSize], [itemSize], itemSize, pipeline);
    runStoredCopy(copy, kernels, taken, 0, stored, 0);
    pipeline.normalise?.(taken);
    copyPicked(this.#target.bytes, target, taken, inOneRow(...target.shape), itemSize);
  }
}
