/**
 * int2, int4, uint2, uint4: one byte for each element in memory; its upper bits are ignored on reading and
 * zero on writing. https://github.com/zarr-developers/zarr-extensions/tree/main/data-types/int4
 */
import { byteAt } from "../../base/at.js";
import { ArrayView } from "../array-view.js";
import type { DataType } from "../data-type.js";
import { namedV2Type } from "../family.js";
import { integerRules } from "../integer.js";
import { bytesOfView, type ScalarRules } from "../typed-array.js";

interface SubByteFormat {
  readonly name: string;
  readonly bits: number;
  readonly signed: boolean;
}

/** The value of the lowest `bits` bits of a byte. */
function decode({ bits, signed }: SubByteFormat, byte: number): number {
  const unused = 32 - bits;
  return signed ? (byte << unused) >> unused : (byte << unused) >>> unused;
}
function encode({ bits }: SubByteFormat, value: number): number {
  return value & (2 ** bits - 1);
}

/** Integers of 2 or 4 bits over a buffer of bytes. */
export class SubByteArray extends ArrayView<number> {
  readonly format: SubByteFormat;
  readonly #rules: ScalarRules<number>;

  constructor(bytes: Uint8Array, format: SubByteFormat, rules: ScalarRules<number>) {
    super(bytes, 1);
    this.format = format;
    this.#rules = rules;
  }
  get(index: number): number {
    return decode(this.format, byteAt(this.bytes, this.checked(index)));
  }
  /** @throws InvalidArgumentError for a value outside the range of the type */
  set(index: number, value: number): void {
    this.bytes[this.checked(index)] = encode(this.format, this.#rules.cast(value));
  }
  subarray(begin?: number, end?: number): SubByteArray {
    return new SubByteArray(this.range(begin, end), this.format, this.#rules);
  }
}

function subByteInteger(bits: 2 | 4, signed: boolean): DataType<number, SubByteArray> {
  const name = `${signed ? "int" : "uint"}${bits}`;
  const format: SubByteFormat = { name, bits, signed };
  const rules = integerRules(name, bits, signed, Number);
  return {
    name,
    itemSize: 1,
    swapUnit: 1,
    needsEndian: false,
    toV3: () => name,
    toV2: namedV2Type(name, false),
    ...rules,
    writeScalar(scalar, target) {
      target[0] = encode(format, scalar);
    },
    readScalar: (source) => decode(format, byteAt(source, 0)),
    view: (bytes) => new SubByteArray(bytes, format, rules),
    bytesOf: (data) =>
      data instanceof SubByteArray && data.format.name === name ? bytesOfView(data) : undefined,
  };
}

export const subByteIntegers = [
  subByteInteger(2, true),
  subByteInteger(4, true),
  subByteInteger(2, false),
  subByteInteger(4, false),
] as const;
