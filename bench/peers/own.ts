/** wazarr as a rival: reads and writes of one array. */

import { setKernels } from "../../src/extend.js";
import { create, get, open, type Selection, type Store, set, type WritableStore } from "../../src/index.js";
import type { ArrayToWrite } from "../arrays.js";
import type { FieldArray } from "../fields.js";
import { here, type Rival } from "../race.js";

export type KernelChoice = "wasm" | "javascript";

/** @returns an array with one kind of kernels, which are bound at the first use of the array */
export async function openWith(kernels: KernelChoice, store: Store) {
  setKernels(kernels);
  const array = await open(store, { kind: "array" });
  await array.prepare();
  setKernels("auto");
  return array;
}

export async function ownReader(kernels: KernelChoice, store: Store, selection: Selection): Promise<Rival> {
  const array = await openWith(kernels, store);
  return here(() => get(array, selection));
}

/** Reads everything into the memory of the first result. */
export async function reusingReader(store: Store): Promise<Rival> {
  const array = await openWith("wasm", store);
  const { data: out } = await get(array, null);
  return here(() => get(array, null, { out }));
}

/** @param makeStore makes an empty store, outside of the measured time */
export function ownWriter(
  makeStore: () => WritableStore,
  { shape, dtype, chunkShape, codecs }: ArrayToWrite,
  data: FieldArray,
): Rival {
  const make = () => create(makeStore(), { shape, dtype, chunkShape, codecs });
  let array: Awaited<ReturnType<typeof make>> | undefined;
  return here(
    async () => array && set(array, null, { data, shape }),
    async () => {
      array = await make();
    },
  );
}
