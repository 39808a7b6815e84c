/** Reading elements: a selection, or one whole chunk. */

import { at } from "../../base/at.js";
import { describe, InvalidSelectionError } from "../../base/errors.js";
import { lazy } from "../../base/loading.js";
import { checkNames, checkObject } from "../../base/option-names.js";
import { cOrderStrides, product } from "../../base/shape.js";
import { innerChunkShape } from "../../core/codecs/sharding/document.js";
import { askAhead } from "../../core/line/ahead.js";
import type { PreparedArray } from "../../core/line/prepared.js";
import { readSelection } from "../../core/line/select.js";
import type { ReadOptions } from "../../core/line/shared/options.js";
import type { Store } from "../../core/stores/store.js";
import type { Column } from "../../data-types/column.js";
import { presentSafely } from "../../data-types/integer.js";
import type { ScalarOf } from "../../data-types/names.js";
import { chunkBoxOf, gridShapeOf } from "../../grid/chunk-grid.js";
import type { NamedEntries, NamedSelection, ResultOf } from "../../grid/result-type.js";
import { type BasicSelection, normaliseSelection, type Selection } from "../../grid/selection.js";
import type { ChunkGrid } from "../../metadata/model.js";
import { checkArray, notAnArray } from "../nodes/check-arguments.js";
import type { Chunk, ZarrArray } from "../nodes/nodes.js";
import { untilOptionsAbort } from "../nodes/options-signal.js";
import { mayAskAhead, prepareFor } from "../nodes/prepare-for.js";
import {
  checkWithoutAs,
  type DrawnAs,
  type DrawnChunk,
  type DrawOptions,
  type HistogramOptions,
} from "./draw-options.js";
import { type ColumnOptions, GET, type GetOptions, type SafeIntegersOptions } from "./get-options.js";
import { readOptions, WITHOUT_OPTIONS } from "./read-options.js";
import { resultBytes } from "./result-bytes.js";

/** In Chromium, modules that are imported several times at once arrive in any order, and reads with them. */
const loadDrawn = /* @__PURE__ */ lazy(() => import("./drawn.js"));
const loadVariable = /* @__PURE__ */ lazy(() => import("./variable-length.js"));

/** Elements of variable length as one column in C order, with its shape; `stride` counts elements. */
export interface ColumnChunk<D> {
  /** Offsets and data of all elements. */
  data: Column<ScalarOf<D>>;
  /** Lengths of the dimensions. */
  shape: number[];
  /** Elements from one index to the next, for each dimension. */
  stride: number[];
}

/** A selection of integers alone gives a scalar. */
export type GetColumnResult<D, Sel> = ResultOf<Sel, ColumnChunk<D>, ScalarOf<D>>;

/**
 * A selection of integers alone gives a number; of "float16" its bits. With `statistics` it gives a chunk
 * without dimensions.
 */
export type GetDrawnResult<Options extends DrawOptions, Sel> = Options extends {
  readonly statistics: true | HistogramOptions;
}
  ? DrawnChunk<Options>
  : ResultOf<Sel, DrawnChunk<Options>, ScalarOf<DrawnAs<Options["as"]>>>;

/** The data type of results with `safeIntegers`: float64 for 64-bit integers. */
export type SafeIntegers<D> = D extends "int64" | "uint64" | `${"<" | ">"}${"i" | "u"}8` ? "float64" : D;

/**
 * A selection of integers alone gives a scalar. If the selection's type leaves that open, this is a union:
 * see ResultOf.
 */
export type GetResult<D, Sel> = ResultOf<Sel, Chunk<D>, ScalarOf<D>>;

/**
 * Reads a selection of an array into memory.
 * @example
 * ```ts
 * const { data, shape } = await get(array, [0, slice(10, 20), null]); // shape [10, 1440]
 * const one = await get(array, [0, 10, 20]); // a number
 * ```
 * @param array from `open` or `create`
 * @param selection null for everything, or per dimension an integer, a `slice`, or null for all of it; one
 * "..." fills in missing dimensions
 * @returns elements in C order, without the dimensions of integers; a scalar for integers alone and for an
 * array without dimensions
 * @throws InvalidSelectionError, InvalidArgumentError (out), CodecError, StoreError, UnknownCodecError,
 * InvalidMetadataError
 */
