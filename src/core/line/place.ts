/** Decode and place: what is done with the encoded chunks of a block once they are all there. */
import { noItem } from "../../base/at.js";
import { planCopy } from "../../kernels/copy-plan.js";
import { runStoredCopy, type StoredCopy } from "../codecs/stored-copy.js";
import type { StridedBox } from "../codecs/strided-box.js";
import type { Block, CoreArray, Encoded, Piece, Target } from "./ports.js";

/** Arena bytes that `placeBlock` takes. */
export function roomFor({ pipeline, decodePair }: CoreArray, { byteLength, move }: Block): number {
  const pair = decodePair === undefined ? 0 : 2 * pipeline.byteLength;
  return pipeline.scratch() + pair + (move === undefined ? 0 : byteLength);
}

/**
 * Decodes a block and puts it into the result, without a pause: nothing else uses the arena meanwhile.
 * @param encoded the chunks of a batch, of which those of the block begin at `first`
 * @throws CodecError with the chunk and its key
 */
export function placeBlock(
  array: CoreArray,
  block: Block,
  encoded: readonly Encoded[],
  first: number,
  target: Target,
): void {
  const { kernels, pipeline } = array;
  const { pieces, byteLength, to, move } = block;
  const isFilled = target.isBlank && array.isZeroFill;
  if (isFilled && pieces.every((_, i) => encoded[first + i] === undefined)) return;
  kernels.within(roomFor(array, block), () => {
    const into = move === undefined ? target.bytes : kernels.allocate(byteLength);
    const placing = new Placing(array, pieces, into);
    for (let i = 0; i < pieces.length; i++) {
      const bytes = encoded[first + i];
      const next = i + 1 < pieces.length ? encoded[first + i + 1] : undefined;
      if (bytes === undefined) {
        if (!isFilled || move !== undefined) placing.fill(i);
      } else if (next !== undefined && placing.pair(i, bytes, next)) i++;
      else placing.one(i, bytes);
    }
    if (move === undefined) {
      pipeline.normalise?.(into.subarray(to, to + byteLength));
      return;
    }
    pipeline.normalise?.(into);
    kernels.copy(move, target.bytes, to, into, 0);
  });
}

/** Puts the pieces of one block into the memory of the block, or of the result. */
class Placing {
  readonly #array: CoreArray;
  readonly #pieces: readonly Piece[];
  readonly #into: Uint8Array;

  constructor(array: CoreArray, pieces: readonly Piece[], into: Uint8Array) {
    this.#array = array;
    this.#pieces = pieces;
    this.#into = into;
  }

  #piece(i: number): Piece {
    return this.#pieces[i] ?? noItem(this.#pieces, i);
  }

  /** Decodes a chunk and copies its selected elements. @param known what the outermost codec decoded it to */
  one(i: number, encoded: Uint8Array, known?: Uint8Array): void {
    const { kernels, pipeline, source } = this.#array;
    const piece = this.#piece(i);
    const at = source.locate(piece.chunk);
    const { copy, from, to } = piece;
    const mark = kernels.mark();
    if (pipeline.decodeRange === undefined || known !== undefined) {
      const elements = pipeline.decode(encoded, kernels, at, known);
      runStoredCopy(copy, kernels, this.#into, to, elements, from);
    } else {
      const { start, end, box } = spanOf(piece, this.#array.fill.length);
      const elements = pipeline.decodeRange(encoded, start, end, kernels, at, box);
      runStoredCopy(copy, kernels, this.#into, to, elements, from - start);
    }
    kernels.release(mark);
  }

  /** Decodes two chunks together. @returns false if they have to be decoded one by one */
  pair(i: number, first: Uint8Array, second: Uint8Array): boolean {
    const { kernels, decodePair } = this.#array;
    if (decodePair === undefined) return false;
    const mark = kernels.mark();
    const decoded = decodePair(first, second);
    if (decoded !== undefined) {
      this.one(i, first, decoded[0]);
      this.one(i + 1, second, decoded[1]);
    }
    kernels.release(mark);
    return decoded !== undefined;
  }

  /** A missing chunk is fill value: a copy from one element, whose strides are all zero. */
  fill(i: number): void {
    const { kernels, fill } = this.#array;
    const { copy, to } = this.#piece(i);
    const { shape, targetStrides } = firstRequest(copy);
    const sourceStrides = shape.map(() => 0);
    const plan = planCopy({ shape, targetStrides, sourceStrides, width: fill.length, swapUnit: 1 });
    kernels.copy(plan, this.#into, to, fill, 0);
  }
}

function firstRequest(copy: StoredCopy) {
  const [first = noItem(copy, 0)] = copy;
  return first.plan.request;
}

/** The bytes of the stored elements that a piece is in, and its elements in them. */
function spanOf(
  { copy, from }: Piece,
  itemSize: number,
): { readonly start: number; readonly end: number; readonly box: StridedBox } {
  const { shape, sourceStrides: steps } = firstRequest(copy);
  let start = from;
  let end = from + itemSize;
  for (let d = 0; d < shape.length; d++) {
    const reach = ((shape[d] ?? noItem(shape, d)) - 1) * (steps[d] ?? noItem(steps, d));
    if (reach < 0) start += reach;
    else end += reach;
  }
  return { start, end, box: { itemSize, shape, steps } };
}
