/** An array of a store, or elements of it. */
import {
  type DataTypeName,
  type GetOptions,
  type GetResult,
  get,
  open,
  root,
  type Selection,
  type Store,
  type Array as ZarrArray,
} from "wazarr";
import type { DrawOptions, GetDrawnResult } from "wazarr/reading";
import { type Reading, sharedReads, useShared } from "./reading.js";
import { SharedRead } from "./shared-read.js";

type Stored = GetOptions & { readonly as?: undefined };

const arrays = sharedReads(async (signal, source: Store | SharedRead<Store>, path: string) => {
  const store = source instanceof SharedRead ? await source.until(signal) : source;
  return open(root(store).resolve(path), { kind: "array", signal });
});

const elements = sharedReads(
  async (
    signal,
    [source, path, selection]: readonly [Store | SharedRead<Store>, string, Selection],
    options: Stored | DrawOptions,
  ): Promise<unknown> => {
    const array = await arrays(source, path).until(signal);
    return options.as === undefined
      ? get(array, selection, { ...options, signal })
      : get(array, selection, { ...options, signal });
  },
);

/**
 * The array at a path of a store.
 * @param source a store, or what `useStore` returns
 */
export function useArray(
  source: Store | Reading<Store>,
  path: string,
): Reading<ZarrArray<DataTypeName, Store>>;
/**
 * Elements of a selection, as `get` returns them. They are read again when path, selection or options change; what is
 * under way is then aborted, unless another component needs it.
 * @param options those of `get`; a cache is made outside of components
 */
export function useArray<const Sel extends Selection, const Options extends DrawOptions>(
  source: Store | Reading<Store>,
  path: string,
  selection: Sel,
  options: Options,
): Reading<GetDrawnResult<Options, Sel>>;
export function useArray<const Sel extends Selection>(
  source: Store | Reading<Store>,
  path: string,
  selection: Sel,
  options?: GetOptions,
): Reading<GetResult<DataTypeName, Sel>>;
export function useArray(
  source: Store | Reading<Store>,
  path: string,
  selection?: Selection,
  options: Stored | DrawOptions = {},
): Reading<unknown> {
  const store = "shared" in source ? source.shared : source;
  const shared: SharedRead<unknown> =
    selection === undefined ? arrays(store, path) : elements([store, path, selection], options);
  return useShared(shared);
}
