/**
 * Checks that everything at and below a location can be read: all metadata documents and all stored chunks.
 * Or compares the elements with those of another hierarchy.
 */

import {
  type ChunkWorkers,
  type Comparison,
  canList,
  checkConcurrency,
  checkNames,
  checkStore,
  checkWorkers,
  chunksInGrid,
  countStoredChunks,
  DifferenceError,
  elementsInArray,
  forEach,
  getStoredChunk,
  inOther,
  isStored,
  isZarrError,
  type Location,
  type NamesOf,
  type Node,
  nothingIn,
  type OnProgress,
  openChildren,
  openIfThere,
  planComparison,
  STORE_OPTIONS,
  type Store,
  type StoreOptions,
  staleEntries,
  storedChunks,
  storeOptionsOf,
  toLocation,
  untilAborted,
  type ZarrArray,
  type ZarrError,
} from "../core/for-work.js";

/** Options of `verify`. */
export interface VerifyOptions extends StoreOptions {
  /**
   * Another array or hierarchy to compare with, such as a copy. Nodes, shapes, data types and all elements
   * must be equal bit for bit (NaNs too). It compares boxes of at most 128 MiB of each array, or of one
   * chunk. Attributes, fill values, chunk shapes and codecs may differ.
   */
  readonly against?: Location | Store | undefined;
  /** Called for every problem as it is found. Differences are DifferenceErrors. */
  readonly onProblem?: ((problem: ZarrError) => void) | undefined;
  /**
   * Called after every chunk or shard, damaged ones included; with `against`, after every box. To count the
   * chunks beforehand, a store that can be listed is listed twice.
   */
  readonly onProgress?: OnProgress | undefined;
  /**
   * Chunks read at once; 8 unless given, because most of the work is decoding and each read holds a whole
   * chunk in memory.
   */
  readonly concurrency?: number | undefined;
  /** A WorkerPool of `wazarr/workers`: chunks are decoded on other cores. */
  readonly workers?: ChunkWorkers | undefined;
}

const OPTIONS: NamesOf<VerifyOptions> = {
  ...STORE_OPTIONS,
  against: true,
  onProblem: "function",
  onProgress: "function",
  concurrency: true,
  workers: true,
};

/** The counts of `verify`. */
export interface VerifyReport {
  /** Number of groups that were opened. */
  readonly groups: number;
  /** Number of arrays that were opened. */
  readonly arrays: number;
  /** Number of stored chunks (or shards), damaged ones included. */
  readonly chunks: number;
  /**
   * Number of chunks (or shards) in the grids of all arrays; those that are not stored read as the fill
   * value.
   */
  readonly chunksInGrid: number;
  /** Number of problems, as many as calls of `onProblem`. */
  readonly problems: number;
}

const DEFAULT_CONCURRENCY = 8;

/** Runs an action. If it fails, reports a problem and returns undefined. */
type Attempt = <Result>(action: () => Promise<Result>) => Promise<Result | undefined>;

/**
 * Opens every node at and below a location and decodes every stored chunk; reads check sizes and checksums.
 * With `against` it compares the elements with those of another hierarchy instead. At the root of a store
 * that can be listed, it also reports consolidated metadata whose shapes or attributes are older than the
 * documents. Verifying a group needs a store that can be listed, an array does not.
 * @example
 * ```ts
 * const { problems } = await verify(store, { onProblem: (problem) => console.log(problem.message) });
 * ```
 * @returns the numbers of groups, arrays, chunks and problems
 * @throws NotFoundError when there is no node, InvalidArgumentError for invalid options
 */
export async function verify(where: Location | Store, options: VerifyOptions = {}): Promise<VerifyReport> {
  checkNames(options, "verify", OPTIONS);
  return untilAborted(options.signal, async () => {
    const concurrency = checkConcurrency(options.concurrency ?? DEFAULT_CONCURRENCY);
    const location = toLocation(where);
    checkStore(location.store);
    const other = options.against === undefined ? undefined : toLocation(options.against);
    if (other) checkStore(other.store);
    if (options.workers) checkWorkers(options.workers);
    let problems = 0;
    const attempt: Attempt = async (action) => {
      try {
        return await action();
      } catch (error) {
        if (!isZarrError(error)) throw error;
        problems++;
        options.onProblem?.(error);
        return undefined;
      }
    };

    const nodes = await nodesOf(location, options, attempt);
    // The caller's promise has already rejected on abort: make no more requests.
    options.signal?.throwIfAborted();
    if (nodes.length + problems === 0) throw nothingIn(location);
    const [
      {
        metadata: { zarrFormat },
      } = { metadata: { zarrFormat: "draft" as const } },
    ] = nodes;
    if (zarrFormat !== "draft" && location.path === "/" && canList(location.store)) {
      const stale = await attempt(() => staleEntries(location.store, zarrFormat, options));
      for (const error of stale ?? []) await attempt(() => Promise.reject(error));
    }
    const arrays = nodes.filter((node) => node.kind === "array");
    const { signal, workers, onProgress } = options;
    const run = { signal, workers, onProgress, concurrency };
    const chunks =
      other === undefined
        ? await decodeChunks(arrays, run, attempt)
        : await compareNodes({ location, nodes }, other, run, attempt);
    return {
      groups: nodes.length - arrays.length,
      arrays: arrays.length,
      chunks,
      chunksInGrid: arrays.reduce((sum, array) => sum + chunksInGrid(array), 0),
      problems,
    };
  });
}

