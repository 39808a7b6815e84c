/** The data types that filters calculate with: integers and binary floats of any width, and bool where numpy casts it. */
import type { DataType } from "../../data-types/data-type.js";
import { FLOAT16, type FloatFormat } from "../../data-types/float-format.js";
import { SMALL_FLOAT_FORMATS } from "../../data-types/small-float.js";

interface Shared {
  readonly name: string;
  readonly dataType: DataType;
  /** Bytes of an element in memory. */
  readonly itemSize: 1 | 2 | 4 | 8;
  /** Bits of an element that count: fewer than the bytes have for the smallest types. */
  readonly bits: number;
}
export interface IntegerType extends Shared {
  readonly kind: "integer";
  readonly signed: boolean;
  readonly minimum: bigint;
  readonly maximum: bigint;
}
export interface FloatType extends Shared {
  readonly kind: "float";
  /** Undefined for float32 and float64, which JavaScript has itself. */
  readonly format: FloatFormat | undefined;
}
export interface BooleanType extends Shared {
  readonly kind: "boolean";
}
export type NumberType = IntegerType | FloatType | BooleanType;

/** Undefined for data types that are not numbers: complex ones, dates, strings, structs. */
export function numberTypeOf(dataType: DataType): NumberType | undefined {
  const { name } = dataType;
  if (name === "bool") return { kind: "boolean", name, dataType, itemSize: 1, bits: 1 };
  if (name === "float32") return { kind: "float", name, dataType, itemSize: 4, bits: 32, format: undefined };
  if (name === "float64") return { kind: "float", name, dataType, itemSize: 8, bits: 64, format: undefined };
  const format = [FLOAT16, ...SMALL_FLOAT_FORMATS].find((each) => each.name === name);
  if (format !== undefined) {
    return { kind: "float", name, dataType, itemSize: format.bits > 8 ? 2 : 1, bits: format.bits, format };
  }
  const integer = /^(u?)int(2|4|8|16|32|64)$/.exec(name);
  if (integer === null) return undefined;
  const bits = Number(integer[2]);
  const signed = integer[1] === "";
  return {
    kind: "integer",
    name,
    dataType,
    itemSize: bits === 64 ? 8 : bits === 32 ? 4 : bits === 16 ? 2 : 1,
    bits,
    signed,
    minimum: signed ? -(1n << BigInt(bits - 1)) : 0n,
    maximum: (1n << BigInt(signed ? bits - 1 : bits)) - 1n,
  };
}

/** `bytes` at an address that is a multiple of `width`, in which typed arrays of that width may look; a copy where it is not. */
export function aligned(bytes: Uint8Array, width: number): Uint8Array {
  return bytes.byteOffset % width === 0 ? bytes : bytes.slice();
}
