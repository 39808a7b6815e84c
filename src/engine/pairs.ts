/**
 * Chunks decoded two at a time, for codecs that are faster so: an assembler that keeps a chunk until there is another one, or the
 * band ends. Between the two nobody waits for anything, so that the first may stay in the arena.
 */
import type { DecodeContext } from "../codecs/codec.js";
import type { ChunkLocation } from "../codecs/pipeline.js";
import type { DimensionSelection } from "../grid/selection.js";
import type { Assembler, ChunkDecoder, OpenBand, ResultWindow } from "./assembler.js";
import { assemblerFor } from "./band-assembler.js";
import type { ChunkProjection } from "./bands.js";

interface Waiting {
  readonly open: OpenBand;
  readonly chunk: ChunkProjection;
  readonly value: Uint8Array;
  readonly at: ChunkLocation;
  readonly mark: number;
}

/** As `assemblerFor`, which it is where the outermost codec cannot. */
export async function inPairs(
  decoder: ChunkDecoder,
  selection: readonly DimensionSelection[],
  window: ResultWindow,
): Promise<Assembler> {
  const { kernels, pipeline } = decoder;
  const { outermost } = pipeline;
  const byteLength = outermost?.byteLength;
  const decodePair = await outermost?.codec.loadPairs?.(kernels, byteLength);
  if (outermost === undefined || byteLength === undefined || decodePair === undefined)
    return assemblerFor(decoder, selection, window);

  const contextOf = ({ pipeline: own = pipeline }: ChunkLocation): DecodeContext => ({
    ...(own.outermost ?? outermost),
    kernels,
  });
  const decoded = new Map<Uint8Array, Uint8Array>();
  const pairing: ChunkDecoder["pipeline"] = {
    ...pipeline,
    scratchByteLength: pipeline.scratchByteLength + 2 * byteLength,
    decode: (bytes, kernels, at) => pipeline.decode(bytes, kernels, at, decoded.get(bytes)),
  };
  const assembler = assemblerFor({ ...decoder, pipeline: pairing }, selection, window);
  let waiting: Waiting | undefined;

  function placeWaiting(): void {
    if (waiting === undefined) return;
    const { open, chunk, value, at, mark } = waiting;
    waiting = undefined;
    assembler.place(open, chunk, value, at, mark);
  }

  return {
    open(band) {
      // A read that failed may have left one behind.
      waiting = undefined;
      return assembler.open(band);
    },

    place(open, chunk, value, at, mark = kernels.mark()) {
      if (!value) {
        assembler.place(open, chunk, value, at, mark);
        return;
      }
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
        assembler.place(first.open, first.chunk, first.value, first.at);
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
