/** Compares the elements of two arrays bit for bit, one box at a time, so that memory stays bounded. */

import { at } from "../../base/at.js";
import { DifferenceError, describe, isZarrError } from "../../base/errors.js";
import { product } from "../../base/shape.js";
import { canList } from "../../core/stores/capabilities.js";
import type { StoreOptions } from "../../core/stores/store.js";
import type { DataType } from "../../data-types/data-type.js";
import { type Box, boxAt, boxGrid, coordinatesIn, selectionOf } from "../../grid/boxes.js";
import { chunkBoxOf, longestChunks } from "../../grid/chunk-grid.js";
import { coordinatesAt, gridCoordinates } from "../../grid/walk.js";
import type { ZarrArray } from "../nodes/nodes.js";
import { commonBox } from "../read/common-boxes.js";
import { get, getChunk } from "../read/get.js";
import type { GetOptions } from "../read/get-options.js";
import { storedChunks } from "../write/stored-chunks.js";
import { type ComparableElements, comparable, comparableColumn } from "./compare-elements.js";
import { isSameFill } from "./convert.js";

type ReadOptions = Pick<GetOptions, "signal" | "concurrency" | "workers">;

export interface Comparison {
  /** The number of boxes to compare. */
  readonly boxes: number;
  /**
   * @param attempt calls `compareBox`, which compares one box and returns its length in bytes, and handles
   * its errors
   * @throws DifferenceError for different elements, after all boxes have been compared
   */
  run(options: ReadOptions, attempt: (compareBox: () => Promise<number>) => Promise<void>): Promise<void>;
}

/** Assumed bytes of an element of variable length, to choose the boxes. */
const VARIABLE_BYTES = 64;
/**
 * Assumed bytes of memory per chunk in a read, besides its elements: boxes of very small chunks are smaller.
 */
const CHUNK_BYTES = 512;

/**
 * Plans the boxes to compare of two arrays. If both stores can be listed and both arrays have the same fill
 * value, these are only the boxes with a stored chunk of either array.
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
  const { isSameDataType } = await import("../../data-types/extra/struct.js");
  if (!isSameDataType(dataType, target.dataType))
    throw differs(source, target, `data type ${nameOf(dataType)}`, nameOf(target.dataType));
  await Promise.all([source.prepare(), inOther(source.path, () => target.prepare())]);
  const [targetChunks = [], sourceChunks = []] = [target, source].map(({ metadata }) =>
    longestChunks(metadata.chunkGrid),
  );
  const perElement = CHUNK_BYTES / Math.min(product(targetChunks), product(sourceChunks));
  const itemSize = (dataType.itemSize || VARIABLE_BYTES) + perElement;
  const box = commonBox(shape, [targetChunks, sourceChunks], itemSize);
  const isSparse = isSameFill(source.metadata, target.metadata) && isListed(source) && isListed(target);
  const touched = isSparse ? await touchedBoxes([source, target], box, options) : undefined;
  const cut = { shape, lengths: box };
  const grid = boxGrid(cut);
  return {
    boxes: touched?.length ?? product(grid),
    async run(read, attempt) {
      let count = 0;
      let first: Difference | undefined;
      for (const coordinates of touched ?? gridCoordinates(grid)) {
        await attempt(async () => {
          const at = boxAt(cut, coordinates);
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

/**
 * Marks errors as those of the other hierarchy, which may have the same keys.
 * @param path the node's path in this hierarchy
 */
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

/**
 * Whether the stored chunks tell which boxes have elements. An extension may return elements without a stored
 * chunk.
 */
const isListed = ({ store, inner }: ZarrArray): boolean => inner === undefined && canList(store);

/** Coordinates of the boxes that overlap a stored chunk of any of the arrays, without duplicates. */
async function touchedBoxes(
  arrays: readonly ZarrArray[],
  box: readonly number[],
  options: StoreOptions,
): Promise<readonly (readonly number[])[]> {
  const touched = new Map<string, readonly number[]>();
  for (const array of arrays) {
    for await (const chunk of storedChunks(array, options)) {
      const { start, shape } = chunkBoxOf(array.metadata.chunkGrid, chunk);
      const first = start.map((from, d) => Math.floor(from / at(box, d)));
      const counts = start.map((from, d) => {
        const last = Math.min(from + at(shape, d), at(array.shape, d)) - 1;
        return Math.floor(last / at(box, d)) - at(first, d) + 1;
      });
      for (const coordinates of coordinatesIn({ start: first, shape: counts }))
        touched.set(coordinates.join(), coordinates);
    }
  }
  return [...touched.values()];
}

interface Difference {
  readonly index: readonly number[];
  /** The elements, as a string for a message. */
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
  const selection = selectionOf({ start, shape });
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
    const inBox = coordinatesAt(shape, i);
    first ??= { index: inBox.map((by, d) => by + at(start, d)), here: here.text(i), there: there.text(i) };
  }
  return first === undefined ? { count } : { count, first };
}

/** Whether the index `a` comes before `b` in C order. */
function isBefore(a: readonly number[], b: readonly number[]): boolean {
  const d = a.findIndex((at, i) => at !== b[i]);
  return d >= 0 && at(a, d) < at(b, d);
}
