/** Assembles a band of chunks in a worker. */
import type * as NodeFs from "node:fs";
import { loadBuiltin } from "../base/loading.js";
import type { AsynchronousCodec } from "../core/codecs/codec.js";
import type { Allocate } from "../core/stores/store.js";
import { type Assembler, type ChunkDecoder, placeChunk, type ResultWindow } from "../engine/assembler.js";
import { assemblerFor } from "../engine/band-assembler.js";
import type { ChunkProjection } from "../engine/bands.js";
import { ownMemory } from "../engine/buffers.js";
import { withRowViewCache } from "../engine/row-views.js";
import type { Kernels } from "../kernels/kernels.js";
import type { Answer, BandMessage } from "./messages.js";
import { openFile, readFile, readPart, UnreadFile } from "./read-files.js";

/** The location of the chunk at a position of the band, for errors; the calling thread adds its key. */
const inBand = (position: number) => ({ key: "", chunk: [position] });

/**
 * @param reached called with each chunk's position before the chunk is read or decoded
 * @returns durations and lengths of file reads (see BandValues), and statistics of the chunks
 */
export async function runBand(
  message: BandMessage,
  decoder: ChunkDecoder,
  reached: (position: number) => void,
): Promise<Pick<Answer, "reads" | "found">> {
  const { pipeline, kernels } = decoder;
  const { start, shape } = message;
  const chunks = projectionsOf(message);
  const { conversion } = message;
  const drawn = conversion && (await (await import("../engine/drawn.js")).loadDrawing(kernels, conversion));
  const window = withRowViewCache({ ...message.window, assembler: drawn?.assembler }, decoder);
  const assembler = await assemblerOf(message, decoder, window);
  const values = await openValues(message);
  try {
    const given =
      pipeline.asynchronous &&
      (await decodeAsynchronously(chunks.length, values, pipeline.asynchronous, kernels, reached));
    assembler.within({ start, shape, chunks }, (open) => {
      for (const [i, chunk] of chunks.entries()) {
        reached(i);
        const mark = kernels.mark();
        const encoded = given ? given[i] : values.read(i, window.allocate ?? kernels.allocate);
        placeChunk(assembler, open, chunk, encoded, inBand(i), mark);
      }
      assembler.close(open);
    });
    return { reads: values.reads, found: drawn?.drawing.chunks ?? [] };
  } finally {
    values.close();
  }
}

/** Runs the asynchronous codecs outside of the arena, which other work may use while they wait. */
async function decodeAsynchronously(
  count: number,
  values: BandValues,
  codec: AsynchronousCodec,
  kernels: Kernels,
  reached: (position: number) => void,
): Promise<readonly (Uint8Array | undefined)[]> {
  const decoded: (Uint8Array | undefined)[] = [];
  for (let i = 0; i < count; i++) {
    reached(i);
    const encoded = values.read(i, ownMemory);
    decoded.push(encoded && (await codec.decode(encoded, kernels, inBand(i))));
  }
  return decoded;
}

async function assemblerOf(
  { steps }: BandMessage,
  decoder: ChunkDecoder,
  window: ResultWindow,
): Promise<Assembler> {
  // Assemblers only use the steps of the selection.
  const selection = steps.map((step) => ({ start: 0, step, count: 0, drop: false }));
  return assemblerFor(decoder, selection, window);
}

function projectionsOf({ projections, values, steps }: BandMessage): ChunkProjection[] {
  const rank = steps.length;
  return values.map((_, i) => {
    const parts = steps.map((_, d) => {
      const [chunk = 0, source = 0, count = 0, target = 0] = projections.subarray((i * rank + d) * 4);
      return { chunk, source, count, target, whole: false };
    });
    return { chunk: parts.map(({ chunk }) => chunk), parts, whole: false };
  });
}

/** The encoded chunks of a band, from the message or from files. */
interface BandValues {
  /**
   * Returns the chunk at a position of the band, read into a buffer from `allocate`; undefined for a missing
   * chunk.
   * @throws UnreadFile
   */
  read(position: number, allocate: Allocate): Uint8Array | undefined;
  /** Two numbers for each read of a file: its duration in milliseconds and its length in bytes. */
  readonly reads: readonly number[];
  close(): void;
}

/** @throws UnreadFile when the file cannot be opened or its version has changed */
async function openValues({ values, file }: BandMessage): Promise<BandValues> {
  const isInFiles = file !== undefined || values.some((value) => typeof value === "string");
  const fs = isInFiles ? await loadBuiltin<typeof NodeFs>("node:fs") : undefined;
  const descriptor = fs && file && openFile(fs, file);
  const reads: number[] = [];
  return {
    reads,
    read(position, allocate) {
      const value = values[position];
      if (value === undefined || value instanceof Uint8Array) return value;
      if (fs === undefined) throw new UnreadFile("there are no files here");
      const began = performance.now();
      const bytes =
        typeof value === "string" ? readFile(fs, value, allocate) : readPart(fs, descriptor, value, allocate);
      reads.push(performance.now() - began, bytes?.length ?? 0);
      return bytes;
    },
    close() {
      if (descriptor !== undefined) fs?.closeSync(descriptor);
    },
  };
}