export function get<D, S extends Store>(
  array: ZarrArray<D, S>,
  selection: null | undefined,
  options: SafeIntegersOptions<D>,
): Promise<Chunk<SafeIntegers<D>>>;
export function get<D, S extends Store, const Sel extends Selection>(
  array: ZarrArray<D, S>,
  selection: Sel,
  options: SafeIntegersOptions<D>,
): Promise<GetResult<SafeIntegers<D>, Sel>>;
export function get<D, S extends Store>(
  array: ZarrArray<D, S>,
  selection: null | undefined,
  options: ColumnOptions<D>,
): Promise<ColumnChunk<D>>;
export function get<D, S extends Store, const Sel extends Selection>(
  array: ZarrArray<D, S>,
  selection: Sel,
  options: ColumnOptions<D>,
): Promise<GetColumnResult<D, Sel>>;
export function get<D, S extends Store, const Options extends DrawOptions>(
  array: ZarrArray<D, S>,
  selection: null | undefined,
  options: Options,
): Promise<DrawnChunk<Options>>;
export function get<D, S extends Store, const Sel extends Selection, const Options extends DrawOptions>(
  array: ZarrArray<D, S>,
  selection: Sel,
  options: Options,
): Promise<GetDrawnResult<Options, Sel>>;
export function get<D, S extends Store>(
  array: ZarrArray<D, S>,
  selection?: null,
  options?: GetOptions<D>,
): Promise<Chunk<D>>;
export function get<D, S extends Store, const Sel extends Selection>(
  array: ZarrArray<D, S>,
  selection: Sel,
  options?: GetOptions<D>,
): Promise<GetResult<D, Sel>>;
export async function get(
  array: ZarrArray<unknown>,
  selection: Selection = null,
  options?: AnyOptions & Partial<SafeIntegersOptions<unknown>>,
): Promise<unknown> {
  if (!array?.prepare) throw notAnArray(array);
  const { dataType, shape } = array.metadata;
  if (options !== undefined || dataType.variable !== undefined) return getWith(array, selection, options);
  const basic = normaliseSelection(selection, shape);
  const isScalar = basic.shape.length === 0;
  if (array.isPrepared) return readStored(array, await array.prepare(), basic, WITHOUT_OPTIONS, isScalar);
  return readBasic(array, basic, {}, { isScalar });
}

/** `get` with options, or of a data type of variable length. */
async function getWith(
  array: ZarrArray<unknown>,
  selection: Selection,
  options: AnyOptions & Partial<SafeIntegersOptions<unknown>> = {},
): Promise<unknown> {
  // What is drawn has further options, which its own code checks.
  if (!isDrawn(options)) checkStored(options, "get");
  const present = options.safeIntegers === true ? presentSafely(options.out) : undefined;
  const basic = normaliseSelection(selection, array.metadata.shape);
  const form = { isScalar: basic.shape.length === 0, present };
  return untilOptionsAbort(options, (effective) => readBasic(array, basic, effective, form));
}

function checkStored(options: AnyOptions, name: string): void {
  checkWithoutAs(options, name);
  checkNames(options, name, GET);
}

type AnyOptions = (GetOptions<unknown> & { readonly as?: "column" | undefined }) | DrawOptions;
const isDrawn = (options: AnyOptions): options is DrawOptions => (options?.as ?? "column") !== "column";

/** The form in which a read of this file gives its result. */
interface ResultForm {
  readonly isScalar: boolean;
  readonly present?: ((value: unknown) => unknown) | undefined;
  /** Read chunks as they are stored, whatever the array's `getChunk` is: for that method itself. */
  readonly isPlain?: boolean | undefined;
}

async function readBasic(
  array: ZarrArray<unknown>,
  basic: BasicSelection,
  options: AnyOptions,
  { isScalar, isPlain = false, present }: ResultForm,
): Promise<unknown> {
  const read = readOptions(options);
  const ahead = mayAskAhead(array, options, isPlain) ? askAhead(array, basic, read) : undefined;
  try {
    const prepared = await prepareFor(array, options, isPlain);
    if (isDrawn(options)) {
      const { getDrawn } = await loadDrawn();
      return await getDrawn(array, prepared, basic, options, read, isScalar);
    }
    if (array.dataType.variable !== undefined || options.as !== undefined) {
      const { getVariable } = await loadVariable();
      return await getVariable(prepared, basic, options, read, isScalar);
    }
    const { out, shared = options.useSharedArrayBuffer } = options;
    return await readStored(array, prepared, basic, read, isScalar, { out, shared }, present);
  } finally {
    ahead?.release();
  }
}

/** Reads elements of fixed size as they are. @param memory that the caller wants them in */
async function readStored(
  array: ZarrArray<unknown>,
  prepared: PreparedArray,
  basic: BasicSelection,
  options: ReadOptions,
  isScalar: boolean,
  memory: Pick<GetOptions<unknown>, "out" | "shared"> = {},
  present?: ResultForm["present"],
): Promise<unknown> {
  const { dataType } = array.metadata;
  const { shape } = basic;
  const stride = cOrderStrides(shape, 1);
  const { bytes, fresh } = resultBytes(array, memory, product(shape) * dataType.itemSize);
  await readSelection(prepared, basic, bytes, fresh, options);
  const found = isScalar ? dataType.readScalar(bytes) : (memory.out ?? dataType.view(bytes));
  const data = present === undefined ? found : present(found);
  return isScalar ? data : { data, shape: [...shape], stride };
}

/**
 * Reads one whole chunk (an inner chunk of a sharded array) in C order, including the part beyond the array's
 * edge.
 * @param coordinates the index of the chunk in the chunk grid along each dimension
 * @throws InvalidSelectionError for coordinates outside the grid, and what `get` throws
 */
