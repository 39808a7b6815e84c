/** Whether two arrays have the same elements, bit for bit, a box at a time: bounded memory, whatever the arrays' size. */

import type { DataType } from "../data-types/data-type.js";
import type { ChunkWorkers } from "../engine/prepared.js";
import { DifferenceError, describe, isZarrError } from "../errors.js";
import { chunkBoxOf, longestChunks } from "../grid/chunk-grid.js";
import { slice } from "../grid/selection.js";
import { product } from "../shape.js";
import { canList } from "../stores/capabilities.js";
import type { StoreOptions } from "../stores/store.js";
import { type Box, boxShape, gridCoordinates, storedChunks } from "./chunk-walk.js";
import { type ComparableElements, comparable, comparableColumn } from "./compare-elements.js";
import { isSameFill } from "./convert.js";
import { get, getChunk } from "./get.js";
import type { ZarrArray } from "./nodes.js";

interface ReadOptions extends StoreOptions {
  readonly concurrency?: number | undefined;
  readonly workers?: ChunkWorkers | undefined;
}

export interface Comparison {
  /** Boxes to be compared. */
  readonly boxes: number;
  /**
   * @param attempt runs what compares one box and gives its bytes, and takes care of what it throws
   * @throws DifferenceError when all boxes have been compared
   */
  run(options: ReadOptions, attempt: (compareBox: () => Promise<number>) => Promise<void>): Promise<void>;
}

/** Bytes that an element of variable length is taken to have, where boxes are cut. */
const VARIABLE_BYTES = 64;
/** Bytes that reading takes for a chunk, whatever its length: boxes of very small chunks are smaller. */
const CHUNK_BYTES = 512;

/**
 * What has to be read of two arrays to tell whether they have the same elements. Where both stores can be listed and both arrays
 * have the same fill value, that is what has a chunk in either.
 * @throws DifferenceError for another shape or data type, and what `get` throws
 */
export async function planComparison(
  source: ZarrArray,
  target: ZarrArray,
  options: StoreOptions,
): Promise<Comparison> {
  const { shape, dataType } = source;
  if (shape.length !== target.shape.length || shape.some((extent, d) => extent !== target.shape[d]))
    throw differs(source, target, `shape [${shape.join(", ")}]`, `[${target.shape.join(", ")}]`);
  const { isSameDataType } = await import("../data-types/extra/struct.js");
  if (!isSameDataType(dataType, target.dataType))
    throw differs(source, target, `data type ${nameOf(dataType)}`, nameOf(target.dataType));
  await Promise.all([source.prepare(), inOther(source.path, () => target.prepare())]);
  const [targetChunks = [], sourceChunks = []] = [target, source].map(({ metadata }) =>
    longestChunks(metadata.chunkGrid),
  );
  const perElement = CHUNK_BYTES / Math.min(product(targetChunks), product(sourceChunks));
  const itemSize = (dataType.itemSize || VARIABLE_BYTES) + perElement;
  const box = boxShape(shape, targetChunks, sourceChunks, itemSize);
  const isSparse = isSameFill(source.metadata, target.metadata) && isListed(source) && isListed(target);
  const touched = isSparse ? await touchedBoxes([source, target], box, options) : undefined;
  const grid = shape.map((extent, d) => Math.ceil(extent / (box[d] ?? 1)));
  return {
    boxes: touched?.length ?? product(grid),
    async run(read, attempt) {
      let count = 0;
      let first: Difference | undefined;
      for (const coordinates of touched ?? gridCoordinates(grid)) {
        await attempt(async () => {
          const at = boxAt(shape, box, coordinates);
          const found = await compareBox(source, target, at, read);
          count += found.count;
          if (found.first && (first === undefined || isBefore(found.first.index, first.index)))
            first = found.first;
          return product(at.shape) * dataType.itemSize;
        });
      }
      if (first === undefined) return;
      const { index, here, there } = first;
      const place = index.length === 0 ? "" : ` [${index.join(", ")}]`;
      throw new DifferenceError(
        `${count} of ${product(shape)} elements differ from ${target.path} of the other hierarchy, the first${place}: ${here} here, ${there} there`,
        { path: source.path, index },
      );
    },
  };
}

