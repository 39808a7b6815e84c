/**
 * What json2 and msgpack2 share: a chunk of objects as one list of its values, which may be nested as its shape is, with
 * numpy's data type and the shape behind them.
 */
import { isColumnData } from "../../data-types/column.js";
import { CodecError, InvalidMetadataError, UnsupportedError } from "../../errors.js";
import { product } from "../array-stage.js";
import type { ChunkSpec, VariableElements } from "../codec.js";

/** @throws InvalidMetadataError for a data type whose elements are not objects */
export function checkObjectType(codec: string, { dataType }: ChunkSpec): void {
  if (dataType.variable === "object") return;
  throw new InvalidMetadataError(`expected an array of objects ("|O"), got ${dataType.name}`, {
    codec,
    member: "data_type",
  });
}

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

/** The values as a flat list, which all readers shape as they need. */
export function documentOf(elements: VariableElements): readonly unknown[] {
  const values = objectsOf(elements);
  return [...values, DTYPE, [values.length]];
}
