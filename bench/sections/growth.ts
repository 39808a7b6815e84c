/**
 * How cost grows with the size of an array, the number of its chunks, and the size of a chunk, down to very
 * small chunks.
 */
import { create, get, open, set } from "../../src/index.js";
import { type ArrayToWrite, documentOf } from "../arrays.js";
import { fieldOf } from "../fields.js";
import { FOLDER } from "../folder.js";
import { ownWriter } from "../peers/own.js";
import { indices, Python, shareCore } from "../peers/python.js";
import { zarritaReader, zarritaWriter } from "../peers/zarrita.js";
import { type Care, type Effort, here, median, race } from "../race.js";
import { against, figure, milliseconds, type Section } from "../table.js";

/** A square or tall image of float32, in square chunks. */
type Image = readonly [shape: readonly [number, number], side: number];

/** 1 to 256 MiB in chunks of 256 KiB. */
const SIZES: readonly Image[] = [256, 1024, 4096, 16384, 65536].map((rows) => [[rows, 1024], 256]);
/** 64 to 65,536 chunks of 4 KiB. */
const COUNTS: readonly Image[] = [256, 1024, 2048, 4096, 8192].map((side) => [[side, side], 32]);
/** 64 MiB in chunks of 1 KiB to 64 MiB. */
const CHUNKS: readonly Image[] = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096].map((side) => [
  [4096, 4096],
  side,
]);
/** One array of each kind: the first rows take the least time and would measure the compilers. */
const WARM_UP: readonly Image[] = [
  [[1024, 1024], 256],
  [[1024, 1024], 32],
  [[4096, 4096], 1024],
];

interface Result {
  readonly bytes: number;
  readonly chunkBytes: number;
  readonly chunkCount: number;
  /** Turns of each; `into`: wazarr reads into existing memory. */
  readonly read: Readonly<Record<"wazarr" | "into" | "zarrita" | "tensorstore", readonly number[]>>;
  readonly write: Readonly<Record<"wazarr" | "zarrita" | "tensorstore", readonly number[]>>;
}

export async function benchGrowth({ isQuick, effort }: Care): Promise<Section> {
  const tensorstore = Python.start("tensorstore");
  if (tensorstore !== undefined) shareCore();
  const results: Result[][] = [];
  try {
    for (const images of [WARM_UP, SIZES, COUNTS, CHUNKS]) {
      const own: Result[] = [];
      for (const image of isQuick ? images.slice(0, 3) : images)
        own.push(await bench(image, tensorstore, effort));
      results.push(own);
    }
  } finally {
    tensorstore?.close();
  }
  const [, sizes = [], counts = []] = results;
  const small = counts.at(-1);
  const large = sizes.find(({ bytes }) => bytes === small?.bytes);
  return {
    title: "How cost grows",
    text: `The arrays are float32 without compression, in a \`Map\` (for TensorStore, in its \`memory\` store). So codecs and files do not hide the cost of the engines. The first table has arrays of 1 to 256 MiB in chunks of 256 KiB, the second 64 to 65,536 chunks of 4 KiB, the third 64 MiB in chunks of 1 KiB to 64 MiB. "into" reads into existing memory (\`out\`), which avoids the page faults of a fresh result. The microseconds are the time of a whole read into memory, and of a whole write, for each chunk.

${small === undefined || large === undefined ? "" : overhead(small, large)}`,
    tables: results.slice(1).map((own) => ({ header: HEADER, rows: own.map(row) })),
  };
}

async function bench([shape, side]: Image, tensorstore: Python | undefined, effort: Effort): Promise<Result> {
  const codecs = [{ name: "bytes", configuration: { endian: "little" } }];
  const array: ArrayToWrite = {
    name: "in memory",
    shape,
    dtype: "float32",
    chunkShape: [side, side],
    codecs,
  };
  const { data, file } = fieldOf(FOLDER, shape, "float32");
  const store = { driver: "memory", path: "image/" } as const;
  const [wazarrWrites = [], zarritaWrites = [], tensorstoreWrites = []] = await race(
    [
      ownWriter(() => new Map(), array, data),
      zarritaWriter(() => new Map(), array, data),
      tensorstore?.rival({ kind: "write", store, metadata: documentOf(array), data: file }),
    ],
    effort,
  );
  const values = new Map<string, Uint8Array>();
  await set(await create(values, { shape, dtype: "float32", chunkShape: [side, side], codecs }), null, {
    data,
    shape,
  });
  const written = await open(values, { kind: "array" });
  const out = new Float32Array(data.length);
  const [wazarr = [], into = [], zarrita = [], tensorstoreReads = []] = await race(
    [
      here(() => get(written)),
      here(() => get(written, null, { out })),
      await zarritaReader(values, null),
      tensorstore?.rival({ kind: "read", store, selection: indices(null) }),
    ],
    effort,
  );
  return {
    bytes: data.byteLength,
    chunkBytes: 4 * side * side,
    chunkCount: shape.reduce((product, length) => product * Math.ceil(length / side), 1),
    read: { wazarr, into, zarrita, tensorstore: tensorstoreReads },
    write: { wazarr: wazarrWrites, zarrita: zarritaWrites, tensorstore: tensorstoreWrites },
  };
}

const HEADER = [
  "array",
  "chunk",
  "chunks",
  "read ms",
  "into ms",
  "zarrita ms",
  "TensorStore ms",
  "against zarrita",
  "us a chunk",
  "write ms",
  "zarrita ms",
  "TensorStore ms",
  "against zarrita",
  "us a chunk",
];

function row({ bytes, chunkBytes, chunkCount, read, write }: Result): string[] {
  const perChunk = (turns: readonly number[]): string => figure((1000 * Number(median(turns))) / chunkCount);
  return [
    size(bytes),
    size(chunkBytes),
    chunkCount.toLocaleString("en"),
    ...[read.wazarr, read.into, read.zarrita, read.tensorstore].map(milliseconds),
    against(read.zarrita, read.wazarr),
    perChunk(read.into),
    ...[write.wazarr, write.zarrita, write.tensorstore].map(milliseconds),
    against(write.zarrita, write.wazarr),
    perChunk(write.wazarr),
  ];
}

/** Cost per chunk, without the cost of its bytes. */
function overhead(small: Result, large: Result): string {
  const more = (one: readonly number[], other: readonly number[]): string =>
    figure((1000 * (Number(median(one)) - Number(median(other)))) / small.chunkCount);
  return `The overhead of a chunk: ${size(small.bytes)} in ${small.chunkCount.toLocaleString("en")} chunks takes ${more(small.read.into, large.read.into)} us a chunk longer to read (into existing memory) than in chunks of ${size(large.chunkBytes)}, and ${more(small.write.wazarr, large.write.wazarr)} us longer to write. zarrita takes ${more(small.read.zarrita, large.read.zarrita)} and ${more(small.write.zarrita, large.write.zarrita)} us longer.`;
}

function size(bytes: number): string {
  return bytes < 2 ** 20 ? `${bytes / 2 ** 10} KiB` : `${bytes / 2 ** 20} MiB`;
}
