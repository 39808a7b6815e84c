/** Writes elements. Loaded by the first write, so that programs that only read do not download it. */

import { at } from "../../base/at.js";
import { InvalidArgumentError, isZarrError } from "../../base/errors.js";
import { checkNames } from "../../base/option-names.js";
import { cOrderStrides, product } from "../../base/shape.js";
import type { PreparedArray } from "../../core/line/prepared.js";
import { forEachArray, selectionFor } from "../../core/line/rectilinear/by-shape.js";
import type { BandPlan } from "../../core/line/shared/bands.js";
import type { WriteOptions } from "../../core/line/shared/options.js";
import { CallerElements, type SourceElements } from "../../core/line/write/caller-elements.js";
import { ElementEncoder } from "../../core/line/write/elements.js";
import type { WriteSource } from "../../core/line/write/encoders.js";
import {
  beyondEnd,
  COVERED,
  claimed,
  type IsBeyond,
  type Overwriting,
} from "../../core/line/write/overwriting.js";
import { PickedElements } from "../../core/line/write/picked-elements.js";
import { writeSelection } from "../../core/line/write/write.js";
import { checkWritable } from "../../core/stores/check-store.js";
import { isArrowVector } from "../../data-types/arrow-vector.js";
import type { DataType } from "../../data-types/data-type.js";
import { isBeyondEdge } from "../../grid/beyond-edge.js";
import { type ChunkRuns, chunkRuns } from "../../grid/chunk-grid.js";
import { type BasicSelection, normaliseSelection, type Selection } from "../../grid/selection.js";
import { loadKernels } from "../../kernels/load.js";
import type { ArrayMetadata } from "../../metadata/model.js";
import { checkArray } from "../nodes/check-arguments.js";
import { arrayOf, type ChunkLike, checkStrides, isChunkLike } from "../nodes/chunk-like.js";
import type { ZarrArray } from "../nodes/nodes.js";
import { readOptions } from "../read/read-options.js";
import type { Claim } from "./append-claim.js";
import { SET, type SetOptions } from "./set-options.js";

/**
 * The implementation of `set`.
 * @param prepare returns the prepared array that is written to
 * @param overwriting what is overwritten without reading it
 */
export async function setPrepared(
  array: ZarrArray<unknown>,
  prepare: () => Promise<PreparedArray>,
  selection: Selection,
  value: unknown,
  options: SetOptions,
  overwriting = COVERED,
): Promise<void> {
  checkArray(array);
  checkWritable(array.store, array.path);
  const basic = normaliseSelection(selection, array.metadata.shape);
  const write = writeOptions(array, options, "set", overwriting);
  const source = await toSource(array.metadata, value, basic, boxSource);
  const prepared = await prepare();
  await writeSelection(prepared, checkWritable(prepared.store, array.path), basic, source, write);
}

/**
 * Writes elements of an array that is longer than what readers see. Chunks beyond the end of that are
 * overwritten without reading: a failed append may have left elements in them.
 * @param seen the shape that readers see
 * @param claim on the end of the array, for a store where other processes may append at the same time
 */
export async function setBeyond(
  array: ZarrArray<unknown>,
  seen: readonly number[],
  claim: Claim | undefined,
  selection: Selection,
  value: unknown,
  options: SetOptions,
): Promise<void> {
  const isBeyond: IsBeyond = (chunk) => isBeyondEdge(array.metadata.chunkGrid, chunk, seen);
  const overwriting = claim === undefined ? beyondEnd(isBeyond) : claimed(isBeyond, () => claim.confirm());
  await setPrepared(array, () => array.prepare(), selection, value, options, overwriting);
}

/**
 * Writes the elements of a plan. @param values a scalar, or elements of the shape of `selection`
 * @param name of the function that the caller called, for errors
 */
export async function setFancy(
  array: ZarrArray<unknown>,
  selection: BasicSelection,
  plan: (runs: readonly ChunkRuns[]) => BandPlan,
  values: unknown,
  options: SetOptions,
  name: string,
): Promise<void> {
  checkWritable(array.store, array.path);
  const write = writeOptions(array, options, name, COVERED);
  const source = await toSource(array.metadata, values, selection, pickedSource);
  const prepared = await (array.inner ?? array).preparePlain();
  const store = checkWritable(prepared.store, array.path);
  const chunks = plan(chunkRuns(array.metadata.chunkGrid));
  const picked = selectionFor(prepared, []);
  await forEachArray(prepared, chunks, write, (part, partOptions) =>
    writeSelection(part, store, picked, source, partOptions),
  );
}

/** Makes the source of a write, which copies elements of fixed size. */
type SourceOf = (elements: SourceElements) => WriteSource;

/** Elements of a box, by runs. */
const boxSource: SourceOf = (elements) => ({
  strides: elements.strides,
  offset: 0,
  encoder: (decoder, { selection, writeEmptyChunks }) =>
    new ElementEncoder(decoder, new CallerElements(decoder, selection, elements), writeEmptyChunks),
});

/** Single elements, at the places of a plan. */
const pickedSource: SourceOf = (elements) => ({
  strides: elements.strides,
  offset: 0,
  encoder: (decoder, { writeEmptyChunks }) =>
    new ElementEncoder(decoder, new PickedElements(decoder, elements), writeEmptyChunks),
});

