/** Puts decoded chunks of variable length together: the counterpart of ../assembler.ts. What the result is made of, a sink knows. */

import type { VariableElements } from "../../codecs/codec.js";
import type { ChunkLocation } from "../../codecs/pipeline.js";
import { isColumnData } from "../../data-types/column.js";
import { UnsupportedError } from "../../errors.js";
import type { DimensionSelection } from "../../grid/selection.js";
import { STRINGS_SCRATCH } from "../../kernels/strings.js";
import type { Assembler, ChunkDecoder, ChunkValue, OpenBand, ResultWindow } from "../assembler.js";
import type { Band, ChunkProjection } from "../bands.js";
import { indicesOf, type Placement } from "../placement.js";
import { placeInChunk, placeInResult } from "./boxes.js";

/** Takes the elements of one chunk after the other. */
export interface Sink {
  /**
   * @param elements of the whole chunk
   * @param box what is selected of them
   * @param target where it goes
   * @param input what the elements may be views of
   */
  put(
    elements: VariableElements,
    box: Placement,
    target: Placement,
    input: Uint8Array,
    at: ChunkLocation,
  ): void;
  /** Nothing but the fill value. */
  fill(target: Placement): void;
}

export class VariableAssembler implements Assembler {
  readonly #decoder: ChunkDecoder;
  readonly #selection: readonly DimensionSelection[];
  readonly #window: ResultWindow;
  readonly #sink: Sink;

  constructor(
    decoder: ChunkDecoder,
    selection: readonly DimensionSelection[],
    window: ResultWindow,
    sink: Sink,
  ) {
    this.#decoder = decoder;
    this.#selection = selection;
    this.#window = window;
    this.#sink = sink;
  }

  open(band: Band): OpenBand {
    const { kernels, pipeline } = this.#decoder;
    kernels.begin(4 * pipeline.byteLength + pipeline.scratchByteLength + STRINGS_SCRATCH + 65536);
    return { band, box: undefined, strides: [], present: false };
  }

  place(
    _open: OpenBand,
    chunk: ChunkProjection,
    value: ChunkValue,
    at: ChunkLocation,
    mark = this.#decoder.kernels.mark(),
  ): void {
    const { kernels, pipeline } = this.#decoder;
    const target = placeInResult(chunk, this.#window);
    if (value === undefined) {
      this.#sink.fill(target);
      return;
    }
    if (pipeline.variable === undefined)
      throw new UnsupportedError("expected a codec for elements of variable length");
    const elements = pipeline.variable.decode(pipeline.decode(value, kernels, at), kernels, at);
    this.#sink.put(elements, placeInChunk(chunk, this.#selection, pipeline.strides), target, value, at);
    kernels.release(mark);
  }

  /** Everything is in its place already. */
  close(): void {}
  moveChunks(): void {}
}

/** The values of a box in its order, of a chunk of objects. */
export function chooseValues(elements: VariableElements, box: Placement): unknown[] {
  if (isColumnData(elements)) throw new UnsupportedError("expected objects, got a column");
  return Array.from(indicesOf(box), (index) => elements[index]);
}
