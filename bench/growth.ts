/** How cost grows with the size of an array, the number of its chunks, and the size of a chunk, down to very small chunks. */
import { type Axis, type Line, lineChart } from "./charts.js";
import { benchInMemory, type InMemoryResult } from "./in-memory.js";
import type { Effort } from "./race.js";
import { figure, ratio, type Section } from "./section.js";
import type { Tensorstore } from "./tensorstore.js";

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

/** One array of each kind. */
const WARM_UP: readonly Image[] = [
  [[1024, 1024], 256],
  [[1024, 1024], 32],
  [[4096, 4096], 1024],
];

const bytesAxis = (label: string): Axis => ({ label, format: bytes });
const countAxis: Axis = { label: "chunks", format: (value) => value.toLocaleString("en") };
const millisecondsAxis: Axis = { label: "milliseconds", format: String };
const perChunkAxis: Axis = { label: "microseconds a chunk", format: String };

export async function benchGrowth(
  tensorstore: Tensorstore | undefined,
  effort: Effort,
  isQuick: boolean,
): Promise<Section> {
  const measure = async (images: readonly Image[]): Promise<InMemoryResult[]> => {
    const results: InMemoryResult[] = [];
    for (const [shape, side] of isQuick ? images.slice(0, 3) : images) {
      results.push(await benchInMemory(shape, side, tensorstore, effort));
    }
    return results;
  };
  // Warm up: the first rows take the least time and would measure the compilers.
  for (const [shape, side] of WARM_UP) await benchInMemory(shape, side, tensorstore, effort);
  const sizes = await measure(SIZES);
  const counts = await measure(COUNTS);
  const chunks = await measure(CHUNKS);
  const whole = (time: number): number => time;
  const small = counts.at(-1);
  const large = sizes.find(({ bytes }) => bytes === small?.bytes);
  return {
    title: "How cost grows",
    text: `float32 without compression, in a \`Map\` (TensorStore: its \`memory\` store), so that what the engines themselves cost is not hidden by codecs or files. First arrays
of 1 to 256 MiB in chunks of 256 KiB, then 64 to 65,536 chunks of 4 KiB, then 64 MiB in chunks of 1 KiB to 64 MiB. "into" reads into memory that is there
already (\`out\`), which spares the page faults of a fresh result; the microseconds are those of a whole read into memory, and of a whole write, by chunk.

${small === undefined || large === undefined ? "" : overhead(small, large)}`,
    tables: [sizes, counts, chunks].map((results) => ({
      header: HEADER,
      rows: results.map(row),
    })),
    charts: [
      lineChart(
        "growth-array-size",
        "Time by array size, chunks of 256 KiB",
        bytesAxis("array"),
        millisecondsAxis,
        lines(sizes, ({ bytes }) => bytes, whole),
      ),
      lineChart(
        "growth-chunk-count",
        "Time a chunk by number of chunks, 4 KiB each",
        countAxis,
        perChunkAxis,
        lines(counts, ({ chunkCount }) => chunkCount, perChunk),
      ),
      lineChart(
        "growth-chunk-size",
        "Time for 64 MiB by chunk size",
        bytesAxis("chunk"),
        millisecondsAxis,
        lines(chunks, ({ chunkBytes }) => chunkBytes, whole),
      ),
    ],
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

function row(result: InMemoryResult): string[] {
  const { read, write, chunkCount } = result;
  return [
    bytes(result.bytes),
    bytes(result.chunkBytes),
    chunkCount.toLocaleString("en"),
    figure(read.wazarr),
    figure(read.into),
    figure(read.zarrita),
    figure(read.tensorstore),
    ratio(read.zarrita, read.wazarr),
    figure(perChunk(read.into ?? Number.NaN, result)),
    figure(write.wazarr),
    figure(write.zarrita),
    figure(write.tensorstore),
    ratio(write.zarrita, write.wazarr),
    figure(perChunk(write.wazarr ?? Number.NaN, result)),
  ];
}

function perChunk(milliseconds: number, { chunkCount }: InMemoryResult): number {
  return (1000 * milliseconds) / chunkCount;
}

/** Cost per chunk, without the cost of its bytes. */
function overhead(small: InMemoryResult, large: InMemoryResult): string {
  const more = (one: number | undefined, other: number | undefined): string =>
    figure(perChunk((one ?? Number.NaN) - (other ?? Number.NaN), small));
  return `Overhead: ${bytes(small.bytes)} in ${small.chunkCount.toLocaleString("en")} chunks take ${more(small.read.into, large.read.into)} us a chunk longer to read (into memory that is there) than in chunks of ${bytes(large.chunkBytes)}, and ${more(small.write.wazarr, large.write.wazarr)} us longer to write; zarrita ${more(small.read.zarrita, large.read.zarrita)} and ${more(small.write.zarrita, large.write.zarrita)} us.`;
}

function lines(
  results: readonly InMemoryResult[],
  along: (result: InMemoryResult) => number,
  value: (milliseconds: number, result: InMemoryResult) => number,
): Line[] {
  const line = (label: string, time: (result: InMemoryResult) => number | undefined): Line => ({
    label,
    points: results.flatMap((result) => {
      const milliseconds = time(result);
      return milliseconds === undefined ? [] : [{ x: along(result), y: value(milliseconds, result) }];
    }),
  });
  return [
    line("wazarr reads", ({ read }) => read.wazarr),
    line("zarrita reads", ({ read }) => read.zarrita),
    line("TensorStore reads", ({ read }) => read.tensorstore),
    line("wazarr writes", ({ write }) => write.wazarr),
    line("zarrita writes", ({ write }) => write.zarrita),
  ].filter(({ points }) => points.length > 0);
}

function bytes(count: number): string {
  return count < 2 ** 20 ? `${count / 2 ** 10} KiB` : `${count / 2 ** 20} MiB`;
}
