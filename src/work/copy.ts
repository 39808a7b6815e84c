/**
 * Copies arrays and hierarchies, from any format, layout and codecs to any other: first the plan of all
 * nodes, then the nodes and their chunks.
 */

import {
  type AbsolutePath,
  type ArrayMetadata,
  asTheyAreNow,
  type ChunkCopy,
  type ChunkWorkers,
  type Conversion,
  canList,
  checkCodecsWrite,
  checkConcurrency,
  checkNames,
  checkOptions,
  checkWorkers,
  checkWritable,
  consolidateMetadata,
  convertArray,
  convertGroup,
  copyBytes,
  copyElements,
  type DataTypeName,
  documentsOf,
  type GroupMetadata,
  hasSameChunks,
  InvalidArgumentError,
  isJsonObject,
  isZarrError,
  type Json,
  type JsonObject,
  keepSpellings,
  type Location,
  lostOrder,
  members,
  type NamesOf,
  type NewNode,
  type Node,
  nodeDocumentKey,
  type OnProgress,
  open,
  readDocument,
  STORE_OPTIONS,
  type Store,
  type StoreOptions,
  storageOf,
  storeOptionsOf,
  toLocation,
  UnsupportedError,
  untilAborted,
  type WritableStore,
  writeNewNodes,
  ZarrArray,
} from "../core/for-work.js";
import { isCopyConsolidated } from "./consolidated-copy.js";

/** Options of `copyNode`: what the copy changes, and how it runs. */
export interface CopyOptions extends Conversion, StoreOptions {
  /**
   * True replaces an existing node at the target and everything below it; otherwise an existing node is an
   * error.
   */
  readonly overwrite?: boolean | undefined;
  /** Chunks read or written at once; 32 unless given, fewer if chunks are large. */
  readonly concurrency?: number | undefined;
  /** A WorkerPool of `wazarr/workers`: chunks whose bytes change are decoded and encoded on other cores. */
  readonly workers?: ChunkWorkers | undefined;
  /**
   * Called as chunks (inner chunks of shards) of the target are done, counted over all arrays. When elements
   * are decoded and encoded again, half of their `bytes` count when read and half when encoded. It is also
   * called within shards and long bands of chunks.
   */
  readonly onProgress?: OnProgress | undefined;
}

export const CONVERSION: NamesOf<Conversion> = {
  zarrFormat: true,
  chunkShape: "list",
  shards: "list",
  codecs: true,
  fillValue: true,
  order: true,
  endian: true,
  dimensionNames: "list",
  attributes: true,
};
const OPTIONS: NamesOf<CopyOptions> = {
  ...CONVERSION,
  ...STORE_OPTIONS,
  overwrite: true,
  concurrency: true,
  workers: true,
  onProgress: "function",
};

/**
 * A difference that the options did not ask for: the target's format cannot hold something. Elements never
 * differ.
 */
export interface CopyNote {
  /** The node that was copied. */
  readonly path: AbsolutePath;
  /** The values that the target's format cannot hold. */
  readonly message: string;
}

/** The result of `copyNode`. */
export interface CopyResult {
  /** Empty if the copy is as the options asked for. */
  readonly notes: readonly CopyNote[];
}

/**
 * Copies an array, or a group with everything below it. Chunks whose bytes stay valid are copied as they are;
 * others are decoded and encoded again, in boxes of at most 32 MiB (or one chunk). All nodes are planned and
 * checked before anything is written. Documents come last, so that a copy that is interrupted does not open.
 * The copy of a consolidated hierarchy to the root of a store is consolidated, too.
 * @example
 * ```ts
 * await copyNode(store, new Map(), { chunkShape: [1, 512, 512], codecs: ["gzip"] });
 * ```
 * @returns notes for arrays that the copy stores in another order of dimensions, because v2 and the draft
 * only have C and F
 * @throws NotFoundError, AlreadyExistsError without `overwrite`, UnsupportedError for features that the
 * target's format lacks or a group in a store that cannot be listed, InvalidArgumentError,
 * InvalidMetadataError, UnknownCodecError, CodecError, StoreError
 */
export async function copyNode<S extends WritableStore>(
  source: Location | Store,
  target: Location<S> | S,
  options: CopyOptions = {},
): Promise<CopyResult> {
  checkNames(options, "copyNode", OPTIONS);
  return untilAborted(options.signal, async () => {
    checkConcurrency(options.concurrency);
    if (options.workers) checkWorkers(options.workers);
    const from = await open(toLocation(source), { signal: options.signal });
    const to = toLocation(target);
    checkWritable(to.store, to.path);
    const nodes = await planNodes(from, to, options);
    const copies = new Map<NodePlan<S>, ChunkCopy>();
    for (const node of nodes) {
      const { source: array, target: copied, isSame } = node.arrays ?? {};
      if (array && copied) copies.set(node, (isSame ? copyBytes : copyElements)(array, copied));
    }
    const chunksTotal = [...copies.values()].reduce((total, { chunks }) => total + chunks, 0);
    const counted = { chunksDone: 0, bytes: 0 };
    const { concurrency, signal, workers, overwrite } = options;
    await writeNewNodes(nodes, { signal, overwrite }, async () => {
      for (const node of nodes) {
        const before = { ...counted };
        await copies.get(node)?.run({ concurrency, signal, workers }, (chunks, bytes) => {
          counted.chunksDone = before.chunksDone + chunks;
          counted.bytes = Math.max(counted.bytes, before.bytes + bytes);
          options.onProgress?.({ ...counted, chunksTotal });
        });
      }
    });
    const isDraft = nodes[0]?.metadata.zarrFormat === "draft";
    if (!isDraft && canList(to.store) && (await isCopyConsolidated(from, to, options)))
      await consolidateMetadata(to.store, { signal });
    return { notes: nodes.flatMap(({ note }) => note ?? []) };
  });
}

