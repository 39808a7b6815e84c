/**
 * Finds chunks that are empty although the ledger says that their task is done: a machine that crashes may
 * leave files whose bytes never reached the disk. Only stores of files are looked at; others keep what they
 * have answered for.
 */
import type { ZarrArray } from "../array/nodes.js";
import { openIfThere } from "../array/open.js";
import { chunkKeyOf, storedChunks } from "../array/stored-chunks.js";
import { isZarrError } from "../errors.js";
import { coordinatesIn } from "../grid/boxes.js";
import { chunkAt, chunkRuns, chunksBetween } from "../grid/chunk-grid.js";
import { Member } from "../metadata/member.js";
import { readRange } from "../stores/capabilities.js";
import { withFailuresAt } from "../stores/check-store.js";
import type { AbsolutePath, Store, StoreOptions } from "../stores/store.js";
import { addressOf, boxOf, locationAt, type TaskContext } from "./context.js";
import type { Ledger } from "./ledger.js";
import { type Plan, type Task, tasksOf } from "./plan.js";

/** Takes those tasks as not done that have written an empty chunk. */
export async function forgetTorn(plan: Plan, ledger: Ledger, context: TaskContext): Promise<void> {
  const arrays = new Map<string, ZarrArray | undefined>();
  for (const task of tasksOf(plan)) {
    if (!ledger.has(task.id)) continue;
    const parameters = new Member(task.parameters, {}, "parameters");
    const isPart = task.kind === "reduce-box";
    const written = parameters.get(isPart ? "parts" : "target");
    if (task.box === undefined || written.isNull) continue;
    const address = addressOf(written);
    const name = `${address.store}::${address.path}`;
    if (!arrays.has(name)) arrays.set(name, await filesAt(written, context));
    const array = arrays.get(name);
    if (array === undefined) continue;
    const chunks = isPart ? storedChunks(array, context) : chunksWritten(task, array);
    for await (const chunk of chunks) {
      if (!(await isEmpty(array.store, chunkKeyOf(array, chunk), context))) continue;
      if (isPart) ledger.forget([task.id.slice(0, task.id.lastIndexOf("-"))]);
      else ledger.forgetTask(task.id);
      break;
    }
    // One look at all parts tells of all tasks of the group.
    if (isPart) arrays.set(name, undefined);
  }
}

/** The array, if it is there and its store keeps values in files. */
async function filesAt(member: Member, context: TaskContext): Promise<ZarrArray | undefined> {
  const { signal } = context;
  const location = await locationAt(addressOf(member), context);
  if (location.store.files === undefined) return undefined;
  try {
    const node = await openIfThere(location, { kind: "array", signal });
    return node?.kind === "array" ? node : undefined;
  } catch (error) {
    // An empty document: lost.ts finds it.
    if (isZarrError(error, "InvalidMetadataError")) return undefined;
    throw error;
  }
}

/** The chunks (shards) that a task writes. */
function* chunksWritten(task: Task, { shape, metadata }: ZarrArray): Generator<readonly number[]> {
  const box = boxOf(task, shape.length);
  if (task.kind === "copy-chunks") {
    yield* coordinatesIn(box);
    return;
  }
  const runs = chunkRuns(metadata.chunkGrid);
  const ranges = runs.map((along, d) => {
    const [start = 0, length = 0] = [box.start[d], box.shape[d]];
    return { first: chunkAt(along, start), count: chunksBetween(along, start, length) };
  });
  yield* coordinatesIn({ start: ranges.map(({ first }) => first), shape: ranges.map(({ count }) => count) });
}

/** Whether a value is there and has no bytes. */
export async function isEmpty(store: Store, key: AbsolutePath, { signal }: StoreOptions): Promise<boolean> {
  const range = { offset: 0, length: 1 };
  const bytes = await withFailuresAt({ key }, signal, async () =>
    readRange(store, key, range, { signal, current: true }),
  );
  return bytes?.length === 0;
}