/** The node at a location and all nodes below it; those that cannot be opened are reported. */
async function nodesOf(location: Location, options: StoreOptions, attempt: Attempt): Promise<Node[]> {
  const nodes: Node[] = [];
  async function visit(node: Node): Promise<void> {
    nodes.push(node);
    if (node.kind === "group") await visitChildren(node);
  }
  async function visitChildren(at: Location): Promise<void> {
    for (const openNode of await openChildren(at, options)) {
      await attempt(async () => {
        const node = await openNode();
        if (node !== undefined) await visit(node);
      });
    }
  }
  await attempt(async () => {
    const top = await openIfThere(location, storeOptionsOf(options));
    if (top !== undefined) await visit(top);
    // Many stores have no root group.
    else if (canList(location.store)) await visitChildren(location);
  });
  return nodes;
}

interface RunOptions extends VerifyOptions {
  readonly concurrency: number;
}

/** @returns the number of stored chunks */
async function decodeChunks(
  arrays: readonly ZarrArray[],
  { onProgress, ...options }: RunOptions,
  attempt: Attempt,
): Promise<number> {
  let chunksTotal = 0;
  // A failure to list is reported below, when the chunks are read.
  for (const array of onProgress ? arrays : [])
    chunksTotal += (await countStoredChunks(array, options).catch(() => 0)) ?? chunksInGrid(array);
  let [stored, chunksDone, bytes] = [0, 0, 0];
  for (const array of arrays) {
    await attempt(async () => {
      // Reports a problem with the codecs once, not for every chunk.
      await array.prepare();
      await forEach(storedChunks(array, options), options.concurrency, async (chunk) => {
        options.signal?.throwIfAborted();
        await attempt(async () => {
          if (!(await isStored(array, chunk, options))) return;
          options.signal?.throwIfAborted();
          stored++;
          await getStoredChunk(array, chunk, { signal: options.signal, workers: options.workers });
        });
        chunksDone++;
        bytes += elementsInArray(array.metadata, chunk) * array.dataType.itemSize;
        onProgress?.({ chunksDone, chunksTotal, bytes });
      });
    });
  }
  return stored;
}

/** @returns the number of stored chunks of `nodes` */
async function compareNodes(
  { location, nodes }: { readonly location: Location; readonly nodes: readonly Node[] },
  other: Location,
  { onProgress, ...options }: RunOptions,
  attempt: Attempt,
): Promise<number> {
  const attemptOther: Attempt = (action) => attempt(() => inOther(other.path, action));
  const found = await nodesOf(other, options, attemptOther);
  if (found.length === 0) throw nothingIn(other);
  const others = new Map(found.map((node) => [below(other, node), node]));
  const comparisons: Comparison[] = [];
  let stored = 0;
  for (const node of nodes) {
    const counterpart = others.get(below(location, node));
    others.delete(below(location, node));
    if (node.kind === "array") stored += (await attempt(() => countStored(node, options))) ?? 0;
    await attempt(async () => {
      if (node.kind === "array" && counterpart?.kind === "array")
        comparisons.push(await planComparison(node, counterpart, options));
      else if (node.kind !== counterpart?.kind && !isRootGroup(location, node)) {
        const got = counterpart === undefined ? "nothing that can be read" : `a ${counterpart.kind}`;
        throw new DifferenceError(`${node.kind} here, ${got} in the other hierarchy`, { path: node.path });
      }
    });
  }
  for (const node of others.values()) {
    if (isRootGroup(other, node)) continue;
    const { path } = location.resolve(below(other, node));
    await attempt(() =>
      Promise.reject(new DifferenceError(`nothing here, ${node.kind} in the other hierarchy`, { path })),
    );
  }
  const chunksTotal = comparisons.reduce((sum, { boxes }) => sum + boxes, 0);
  let [chunksDone, bytes] = [0, 0];
  for (const comparison of comparisons) {
    await attempt(() =>
      comparison.run(options, async (compareBox) => {
        bytes += (await attempt(compareBox)) ?? 0;
        onProgress?.({ chunksDone: ++chunksDone, chunksTotal, bytes });
      }),
    );
  }
  return stored;
}

/** The path of a node relative to a location above it. */
function below(location: Location, { path }: Node): string {
  return path.slice(location.path.length).replace(/^\//, "");
}

/** Root groups may differ: some writers make none. */
function isRootGroup({ path }: Location, node: Node): boolean {
  return node.kind === "group" && node.path === path;
}

async function countStored(array: ZarrArray, options: RunOptions): Promise<number> {
  let count = 0;
  await forEach(storedChunks(array, options), options.concurrency, async (chunk) => {
    if (await isStored(array, chunk, options)) count++;
  });
  return count;
}
