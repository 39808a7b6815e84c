/**
 * Measures which gap between byte ranges of a shard is worth reading, and how long a request should be. The
 * defaults of `coalesce` follow it.
 */
import { mkdirSync, rmSync } from "node:fs";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { create, get, HttpStore, open, type Selection, type Store, set, slice } from "../../src/index.js";
import { FOLDER } from "../folder.js";
import { type Care, type Effort, here, race } from "../race.js";
import { milliseconds, type Section } from "../table.js";
import { serveSlowly } from "./slow-server.js";

const SHARDS = `${FOLDER}/coalescing`;
const KIB = 1024;
const MIB = 1024 * KIB;
/** Inner chunks of a shard. Every fourth is read, so gaps are three inner chunks long. */
const COUNT = 256;
const INNER_BYTES = [1, 4, 16, 64].map((size) => size * KIB);
const GAPS = [0, 4 * KIB, 16 * KIB, 32 * KIB, 64 * KIB, 256 * KIB];
const SIZES = [1, 4, 16, 64].map((size) => size * MIB);

interface Place {
  readonly name: string;
  /** Whether only the bandwidth limits long requests. */
  readonly isSlow?: boolean;
  open(values: ReadonlyMap<string, Uint8Array>): Promise<{ readonly store: Store; close(): void }>;
}

function link(name: string, latencyMilliseconds: number, bandwidth: number): Place {
  return {
    name,
    isSlow: bandwidth < 50e6,
    async open(values) {
      const server = await serveSlowly(values, latencyMilliseconds, bandwidth);
      return { store: new HttpStore(server.url), close: () => server.close() };
    },
  };
}

const PLACES: readonly Place[] = [
  {
    name: "file system",
    async open(values) {
      rmSync(SHARDS, { recursive: true, force: true });
      mkdirSync(SHARDS, { recursive: true });
      const store = new FileSystemStore(SHARDS);
      for (const [key, value] of values) await store.set(`/${key.slice(1)}`, value);
      return { store, close: () => rmSync(SHARDS, { recursive: true, force: true }) };
    },
  },
  link("HTTP on this machine", 0, Number.POSITIVE_INFINITY),
  link("HTTP, 10 ms away, 100 MB/s", 10, 100e6),
  link("HTTP, 40 ms away, 10 MB/s", 40, 10e6),
];

export async function benchCoalescing({ effort, isQuick }: Care): Promise<Section> {
  const rounds = Math.min(3, effort.least);
  const short: Effort = { least: rounds, most: rounds, budget: 0 };
  const gaps: string[][] = [];
  const sizes: string[][] = [];
  for (const place of isQuick ? PLACES.slice(0, 2) : PLACES) {
    for (const inner of INNER_BYTES) {
      const options = GAPS.map((maximumGap) => ({ maximumGap }));
      const times = await measure(place, inner, [slice(null, null, 4 * inner)], options, short);
      gaps.push([place.name, `${inner / KIB} KiB`, ...times.map(milliseconds)]);
    }
    if (place.isSlow) continue;
    const options = SIZES.map((maximumSize) => ({ maximumSize }));
    // All inner chunks except one: a whole shard would be read in one request.
    const inner = (isQuick ? 1 : 64) * KIB;
    const times = await measure(place, inner, [slice(0, (COUNT - 1) * inner)], options, short);
    sizes.push([place.name, ...times.map(milliseconds)]);
  }
  return {
    title: "Merging byte ranges of a shard",
    text: `The first table gives milliseconds for every fourth inner chunk of a shard of ${COUNT}, whose index is known. These are 64 ranges with three inner chunks between any two. The columns are the largest gap that a request may include (\`coalesce.maximumGap\`, 32 KiB unless given), and the rows are sizes of inner chunks. All ranges that are merged become one request.

The second table reads ${COUNT - 1} neighbours of 64 KiB. Its columns are the greatest length of a request (\`coalesce.maximumSize\`, 5 MiB unless given). The distant servers are simulated: an answer waits for the latency, and then for its turn on a link that all answers share.`,
    tables: [
      {
        header: ["from", "inner chunks", ...GAPS.map((gap) => `gap ${gap / KIB} KiB`)],
        rows: gaps,
      },
      { header: ["from", ...SIZES.map((size) => `size ${size / MIB} MiB`)], rows: sizes },
    ],
  };
}

async function measure(
  place: Place,
  inner: number,
  selection: Selection,
  options: readonly { readonly maximumGap?: number; readonly maximumSize?: number }[],
  effort: Effort,
): Promise<number[][]> {
  const length = COUNT * inner;
  const values = new Map<string, Uint8Array>();
  const written = await create(values, {
    shape: [length],
    dtype: "uint8",
    chunkShape: [inner],
    shards: [length],
    codecs: [],
  });
  await set(written, null, 7);
  const { store, close } = await place.open(values);
  try {
    const array = await open(store, { kind: "array" });
    const rivals = options.map((coalesce) => here(() => get(array, selection, { coalesce })));
    return await race(rivals, effort);
  } finally {
    close();
  }
}
