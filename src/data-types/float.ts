/** float32 and float64. */
import type { DataType } from "./data-type.js";
import { ExactNaN } from "./exact-nan.js";
import { type FloatScalar, type FloatWidth, floatRules, readBits, writeBits } from "./float-rules.js";
import {
  bytesOfView,
  firstElement,
  type TypedArray,
  type TypedArrayConstructor,
  typedArrayType,
} from "./typed-array.js";

function typedWidth<Data extends TypedArray<number>>(
  Constructor: TypedArrayConstructor<number, Data>,
  nanBits: bigint,
): FloatWidth {
  const itemSize = Constructor.BYTES_PER_ELEMENT;
  return {
    name: `float${itemSize * 8}`,
    itemSize,
    bits: itemSize * 8,
    round(value) {
      const rounded = Constructor.of(value)[0];
      return Number.isFinite(value) && !Number.isFinite(rounded) ? undefined : rounded;
    },
    nanBits,
    read: (source) => firstElement(Constructor, source) ?? 0,
    write(target, value) {
      if (Number.isNaN(value)) writeBits(target, nanBits, itemSize);
      else target.set(bytesOfView(Constructor.of(value)));
    },
  };
}

/** Reading and writing one scalar of a width, least significant byte first. */
export function floatBytes(width: FloatWidth): Pick<DataType<FloatScalar>, "readScalar" | "writeScalar"> {
  return {
    // What a user reads is a number, plainly NaN for any NaN.
    readScalar: (source, exact) => (exact === true ? readBits(width, source) : width.read(source)),
    writeScalar(scalar, target) {
      if (scalar instanceof ExactNaN) writeBits(target, scalar.bits, width.itemSize);
      else width.write(target, scalar);
    },
  };
}

function floatType<Data extends TypedArray<number>>(
  Constructor: TypedArrayConstructor<number, Data>,
  nanBits: bigint,
): DataType<FloatScalar, Data> {
  const width = typedWidth(Constructor, nanBits);
  return typedArrayType(width.name, `f${width.itemSize}`, Constructor, floatRules(width), floatBytes(width));
}

export const float32 = floatType<Float32Array>(Float32Array, 0x7fc00000n);
export const float64 = floatType<Float64Array>(Float64Array, 0x7ff8000000000000n);
