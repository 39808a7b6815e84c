/**
 * Reads and writes elements of variable length. Loaded for such data types, and for reads with
 * `maximumDecodedBytes`.
 */

import { at } from "../../base/at.js";
import { CodecError, describe, InvalidArgumentError } from "../../base/errors.js";
import { cOrderStrides, product } from "../../base/shape.js";
import { maximumEncoded } from "../../core/codecs/decoder-result.js";
import { readColumn, readValues } from "../../core/line/placing/read-variable.js";
import type { PreparedArray } from "../../core/line/prepared.js";
import type { ReadOptions } from "../../core/line/shared/options.js";
import type { WriteSource } from "../../core/line/write/encoders.js";
import { VariableEncoder, type VariableSource } from "../../core/line/write/variable.js";
import { type ColumnData, isColumnData } from "../../data-types/column.js";
import type { DataType } from "../../data-types/data-type.js";
import type { InvalidText } from "../../data-types/extra/text.js";
import type { BasicSelection } from "../../grid/selection.js";
import { loadKernels } from "../../kernels/load.js";
import { loadStrings } from "../../kernels/strings.js";
import type { Strings } from "../../kernels/strings-kernels.js";
import { arrayOf, type ChunkLike, checkStrides } from "../nodes/chunk-like.js";

export { readValues };

interface VariableGetOptions {
  readonly out?: unknown;
  readonly shared?: boolean | undefined;
  readonly as?: "column" | undefined;
  readonly invalidText?: InvalidText | undefined;
}

/**
 * @param isScalar true returns the scalar of a selection without dimensions; false returns a chunk
 * @throws InvalidArgumentError unless `out` is an array with as many elements as the selection, for `out`
 * with `as`, and for `shared`
 */
export async function getVariable(
  array: PreparedArray,
  selection: BasicSelection,
  options: VariableGetOptions,
  reading: ReadOptions,
  isScalar: boolean,
): Promise<unknown> {
  checkVariable(array, options);
  const { out, as, invalidText = "error" } = options;
  const read = { ...reading, invalidText };
  if (isScalar) return (await readValues(array, selection, undefined, read))[0];
  const { shape } = selection;
  const place = { shape: [...shape], stride: cOrderStrides(shape, 1) };
  if (as === "column") {
    if (out !== undefined)
      throw new InvalidArgumentError(
        'out: cannot be combined with as: "column", which allocates its own memory',
      );
    return { data: await readColumn(array, selection, read), ...place };
  }
  const values = await readValues(array, selection, checkOut(out, product(shape)), read);
  return { data: values, ...place };
}

function checkVariable({ metadata: { dataType } }: PreparedArray, { as, shared }: VariableGetOptions): void {
  if (dataType.variable === undefined) {
    throw new InvalidArgumentError(
      `as: cannot convert elements of data type ${dataType.name} to "${as}"; omit \`as\``,
    );
  }
  if (shared === true) {
    throw new InvalidArgumentError(
      "shared: cannot be combined with elements of variable length, which are objects",
    );
  }
}

export function checkOut(out: unknown, count: number): unknown[] | undefined {
  if (out === undefined || (Array.isArray(out) && out.length === count)) return out;
  const got = Array.isArray(out) ? `one of ${out.length}` : "another object";
  throw new InvalidArgumentError(`out: expected an array of ${count} elements, got ${got}`);
}

/**
 * The prepared array for a read whose chunks may decode to at most `maximumDecodedBytes` each.
 * @throws InvalidArgumentError unless that is a positive number, CodecError for chunks whose shape has more
 * bytes
 */
export function boundDecoding(
  array: PreparedArray,
  maximumDecodedBytes: number,
  path: string,
): PreparedArray {
  if (!(maximumDecodedBytes > 0)) {
    throw new InvalidArgumentError(
      `maximumDecodedBytes: expected a number above 0, got ${describe(maximumDecodedBytes)}`,
    );
  }
  const { metadata, pipeline, blocks } = array;
  let inner = pipeline;
  while (inner.sharding) inner = inner.sharding.inner;
  const { byteLength } = inner;
  if (metadata.dataType.itemSize > 0 && byteLength > maximumDecodedBytes && !blocks) {
    throw new CodecError(
      `expected chunks of at most ${maximumDecodedBytes} decoded bytes, got ${byteLength} by their shape; read with a larger maximumDecodedBytes`,
      { path },
    );
  }
  const locate: PreparedArray["locate"] = (chunk) => ({ ...array.locate(chunk), maximumDecodedBytes });
  if (pipeline.variable === undefined) return { ...array, locate };
  const maximumEncodedByteLength = 2 * maximumEncoded(maximumDecodedBytes);
  return { ...array, locate, pipeline: { ...pipeline, maximumEncodedByteLength } };
}

