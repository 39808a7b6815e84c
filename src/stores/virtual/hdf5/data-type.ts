/** Data types as HDF5 describes them. Specification IV.A.2.d. */
import { UnsupportedError } from "../../../core/for-stores.js";
import { type Cursor, textOf } from "./cursor.js";

export type ByteOrder = "little" | "big";

/** A type of HDF5. `size` is in bytes. */
export type Hdf5Type =
  | {
      readonly class: "integer";
      readonly size: number;
      readonly order: ByteOrder;
      readonly isSigned: boolean;
    }
  | { readonly class: "float"; readonly size: number; readonly order: ByteOrder; readonly isBfloat: boolean }
  | { readonly class: "string"; readonly size: number; readonly padding: "nul" | "nulls" | "spaces" }
  | { readonly class: "opaque"; readonly size: number; readonly tag: string }
  | { readonly class: "compound"; readonly size: number; readonly members: readonly Hdf5Member[] }
  | {
      readonly class: "enumeration";
      readonly size: number;
      readonly base: Hdf5Type;
      readonly names: EnumNames;
    }
  | { readonly class: "variable"; readonly size: number; readonly isText: boolean; readonly base: Hdf5Type }
  | {
      readonly class: "array";
      readonly size: number;
      readonly shape: readonly number[];
      readonly base: Hdf5Type;
    }
  | { readonly class: "complex"; readonly size: number; readonly base: Hdf5Type }
  /** A type that wazarr cannot represent, with the reason. */
  | { readonly class: "other"; readonly size: number; readonly what: string };

export interface Hdf5Member {
  readonly name: string;
  readonly offset: number;
  readonly type: Hdf5Type;
}

/** Names and the bytes of their values. */
export type EnumNames = readonly (readonly [name: string, value: Uint8Array])[];

/** Types in types: a bound, because a type may not contain itself, but its bytes are the file's. */
const DEEPEST = 32;
const MOST_MEMBERS = 1 << 16;

/** Reads a data type. The cursor is after it then. */
export function readDataType(cursor: Cursor, depth = 0): Hdf5Type {
  if (depth > DEEPEST) throw cursor.refusal(`types nest deeper than ${DEEPEST} levels`);
  const head = cursor.u8();
  const [kind, version] = [head & 0xf, head >> 4];
  if (version < 1 || version > 5)
    throw cursor.refusal(`expected version 1 to 5 of data types, got ${version}`);
  const bits = cursor.uint(3);
  const size = cursor.u32();
  if (size === 0) throw cursor.refusal("expected a data type of 1 byte or more, got 0 bytes");
  const order = bits & 1 ? "big" : "little";
  switch (kind) {
    case 0:
      return readInteger(cursor, size, order, (bits & 8) !== 0);
    case 1:
      return readFloat(cursor, bits, size);
    case 2:
      cursor.skip(2);
      return { class: "other", size, what: "times (H5T_TIME)" };
    case 3: {
      const padding = (["nul", "nulls", "spaces"] as const)[bits & 0xf];
      if (padding === undefined)
        throw cursor.refusal(`expected strings with padding 0, 1 or 2, got ${bits & 0xf}`);
      return { class: "string", size, padding };
    }
    case 4: {
      // A bit field is read as an unsigned integer: its bits are those of a number.
      return readInteger(cursor, size, order, false);
    }
    case 5: {
      const tag = textOf(cursor.take(bits & 0xff)).replace(/\0+$/, "");
      return { class: "opaque", size, tag };
    }
    case 6:
      return readCompound(cursor, version, bits & 0xffff, size, depth);
    case 7:
      return {
        class: "other",
        size,
        what: (bits & 0xf) === 1 ? "references to regions" : "references to objects",
      };
    case 8:
      return readEnumeration(cursor, version, bits & 0xffff, size, depth);
    case 9:
      return { class: "variable", size, isText: (bits & 0xf) === 1, base: readDataType(cursor, depth + 1) };
    case 10:
      return readArray(cursor, version, size, depth);
    case 11:
      return { class: "complex", size, base: readDataType(cursor, depth + 1) };
    default:
      throw cursor.refusal(`expected a data type of class 0 to 11, got ${kind}`);
  }
}

/** A type of which only a part of the bits is used is not read: its elements would need a codec. */
function readInteger(cursor: Cursor, size: number, order: ByteOrder, isSigned: boolean): Hdf5Type {
  const [offset, precision] = [cursor.u16(), cursor.u16()];
  const isWhole = offset === 0 && precision === 8 * size;
  const isKnown = size === 1 || size === 2 || size === 4 || size === 8;
  if (isKnown && isWhole) return { class: "integer", size, order, isSigned };
  // Elements of which some bits are not used have them as padding, which is 0 unless the type says otherwise.
  const what = `integers of ${precision} bits at bit ${offset} in ${size} bytes`;
  if (isKnown && offset === 0 && precision > 0 && precision < 8 * size && !isSigned)
    return { class: "integer", size, order, isSigned };
  return { class: "other", size, what };
}

