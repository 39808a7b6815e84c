/** Appends to several arrays of a group as one change for readers of consolidated metadata. */

import { untilAborted } from "../../base/abort.js";
import { at } from "../../base/at.js";
import {
  InvalidArgumentError,
  InvalidMetadataError,
  isZarrError,
  UnsupportedError,
} from "../../base/errors.js";
import { checkWritable } from "../../core/stores/check-store.js";
import { lockKeys } from "../../core/stores/key-locks.js";
import type { AbsolutePath, StoreOptions, WritableStore } from "../../core/stores/store.js";
import { keyBelow } from "../../metadata/path.js";
import { planComparison } from "../convert/compare.js";
import { withMaybeConsolidatedMetadata } from "../hierarchy/consolidated.js";
import { keepConsolidated } from "../hierarchy/consolidated-upkeep.js";
import { asTheyAreNow, nodeDocumentKey } from "../hierarchy/rewrite-documents.js";
import { type Group, Location, ZarrArray } from "../nodes/nodes.js";
import { writeBeyond } from "./append.js";
import { type Claim, claimEnd } from "./append-claim.js";
import { set } from "./set.js";
import { reopenArray, writeShape } from "./stored-shape.js";

/** Elements for one array of the group. */
export interface Addition {
  /** The array as readers see it. */
  readonly array: ZarrArray;
  /**
   * The index of the dimension that grows; undefined if the array does not grow: its elements must equal
   * those that are stored.
   */
  readonly axis: number | undefined;
  /** Elements in C order, as `set` takes them. */
  readonly data: unknown;
  /** The shape of the elements: that of the array, with any length along `axis`. */
  readonly shape: readonly number[];
}

/**
 * Appends to arrays of one group. The elements are written first, where no reader sees them, then the shapes,
 * and consolidated metadata last: readers of consolidated metadata see all of the elements or none. Without
 * consolidated metadata the arrays grow one after the other. Calls in one process that name the same arrays
 * run one after the other. A call that fails may be repeated.
 * @param names the names of arrays in the group that may grow
 * @param plan called once nobody else appends to these arrays, with the group as readers see it: through
 * consolidated metadata, if there are any. It checks and encodes, and returns what to append; the shape of
 * the last array is written last. Nothing is written if it throws
 * @throws ConflictError if another process appends to a bucket at the same time; what it has committed stays.
 * UnsupportedError for a group of the 2020 draft, or a store that cannot be written;
 * InvalidArgumentError for other elements of an array that does not grow; InvalidMetadataError if an array
 * has another length than readers see; StoreError
 */
export async function appendTogether(
  { store: readable, path, metadata, entryPoint }: Group,
  names: readonly string[],
  plan: (now: Location) => Promise<readonly Addition[]>,
  { signal }: StoreOptions = {},
): Promise<void> {
  return untilAborted(signal, async () => {
    const store = checkWritable(readable, path);
    const keys = names.map((name) => documentKey(path, metadata.zarrFormat, name));
    const release = await lockKeys(store, keys, { signal, isOuter: true });
    try {
      // The shapes that readers see. An append that failed may have left longer arrays.
      const known = await withMaybeConsolidatedMetadata(asTheyAreNow(store), { signal });
      const additions = await plan(new Location(known, path, entryPoint));
      await write(store, additions, signal);
    } finally {
      await release();
    }
  });
}

function documentKey(
  path: AbsolutePath,
  zarrFormat: Group["metadata"]["zarrFormat"],
  name: string,
): AbsolutePath {
  if (zarrFormat === "draft")
    throw new UnsupportedError(
      "cannot append to several arrays of the 2020 draft at once; append to each on its own",
      { path },
    );
  return keyBelow(path, zarrFormat === 3 ? `${name}/zarr.json` : `${name}/.zarray`);
}

async function write(
  store: WritableStore,
  additions: readonly Addition[],
  signal: AbortSignal | undefined,
): Promise<void> {
  if (additions.some(({ axis, shape }) => axis !== undefined && shape[axis] === 0)) return;
  const last = additions.filter(({ axis }) => axis !== undefined).at(-1);
  const growing: {
    readonly array: ZarrArray;
    readonly axis: number;
    readonly addition: Addition;
    readonly claim: Claim | undefined;
  }[] = [];
  for (const addition of additions) {
    const { array, axis } = addition;
    if (axis === undefined) {
      await checkEqual(addition, signal);
      continue;
    }
    const at = new ZarrArray(store, array.path, array.metadata, array.entryPoint);
    const claim = await claimEnd(at, await nodeDocumentKey(at), { signal });
    const stored = await reopenArray(at, { signal });
    await claim?.confirm();
    checkStored(stored, array, axis, addition === last);
    growing.push({ array: stored, axis, addition, claim });
  }
  const grown: {
    readonly array: ZarrArray;
    readonly before: readonly number[];
    readonly claim: Claim | undefined;
  }[] = [];
  for (const { array, axis, addition, claim } of growing) {
    const from = at(addition.array.shape, axis);
    const longer = await writeBeyond(array, { axis, from }, addition, { signal }, claim);
    grown.push({ array: longer, before: array.shape, claim });
  }
  for (const { array, before, claim } of grown)
    if (claim) await claim.commit(array);
    else await writeShape(array, before, await nodeDocumentKey(array), { signal });
  await keepConsolidated(
    store,
    grown.map(({ array }) => array),
  );
}

/**
 * @param isLast whether the array's shape is written after all others: what it does not count yet is left
 * over from an append that failed
 */
function checkStored(stored: ZarrArray, seen: ZarrArray, axis: number, isLast: boolean): void {
  const { path, shape, dtype } = stored;
  const [length = 0, from = 0] = [shape[axis], seen.shape[axis]];
  const isOther = shape.length !== seen.shape.length || dtype !== seen.dtype;
  if (!isOther && (isLast ? length === from : length >= from)) return;
  throw new InvalidMetadataError(
    `the array's document says ${dtype} [${shape.join(", ")}], the consolidated metadata say ${seen.dtype} [${seen.shape.join(", ")}]: another program changed the document alone, or an append was interrupted; consolidateMetadata accepts what is stored, resize undoes it`,
    { path },
  );
}

/** Checks that elements of an array that does not grow are those that are stored. */
async function checkEqual({ array, data, shape }: Addition, signal: AbortSignal | undefined): Promise<void> {
  const same = new ZarrArray(new Map<string, Uint8Array>(), array.path, array.metadata, array.entryPoint);
  await set<unknown, WritableStore>(same, null, { data, shape }, { signal });
  try {
    await (await planComparison(array, same, { signal })).run({ signal }, async (compare) => {
      await compare();
    });
  } catch (error) {
    if (!isZarrError(error, "DifferenceError")) throw error;
    throw new InvalidArgumentError(
      `expected elements equal to the stored ones, because the array does not grow: ${error.reason}`,
      { path: array.path },
    );
  }
}
