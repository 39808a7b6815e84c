/**
 * Places elements that are converted on the way: each chunk is decoded, and its selected elements are
 * converted slab by slab and moved to where elements as they are would go.
 */
import { at, numberAt } from "../../../base/at.js";
import { lazy } from "../../../base/loading.js";
import { cOrderStrides, isInOrder, offsetOf, product } from "../../../base/shape.js";
import {
  CONVERSION_SCRATCH,
  type Convert,
  type Counted,
  loadConversion,
  widthOf,
} from "../../../data-types/drawn.js";
import { coordinatesAt } from "../../../grid/walk.js";
import { planCopy } from "../../../kernels/copy-plan.js";
import { isMovedAsStored, planStoredCopy, runStoredCopy } from "../../codecs/stored-copy.js";
import { ChunkAtHand, decodePiece, spanOf } from "../decode.js";
import type { Block, CoreArray, Encoded, Piece, Placer, Target } from "../ports.js";
import type { Placing } from "../prepared.js";
import { read } from "../read.js";
import { LONG_ROW, moveBox, offsetIn, type Site, siteInBox, siteInResult } from "../site.js";
import { counter, type Drawing, taken } from "./statistics.js";

const loadElsewhere = /* @__PURE__ */ lazy(() => import("../elsewhere.js"));

/** Elements that are converted. */
export function asDrawn(drawing: Drawing): Placing {
  return {
    itemSize: widthOf(drawing.conversion.to),
    async run(planned) {
      const { line, plan, target, options, done } = planned;
      const placer = await placeDrawn(line, target, drawing);
      if (options.workers == null) await read(line, plan, placer, options, done);
      else await (await loadElsewhere()).readElsewhere(planned, placer, drawing);
    },
  };
}

export async function placeDrawn(array: CoreArray, target: Target, drawing: Drawing): Promise<Placer> {
  const convert = await loadConversion(array.kernels, drawing.conversion);
  return new DrawnPlacer(convert, drawing, array, target);
}

/** A part of the selected elements of a chunk. */
interface Slab {
  readonly start: readonly number[];
  readonly shape: readonly number[];
}

/**
 * Elements that are converted before they are moved: few enough to stay in a second-level cache, and for
 * scratch memory to be no longer for a long chunk.
 */
const SLAB = 65536;

/** Cuts a box of elements into slabs, in C order. */
function* slabsOf(shape: readonly number[]): Generator<Slab> {
  let pivot = shape.length - 1;
  let rest = 1;
  for (; pivot > 0 && rest * at(shape, pivot) <= SLAB; pivot--) rest *= at(shape, pivot);
  const group = Math.max(1, Math.floor(SLAB / rest));
  const lengths = shape.map((extent, d) => (d < pivot ? extent : d > pivot ? 1 : Math.ceil(extent / group)));
  for (let i = 0; i < product(lengths); i++) {
    const start = coordinatesAt(lengths, i).map((index, d) => (d === pivot ? index * group : index));
    yield {
      start,
      shape: shape.map((extent, d) =>
        d < pivot ? 1 : d > pivot ? extent : Math.min(group, extent - at(start, d)),
      ),
    };
  }
}

class DrawnPlacer implements Placer {
  readonly #convert: Convert;
  readonly #drawing: Drawing;
  readonly #array: CoreArray;
  readonly #target: Target;
  readonly #atHand: ChunkAtHand;
  /** Bytes of an element as it is stored, and of the result. */
  readonly #storedSize: number;
  readonly #itemSize: number;
  /** The fill value of the result. */
  readonly #fill: Uint8Array;

