/**
 * Gives `get` and `set` with ndarrays (https://github.com/scijs/ndarray) instead of chunks, as
 * @zarrita/ndarray does.
 *
 * ```ts
 * import ndarray from "ndarray";
 * import { create, MemoryStore, slice } from "wazarr";
 * import { get, set } from "wazarr/ndarray";
 *
 * const array = await create(new MemoryStore(), { shape: [3, 4], dtype: "float32" });
 * await set(array, null, ndarray(new Float32Array(12), [3, 4]));
 * const columns = (await get(array, [null, slice(0, 2)])).transpose(1, 0);
 * ```
 *
 * It needs the optional package ndarray.
 * @module
 */
import ndarray from "ndarray";
import { isChunkLike, noItem, type ResultOf } from "../extend.js";
import {
  type DataOf,
  type GetOptions,
  get as getChunk,
  type ScalarOf,
  type Selection,
  type SetOptions,
  type Store,
  set as setChunk,
  type Array as ZarrArray,
} from "../index.js";

/** An ndarray of the data that `get` returns for data type `D`. */
export type NdArrayOf<D> =
  DataOf<D> extends ndarray.Data
    ? ndarray.NdArray<DataOf<D>>
    : Omit<ndarray.NdArray<ScalarOf<D>[]>, "data" | "dtype"> & { data: DataOf<D> };

/** The members of an ndarray that `set` uses. */
export interface NdArrayLike<D> extends Pick<ndarray.NdArray, "shape" | "stride" | "offset"> {
  /** The elements, addressed by `offset` and `stride`. */
  readonly data: DataOf<D> | ArrayLike<ScalarOf<D>>;
}

/**
 * Reads a selection, as `get` of `wazarr` does.
 * @returns an ndarray in C order, or the scalar for integers alone
 * @throws as that `get`
 */
export async function get<D, S extends Store>(
  array: ZarrArray<D, S>,
  selection?: null,
  options?: GetOptions<D>,
): Promise<NdArrayOf<D>>;
export async function get<D, S extends Store, const Sel extends Selection>(
  array: ZarrArray<D, S>,
  selection: Sel,
  options?: GetOptions<D>,
): Promise<ResultOf<Sel, NdArrayOf<D>, ScalarOf<D>>>;
export async function get(
  array: ZarrArray<unknown>,
  selection: Selection = null,
  options?: GetOptions<unknown>,
): Promise<unknown> {
  const result: unknown = await getChunk(array, selection, options);
  if (!isChunkLike(result) || !isElements(result.data)) return result;
  return ndarray(result.data, [...result.shape], [...(result.stride ?? [])]);
}

/**
 * Writes a scalar, or an ndarray of exactly the selection's shape; views with any strides, also negative
 * ones, are allowed.
 * @throws what `set` of `wazarr` throws
 */
export async function set<D, S extends Store>(
  array: ZarrArray<D, S>,
  selection: Selection,
  value: ScalarOf<D> | NdArrayLike<D>,
  options?: SetOptions,
): Promise<void>;
export async function set(
  array: ZarrArray<unknown>,
  selection: Selection,
  value: unknown,
  options?: SetOptions,
): Promise<void> {
  await setChunk(array, selection, isNdArray(value) ? chunkOf(value) : value, options);
}

type Elements = ndarray.Data<unknown>;
type View = Pick<ndarray.NdArray<Elements>, "data" | "shape" | "stride" | "offset">;

function isElements(data: unknown): data is Elements {
  return typeof data === "object" && data !== null && "length" in data;
}
function isNdArray(value: unknown): value is View {
  return isChunkLike(value) && isElements(value.data) && "offset" in value;
}

function chunkOf({ data, shape, stride, offset }: View): unknown {
  // A chunk's data begins with its first element, and its strides are not negative; other views are copied.
  const isForward = stride.every((step, d) => step >= 0 || (shape[d] ?? noItem(shape, d)) < 2);
  if (isForward && "subarray" in data && typeof data.subarray === "function") {
    const steps = stride.map((step) => Math.max(step, 0));
    return { data: data.subarray(offset), shape: [...shape], stride: steps };
  }
  const positions = shape.reduce(
    (starts, extent, d) =>
      starts.flatMap((start) =>
        Array.from({ length: extent }, (_, i) => start + i * (stride[d] ?? noItem(stride, d))),
      ),
    [offset],
  );
  return { data: positions.map((at) => ("get" in data ? data.get(at) : data[at])), shape: [...shape] };
}