/** The layouts of IEEE 754, and of bfloat16: bits of exponent and mantissa, and the bias. */
const FLOATS: Readonly<Record<string, readonly [size: number, isBfloat: boolean]>> = {
  "5 10 15": [2, false],
  "8 23 127": [4, false],
  "11 52 1023": [8, false],
  "8 7 127": [2, true],
};

function readFloat(cursor: Cursor, bits: number, size: number): Hdf5Type {
  const order = bits & 1 ? "big" : "little";
  const [offset, precision] = [cursor.u16(), cursor.u16()];
  const [, exponentSize, mantissaAt, mantissaSize] = [cursor.u8(), cursor.u8(), cursor.u8(), cursor.u8()];
  const layout = `${exponentSize} ${mantissaSize} ${cursor.u32()}`;
  const [known, isBfloat] = (Object.hasOwn(FLOATS, layout) && FLOATS[layout]) || [];
  const isPlain = offset === 0 && precision === 8 * size && mantissaAt === 0 && (bits & 0x40) === 0;
  if (known === size && isBfloat !== undefined && isPlain) return { class: "float", size, order, isBfloat };
  return {
    class: "other",
    size,
    what: `floats of ${precision} bits in ${size} bytes, with ${exponentSize} bits of exponent and ${mantissaSize} of mantissa`,
  };
}

function readCompound(cursor: Cursor, version: number, count: number, size: number, depth: number): Hdf5Type {
  if (count > MOST_MEMBERS) throw cursor.refusal(`more than ${MOST_MEMBERS} members`);
  const members: Hdf5Member[] = [];
  for (let i = 0; i < count; i++) {
    const start = cursor.at;
    const name = cursor.text();
    if (version < 3) cursor.align(start);
    const offset = version < 3 ? cursor.u32() : cursor.uint(bytesOfOffset(size));
    let shape: number[] = [];
    if (version === 1) {
      const rank = cursor.u8();
      if (rank > 4) throw cursor.refusal(`expected a member of at most 4 dimensions, got ${rank}`);
      cursor.skip(11);
      shape = Array.from({ length: 4 }, () => cursor.u32()).slice(0, rank);
    }
    const base = readDataType(cursor, depth + 1);
    const type: Hdf5Type =
      shape.length === 0
        ? base
        : {
            class: "array",
            shape,
            base,
            size: shape.reduce((product, extent) => product * extent, base.size),
          };
    if (offset + type.size > size)
      throw cursor.refusal(`member ${JSON.stringify(name)} is past the end of ${size} bytes`);
    members.push({ name, offset, type });
  }
  return { class: "compound", size, members };
}

/** Bytes of a member's offset: as few as hold the size of the type. */
function bytesOfOffset(size: number): number {
  return size < 0x100 ? 1 : size < 0x10000 ? 2 : size < 0x1000000 ? 3 : 4;
}

function readEnumeration(
  cursor: Cursor,
  version: number,
  count: number,
  size: number,
  depth: number,
): Hdf5Type {
  const base = readDataType(cursor, depth + 1);
  if (base.size !== size) throw cursor.refusal(`expected an enumeration of ${base.size} bytes, got ${size}`);
  const names = Array.from({ length: count }, () => {
    const start = cursor.at;
    const name = cursor.text();
    if (version < 3) cursor.align(start);
    return name;
  });
  return { class: "enumeration", size, base, names: names.map((name) => [name, cursor.take(size)] as const) };
}

function readArray(cursor: Cursor, version: number, size: number, depth: number): Hdf5Type {
  const rank = cursor.u8();
  if (version < 3) cursor.skip(3);
  if (rank > 32) throw cursor.refusal(`expected an array of at most 32 dimensions, got ${rank}`);
  const shape = Array.from({ length: rank }, () => cursor.u32());
  if (version < 3) cursor.skip(4 * rank);
  const base = readDataType(cursor, depth + 1);
  const expected = shape.reduce((product, extent) => product * extent, base.size);
  if (expected !== size) throw cursor.refusal(`expected an array of ${expected} bytes, got ${size}`);
  return { class: "array", size, shape, base };
}

/** @throws UnsupportedError for a type that cannot be read, at the path of the dataset */
export function refuseType(what: string, path: string): UnsupportedError {
  return new UnsupportedError(`HDF5: ${what} are not read`, { path });
}