/** Says of what goes wrong that it is in the other hierarchy, whose keys may be the same. @param path of the node in this one */
export async function inOther<Result>(path: string, action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    if (!isZarrError(error)) throw error;
    throw new DifferenceError(`in the other hierarchy: ${error.message}`, { path, cause: error });
  }
}

function differs({ path }: ZarrArray, target: ZarrArray, here: string, there: string): DifferenceError {
  return new DifferenceError(`${here} here, ${there} in ${target.path} of the other hierarchy`, { path });
}

function nameOf(dataType: DataType): string {
  try {
    return describe(dataType.toV3());
  } catch {
    return dataType.name;
  }
}

/** An extension in front of an array may give elements where no chunk is stored. */
const isListed = ({ store, inner }: ZarrArray): boolean => inner === undefined && canList(store);

/** Coordinates of the boxes that have a stored chunk of any of the arrays, each once. */
async function touchedBoxes(
  arrays: readonly ZarrArray[],
  box: readonly number[],
  options: StoreOptions,
): Promise<readonly (readonly number[])[]> {
  const touched = new Map<string, readonly number[]>();
  for (const array of arrays) {
    for await (const chunk of storedChunks(array, options)) {
      const { start, shape } = chunkBoxOf(array.metadata.chunkGrid, chunk);
      const first = start.map((at, d) => Math.floor(at / (box[d] ?? 1)));
      const counts = start.map((at, d) => {
        const last = Math.min(at + (shape[d] ?? 1), array.shape[d] ?? 1) - 1;
        return Math.floor(last / (box[d] ?? 1)) - (first[d] ?? 0) + 1;
      });
      for (const offset of gridCoordinates(counts)) {
        const coordinates = offset.map((by, d) => (first[d] ?? 0) + by);
        touched.set(coordinates.join(), coordinates);
      }
    }
  }
  return [...touched.values()];
}

function boxAt(shape: readonly number[], box: readonly number[], coordinates: readonly number[]): Box {
  const start = coordinates.map((at, d) => at * (box[d] ?? 1));
  return { start, shape: start.map((at, d) => Math.min(box[d] ?? 1, (shape[d] ?? 0) - at)) };
}

interface Difference {
  readonly index: readonly number[];
  /** The elements, as text for a message. */
  readonly here: string;
  readonly there: string;
}

interface BoxDifferences {
  readonly count: number;
  readonly first?: Difference;
}

async function compareBox(
  source: ZarrArray,
  target: ZarrArray,
  { start, shape }: Box,
  options: ReadOptions,
): Promise<BoxDifferences> {
  const selection = start.map((at, d) => slice(at, at + (shape[d] ?? 0)));
  const elementsOf = async (array: ZarrArray): Promise<ComparableElements> => {
    const { dataType } = array;
    if (shape.length === 0) return comparable(dataType, (await getChunk(array, [], options)).data);
    if (dataType.variable === undefined || dataType.variable === "object")
      return comparable(dataType, (await get(array, selection, options)).data);
    return comparableColumn((await get(array, selection, { ...options, as: "column" })).data);
  };
  const [here, there] = await Promise.all([
    elementsOf(source),
    inOther(source.path, () => elementsOf(target)),
  ]);
  let count = 0;
  let first: Difference | undefined;
  for (let i = here.nextDifference(there, 0); i < here.count; i = here.nextDifference(there, i + 1)) {
    count++;
    first ??= { index: indexOf(i, start, shape), here: here.text(i), there: there.text(i) };
  }
  return first === undefined ? { count } : { count, first };
}

function indexOf(element: number, start: readonly number[], shape: readonly number[]): number[] {
  const index = [...start];
  let rest = element;
  for (let d = shape.length - 1; d >= 0; d--) {
    const extent = shape[d] ?? 1;
    index[d] = (start[d] ?? 0) + (rest % extent);
    rest = Math.floor(rest / extent);
  }
  return index;
}

/** In C order. */
function isBefore(a: readonly number[], b: readonly number[]): boolean {
  const d = a.findIndex((at, i) => at !== b[i]);
  return d >= 0 && (a[d] ?? 0) < (b[d] ?? 0);
}
