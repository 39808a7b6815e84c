/** Decode and place: gets the elements of chunks into the result as they are, in memory order. */
import { noItem, numberAt } from "../../base/at.js";
import { isInOrder, product } from "../../base/shape.js";
import { planCopy } from "../../kernels/copy-plan.js";
import { isMovedAsStored, planStoredCopy, runStoredCopy, type StoredCopy } from "../codecs/stored-copy.js";
import { ChunkAtHand, decodePiece, spanOf } from "./decode.js";
import type { DecodePair } from "./pairs.js";
import type { Block, CoreArray, Encoded, Piece, Pipeline, Placer, Target } from "./ports.js";
import { LONG_ROW, moveBox, offsetIn, type Site, siteInBox, siteInResult } from "./site.js";

/** A longer piece goes to the result by itself, whatever its rows are. */
const LONG_PIECE = 4 << 20;

export class BytePlacer implements Placer {
  readonly #array: CoreArray;
  readonly #target: Target;
  readonly #decodePair: DecodePair | undefined;
  readonly #itemSize: number;
  /** Whether new memory has the fill value already. */
  readonly #isZeroFill: boolean;
  readonly #atHand: ChunkAtHand;
  #copies: Copies | undefined;

  /** @param decodePair decodes two chunks together, where that is faster */
  constructor(array: CoreArray, target: Target, decodePair: DecodePair | undefined) {
    this.#array = array;
    this.#target = target;
    this.#decodePair = decodePair;
    this.#itemSize = array.fill.length;
    this.#isZeroFill = target.isBlank && !array.fill.some(Boolean);
    this.#atHand = new ChunkAtHand(array.source);
  }

