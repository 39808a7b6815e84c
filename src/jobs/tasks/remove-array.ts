/** Removes an intermediate array: the last task of a plan that needed one. */
import { openIfThere } from "../../array/open.js";
import { nodeDocumentKey } from "../../array/rewrite.js";
import { keyBelow } from "../../metadata/path.js";
import { deleteKey, deletePrefix } from "../../stores/capabilities.js";
import { addressOf, parametersOf, type TaskContext, writableAt } from "../context.js";
import type { Task } from "../plan.js";

/** The document goes first: whoever still reads from the array in another process finds it changed, and not full of fill values. */
export async function removeArray(task: Task, context: TaskContext): Promise<undefined> {
  const { signal } = context;
  const location = await writableAt(addressOf(parametersOf(task).get("array")), context);
  const array = await openIfThere(location, { kind: "array", signal });
  if (array !== undefined) await deleteKey(location.store, await nodeDocumentKey(array), { signal });
  await deletePrefix(location.store, keyBelow(location.path, ""), { signal });
}
