/** Reads and writes with zarrita. */
import * as zarrita from "zarrita";
import type { Selection, SelectionEntry } from "../src/index.js";
import type { FieldArray } from "./fields.js";
import { type Rival, timed } from "./race.js";
import type { Workload } from "./workloads.js";

export type ZarritaStore = zarrita.AsyncMutable | Map<string, Uint8Array>;

/** Opens an array. @returns a function that reads a selection */
export async function zarritaRead(
  store: zarrita.Readable,
): Promise<(selection: Selection) => Promise<unknown>> {
  const array = await zarrita.open.v3(store, { kind: "array" });
  return (selection) => zarrita.get(array, selection?.map(translate) ?? null);
}

export async function zarritaReader(store: zarrita.Readable, selection: Selection): Promise<Rival> {
  const read = await zarritaRead(store);
  return { run: timed(() => read(selection)) };
}

function translate(entry: SelectionEntry): number | ReturnType<typeof zarrita.slice> | null {
  if (entry === null || typeof entry === "number") return entry;
  return typeof entry === "string" ? null : zarrita.slice(entry.start, entry.stop, entry.step);
}

/**
 * Writes an array with zarrita. It has no encoders for gzip and shards.
 * @param makeStore makes an empty store, outside of the measured time
 */
export function zarritaWriter(
  makeStore: () => ZarritaStore,
  { shape, dtype, chunkShape, codecs }: Workload,
  data: FieldArray,
): Rival | undefined {
  if (codecs.some(({ name }) => name === "gzip" || name === "sharding_indexed")) return undefined;
  const stride = shape.map((_, d) => shape.slice(d + 1).reduce((product, length) => product * length, 1));
  const write = async (): Promise<number> => {
    const array = await zarrita.create(makeStore(), {
      shape: [...shape],
      chunkShape: [...chunkShape],
      dtype,
      fillValue: 0,
      codecs: codecs.map(({ name, configuration = {} }) => ({ name, configuration: { ...configuration } })),
    });
    return timed(() => zarrita.set(array, null, { data, shape: [...shape], stride }))();
  };
  return { run: write };
}

export async function zarritaScalarWriter(
  store: ZarritaStore,
  index: readonly number[],
  value: number,
): Promise<Rival> {
  const array = await zarrita.open.v3(store, { kind: "array" });
  if (!array.is("float32")) throw new Error(`expected float32, got ${array.dtype}`);
  return { run: timed(() => zarrita.set(array, [...index], value)) };
}
