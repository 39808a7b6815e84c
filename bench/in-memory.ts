/** Cost of the engine alone: uncompressed float32 arrays in a `Map`. wazarr, zarrita, and TensorStore with its own memory store. */
import { create, get, open, set } from "../src/index.js";
import { type Field, fieldOf } from "./fields.js";
import { FOLDER } from "./folder.js";
import { type Effort, type Rival, race, timed } from "./race.js";
import type { Tensorstore } from "./tensorstore.js";
import { documentOf, type Workload } from "./workloads.js";
import { zarritaReader, zarritaWriter } from "./zarrita-peer.js";

export interface InMemoryResult {
  readonly bytes: number;
  readonly chunkBytes: number;
  readonly chunkCount: number;
  /** Median milliseconds. `into`: reading into existing memory. */
  readonly read: Times & { readonly into: number | undefined };
  readonly write: Times;
}

export interface Times {
  readonly wazarr: number | undefined;
  readonly zarrita: number | undefined;
  readonly tensorstore: number | undefined;
}

/** Reads and writes an image of `shape` in chunks of `side` x `side`. */
export async function benchInMemory(
  shape: readonly [number, number],
  side: number,
  tensorstore: Tensorstore | undefined,
  effort: Effort,
): Promise<InMemoryResult> {
  const codecs = [{ name: "bytes", configuration: { endian: "little" } }];
  const workload: Workload = { name: "in memory", shape, dtype: "float32", chunkShape: [side, side], codecs };
  const field = fieldOf(FOLDER, shape, "float32");
  const place = { driver: "memory", path: "image/" } as const;
  const theirWriter = tensorstore?.writer(place, documentOf(workload), field.file);
  const [wazarrWrite, zarritaWrite, tensorstoreWrite] = await race(
    [writer(workload, field), zarritaWriter(() => new Map(), workload, field.data), theirWriter],
    effort,
  );
  const store = new Map<string, Uint8Array>();
  await writer(workload, field, store).run();
  const array = await open(store, { kind: "array" });
  const out = new Float32Array(field.data.length);
  const [wazarr, into, zarrita, tensorstoreRead] = await race(
    [
      { run: timed(() => get(array)) },
      { run: timed(() => get(array, null, { out })) },
      await zarritaReader(store, null),
      tensorstore?.reader(place, null),
    ],
    effort,
  );
  return {
    bytes: field.data.byteLength,
    chunkBytes: 4 * side * side,
    chunkCount: shape.reduce((product, length) => product * Math.ceil(length / side), 1),
    read: { wazarr, into, zarrita, tensorstore: tensorstoreRead },
    write: { wazarr: wazarrWrite, zarrita: zarritaWrite, tensorstore: tensorstoreWrite },
  };
}

function writer(
  { shape, dtype, chunkShape, codecs }: Workload,
  { data }: Field,
  store?: Map<string, Uint8Array>,
): Rival {
  return {
    async run() {
      const array = await create(store ?? new Map(), { shape, dtype, chunkShape, codecs });
      return timed(() => set(array, null, { data, shape }))();
    },
  };
}