/** The plan to copy one node: its metadata and location in the target. */
export interface NodePlan<S extends WritableStore> {
  readonly source: Node;
  readonly location: Location<S>;
  readonly metadata: ArrayMetadata | GroupMetadata;
  /** The source and target of the chunks; undefined for groups. */
  readonly arrays?: ArrayPair<S>;
  readonly spelledLike?: NewNode["spelledLike"];
  readonly note?: CopyNote | undefined;
}

export interface ArrayPair<S extends WritableStore = WritableStore> {
  readonly source: ZarrArray;
  readonly target: ZarrArray<DataTypeName, S>;
  /** Whether the target's chunks have the same bytes as the source's. If not, both arrays are prepared. */
  readonly isSame: boolean;
}

/**
 * Plans the copy of a node and of all nodes below it; a group's plan comes before those of its children.
 * @throws as `copyNode`, before anything is written
 */
export async function planNodes<S extends WritableStore>(
  from: Node,
  to: Location<S>,
  options: Conversion & StoreOptions,
): Promise<readonly NodePlan<S>[]> {
  checkApart(from, to);
  const nodes: Node[] = [from];
  if (from.kind === "group")
    for await (const node of members(from, storeOptionsOf(options))) nodes.push(node);
  checkOptions(options);
  checkRanks(nodes, options);
  const plans: NodePlan<S>[] = [];
  for (const node of nodes) {
    const location = to.resolve(node.path.slice(from.path.length).replace(/^\//, ""));
    // The option `attributes` is for the copied node, not for nodes below it.
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
  if (node.kind === "group") {
    const metadata = convertGroup(node.metadata, options);
    await documentsOf(location, metadata);
    return { source: node, location, metadata };
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
    const spelledLike = await spelledFill(node, options);
    return { source: node, location, metadata, arrays: { source: node, target, isSame }, spelledLike, note };
  } catch (error) {
    if (!isZarrError(error, "UnsupportedError") || error.path !== undefined) throw error;
    throw new UnsupportedError(error.message, { path: node.path, cause: error });
  }
}

/**
 * The source's fill value as it is written, because 1.0 is not 1 in Python. The source's document is read
 * only if the fill value holds a whole floating-point number.
 */
async function spelledFill(array: ZarrArray, { signal }: StoreOptions): Promise<JsonObject | undefined> {
  if (!hasWholeFloat(array)) return undefined;
  const found = await readDocument(asTheyAreNow(array.store), await nodeDocumentKey(array), { signal });
  if (!isJsonObject(found?.json) || found.json.fill_value === undefined) return undefined;
  return keepSpellings({ fill_value: found.json.fill_value }, found.json);
}

/** Whether the fill value has a whole floating-point number, which JSON may spell as 1 or 1.0. */
function hasWholeFloat({ dataType, metadata: { fillValue } }: ZarrArray): boolean {
  if (!/^(b?float|complex)/.test(dataType.name)) return false;
  return fillValue !== undefined && hasWholeNumber(dataType.scalarToJson(fillValue, 3));
}

function hasWholeNumber(json: Json): boolean {
  if (typeof json === "number") return Number.isInteger(json);
  return typeof json === "object" && json !== null && Object.values<Json>(json).some(hasWholeNumber);
}

/**
 * Refuses a target within the source, or the reverse: creating the target would delete or change the source.
 */
function checkApart(from: Location, to: Location): void {
  const isWithin = (inner: string, outer: string): boolean =>
    outer === "/" || inner === outer || inner.startsWith(`${outer}/`);
  if (
    storageOf(from.store) !== storageOf(to.store) ||
    !(isWithin(from.path, to.path) || isWithin(to.path, from.path))
  )
    return;
  throw new InvalidArgumentError(
    `source and target: expected two paths of which neither contains the other, got ${from.path} and ${to.path}`,
  );
}

/**
 * Refuses a `chunkShape`, `shards` or `dimensionNames` whose length is not the rank of any copied array.
 */
function checkRanks(nodes: readonly Node[], { chunkShape, shards, dimensionNames }: Conversion): void {
  const ranks = new Set(nodes.flatMap((node) => (node.kind === "array" ? [node.shape.length] : [])));
  for (const [name, option] of Object.entries({ chunkShape, shards, dimensionNames })) {
    if (option === undefined || ranks.has(option.length) || ranks.size === 0) continue;
    throw new InvalidArgumentError(
      `${name}: expected ${[...ranks].sort().join(" or ")} items, one for each dimension, got ${option.length}`,
    );
  }
}
