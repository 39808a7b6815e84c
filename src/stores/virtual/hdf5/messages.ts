/** The messages of a dataset: its shape, layout, filters and fill value. Specification IV.A.2. */
import { type Cursor, textOf } from "./cursor.js";
import type { Hdf5File } from "./hdf5-file.js";
import { MESSAGE } from "./header-blocks.js";
import { messageOf, type ObjectHeader } from "./object-header.js";

export interface Dataspace {
  /** Undefined: no elements at all. A scalar has none of the dimensions. */
  readonly shape: readonly number[] | undefined;
  /** Undefined: unlimited. */
  readonly maximum: readonly (number | undefined)[];
}

const MOST_DIMENSIONS = 32;

export function readDataspace(cursor: Cursor): Dataspace {
  const version = cursor.version(1, 2);
  const rank = cursor.u8();
  const flags = cursor.u8();
  if (rank > MOST_DIMENSIONS)
    throw cursor.refusal(`expected at most ${MOST_DIMENSIONS} dimensions, got ${rank}`);
  const isNull = version === 2 ? cursor.u8() === 2 : false;
  if (version === 1) cursor.skip(5);
  if (isNull) return { shape: undefined, maximum: [] };
  const shape = Array.from({ length: rank }, () => cursor.length());
  const maximum = flags & 1 ? Array.from({ length: rank }, () => cursor.lengthOrUnlimited()) : shape;
  return { shape, maximum };
}

/** How the chunks of a dataset are found. */
export type ChunkIndex =
  | { readonly kind: "single"; readonly length: number | undefined; readonly mask: number }
  | { readonly kind: "implicit" }
  | { readonly kind: "fixed array" }
  | { readonly kind: "extensible array" }
  | { readonly kind: "B-tree 1" }
  | { readonly kind: "B-tree 2" };

export type Layout =
  | { readonly kind: "compact"; readonly bytes: Uint8Array }
  | { readonly kind: "contiguous"; readonly address: number | undefined; readonly length: number }
  | {
      readonly kind: "chunked";
      readonly chunk: readonly number[];
      readonly index: ChunkIndex;
      readonly address: number | undefined;
      /** Whether chunks at the edge are stored without filters. */
      readonly plainEdges: boolean;
    }
  | { readonly kind: "virtual" };

export function readLayout(cursor: Cursor): Layout {
  const version = cursor.version(1, 2, 3, 4, 5);
  if (version < 3) return readOldLayout(cursor);
  const kind = cursor.u8();
  if (kind === 0) return { kind: "compact", bytes: cursor.take(cursor.u16()) };
  if (kind === 1) return { kind: "contiguous", address: cursor.address(), length: cursor.length() };
  if (kind === 3 && version > 3) return { kind: "virtual" };
  if (kind !== 2) throw cursor.refusal(`expected a layout of class 0 to 3, got ${kind}`);
  if (version === 3) {
    const rank = rankOf(cursor, cursor.u8());
    const address = cursor.address();
    const chunk = Array.from({ length: rank }, () => cursor.u32());
    cursor.u32();
    return {
      kind: "chunked",
      chunk: checked(cursor, chunk),
      index: { kind: "B-tree 1" },
      address,
      plainEdges: false,
    };
  }
  const flags = cursor.u8();
  const rank = rankOf(cursor, cursor.u8());
  const size = cursor.u8();
  if (size < 1 || size > 8) throw cursor.refusal(`expected chunk dimensions of 1 to 8 bytes, got ${size}`);
  const chunk = checked(
    cursor,
    Array.from({ length: rank }, () => cursor.uint(size)),
  );
  cursor.uint(size);
  const index = readIndex(cursor, flags);
  return { kind: "chunked", chunk, index, address: cursor.address(), plainEdges: (flags & 1) !== 0 };
}

