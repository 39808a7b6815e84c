import type { Store } from "../../core/stores/store.js";
import type { ArrowVector } from "../../data-types/arrow-vector.js";
import type { ColumnData } from "../../data-types/column.js";
import type { DataOf, ScalarOf } from "../../data-types/names.js";
import type { Selection } from "../../grid/selection.js";
import type { ChunkLike } from "../nodes/chunk-like.js";
import type { ZarrArray } from "../nodes/nodes.js";
import { untilOptionsAbort } from "../nodes/options-signal.js";
import type { SetOptions } from "./set-options.js";

/** The elements that `get` returns; for data types of variable length any array of scalars. */
type ElementsOf<D> = DataOf<D> extends readonly (infer Element)[] ? readonly Element[] : DataOf<D>;

/** The value to write: one scalar for all elements, or elements of exactly the selection's shape. */
export type SetValue<D> = ScalarOf<D> | ChunkLike<D> | ElementsOf<D> | ColumnData | ArrowVector;

/**
 * Writes a selection. All arguments are checked before the first byte is written. Chunks that the selection
 * covers in part, or that cross the array's edge, are read and changed under a lock, so concurrent writes in
 * one process and elements of arrays that have grown are not lost.
 * @example
 * ```ts
 * await set(array, [0, null, null], { data: new Float32Array(721 * 1440), shape: [721, 1440] });
 * await set(array, [slice(1, 3), null, null], 0); // one scalar for all of them
 * ```
 * @param value a scalar, elements of the selection's shape, or an Apache Arrow vector; for types of variable
 * length also an array or a column
 * @throws InvalidSelectionError, InvalidArgumentError, UnsupportedError (store cannot write), CodecError,
 * StoreError
 */
export async function set<D, S extends Store>(
  array: ZarrArray<D, S>,
  selection: Selection,
  value: SetValue<D>,
  options: SetOptions = {},
): Promise<void> {
  await untilOptionsAbort(options, async (effective) => {
    // Loaded on the first write: pages that only read do not download the writer.
    const { setPrepared } = await import("./write.js");
    await setPrepared(array, () => (array.inner ?? array).preparePlain(), selection, value, effective);
  });
}