  constructor(convert: Convert, drawing: Drawing, array: CoreArray, target: Target) {
    this.#convert = convert;
    this.#drawing = drawing;
    this.#array = array;
    this.#target = target;
    this.#atHand = new ChunkAtHand(array.source);
    this.#storedSize = widthOf(drawing.conversion.from);
    this.#itemSize = widthOf(drawing.conversion.to);
    this.#fill = new Uint8Array(this.#itemSize);
    convert(this.#fill, array.fill);
  }

  room(block: Block): number {
    const bins = this.#drawing.conversion.statistics?.bins ?? 0;
    const slab = SLAB * (this.#storedSize + this.#itemSize) + 4 * bins + CONVERSION_SCRATCH;
    const box = this.#isDirect(block) ? 0 : product(block.shape, this.#itemSize);
    return this.#array.pipeline.scratch() + slab + box;
  }

  #isDirect({ pieces }: Block): boolean {
    const row = pieces[0]?.parts.at(-1)?.count ?? 0;
    return row * this.#itemSize >= LONG_ROW;
  }

  place(block: Block, encoded: readonly Encoded[], first: number): void {
    const { kernels } = this.#array;
    const isDirect = this.#isDirect(block);
    kernels.within(this.room(block), () => {
      const site = isDirect ? siteInResult(block, this.#target) : siteInBox(block, this.#itemSize, kernels);
      for (const [i, piece] of block.pieces.entries()) {
        const bytes = encoded[first + i];
        const mark = kernels.mark();
        if (bytes === undefined) this.#putFill(block, site, piece);
        else this.#one(block, site, piece, bytes);
        kernels.release(mark);
      }
      if (!isDirect) moveBox(block, site, this.#target, this.#itemSize, kernels);
    });
  }

  #one(block: Block, site: Site, piece: Piece, encoded: Uint8Array): void {
    const { kernels } = this.#array;
    const pipeline = this.#array.pipelineOf(piece.chunk);
    const span = spanOf(piece, pipeline, this.#storedSize);
    const { elements, first } = decodePiece(pipeline, encoded, span, kernels, this.#atHand.is(piece.chunk));
    const counted = this.#counter();
    const { shape, steps } = span;
    const to = offsetIn(site, block, piece);
    for (const slab of slabsOf(shape)) {
      const mark = kernels.mark();
      const source = this.#takeSlab(piece, slab, steps, elements, first + offsetOf(slab.start, steps));
      const converted = kernels.allocate(product(slab.shape, this.#itemSize));
      this.#convert(converted, source, counted);
      const plan = planCopy({
        shape: slab.shape,
        targetStrides: site.strides,
        sourceStrides: cOrderStrides(slab.shape, this.#itemSize),
        width: this.#itemSize,
        swapUnit: 1,
      });
      kernels.copy(plan, site.bytes, to + offsetOf(slab.start, site.strides), converted, 0);
      kernels.release(mark);
    }
    if (counted) this.#drawing.add(this.#placeOf(piece), taken(counted));
  }

  /** The elements of a slab in memory order, one after the other. @param first the byte of the first one */
  #takeSlab(
    { chunk }: Piece,
    { shape }: Slab,
    steps: readonly number[],
    elements: Uint8Array,
    first: number,
  ): Uint8Array {
    const { kernels } = this.#array;
    const pipeline = this.#array.pipelineOf(chunk);
    const length = product(shape, this.#storedSize);
    if (isMovedAsStored(pipeline) && isInOrder(shape, steps, this.#storedSize))
      return elements.subarray(first, first + length);
    const source = kernels.allocate(length);
    const strides = cOrderStrides(shape, this.#storedSize);
    const copy = planStoredCopy(shape, strides, steps, this.#storedSize, pipeline);
    runStoredCopy(copy, kernels, source, 0, elements, first);
    pipeline.normalise?.(source);
    return source;
  }

  #putFill(block: Block, site: Site, piece: Piece): void {
    const { kernels, fill } = this.#array;
    const shape = piece.parts.map(({ count }) => count);
    const strides = { targetStrides: site.strides, sourceStrides: shape.map(() => 0) };
    const plan = planCopy({ shape, ...strides, width: this.#itemSize, swapUnit: 1 });
    kernels.copy(plan, site.bytes, offsetIn(site, block, piece), this.#fill, 0);
    const counted = this.#counter();
    if (counted === undefined) return;
    this.#convert(kernels.allocate(this.#itemSize), fill, counted);
    this.#drawing.add(this.#placeOf(piece), taken(counted, product(shape)));
  }

  #counter(): Counted | undefined {
    const { statistics } = this.#drawing.conversion;
    return statistics && counter(this.#array.kernels, statistics.bins);
  }

  #placeOf({ parts }: Piece): number {
    const { offset, strides } = this.#target;
    return parts.reduce((sum, { target }, d) => sum + target * numberAt(strides, d), offset);
  }
}
