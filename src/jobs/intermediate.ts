/** Arrays that stand between two stages of a plan, below its target: the documents are made with the plan, and the last stage removes them. */
import { create } from "../array/create.js";
import { Location } from "../array/nodes.js";
import type { DataType } from "../data-types/data-type.js";
import type { JsonObject } from "../metadata/json.js";
import type { ChunkLengths } from "../metadata/model.js";
import { keyBelow } from "../metadata/path.js";
import type { AbsolutePath } from "../stores/store.js";
import type { DocumentStore, Documents } from "./documents.js";
import { hashBytes, type NodeAddress } from "./plan.js";

/** Codecs that cost little. */
const QUICK = [{ name: "zstd", configuration: { level: 1, checksum: false } }] as const;

export interface Intermediate {
  readonly documents: Documents;
  /** As tasks are told of it. */
  readonly address: JsonObject;
}

export async function intermediateArray(
  { store: name, path }: NodeAddress & { readonly path: AbsolutePath },
  options: {
    readonly shape: readonly number[];
    readonly dtype: DataType | "float64";
    readonly chunkShape: readonly ChunkLengths[];
  },
): Promise<Intermediate> {
  const store: DocumentStore = new Map();
  await create(new Location(store, path), { ...options, codecs: QUICK });
  const key = keyBelow(path, "zarr.json");
  const bytes = store.get(key) ?? new Uint8Array(0);
  return {
    documents: [[key, new TextDecoder().decode(bytes)]],
    address: { store: name, path, document: await hashBytes(bytes) },
  };
}