  /** With a box, where it may be needed: not for a long chunk alone. */
  room({ shape, pieces }: Block): number {
    const { pipeline } = this.#array;
    const pair = this.#decodePair === undefined ? 0 : 2 * pipeline.byteLength;
    const box = product(shape, this.#itemSize);
    return pipeline.scratch() + pair + (pieces.length === 1 && box > LONG_PIECE ? 0 : box);
  }

  place(block: Block, encoded: readonly Encoded[], first: number, isBlank: boolean): void {
    const { kernels } = this.#array;
    const { pieces } = block;
    const isFilled = isBlank && this.#isZeroFill;
    if (isFilled && encoded[first] === undefined && isMissing(encoded, first, pieces.length)) return;
    kernels.within(this.room(block), () => {
      const isDirect = this.#isDirect(block);
      const site = isDirect ? siteInResult(block, this.#target) : siteInBox(block, this.#itemSize, kernels);
      for (let i = 0; i < pieces.length; i++) {
        const piece = pieces[i] ?? noItem(pieces, i);
        const bytes = encoded[first + i];
        const other = encoded[first + i + 1];
        const next = pieces[i + 1];
        if (bytes === undefined) {
          if (!isFilled || !isDirect) this.#fill(block, site, piece);
        } else if (
          other !== undefined &&
          next !== undefined &&
          this.#pair(block, site, piece, bytes, next, other)
        )
          i++;
        else this.#one(block, site, piece, bytes);
      }
      this.#finish(block, site, isDirect);
    });
  }

  #finish(block: Block, site: Site, isDirect: boolean): void {
    const { kernels, pipeline } = this.#array;
    const length = product(block.shape, this.#itemSize);
    pipeline.normalise?.(site.bytes.subarray(site.offset, site.offset + length));
    if (!isDirect) moveBox(block, site, this.#target, this.#itemSize, kernels);
  }

  /** Whether pieces go to the result by themselves: a piece alone in one run, a long one, or long rows. */
  #isDirect({ pieces, shape }: Block): boolean {
    const [first, second] = pieces;
    if (first === undefined) return true;
    const { strides } = this.#target;
    const { pipeline } = this.#array;
    // What is changed in the result afterwards has to lie in one run there.
    if (pipeline.normalise !== undefined && !isInOrder(shape, strides, this.#itemSize)) return false;
    const byteLength = product(shape, this.#itemSize);
    const run = runOf(first, strides, this.#array.pipelineOf(first.chunk).strides, this.#itemSize);
    if (second === undefined && (run === byteLength || byteLength > LONG_PIECE)) return true;
    return run >= LONG_ROW && isMovedAsStored(pipeline);
  }

  #copyTo(strides: readonly number[], piece: Piece): StoredCopy {
    const pipeline = this.#array.pipelineOf(piece.chunk);
    if (this.#copies?.isFor(strides, pipeline) !== true)
      this.#copies = new Copies(strides, pipeline, this.#itemSize);
    return this.#copies.of(piece);
  }

  /** Decodes a chunk and copies its selected elements. @param known what the outermost codec decoded it to */
  #one(block: Block, site: Site, piece: Piece, encoded: Uint8Array, known?: Uint8Array): void {
    const { kernels } = this.#array;
    const pipeline = this.#array.pipelineOf(piece.chunk);
    const copy = this.#copyTo(site.strides, piece);
    const at = this.#atHand.is(piece.chunk);
    const to = offsetIn(site, block, piece);
    const span = spanOf(piece, pipeline, this.#itemSize);
    const mark = kernels.mark();
    if (known !== undefined) {
      const elements = pipeline.decode(encoded, kernels, at, known);
      runStoredCopy(copy, kernels, site.bytes, to, elements, span.first);
    } else {
      const { elements, first } = decodePiece(pipeline, encoded, span, kernels, at);
      runStoredCopy(copy, kernels, site.bytes, to, elements, first);
    }
    kernels.release(mark);
  }

  /** Decodes two chunks together. @returns false if they have to be decoded one by one */
  #pair(block: Block, site: Site, piece: Piece, bytes: Uint8Array, next: Piece, other: Uint8Array): boolean {
    const { kernels, pipelineOf } = this.#array;
    if (this.#decodePair === undefined) return false;
    const mark = kernels.mark();
    const decoded = this.#decodePair(bytes, other, pipelineOf(piece.chunk), pipelineOf(next.chunk));
    if (decoded !== undefined) {
      this.#one(block, site, piece, bytes, decoded[0]);
      this.#one(block, site, next, other, decoded[1]);
    }
    kernels.release(mark);
    return decoded !== undefined;
  }

  /** A missing chunk is fill value: a copy from one element, whose strides are all zero. */
  #fill(block: Block, site: Site, piece: Piece): void {
    const { kernels, fill } = this.#array;
    const shape = piece.parts.map(({ count }) => count);
    const sourceStrides = shape.map(() => 0);
    const strides = { targetStrides: site.strides, sourceStrides };
    const plan = planCopy({ shape, ...strides, width: fill.length, swapUnit: 1 });
    kernels.copy(plan, site.bytes, offsetIn(site, block, piece), fill, 0);
  }
}

/** Copies of pieces to one place, by their counts: the chunks of a grid have few shapes. */
class Copies {
  readonly #strides: readonly number[];
  readonly #pipeline: Pipeline;
  readonly #itemSize: number;
  readonly #all: { readonly counts: readonly number[]; readonly copy: StoredCopy }[] = [];

  /** @param strides of the place, in bytes */
  constructor(strides: readonly number[], pipeline: Pipeline, itemSize: number) {
    this.#strides = strides;
    this.#pipeline = pipeline;
    this.#itemSize = itemSize;
  }

  isFor(strides: readonly number[], pipeline: Pipeline): boolean {
    if (pipeline !== this.#pipeline) return false;
    for (let d = 0; d < strides.length; d++) if (strides[d] !== this.#strides[d]) return false;
    return true;
  }

  of({ parts }: Piece): StoredCopy {
    for (const { counts, copy } of this.#all) if (hasCounts(parts, counts)) return copy;
    const { strides } = this.#pipeline;
    const counts: number[] = [];
    const steps: number[] = [];
    for (const { count, step } of parts) {
      steps.push(step * numberAt(strides, counts.length));
      counts.push(count);
    }
    const copy = planStoredCopy(counts, this.#strides, steps, this.#itemSize, this.#pipeline);
    this.#all.push({ counts, copy });
    return copy;
  }
}

function hasCounts(parts: Piece["parts"], counts: readonly number[]): boolean {
  for (let d = 0; d < parts.length; d++) if (parts[d]?.count !== counts[d]) return false;
  return true;
}

/** Bytes of a piece that lie in one run both in the result and in the chunk. */
function runOf(
  { parts }: Piece,
  targetStrides: readonly number[],
  sourceStrides: readonly number[],
  itemSize: number,
): number {
  let run = itemSize;
  for (let d = parts.length - 1; d >= 0; d--) {
    const { count, step } = parts[d] ?? noItem(parts, d);
    if (count === 1) continue;
    if (targetStrides[d] !== run || step * numberAt(sourceStrides, d) !== run) break;
    run *= count;
  }
  return run;
}

function isMissing(encoded: readonly Encoded[], first: number, count: number): boolean {
  for (let i = first; i < first + count; i++) if (encoded[i] !== undefined) return false;
  return true;
}
