/** An array called "a" in any format, and copies of it. */
import type { DataTypeOption } from "../../../src/array/create/create-options.js";
import {
  type AbsolutePath,
  type CreateArrayOptions,
  create,
  root,
  set,
  type ZarrFormat,
} from "../../../src/index.js";
import { type CopyOptions, copyNode } from "../../../src/main/copy.js";
import { decode, RecordingStore } from "./hierarchy.js";

const DOCUMENTS: Readonly<Record<string, AbsolutePath>> = {
  2: "/a/.zarray",
  3: "/a/zarr.json",
  draft: "/meta/root/a.array.json",
};
/** The document of the array "a". */
export const documentOf = (store: RecordingStore, zarrFormat: ZarrFormat) =>
  decode(store.values.get(DOCUMENTS[String(zarrFormat)] ?? "/"));

/** One array of four elements in two chunks, of which the first is stored. */
export async function arrayStore(
  options: Partial<CreateArrayOptions<DataTypeOption>>,
): Promise<RecordingStore> {
  const store = new RecordingStore();
  const array = await create(root(store).resolve("a"), {
    shape: [4],
    chunkShape: [2],
    dtype: "uint16",
    fillValue: 9,
    ...options,
  });
  const elements = array.shape.reduce((product, length) => product * length, 1);
  if (array.is("uint16"))
    await set(array, null, Uint16Array.of(1, 2, 9, 9, 3, 4, 5, 6).subarray(0, elements));
  return store;
}

/** The array "a" of a store as a conversion leaves it. */
export const copied = async (from: RecordingStore, options: CopyOptions): Promise<RecordingStore> => {
  const target = new RecordingStore();
  await copyNode(root(from).resolve("a"), root(target).resolve("a"), options);
  return target;
};

/** Chunks by identity: one that nobody encoded anew is the same object. */
export const chunkObjects = (store: RecordingStore) =>
  [...store.values].filter(([key]) => /\/(c\/)?c?\d+$/.test(key)).map(([, value]) => value);
