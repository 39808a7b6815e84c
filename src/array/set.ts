import { untilAborted } from "../abort.js";
import type { ArrowVector, ColumnData } from "../data-types/column.js";
import type { DataOf, ScalarOf } from "../data-types/names.js";
import type { ChunkWorkers, OnProgress } from "../engine/prepared.js";
import type { Selection } from "../grid/selection.js";
import type { Store } from "../stores/store.js";
import type { ChunkLike } from "./chunk-like.js";
import { signalOf } from "./get.js";
import type { GetOptions } from "./get-options.js";
import type { ZarrArray } from "./nodes.js";

export interface SetOptions extends Pick<GetOptions, "opts"> {
  readonly signal?: AbortSignal | undefined;
  /** Chunks written at once; 32 unless given. */
  readonly concurrency?: number | undefined;
  /** Store chunks that hold nothing but the fill value too; they are left out (and deleted) unless asked. */
  readonly writeEmptyChunks?: boolean | undefined;
  /** A WorkerPool of `wazarr/workers`: chunks are encoded on other cores. */
  readonly workers?: ChunkWorkers | undefined;
  /** Told after every band of chunks, or shard; of its bytes also in between. */
  readonly onProgress?: OnProgress | undefined;
}

/** What `get` gives, or for data types of variable length any array of scalars. */
type ElementsOf<D> = DataOf<D> extends readonly (infer Element)[] ? readonly Element[] : DataOf<D>;

/** What is written: a scalar everywhere, or elements of exactly the selection's shape. */
export type SetValue<D> = ScalarOf<D> | ChunkLike<D> | ElementsOf<D> | ColumnData | ArrowVector;

/**
 * Writes a selection: one scalar for all of it, or elements of exactly its shape, also as a vector of Apache Arrow; for data types of variable
 * length an array of elements or a column. All arguments are checked before the first byte is written. Chunks that are covered in part, or
 * cross the array's edge, are read and changed under a lock: concurrent writes in one process, and arrays that have grown since, lose nothing.
 * @throws InvalidSelectionError, InvalidArgumentError, UnsupportedError (store cannot write), CodecError, StoreError
 */
export async function set<D, S extends Store>(
  array: ZarrArray<D, S>,
  selection: Selection,
  value: SetValue<D>,
  options?: SetOptions,
): Promise<void>;
export async function set(
  array: ZarrArray<unknown>,
  selection: Selection,
  value: unknown,
  options: SetOptions = {},
): Promise<void> {
  await untilAborted(signalOf(options), async () => {
    // A page that only reads does not download the writer.
    const { setPrepared } = await import("./write.js");
    await setPrepared(array, () => (array.inner ?? array).prepare(), selection, value, options);
  });
}