function readIndex(cursor: Cursor, flags: number): ChunkIndex {
  const kind = cursor.u8();
  switch (kind) {
    case 1: {
      if ((flags & 2) === 0) return { kind: "single", length: undefined, mask: 0 };
      return { kind: "single", length: cursor.length(), mask: cursor.u32() };
    }
    case 2:
      return { kind: "implicit" };
    // The parameters of the others are in their headers, too.
    case 3:
      cursor.skip(1);
      return { kind: "fixed array" };
    case 4:
      cursor.skip(5);
      return { kind: "extensible array" };
    case 5:
      cursor.skip(6);
      return { kind: "B-tree 2" };
    default:
      throw cursor.refusal(`expected a chunk index of type 1 to 5, got ${kind}`);
  }
}

function readOldLayout(cursor: Cursor): Layout {
  const stored = cursor.u8();
  const kind = cursor.u8();
  cursor.skip(5);
  const address = kind === 0 ? undefined : cursor.address();
  if (stored > MOST_DIMENSIONS + 1)
    throw cursor.refusal(`expected at most ${MOST_DIMENSIONS} dimensions, got ${stored}`);
  const sizes = Array.from({ length: stored }, () => cursor.u32());
  if (kind === 0) return { kind: "compact", bytes: cursor.take(cursor.u32()) };
  if (kind === 1) {
    const length = sizes.reduce((product, size) => product * size, 1);
    return { kind: "contiguous", address, length };
  }
  if (kind !== 2) throw cursor.refusal(`expected a layout of class 0 to 2, got ${kind}`);
  const chunk = checked(cursor, sizes.slice(0, -1));
  return { kind: "chunked", chunk, index: { kind: "B-tree 1" }, address, plainEdges: false };
}

/** Dimensions without that of the bytes of an element. */
function rankOf(cursor: Cursor, stored: number): number {
  if (stored >= 1 && stored <= MOST_DIMENSIONS + 1) return stored - 1;
  throw cursor.refusal(`expected chunks of at most ${MOST_DIMENSIONS} dimensions, got ${stored - 1}`);
}

function checked(cursor: Cursor, chunk: readonly number[]): readonly number[] {
  if (chunk.every((size) => size > 0)) return chunk;
  throw cursor.refusal(`expected a chunk shape of positive numbers, got [${chunk.join(", ")}]`);
}

/** A filter of the pipeline, in the order of writing. */
export interface Hdf5Filter {
  readonly id: number;
  readonly name: string;
  readonly values: readonly number[];
}

const MOST_FILTERS = 32;

export function readFilters(cursor: Cursor): readonly Hdf5Filter[] {
  const version = cursor.version(1, 2);
  const count = cursor.u8();
  if (count > MOST_FILTERS) throw cursor.refusal(`expected at most ${MOST_FILTERS} filters, got ${count}`);
  if (version === 1) cursor.skip(6);
  return Array.from({ length: count }, () => {
    const id = cursor.u16();
    const nameLength = version === 1 || id >= 256 ? cursor.u16() : 0;
    cursor.skip(2);
    const values = cursor.u16();
    const padded = version === 1 ? Math.ceil(nameLength / 8) * 8 : nameLength;
    const name = textOf(cursor.take(padded)).replace(/\0.*$/s, "");
    const numbers = Array.from({ length: values }, () => cursor.u32());
    if (version === 1 && values % 2 === 1) cursor.skip(4);
    return { id, name, values: numbers };
  });
}

/**
 * The bytes of the fill value; undefined if elements that are not stored have no value, which is read as 0.
 */
export function readFillValue(file: Hdf5File, header: ObjectHeader): Uint8Array | undefined {
  const bytes = messageOf(header, MESSAGE.fillValue);
  if (bytes !== undefined) {
    const cursor = file.cursor(bytes, "fill value");
    const version = cursor.version(1, 2, 3);
    if (version === 3) {
      const flags = cursor.u8();
      return flags & 0x20 ? sized(cursor) : undefined;
    }
    cursor.skip(2);
    const isDefined = cursor.u8() !== 0;
    return version === 1 || isDefined ? sized(cursor) : undefined;
  }
  const old = messageOf(header, MESSAGE.oldFillValue);
  return old && sized(file.cursor(old, "fill value"));
}

function sized(cursor: Cursor): Uint8Array | undefined {
  if (cursor.left < 4) return undefined;
  const size = cursor.i32();
  return size <= 0 ? undefined : cursor.take(size);
}
