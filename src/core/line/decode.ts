/** Decodes the part of a chunk that a piece takes. */
import { numberAt } from "../../base/at.js";
import type { Kernels } from "../../kernels/kernels.js";
import type { StridedBox } from "../codecs/strided-box.js";
import type { ChunkLocation, ChunkSource, Coordinates, Piece, Pipeline } from "./ports.js";

/** The bytes of the stored elements that a piece spans, and its elements in them. */
export interface Span extends StridedBox {
  readonly start: number;
  readonly end: number;
  /** Byte offset of the first selected element: it has not the lowest address where a step is negative. */
  readonly first: number;
}

export function spanOf(
  { parts }: Pick<Piece, "parts">,
  { strides }: Pick<Pipeline, "strides">,
  itemSize: number,
): Span {
  const shape: number[] = [];
  const steps: number[] = [];
  let first = 0;
  let before = 0;
  let after = itemSize;
  for (const [d, { source, count, step }] of parts.entries()) {
    const stride = numberAt(strides, d);
    const reach = (count - 1) * step * stride;
    shape.push(count);
    steps.push(step * stride);
    first += source * stride;
    if (reach < 0) before += reach;
    else after += reach;
  }
  return { first, start: first + before, end: first + after, itemSize, shape, steps };
}

/** @returns decoded elements, and the byte offset of the first selected one in them @throws CodecError */
export function decodePiece(
  pipeline: Pipeline,
  encoded: Uint8Array,
  span: Span,
  kernels: Kernels,
  at: ChunkLocation,
): { readonly elements: Uint8Array; readonly first: number } {
  if (pipeline.decodeRange === undefined)
    return { elements: pipeline.decode(encoded, kernels, at), first: span.first };
  const { start, end } = span;
  return {
    elements: pipeline.decodeRange(encoded, start, end, kernels, at, span),
    first: span.first - start,
  };
}

/** The chunk that is being decoded, one after the other. Its key is only made for an error. */
export class ChunkAtHand implements ChunkLocation {
  readonly #source: Pick<ChunkSource, "locate">;
  #decoded: Coordinates = [];

  constructor(source: Pick<ChunkSource, "locate">) {
    this.#source = source;
  }

  is(chunk: Coordinates): ChunkLocation {
    this.#decoded = chunk;
    return this;
  }

  get key(): string {
    return this.#source.locate(this.#decoded).key;
  }

  get chunk(): Coordinates {
    return this.#source.locate(this.#decoded).chunk;
  }
}
