/**
 * Decodes chunks in pairs, for codecs that take less time so. The assembler keeps a chunk until the next one
 * comes or the band ends. Nothing is awaited between the two, so the first chunk may stay in the arena.
 */
import type { DecodeContext } from "../core/codecs/codec.js";
import type { ChunkLocation } from "../core/codecs/pipeline.js";
import type { DimensionSelection } from "../grid/selection.js";
import type { Assembler, AssemblerFactory, ChunkDecoder, OpenBand, ResultWindow } from "./assembler.js";
import type { ChunkProjection } from "./bands.js";

interface Waiting {
  readonly open: OpenBand;
  readonly chunk: ChunkProjection;
  readonly value: Uint8Array;
  readonly at: ChunkLocation;
  readonly mark: number;
}

/**
 * Makes an assembler as `oneByOne` does.
 * @returns that of `oneByOne` if the outermost codec has no decoder of pairs
 */
export async function inPairs(
  oneByOne: AssemblerFactory,
  decoder: ChunkDecoder,
  selection: readonly DimensionSelection[],
  window: ResultWindow,
): Promise<Assembler> {
  const { kernels, pipeline } = decoder;
  const { outermost } = pipeline;
  const byteLength = outermost?.byteLength;
  const decodePair = await outermost?.codec.loadPairs?.(kernels, byteLength);
  if (outermost === undefined || byteLength === undefined || decodePair === undefined)
    return oneByOne(decoder, selection, window);

  const context: DecodeContext = { ...outermost, kernels };
  const contextOf = ({ pipeline: own }: ChunkLocation): DecodeContext =>
    own?.outermost ? { ...own.outermost, kernels } : context;
  const decoded = new Map<Uint8Array, Uint8Array>();
  const pairing: ChunkDecoder["pipeline"] = {
    ...pipeline,
    scratch: (elements) => pipeline.scratch(elements) + 2 * byteLength,
    decode: (bytes, kernels, at) => pipeline.decode(bytes, kernels, at, decoded.get(bytes)),
  };
  const assembler = oneByOne({ ...decoder, pipeline: pairing }, selection, window);
  let waiting: Waiting | undefined;

  function placeWaiting(): void {
    if (waiting === undefined) return;
    const { open, chunk, value, at, mark } = waiting;
    waiting = undefined;
    assembler.place(open, chunk, value, at, mark);
  }

  return {
    within(band, work) {
      // A read that failed may have left a chunk waiting.
      waiting = undefined;
      return assembler.within(band, work);
    },

    fill: (open, chunk) => assembler.fill(open, chunk),

    place(open, chunk, value, at, mark) {
      if (waiting === undefined) {
        waiting = { open, chunk, value, at, mark };
        return;
      }
      const first = waiting;
      waiting = undefined;
      const room = kernels.mark();
      const pair = decodePair(first.value, value, contextOf(first.at), contextOf(at));
      if (pair === undefined) kernels.release(room);
      else decoded.set(first.value, pair[0]).set(value, pair[1]);
      try {
        assembler.place(first.open, first.chunk, first.value, first.at, kernels.mark());
        assembler.place(open, chunk, value, at, first.mark);
      } finally {
        decoded.clear();
      }
    },

    close(open) {
      placeWaiting();
      assembler.close(open);
    },

    moveChunks(open, parts) {
      placeWaiting();
      assembler.moveChunks(open, parts);
    },
  };
}
