/** What a copy is to be, node by node: its metadata in another format, layout or codecs, and whether chunks stay as they are. Nothing is written. */

import type { DataTypeName } from "../data-types/names.js";
import { InvalidArgumentError, isZarrError, UnsupportedError } from "../errors.js";
import { isJsonObject, type Json, type JsonObject, type NumberSpellings } from "../metadata/json.js";
import { keepSpellings } from "../metadata/json-text.js";
import type { ArrayMetadata, GroupMetadata } from "../metadata/model.js";
import { keyBelow } from "../metadata/path.js";
import { placeOf } from "../stores/storage-identity.js";
import type { AbsolutePath, StoreOptions, WritableStore } from "../stores/store.js";
import { checkCodecsWrite } from "./codec-options.js";
import { type Conversion, convertArray, convertGroup, hasSameChunks, lostOrder } from "./convert.js";
import { checkOptions } from "./create-options.js";
import { readDocument } from "./documents.js";
import { members } from "./hierarchy.js";
import type { Location } from "./location.js";
import { type Node, ZarrArray } from "./nodes.js";
import { asTheyAreNow, nodeDocumentKey } from "./rewrite.js";
import { documentsOf, type NewNodeOptions } from "./write-documents.js";

/** A difference that nobody asked for: the format of the copy has no room for something. Elements are never different. */
export interface CopyNote {
  /** The node that was copied. */
  readonly path: AbsolutePath;
  readonly message: string;
}

/** A node of the copy. */
export interface NodePlan<S extends WritableStore> {
  readonly source: Node;
  readonly location: Location<S>;
  readonly metadata: ArrayMetadata | GroupMetadata;
  /** The arrays that chunks are copied between; groups have none. */
  readonly arrays?: ArrayPair<S>;
  readonly spellings: NewNodeOptions["spellings"];
  readonly note?: CopyNote | undefined;
}

export interface ArrayPair<S extends WritableStore = WritableStore> {
  readonly source: ZarrArray;
  readonly target: ZarrArray<DataTypeName, S>;
  /** Whether chunks of the source, byte for byte, are chunks of the target. Both arrays are prepared where they are not. */
  readonly isSame: boolean;
}

/**
 * Plans of the node at a location and of all below it, each before those below it.
 * @throws as `copyNode`, before anything is written
 */