/**
 * @param value an array, a column, a chunk of either, or one scalar for all elements
 * @throws InvalidArgumentError for elements that do not fit the data type or the selection
 */
export async function variableSource(
  dataType: DataType,
  fillValue: unknown,
  value: unknown,
  selection: BasicSelection,
  chunk: ChunkLike<unknown> | undefined,
): Promise<WriteSource> {
  const strings = await loadStrings(await loadKernels());
  const { data = value, shape = selection.shape, stride = cOrderStrides(shape, 1) } = chunk ?? {};
  const isMany = chunk !== undefined || Array.isArray(data) || isColumnData(data);
  const source = sourceOf(dataType, fillValue, isMany ? data : [data], strings);
  const length = isColumnData(source.elements) ? source.elements.offsets.length - 1 : source.elements.length;
  if (isMany && chunk === undefined && length !== product(shape)) {
    throw new InvalidArgumentError(
      `expected ${product(shape)} elements for the selection's shape [${shape.join(", ")}], got ${length}`,
    );
  }
  if (isMany) checkStrides(stride, shape, length);
  let next = 0;
  const strides = selection.dimensions.map(({ drop }) => (drop || !isMany ? 0 : at(stride, next++)));
  return {
    strides,
    offset: 0,
    encoder: (decoder, options) => new VariableEncoder(decoder, options, strides, source),
  };
}

function sourceOf(dataType: DataType, fillValue: unknown, values: unknown, strings: Strings): VariableSource {
  const { variable, defaultScalar } = dataType;
  const fill = fillValue ?? defaultScalar;
  if (isColumnData(values)) {
    if (variable === "object") {
      throw new InvalidArgumentError(
        `expected an array of values for data type ${dataType.name}, got a column`,
      );
    }
    return { kind: "column", elements: checkColumn(values, strings), fill, strings };
  }
  const data = arrayOf(dataType, values);
  // Strings are not copied: for a million of them the copy would take longer than the encoding.
  if (variable?.endsWith("text") === true && isTexts(data))
    return { kind: "text", elements: data, fill, strings };
  const elements = Array.from(data, (value) => dataType.cast(value));
  if (variable === "object") return { kind: "object", elements, fill, strings };
  return isTexts(elements)
    ? { kind: "text", elements, fill, strings }
    : { kind: "bytes", elements: elements.filter((value) => value instanceof Uint8Array), fill, strings };
}

/** @throws InvalidArgumentError for offsets that decrease or leave the data */
function checkColumn({ offsets, data }: ColumnData, strings: Strings): ColumnData {
  const first = Number(offsets[0] ?? -1);
  const last = Number(offsets[offsets.length - 1] ?? -1);
  const signed =
    offsets instanceof Uint32Array
      ? new Int32Array(offsets.buffer, offsets.byteOffset, offsets.length)
      : offsets;
  // The kernel's check reads offsets as signed: those beyond 2^31 would be negative.
  const isBeyond = offsets instanceof Uint32Array && last >= 2 ** 31;
  const decrease = isBeyond
    ? offsets.findIndex((offset, i) => i > 0 && offset < at(offsets, i - 1))
    : strings.checkOffsets(signed);
  if (first >= 0 && last <= data.length && decrease < 0) return { offsets, data };
  throw new InvalidArgumentError(
    `expected offsets that never decrease and stay within the ${data.length} bytes of data, got ${first} to ${last}${decrease > 0 ? `, with a decrease at ${decrease}` : ""}`,
  );
}

function isTexts(data: ArrayLike<unknown>): data is readonly string[] {
  if (!Array.isArray(data) || data.length === 0) return false;
  for (let i = 0; i < data.length; i++) if (typeof data[i] !== "string") return false;
  return true;
}
