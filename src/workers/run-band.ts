/** Puts a band of chunks together in a worker. */
import type { Assembler, ChunkDecoder, ResultWindow } from "../engine/assembler.js";
import { assemblerFor } from "../engine/band-assembler.js";
import type { ChunkProjection } from "../engine/bands.js";
import { knownRows } from "../engine/rows.js";
import { type FileReader, fileReader, type OpenFile, UnreadFile } from "./files.js";
import type { BandMessage } from "./messages.js";

/** The chunk of a band at this position: the calling thread puts its key into errors. */
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
  const { start, shape } = message;
  const chunks = projectionsOf(message);
  const window = knownRows(message.window, decoder);
  const assembler = await assemblerOf(message, decoder, window);
  const values = await openValues(message);
  try {
    const ahead = pipeline.asynchronous
      ? await decodedAhead(chunks.length, values, decoder, reached)
      : undefined;
    const open = assembler.open({ start, shape, chunks });
    for (const [i, chunk] of chunks.entries()) {
      reached(i);
      const mark = kernels.mark();
      const encoded = ahead ? ahead[i] : values.read(i, window.allocate ?? kernels.allocate);
      assembler.place(open, chunk, encoded, inBand(i), mark);
    }
    assembler.close(open);
    return values.reads;
  } finally {
    values.close();
  }
}

/** Decodes into ordinary memory: other work may use the arena while an asynchronous pipeline waits. */
async function decodedAhead(
  count: number,
  values: BandValues,
  { pipeline, kernels }: ChunkDecoder,
  reached: (position: number) => void,
): Promise<readonly (Uint8Array | undefined)[]> {
  const ahead: (Uint8Array | undefined)[] = [];
  for (let i = 0; i < count; i++) {
    reached(i);
    const encoded = values.read(i, ownMemory);
    ahead.push(encoded && (await pipeline.decodeAhead(encoded, kernels, inBand(i))));
  }
  return ahead;
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

/** The encoded chunks of a band: in the message, or to be read from files. */
interface BandValues {
  /** The chunk at this position of the band, read into memory from `allocate`; undefined: absent. @throws UnreadFile */
  read(position: number, allocate: (byteLength: number) => Uint8Array): Uint8Array | undefined;
  /** See FileReader. */
  readonly reads: readonly number[];
  close(): void;
}

/** @throws UnreadFile */
async function openValues({ values, file }: BandMessage): Promise<BandValues> {
  const isInFiles = file !== undefined || values.some((value) => typeof value === "string");
  const files: FileReader | undefined = isInFiles ? await fileReader() : undefined;
  const opened: OpenFile | undefined = file && files?.open(file);
  return {
    reads: files?.reads ?? [],
    read(position, allocate) {
      const value = values[position];
      if (value === undefined || value instanceof Uint8Array) return value;
      if (typeof value === "string") return files?.read(value, allocate);
      if (opened === undefined) throw new UnreadFile("a part of no file");
      return opened.read(value, allocate);
    },
    close: () => opened?.close(),
  };
}
