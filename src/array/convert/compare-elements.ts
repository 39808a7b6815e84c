/** Compares elements of any data type bit for bit. */

import { describe, UnsupportedError } from "../../base/errors.js";
import type { Column } from "../../data-types/column.js";
import type { DataType } from "../../data-types/data-type.js";
import { stringifyJson } from "../../metadata/json-text.js";

/** Elements of a box, in C order. */
export interface ComparableElements {
  readonly count: number;
  readonly bytes?: Uint8Array;
  readonly values?: readonly unknown[];
  readonly column?: Column;
  /** Index of the first element at or after `from` that differs from `other`; `count` if none differs. */
  nextDifference(other: ComparableElements, from: number): number;
  text(i: number): string;
}

/** Makes the `data` of a `get` result comparable; elements of variable length are an array. */
export function comparable(dataType: DataType, data: unknown): ComparableElements {
  if (Array.isArray(data)) return comparableValues(data);
  const bytes = dataType.bytesOf(data);
  if (bytes === undefined)
    throw new UnsupportedError(
      `cannot compare elements of data type ${dataType.name}; read and compare them yourself`,
    );
  const { itemSize } = dataType;
  const count = bytes.length / itemSize;
  return {
    count,
    bytes,
    nextDifference({ bytes: other = new Uint8Array() }, from) {
      return Math.floor(firstDifference(bytes, other, from * itemSize) / itemSize);
    },
    text(i) {
      const scalar = dataType.readScalar(bytes.subarray(i * itemSize, (i + 1) * itemSize), true);
      return shortened(stringifyJson(dataType.scalarToJson(scalar, 3)));
    },
  };
}

/** Index of the first different byte at or after `from`; the length of `a` if none differs. */
function firstDifference(a: Uint8Array, b: Uint8Array, from: number): number {
  let i = from;
  if (a.byteOffset % 4 === 0 && b.byteOffset % 4 === 0) {
    while (i % 4 !== 0 && i < a.length && a[i] === b[i]) i++;
    if (i % 4 === 0) {
      const length = Math.min(a.length, b.length) >> 2;
      const x = new Uint32Array(a.buffer, a.byteOffset, length);
      const y = new Uint32Array(b.buffer, b.byteOffset, length);
      let word = i >> 2;
      while (word < length && x[word] === y[word]) word++;
      i = Math.max(i, word << 2);
    }
  }
  while (i < a.length && a[i] === b[i]) i++;
  return i;
}

function comparableValues(values: readonly unknown[]): ComparableElements {
  return {
    count: values.length,
    values,
    nextDifference({ values: other = [] }, from) {
      let i = from;
      while (i < values.length && isSameValue(values[i], other[i])) i++;
      return i;
    },
    text: (i) => describe(values[i]),
  };
}

/** Whether two values of an object codec are equal: JSON, bytes, arrays of numbers. */
function isSameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (ArrayBuffer.isView(a) || ArrayBuffer.isView(b)) {
    if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b) || a.constructor !== b.constructor) return false;
    const [x, y] = [a, b].map((view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
    return x !== undefined && y !== undefined && isSameBytes(x, y);
  }
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const members = new Map(Object.entries(b));
  const entries = Object.entries(a);
  return (
    entries.length === members.size &&
    entries.every(([name, value]) => members.has(name) && isSameValue(value, members.get(name)))
  );
}

const isSameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && firstDifference(a, b, 0) === a.length;

/** Compares strings and bytes as stored bytes, which also works for strings that are not UTF-8. */
export function comparableColumn(column: Column): ComparableElements {
  const at = ({ offsets, data }: Column, i: number): Uint8Array =>
    data.subarray(Number(offsets[i]), Number(offsets[i + 1]));
  return {
    count: column.length,
    column,
    nextDifference({ column: other }, from) {
      let i = from;
      while (i < column.length && other !== undefined && isSameBytes(at(column, i), at(other, i))) i++;
      return i;
    },
    text: (i) =>
      shortened(
        column.kind === "text" ? describe(new TextDecoder().decode(at(column, i))) : hex(at(column, i)),
      ),
  };
}

const hex = (bytes: Uint8Array): string =>
  `bytes ${Array.from(bytes.subarray(0, 60), (byte) => byte.toString(16).padStart(2, "0")).join(" ")}`;

const shortened = (text: string): string => (text.length > 120 ? `${text.slice(0, 117)}...` : text);
