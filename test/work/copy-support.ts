/** Arrays to copy, and what a copy has to keep. */
import { create, get, open, root, set, slice } from "../../src/index.js";

export type MapStore = Map<string, Uint8Array>;

/** A JSON document of a store. */
export function document(store: MapStore, key: string) {
  return JSON.parse(new TextDecoder().decode(store.get(key)));
}

/** An array's elements as bytes, and what else a copy has to keep. */
export async function contents(location: Parameters<typeof open>[0]) {
  const array = await open(location, { kind: "array" });
  const chunk = await get(array, ["..."]);
  const data: unknown = array.shape.length === 0 ? chunk : chunk.data;
  return {
    shape: array.shape,
    dtype: array.dtype,
    bytes: array.shape.length === 0 ? data : array.dataType.bytesOf(data),
    names: array.dimensionNames,
    fill: array.fillValue === undefined ? undefined : String(array.fillValue),
  };
}

/** 30 x 20 in chunks of 7 x 6, the chunks of the last column absent. */
export async function sample(zarrFormat: 2 | 3, options = {}): Promise<MapStore> {
  const store: MapStore = new Map();
  const array = await create(root(store).resolve("a"), {
    shape: [30, 20],
    chunkShape: [7, 6],
    dtype: "int16",
    fillValue: -1,
    zarrFormat,
    attributes: { units: "m" },
    dimensionNames: ["y", "x"],
    ...options,
  });
  const data = Int16Array.from({ length: 540 }, (_, i) => i * 37);
  await set(array, ["...", slice(18)], { data, shape: [30, 18] });
  return store;
}
