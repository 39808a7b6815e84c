/** Writing elements that are no box; what they are is the caller's plan. */

import type { BandPlan } from "../engine/bands.js";
import { writeChosen } from "../engine/chosen/write.js";
import { type ChunkRuns, chunkRuns } from "../grid/chunk-grid.js";
import type { BasicSelection } from "../grid/selection.js";
import { checkWritable } from "./describe-store.js";
import type { ZarrArray } from "./nodes.js";
import type { SetOptions } from "./set.js";
import { toSource, writeOptions } from "./write-source.js";

/** @param given for dimensions as `selection` has them */
export async function setChosen(
  array: ZarrArray<unknown>,
  selection: BasicSelection,
  plan: (runs: readonly ChunkRuns[]) => BandPlan,
  given: unknown,
  options: SetOptions,
): Promise<void> {
  checkWritable(array.store, array.path);
  const write = writeOptions(array, options);
  const source = await toSource(array.metadata, given, selection);
  const prepared = await (array.inner ?? array).prepare();
  const store = checkWritable(prepared.store, array.path);
  await writeChosen(prepared, store, plan(chunkRuns(array.metadata.chunkGrid)), source, write);
}
