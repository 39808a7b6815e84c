/** A band of chunks put together in a worker. */
import { type Assembler, assemblerFor, type ChunkDecoder } from "../engine/assembler.js";
import type { ChunkProjection } from "../engine/bands.js";
import { type FileReader, fileReader } from "./files.js";
import type { BandMessage } from "./messages.js";

/** The chunk of a band at this position: where it is the calling thread knows, and puts it into the error. */
const inBand = (position: number) => ({ key: "", chunk: [position] });

const ownMemory = (byteLength: number): Uint8Array => new Uint8Array(byteLength);

/**
 * @param reached told of every chunk before anything can go wrong with it
 * @returns what was read: see FileReader
 */
export async function runBand(
  message: BandMessage,
  decoder: ChunkDecoder,
  reached: (position: number) => void,
): Promise<readonly number[]> {
  const { pipeline, kernels } = decoder;
  const { values, start, shape } = message;
  const files = values.some((value) => typeof value === "string") ? await fileReader() : undefined;
  const ahead = pipeline.asynchronous ? await decodedAhead(values, decoder, files, reached) : values;
  const chunks = projectionsOf(message);
  const assembler = await assemblerOf(message, decoder);
  const open = assembler.open({ start, shape, chunks });
  for (const [i, chunk] of chunks.entries()) {
    reached(i);
    const mark = kernels.mark();
    const value = ahead[i];
    const encoded = typeof value === "string" ? files?.read(value, kernels.allocate) : value;
    assembler.place(open, chunk, encoded, inBand(i), mark);
  }
  assembler.close(open);
  return files?.reads ?? [];
}

/** Of an asynchronous pipeline: other work may use the arena while it waits. */
async function decodedAhead(
  values: BandMessage["values"],
  { pipeline, kernels }: ChunkDecoder,
  files: FileReader | undefined,
  reached: (position: number) => void,
): Promise<readonly (Uint8Array | undefined)[]> {
  const ahead: (Uint8Array | undefined)[] = [];
  for (const [i, value] of values.entries()) {
    reached(i);
    const encoded = typeof value === "string" ? files?.read(value, ownMemory) : value;
    ahead.push(encoded && (await pipeline.decodeAhead(encoded, kernels, inBand(i))));
  }
  return ahead;
}

async function assemblerOf({ steps, window }: BandMessage, decoder: ChunkDecoder): Promise<Assembler> {
  // Of the selection nothing but the steps is looked at.
  const selection = steps.map((step) => ({ start: 0, step, count: 0, drop: false }));
  const assemble = decoder.pipeline.outermost?.codec.loadPairs
    ? (await import("../engine/pairs.js")).inPairs
    : assemblerFor;
  return assemble(decoder, selection, window);
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
