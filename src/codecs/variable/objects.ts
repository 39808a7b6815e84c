/**
 * What json2 and msgpack2 share: a chunk as one list of its values, which may be nested as its shape is, with numpy's data type and
 * the shape behind them. Values are anything, or all of them text or bytes where the data type says so.
 */
import { isColumnData } from "../../data-types/column.js";
import { decodeTexts, encodeTexts } from "../../data-types/extra/text.js";
import { CodecError, describe, UnsupportedError } from "../../errors.js";
import type { Kernels } from "../../kernels/kernels.js";
import { stringsOf } from "../../kernels/strings.js";
import { product } from "../../shape.js";
import type { ChunkSpec, VariableElements } from "../codec.js";
import { bytesOf, concatenated, isColumnType, plain } from "./columns.js";

export function objectsOf(elements: VariableElements): readonly unknown[] {
  if (!isColumnData(elements)) return elements;
  throw new UnsupportedError("expected values, got a column");
}

const DTYPE = "|O";

/** @throws CodecError for anything but as many values as the chunk has */
export function valuesOf(document: unknown, { shape }: ChunkSpec): unknown[] {
  const count = product(shape);
  if (!Array.isArray(document) || document.length < 2) {
    throw new CodecError(`expected a list of ${count} values, a data type and a shape, got something else`);
  }
  const stored: unknown = document[document.length - 1];
  const items: readonly unknown[] = document.slice(0, -2);
  if (!isShape(stored) || product(stored) !== count) {
    throw new CodecError(
      `expected a shape of ${count} elements behind the values, got ${JSON.stringify(stored)?.slice(0, 100)}: the chunk is not of this array`,
    );
  }
  // Nested as deep as the shape says, and no deeper: values may be lists themselves.
  let values = items;
  for (let depth = 1; depth < stored.length; depth++) {
    values = values.flatMap((value, i): unknown[] => {
      if (Array.isArray(value)) return value;
      throw new CodecError(`expected lists in lists, ${stored.length} deep, got another value at ${i}`, {
        offset: i,
      });
    });
  }
  if (values.length !== count) {
    throw new CodecError(`expected ${count} values, got ${values.length}`, {
      offset: Math.min(count, values.length),
    });
  }
  return Array.from(values);
}

function isShape(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((length) => Number.isSafeInteger(length) && length >= 0);
}

/**
 * The values as what the array holds.
 * @throws CodecError with the index of a value that is not of the data type
 */
export function elementsOf(values: unknown[], spec: ChunkSpec, kernels: Kernels): VariableElements {
  if (!isColumnType(spec)) return values;
  const wrong = (index: number): CodecError =>
    new CodecError(`expected ${spec.dataType.name} in element ${index}, got ${describe(values[index])}`, {
      offset: index,
    });
  if (spec.dataType.variable?.endsWith("bytes") === true) {
    return concatenated(
      values.map((value, i) => {
        if (value instanceof Uint8Array) return value;
        throw wrong(i);
      }),
    );
  }
  const texts = values.map((value, i) => {
    // JSON can say half a surrogate pair, UTF-8 cannot.
    if (typeof value === "string" && !/\p{Surrogate}/u.test(value)) return value;
    throw wrong(i);
  });
  return encodeTexts(stringsOf(kernels), texts);
}

/** The values as a flat list, which all readers shape as they need. */
export function documentOf(
  elements: VariableElements,
  { dataType }: ChunkSpec,
  kernels: Kernels,
): readonly unknown[] {
  const values = valuesIn();
  return [...values, DTYPE, [values.length]];

  function valuesIn(): readonly unknown[] {
    if (!isColumnData(elements)) return elements;
    if (dataType.variable?.endsWith("bytes") === true) return bytesOf(elements);
    const strings = stringsOf(kernels);
    return decodeTexts(strings, plain(strings, elements), "error");
  }
}
