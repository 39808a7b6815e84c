/** What `set` does, once it is loaded: who only reads does not download it. */
import type { PreparedArray } from "../engine/prepared.js";
import { writeSelection } from "../engine/write.js";
import { normaliseSelection, type Selection } from "../grid/selection.js";
import type { ZarrArray } from "./nodes.js";
import type { SetOptions } from "./set.js";
import { checkTarget, checkWritable, toSource, writeOptions } from "./write-source.js";

/** `set` of an array that is written as `prepare` says. */
export async function setPrepared(
  array: ZarrArray<unknown>,
  prepare: () => Promise<PreparedArray>,
  selection: Selection,
  value: unknown,
  options: SetOptions,
): Promise<void> {
  checkTarget(array);
  const basic = normaliseSelection(selection, array.metadata.shape);
  const write = writeOptions(array, options);
  const source = await toSource(array.metadata, value, basic);
  const prepared = await prepare();
  await writeSelection(prepared, checkWritable(prepared.store, array.path), basic, source, write);
}