/**
 * Checks a caller's value and turns it into bytes with byte strides.
 * @throws InvalidArgumentError for another shape, elements that the data type cannot represent, strides that
 * leave the data
 */
async function toSource(
  { dataType, fillValue }: ArrayMetadata,
  values: unknown,
  selection: BasicSelection,
  sourceOf: SourceOf,
): Promise<WriteSource> {
  const { shape } = selection;
  const count = product(shape);
  const chunk = typeof values === "object" ? await chunkOf(values, shape) : undefined;
  const value = chunk ?? values;
  if (chunk !== undefined) checkShape(chunk.shape, shape);
  if (dataType.variable !== undefined) {
    const { variableSource } = await import("../read/variable-length.js");
    return variableSource(dataType, fillValue, value, selection, chunk);
  }
  if (chunk !== undefined) {
    const stride = chunk.stride ?? cOrderStrides(shape, 1);
    const bytes = elementBytes(dataType, chunk.data);
    checkStrides(stride, shape, bytes.length / dataType.itemSize);
    if (isPermuted(stride)) await (await loadKernels()).loadTransposition();
    return sourceOf(spread(bytes, stride, selection, dataType.itemSize));
  }
  const whole = dataType.bytesOf(value);
  if (whole !== undefined) {
    if (whole.length !== count * dataType.itemSize) {
      throw new InvalidArgumentError(
        `expected ${count} elements for the selection's shape [${shape.join(", ")}], got ${whole.length / dataType.itemSize}`,
      );
    }
    return sourceOf(spread(whole, cOrderStrides(shape, 1), selection, dataType.itemSize));
  }
  const bytes = new Uint8Array(dataType.itemSize);
  dataType.writeScalar(castScalar(dataType, value), bytes);
  return sourceOf({ bytes, strides: selection.dimensions.map(() => 0) });
}

/** @throws InvalidArgumentError; for an object, the message says to pass { data, shape } */
function castScalar(dataType: DataType, value: unknown): unknown {
  try {
    return dataType.cast(value);
  } catch (cause) {
    if (typeof value !== "object" || value === null || !isZarrError(cause, "InvalidArgumentError"))
      throw cause;
    throw new InvalidArgumentError(`${cause.message}; pass elements as { data, shape }`, { cause });
  }
}

/**
 * The value as a chunk, if it is a chunk, a chunk whose data is an Arrow vector, or a vector (then of
 * `shape`); else undefined.
 */
async function chunkOf(value: unknown, shape: readonly number[]): Promise<ChunkLike<unknown> | undefined> {
  const chunk = isChunkLike(value) ? value : undefined;
  const vector = chunk === undefined ? value : chunk.data;
  if (!isArrowVector(vector)) return chunk;
  if (chunk === undefined && vector.length !== product(shape)) {
    throw new InvalidArgumentError(
      `expected ${product(shape)} elements for the selection's shape [${shape.join(", ")}], got a vector of ${vector.length}`,
    );
  }
  const { elementsOfArrow } = await import("../../data-types/extra/arrow.js");
  return { shape, ...chunk, data: elementsOfArrow(vector) };
}

/** Whether the elements are in another order than C, such as Fortran order. */
function isPermuted(stride: readonly number[]): boolean {
  return stride.some((step, d) => d > 0 && step > at(stride, d - 1));
}

function checkShape(got: readonly number[], expected: readonly number[]): void {
  if (got.length === expected.length && got.every((length, d) => length === expected[d])) return;
  throw new InvalidArgumentError(
    `expected elements of the selection's shape [${expected.join(", ")}], got [${got.join(", ")}]`,
  );
}

/**
 * Turns element strides per selection dimension into byte strides per array dimension; dropped dimensions
 * have stride 0.
 */
function spread(
  bytes: Uint8Array,
  stride: readonly number[],
  selection: BasicSelection,
  itemSize: number,
): SourceElements {
  let next = 0;
  const strides = selection.dimensions.map(({ drop }) => (drop ? 0 : at(stride, next++) * itemSize));
  return { bytes, strides };
}

/** @throws InvalidArgumentError for an invalid concurrency */
function writeOptions(
  array: ZarrArray<unknown>,
  options: SetOptions,
  name: string,
  overwriting: Overwriting,
): WriteOptions {
  checkNames(options, name, SET);
  return {
    ...options,
    ...readOptions(options),
    overwriting,
    // With an undefined (null) fill value, readers may return anything for a chunk that is not stored.
    writeEmptyChunks:
      options.writeEmptyChunks === true || overwriting.storesEmpty || array.metadata.fillValue === undefined,
  };
}

/**
 * The elements as bytes: a view for the data type's own array class, else elements are checked and cast one
 * by one.
 */
function elementBytes(dataType: DataType, values: unknown): Uint8Array {
  const elements = dataType.bytesOf(values);
  if (elements !== undefined) return elements;
  const data = arrayOf(dataType, values);
  const { itemSize } = dataType;
  const bytes = new Uint8Array(data.length * itemSize);
  for (let i = 0; i < data.length; i++) {
    dataType.writeScalar(dataType.cast(data[i]), bytes.subarray(i * itemSize, (i + 1) * itemSize));
  }
  return bytes;
}
