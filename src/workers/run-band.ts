/** Decodes a block of chunks and places it, in a worker. */
import type * as NodeFs from "node:fs";
import { loadBuiltin } from "../base/loading.js";
import type { Pipeline } from "../core/codecs/pipeline.js";
import { pairsOf } from "../core/line/pairs.js";
import { BytePlacer } from "../core/line/place.js";
import { FoundByChunk } from "../core/line/placing/statistics.js";
import type { ChunkSource, CoreArray, Encoded, Piece, Placer } from "../core/line/ports.js";
import { ownMemory } from "../core/line/shared/buffers.js";
import type { Allocate } from "../core/stores/store.js";
import type { Kernels } from "../kernels/kernels.js";
import type { Answer, BandMessage } from "./messages.js";
import { readFile, UnreadFile } from "./read-files.js";

/** What decodes the chunks of an array, or of its shards. */
export interface Decoder {
  readonly pipeline: Pipeline;
  readonly kernels: Kernels;
  /** Fill value as one element in memory order. */
  readonly fillPattern: Uint8Array;
}

/**
 * @param reached called with each chunk's position before the chunk is read or decoded
 * @returns durations and lengths of file reads, and statistics of the chunks
 */
export async function runBand(
  message: BandMessage,
  { pipeline, kernels, fillPattern: fill }: Decoder,
  reached: (position: number) => void,
): Promise<Pick<Answer, "reads" | "found">> {
  const pieces = piecesOf(message);
  const { start, shape, window, conversion } = message;
  const array = arrayOf(pieces, pipeline, kernels, fill);
  const drawing = conversion && new FoundByChunk(conversion);
  let placer: Placer;
  if (drawing === undefined) {
    placer = new BytePlacer(array, window, await pairsOf(pipeline, kernels));
  } else {
    const { placeDrawn } = await import("../core/line/placing/drawn.js");
    placer = await placeDrawn(array, window, drawing);
  }
  const values = await openValues(message, reached);
  const block = { start, shape, pieces };
  const { asynchronous } = pipeline;
  if (asynchronous !== undefined) {
    // Outside of the arena, which other work may use while they wait.
    const decoded: Encoded[] = [];
    for (let i = 0; i < pieces.length; i++) {
      const encoded = values.read(i, ownMemory);
      decoded.push(encoded && (await asynchronous.decode(encoded, kernels, inBlock(i))));
    }
    await placer.place(block, decoded, 0, window.isBlank);
  } else {
    const reserved = pieces.length * pipeline.byteLength;
    kernels.within(reserved + placer.room(block), () => {
      const encoded = pieces.map((_, i) => values.read(i, kernels.allocate));
      return placer.place(block, encoded, 0, window.isBlank);
    });
  }
  return { reads: values.reads, found: drawing?.chunks ?? [] };
}

/** The location of the chunk at a position of the block, for errors; the calling thread adds its key. */
const inBlock = (position: number) => ({ key: "", chunk: [position] });

function arrayOf(
  pieces: readonly Piece[],
  pipeline: Pipeline,
  kernels: Kernels,
  fill: Uint8Array,
): CoreArray {
  const source: ChunkSource = {
    isFar: () => false,
    rangeSupport: "none",
    locate: (chunk) => inBlock(pieces.findIndex((piece) => piece.chunk === chunk)),
    forget: () => false,
    chunks: () => [],
    parts: () => undefined,
  };
  return { source, pipeline, pipelineOf: () => pipeline, kernels, fill, stored: pipeline.shape.map(() => 1) };
}

function piecesOf({ projections, values, steps }: BandMessage): Piece[] {
  const rank = steps.length;
  return Array.from(values, (_, i) => {
    const parts = steps.map((step, d) => {
      const [chunk = 0, source = 0, count = 0, target = 0] = projections.subarray((i * rank + d) * 4);
      return { chunk, source, count, target, step, whole: false };
    });
    return { chunk: parts.map(({ chunk }) => chunk), parts, whole: false };
  });
}

/** The encoded chunks of a block, from the message or from files. */
interface BlockValues {
  /**
   * Returns the chunk at a position of the block, read into a buffer from `allocate`; undefined for a missing
   * chunk.
   * @throws UnreadFile
   */
  read(position: number, allocate: Allocate): Encoded;
  /** Two numbers for each read of a file: its duration in milliseconds and its length in bytes. */
  readonly reads: readonly number[];
}

async function openValues(
  { values }: BandMessage,
  reached: (position: number) => void,
): Promise<BlockValues> {
  const isInFiles = values.some((value) => typeof value === "string");
  const fs = isInFiles ? await loadBuiltin<typeof NodeFs>("node:fs") : undefined;
  const reads: number[] = [];
  return {
    reads,
    read(position, allocate) {
      reached(position);
      const value = values[position];
      if (typeof value !== "string") return value;
      if (fs === undefined) throw new UnreadFile("there are no files here");
      const start = performance.now();
      const bytes = readFile(fs, value, allocate);
      reads.push(performance.now() - start, bytes?.length ?? 0);
      return bytes;
    },
  };
}