export async function planNodes<S extends WritableStore>(
  from: Node,
  to: Location<S>,
  options: Conversion & StoreOptions,
): Promise<readonly NodePlan<S>[]> {
  checkApart(from, to);
  const nodes: Node[] = [from];
  if (from.kind === "group") for await (const node of members(from, options)) nodes.push(node);
  checkOptions(options);
  checkRanks(nodes, options);
  const plans: NodePlan<S>[] = [];
  for (const node of nodes) {
    const location = to.resolve(node.path.slice(from.path.length).replace(/^\//, ""));
    // Attributes are given for the node that is copied, not for those below it.
    const conversion = node === from ? options : { ...options, attributes: undefined };
    plans.push(await planNode(node, location, conversion));
  }
  return plans;
}

async function planNode<S extends WritableStore>(
  node: Node,
  location: Location<S>,
  options: Conversion & StoreOptions,
): Promise<NodePlan<S>> {
  const spellings = await numberSpellings(node, options);
  if (node.kind === "group") {
    const metadata = convertGroup(node.metadata, options);
    await documentsOf(location, metadata);
    return { source: node, location, metadata, spellings };
  }
  try {
    const metadata = await convertArray(node.metadata, options);
    await documentsOf(location, metadata);
    const target = new ZarrArray<DataTypeName, S>(location.store, location.path, metadata);
    const isSame = await hasSameChunks(node.metadata, metadata);
    if (!isSame) {
      await Promise.all([node.prepare(), target.prepare()]);
      await checkCodecsWrite(metadata);
    }
    const order = options.order === undefined ? lostOrder(node.metadata, metadata) : undefined;
    const note = order && {
      path: node.path,
      message: `stored in order C: ${metadata.zarrFormat === 2 ? "v2" : "the draft"} has no order [${order.join(", ")}] of dimensions`,
    };
    return { source: node, location, metadata, arrays: { source: node, target, isSame }, spellings, note };
  } catch (error) {
    if (!isZarrError(error, "UnsupportedError") || error.path !== undefined) throw error;
    throw new UnsupportedError(error.message, { path: node.path, cause: error });
  }
}

/**
 * Has numbers of attributes and fill values spelt as they are in the source: 1.0 is not 1 in Python. Nothing is read where no number is
 * whole, or where all are of integers.
 */
async function numberSpellings(
  node: Node,
  { attributes, signal }: Conversion & StoreOptions,
): Promise<NewNodeOptions["spellings"]> {
  const isV2 = node.metadata.zarrFormat === 2;
  const spellings: NumberSpellings = new WeakMap();
  const read = async (key: AbsolutePath): Promise<JsonObject> => {
    const found = await readDocument(asTheyAreNow(node.store), key, { signal }, spellings);
    return isJsonObject(found?.json) ? found.json : {};
  };
  const keepsAttributes = attributes === undefined && hasWholeNumber(node.metadata.attributes);
  const keepsFill = hasWholeFloat(node);
  if (!keepsAttributes && !keepsFill) return undefined;
  const main = keepsFill || !isV2 ? await read(await nodeDocumentKey(node)) : {};
  const attributesBefore =
    keepsAttributes && isV2 ? await read(keyBelow(node.path, ".zattrs")) : main.attributes;
  return (key, document) => {
    if (key.endsWith(".zattrs")) {
      if (keepsAttributes) keepSpellings(spellings, document, attributesBefore);
      return spellings;
    }
    if (keepsAttributes) keepSpellings(spellings, document.attributes, attributesBefore);
    const known = spellings.get(main);
    if (keepsFill && known !== undefined) spellings.set(document, known);
    if (keepsFill) keepSpellings(spellings, document.fill_value, main.fill_value);
    return spellings;
  };
}

/** Whether the fill value is of floats and has a number that may be spelt with a fraction, or without. */
function hasWholeFloat(node: Node): boolean {
  if (node.kind === "group" || !/^(b?float|complex)/.test(node.dataType.name)) return false;
  const { fillValue } = node.metadata;
  return fillValue !== undefined && hasWholeNumber(node.dataType.scalarToJson(fillValue, 3));
}

function hasWholeNumber(json: Json): boolean {
  if (typeof json === "number") return Number.isInteger(json);
  return typeof json === "object" && json !== null && Object.values<Json>(json).some(hasWholeNumber);
}

/** Nothing would be left to read once the target has been made. */
function checkApart(from: Location, to: Location): void {
  const isWithin = (inner: string, outer: string): boolean =>
    outer === "/" || inner === outer || inner.startsWith(`${outer}/`);
  if (
    placeOf(from.store) !== placeOf(to.store) ||
    !(isWithin(from.path, to.path) || isWithin(to.path, from.path))
  )
    return;
  throw new InvalidArgumentError(`expected a target apart from the source ${from.path}, got ${to.path}`);
}

/** An option for arrays of one rank that fits none of them is a mistake. */
function checkRanks(nodes: readonly Node[], { chunkShape, shards, dimensionNames }: Conversion): void {
  const ranks = new Set(nodes.flatMap((node) => (node.kind === "array" ? [node.shape.length] : [])));
  for (const [name, option] of Object.entries({ chunkShape, shards, dimensionNames })) {
    if (option === undefined || ranks.has(option.length) || ranks.size === 0) continue;
    throw new InvalidArgumentError(
      `${name}: expected ${[...ranks].sort().join(" or ")} items, one for each dimension, got ${option.length}`,
    );
  }
}
