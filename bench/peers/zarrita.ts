/** zarrita as a rival: reads and writes of one array. */
import * as zarrita from "zarrita";
import type { Selection, SelectionEntry } from "../../src/index.js";
import type { ArrayToWrite } from "../arrays.js";
import type { FieldArray } from "../fields.js";
import { here, type Rival } from "../race.js";

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
  return here(() => read(selection));
}

function translate(entry: SelectionEntry): number | ReturnType<typeof zarrita.slice> | null {
  if (entry === null || typeof entry === "number") return entry;
  return typeof entry === "string" ? null : zarrita.slice(entry.start, entry.stop, entry.step);
}

/**
 * Writes an array. @returns undefined for gzip and shards, which zarrita does not write
 * @param makeStore makes an empty store, outside of the measured time
 */
export function zarritaWriter(
  makeStore: () => ZarritaStore,
  { shape, dtype, chunkShape, codecs }: ArrayToWrite,
  data: FieldArray,
): Rival | undefined {
  if (codecs.some(({ name }) => name === "gzip" || name === "sharding_indexed")) return undefined;
  const stride = shape.map((_, d) => shape.slice(d + 1).reduce((product, length) => product * length, 1));
  const make = () =>
    zarrita.create(makeStore(), {
      shape: [...shape],
      chunkShape: [...chunkShape],
      dtype,
      fillValue: 0,
      codecs: codecs.map(({ name, configuration = {} }) => ({ name, configuration: { ...configuration } })),
    });
  let array: Awaited<ReturnType<typeof make>> | undefined;
  return here(
    async () => array && zarrita.set(array, null, { data, shape: [...shape], stride }),
    async () => {
      array = await make();
    },
  );
}
