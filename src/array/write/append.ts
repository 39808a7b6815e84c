/** Makes arrays longer. */

import { at } from "../../base/at.js";
import { describeGiven, InvalidArgumentError } from "../../base/errors.js";
import { checkNames, type NamesOf } from "../../base/option-names.js";
import { checkWritable } from "../../core/stores/check-store.js";
import type { Store } from "../../core/stores/store.js";
import { type Selection, slice } from "../../grid/selection.js";
import { checkLengths } from "../create/create-options.js";
import { keepConsolidated } from "../hierarchy/consolidated-upkeep.js";
import { nodeDocumentKey, whileLocked } from "../hierarchy/rewrite-documents.js";
import { checkArray } from "../nodes/check-arguments.js";
import { type ChunkLike, isChunkLike } from "../nodes/chunk-like.js";
import { ZarrArray } from "../nodes/nodes.js";
import { signalOf, untilOptionsAbort } from "../nodes/options-signal.js";
import { type Claim, withClaim } from "./append-claim.js";
import { type SetOptions, WRITE } from "./set-options.js";
import { reopenArray, withShape, writeShape } from "./stored-shape.js";

/** Options of `append`. */
export interface AppendOptions extends SetOptions {
  /** Index of the dimension that grows; 0 unless given. */
  readonly axis?: number | undefined;
}

const APPEND: NamesOf<AppendOptions> = { ...WRITE, axis: true };

/**
 * Makes an array longer along `axis` and writes elements there. The new shape is written last, so readers see
 * all of the elements or none. Concurrent appends in one process run one after the other. A failed append
 * leaves its chunks beyond the array's end, where reads do not see them: the next append overwrites them,
 * `resize` removes them. In a store with conditional writes, appends of several processes do so too: whoever
 * is overtaken begins again, at the new end. `elements` has the array's length in all dimensions but `axis`.
 * @example
 * ```ts
 * const longer = await append(array, { data: new Float32Array(721 * 1440), shape: [1, 721, 1440] });
 * ```
 * @returns the array with its new shape; `array` keeps the old shape, and writes through it do not change the
 * new elements
 * @throws as `set`, and InvalidArgumentError
 */
export async function append<D, S extends Store>(
  array: ZarrArray<D, S>,
  elements: ChunkLike<D>,
  options: AppendOptions = {},
): Promise<ZarrArray<D, S>> {
  checkArray(array);
  checkNames(options, "append", APPEND);
  const { axis = 0, ...setOptions } = options;
  if (!isChunkLike(elements))
    throw new InvalidArgumentError(
      `append: expected elements as { data, shape }, got ${describeGiven(elements)}`,
    );
  const rank = array.shape.length;
  const added = elements.shape[axis];
  if (elements.shape.length !== rank || added === undefined) {
    throw new InvalidArgumentError(
      `append: expected elements of ${rank} dimensions and an axis from 0 to ${rank - 1}, got [${elements.shape.join(", ")}] and ${axis}`,
    );
  }
  const key = await nodeDocumentKey(array);
  const change = async (effective: SetOptions, claim: Claim | undefined): Promise<ZarrArray<D, S>> => {
    const signal = signalOf(effective);
    const stored = await reopenArray(array, { signal });
    await claim?.confirm();
    const grown = await writeBeyond(
      stored,
      { axis, from: at(stored.shape, axis) },
      elements,
      effective,
      claim,
    );
    if (claim === undefined) await writeShape(grown, stored.shape, key, { signal });
    else await claim.commit(grown);
    await keepConsolidated(checkWritable(array.store, array.path), [grown]);
    return new ZarrArray(array.store, array.path, grown.metadata, array.entryPoint);
  };
  return untilOptionsAbort(setOptions, (effective) =>
    whileLocked(array, key, { signal: signalOf(effective) }, () =>
      withClaim(array, key, { signal: signalOf(effective) }, (claim) => change(effective, claim)),
    ),
  );
}

/**
 * Writes elements of an array, and no document: from `from` on along `axis`, at or beyond the end of what
 * readers see. What an earlier, failed attempt left there is lost.
 * @returns the array with the shape that ends with the elements, for `writeShape`
 */
export async function writeBeyond(
  stored: ZarrArray,
  { axis, from }: { readonly axis: number; readonly from: number },
  elements: { readonly data: unknown; readonly shape: readonly number[] },
  options: SetOptions,
  claim?: Claim,
): Promise<ZarrArray> {
  const along = (length: number) => stored.shape.map((whole, d) => (d === axis ? length : whole));
  const end = from + at(elements.shape, axis);
  checkLengths(along(end), 0, stored.shape.length, "shape");
  const before = await withShape(stored, stored, along(from));
  const grown = await withShape(stored, stored, along(end));
  const selection: Selection = grown.shape.map((_, d) => (d === axis ? slice(from, end) : null));
  const { setBeyond } = await import("./write.js");
  await setBeyond(grown, before.shape, claim, selection, elements, options);
  return grown;
}