export async function getChunk<D, S extends Store, const Options extends DrawOptions>(
  array: ZarrArray<D, S>,
  coordinates: readonly number[],
  options: Options,
): Promise<DrawnChunk<Options>>;
export async function getChunk<D, S extends Store>(
  array: ZarrArray<D, S>,
  coordinates: readonly number[],
  options?: GetOptions<D>,
): Promise<Chunk<D>>;
export async function getChunk(
  array: ZarrArray<unknown>,
  coordinates: readonly number[],
  options?: AnyOptions,
): Promise<unknown> {
  checkArray(array);
  if (options !== undefined && !isDrawn(options)) checkStored(options, "getChunk");
  return readChunk(array, readGrid(array), coordinates, options);
}

/** The method `getChunk` of an array: the chunk as it is stored. */
export function getPlainChunk<D, S extends Store>(
  array: ZarrArray<D, S>,
  coordinates: readonly number[],
  options?: GetOptions<D>,
): Promise<Chunk<D>>;
export function getPlainChunk(
  array: ZarrArray<unknown>,
  coordinates: readonly number[],
  options?: GetOptions<unknown>,
): Promise<unknown> {
  return readChunk(array, readGrid(array), coordinates, options, true);
}

/** The grid of the chunks that are read one by one: of a sharded array its inner chunks. */
function readGrid({ metadata }: ZarrArray<unknown>): ChunkGrid {
  const inner = innerChunkShape(metadata);
  return inner === undefined ? metadata.chunkGrid : { name: "regular", chunkShape: inner };
}

/** `getChunk` for a whole stored value: in a sharded array, a shard. */
export function getStoredChunk(
  array: ZarrArray<unknown>,
  coordinates: readonly number[],
  options?: GetOptions<unknown>,
): Promise<unknown> {
  return readChunk(array, array.metadata.chunkGrid, coordinates, options);
}

async function readChunk(
  array: ZarrArray<unknown>,
  chunkGrid: ChunkGrid,
  coordinates: readonly number[],
  options: AnyOptions = {},
  isPlain = false,
): Promise<unknown> {
  const { metadata } = array;
  if (!Array.isArray(coordinates))
    throw new InvalidSelectionError(`expected a list of chunk coordinates, got ${describe(coordinates)}`);
  const grid = gridShapeOf({ ...metadata, chunkGrid });
  const inGrid = grid.every((count, d) => Number.isInteger(coordinates[d]) && isBelow(coordinates[d], count));
  if (coordinates.length !== grid.length || !inGrid) {
    throw new InvalidSelectionError(
      `expected ${grid.length} chunk coordinates below [${grid.join(", ")}], got [${coordinates.join(", ")}]`,
    );
  }
  const box = chunkBoxOf(chunkGrid, coordinates);
  const dimensions = box.shape.map((count, d) => ({
    start: at(box.start, d),
    step: 1,
    count,
    drop: false,
  }));
  const basic: BasicSelection = { dimensions, shape: box.shape };
  return untilOptionsAbort(options, (effective) =>
    readBasic(array, basic, effective, { isScalar: false, isPlain }),
  );
}

function isBelow(value: number | undefined, end: number): boolean {
  return value !== undefined && value >= 0 && value < end;
}

/**
 * Makes a selection for `get` and `set` from dimension names: `select(array, { time: 0, latitude: slice(10,
 * 20) })`. Dimensions without a name in `selection` are selected whole. TypeScript types the result of `get`
 * as a chunk; to get the type of a scalar, select integers by position, `[0, 3]`.
 * @throws InvalidSelectionError for an array without dimension names, a name that no dimension or more than
 * one dimension has, and an undefined entry
 */
export function select<D, S extends Store>(array: ZarrArray<D, S>, selection: NamedEntries): NamedSelection {
  checkArray(array);
  checkObject(selection, "select", "an object");
  const { path } = array;
  const { dimensionNames } = array.metadata;
  if (dimensionNames === undefined) {
    throw new InvalidSelectionError("the array has no dimension names; select by position", { path });
  }
  for (const name of Object.keys(selection)) {
    const count = dimensionNames.filter((each) => each === name).length;
    if (count !== 1) {
      const known = dimensionNames.map((each) => JSON.stringify(each)).join(", ");
      const found = count === 0 ? "no dimension" : `${count} dimensions are named`;
      throw new InvalidSelectionError(`${found} ${JSON.stringify(name)}; the dimensions are ${known}`, {
        path,
      });
    }
  }
  return dimensionNames.map((name) => {
    const entry = name !== null && Object.hasOwn(selection, name) ? selection[name] : null;
    if (entry !== undefined) return entry;
    throw new InvalidSelectionError(
      `dimension ${JSON.stringify(name)}: expected an integer, slice(...) or null, got undefined`,
      { path },
    );
  });
}
