/**
 * A data type of HDF5 as one of Zarr, and what has to be done to elements that Zarr stores in another way.
 */
import { type Json, UnsupportedError } from "../../../core/for-stores.js";
import { type Hdf5Type, refuseType } from "./data-type.js";
import { isBoolean } from "./elements.js";

type Endian = "little" | "big";

/** A run of bytes of an element: where it is in the file's element, and whether its order is reversed. */
export interface Run {
  readonly offset: number;
  readonly length: number;
  readonly isReversed: boolean;
}

export interface ZarrType {
  readonly dataType: Json;
  /** Of the `bytes` codec; undefined for types without a byte order. */
  readonly endian: Endian | undefined;
  /** Dimensions of the elements themselves, after those of the dataset. */
  readonly inner: readonly number[];
  /** Bytes of an element in the file, of which there is one for each of the inner dimensions. */
  readonly itemSize: number;
  /**
   * How elements become those of Zarr: "text" for strings that are elsewhere in the file, the runs of bytes
   * to take for compounds with gaps or with members of both byte orders. Undefined: they are stored as in
   * Zarr.
   */
  readonly rewrite?: "text" | readonly Run[];
}

/** @throws UnsupportedError with the path for a type without a counterpart */
export function zarrTypeOf(type: Hdf5Type, path: string): ZarrType {
  if (type.class === "array") {
    const base = zarrTypeOf(type.base, path);
    return { ...base, inner: [...type.shape, ...base.inner] };
  }
  if (type.class === "variable") {
    if (!type.isText) throw refuseType("sequences of variable length", path);
    return { dataType: "string", endian: undefined, inner: [], itemSize: type.size, rewrite: "text" };
  }
  const plain = { inner: [], itemSize: type.size };
  if (type.class === "compound" && complexOf(type) === undefined)
    return { ...plain, ...structOf(type, path) };
  return { ...plain, dataType: scalarOf(type, path), endian: endianOf(type) };
}

function scalarOf(type: Hdf5Type, path: string): Json {
  switch (type.class) {
    case "integer":
      return `${type.isSigned ? "int" : "uint"}${8 * type.size}`;
    case "float":
      return type.isBfloat ? "bfloat16" : `float${8 * type.size}`;
    case "enumeration":
      return isBoolean(type) ? "bool" : scalarOf(type.base, path);
    case "string":
      return { name: "null_terminated_bytes", configuration: { length_bytes: type.size } };
    case "opaque":
      return `r${8 * type.size}`;
    case "complex":
    case "compound": {
      const part = complexOf(type);
      if (part !== undefined) return part === 4 ? "complex64" : "complex128";
      return structOf(type, path).dataType;
    }
    case "other":
      throw refuseType(type.what, path);
    case "variable":
      throw refuseType("elements of variable length in others", path);
    case "array":
      throw refuseType("arrays as members of compound elements", path);
  }
}

/** Bytes of a part if the type is a complex number, as h5py and netCDF store it. */
function complexOf(type: Hdf5Type): number | undefined {
  const isFloat = (part: Hdf5Type) => part.class === "float" && (part.size === 4 || part.size === 8);
  if (type.class === "complex") return isFloat(type.base) ? type.base.size : undefined;
  if (type.class !== "compound" || type.members.length !== 2) return undefined;
  const [real, imaginary] = type.members;
  if (real?.name !== "r" || imaginary?.name !== "i" || !isFloat(real.type) || !isFloat(imaginary.type))
    return undefined;
  const isTight =
    real.offset === 0 && imaginary.offset === real.type.size && type.size === 2 * real.type.size;
  const isAlike = real.type.size === imaginary.type.size && endianOf(real.type) === endianOf(imaginary.type);
  return isTight && isAlike ? real.type.size : undefined;
}

function endianOf(type: Hdf5Type): Endian | undefined {
  switch (type.class) {
    case "integer":
    case "float":
      return type.size === 1 ? undefined : type.order;
    case "enumeration":
    case "complex":
    case "array":
      return endianOf(type.base);
    case "compound":
      return complexOf(type) === undefined ? undefined : type.members[0] && endianOf(type.members[0].type);
    default:
      return undefined;
  }
}

/** The fields of a compound, one after the other, all little-endian if they are of both orders. */
function structOf(type: Hdf5Type, path: string): Pick<ZarrType, "dataType" | "endian" | "rewrite"> {
  if (type.class !== "compound")
    throw new UnsupportedError(`HDF5: expected a compound, got ${type.class}`, { path });
  const orders = new Set<Endian>();
  const runs: Run[] = [];
  const walk = (members: typeof type.members, base: number): Json => {
    const fields = members.map(({ name, offset, type: memberType }): Json => {
      if (memberType.class === "compound" && complexOf(memberType) === undefined) {
        const inner = walk(memberType.members, base + offset);
        return { name, data_type: inner };
      }
      const order = endianOf(memberType);
      if (order !== undefined) orders.add(order);
      runs.push(...runsOf(memberType, base + offset));
      return { name, data_type: scalarOf(memberType, path) };
    });
    return { name: "struct", configuration: { fields } };
  };
  const dataType = walk(type.members, 0);
  const isMixed = orders.size > 1;
  const [only = "little"] = orders;
  const endian = orders.size === 0 ? undefined : isMixed ? "little" : only;
  let end = 0;
  const isTight = runs.every(({ offset, length }) => {
    const isNext = offset === end;
    end = offset + length;
    return isNext;
  });
  if (isTight && end === type.size && !isMixed) return { dataType, endian };
  const rewrite = runs.map((run) => ({ ...run, isReversed: isMixed && run.isReversed }));
  return { dataType, endian, rewrite };
}

function runsOf(type: Hdf5Type, offset: number): Run[] {
  const isReversed = endianOf(type) === "big";
  const part = complexOf(type);
  if (part === undefined) return [{ offset, length: type.size, isReversed }];
  return [0, part].map((start) => ({ offset: offset + start, length: part, isReversed }));
}

/** Takes the runs of every element, one after the other. */
export function takeRuns(bytes: Uint8Array, itemSize: number, runs: readonly Run[]): Uint8Array {
  const size = runs.reduce((sum, { length }) => sum + length, 0);
  const count = Math.floor(bytes.length / itemSize);
  const target = new Uint8Array(count * size);
  for (let i = 0, at = 0; i < count; i++)
    for (const { offset, length, isReversed } of runs) {
      const run = target.subarray(at, at + length);
      run.set(bytes.subarray(i * itemSize + offset, i * itemSize + offset + length));
      if (isReversed) run.reverse();
      at += length;
    }
  return target;
}
