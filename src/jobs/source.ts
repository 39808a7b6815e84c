/** Sources of a plan: what their documents said when it was made, so that a task that finds another array there says so. */
import type { Group, ZarrArray } from "../array/nodes.js";
import { open } from "../array/open.js";
import { asTheyAreNow, nodeDocumentKey } from "../array/rewrite.js";
import { InvalidMetadataError } from "../errors.js";
import type { JsonObject } from "../metadata/json.js";
import type { Member } from "../metadata/member.js";
import { storeFailure } from "../stores/check-store.js";
import { addressOf, jsonOf, locationAt, type TaskContext } from "./context.js";
import { hashBytes, type NodeAddress } from "./plan.js";

/** What tasks are told of an array that they read. `document` is the hash of its document, "" where only consolidated metadata have it. */
export async function describeSource(
  address: NodeAddress,
  array: ZarrArray<unknown>,
  context: TaskContext,
): Promise<JsonObject> {
  return { ...jsonOf(address), document: await documentHash(array, context) };
}

/**
 * Opens the array that a plan was made for, or that it made. Chunks have no version that a plan could hold: an array that is written to in
 * place while it is read is noticed where its document changes (its shape, attributes of v3), or a shard while it is being read.
 * @throws InvalidMetadataError where its document is another now
 */
export async function openUnchanged(source: Member, context: TaskContext): Promise<ZarrArray> {
  const location = await locationAt(addressOf(source), context);
  const array = await open(location, { kind: "array", signal: context.signal });
  await checkUnchanged(source, array, context);
  return array;
}

/** @throws InvalidMetadataError where the document of an array is no longer what it was when the plan was made */
export async function checkUnchanged(source: Member, array: ZarrArray, context: TaskContext): Promise<void> {
  const before = source.get("document").string();
  if (before === "" || (await documentHash(array, context)) === before) return;
  throw new InvalidMetadataError(
    "the array has changed since the plan was made: make a new plan, which begins anew",
    { key: await nodeDocumentKey(array) },
  );
}

export async function documentHash(
  node: Group | ZarrArray<unknown>,
  { signal }: TaskContext,
): Promise<string> {
  const key = await nodeDocumentKey(node);
  try {
    const bytes = await asTheyAreNow(node.store).get(key, { signal });
    return bytes ? await hashBytes(bytes) : "";
  } catch (error) {
    throw storeFailure(error, key, signal);
  }
}
