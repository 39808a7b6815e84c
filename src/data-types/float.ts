/** float32 and float64. */
import type { DataType } from "./data-type.js";
import { ExactNaN } from "./exact-nan.js";
import { type FloatScalar, type FloatWidth, floatFromBits, floatRules } from "./float-rules.js";
import { dataView, typedArrayType } from "./typed-array.js";

const scratch = (): DataView => new DataView(new ArrayBuffer(8));

export const FLOAT32_WIDTH: FloatWidth = {
  name: "float32",
  itemSize: 4,
  bits: 32,
  round(value) {
    const rounded = Math.fround(value);
    return Number.isFinite(value) && !Number.isFinite(rounded) ? undefined : rounded;
  },
  nanBits: 0x7fc00000n,
  fromBits(bits) {
    const view = scratch();
    view.setUint32(0, Number(bits));
    return view.getFloat32(0);
  },
  read: (source) => dataView(source).getFloat32(0, true),
  write(target, value) {
    const view = dataView(target);
    if (Number.isNaN(value)) view.setUint32(0, 0x7fc00000, true);
    else view.setFloat32(0, value, true);
  },
  readBits: (source) => BigInt(dataView(source).getUint32(0, true)),
};

export const FLOAT64_WIDTH: FloatWidth = {
  name: "float64",
  itemSize: 8,
  bits: 64,
  round: (value) => value,
  nanBits: 0x7ff8000000000000n,
  fromBits(bits) {
    const view = scratch();
    view.setBigUint64(0, bits);
    return view.getFloat64(0);
  },
  read: (source) => dataView(source).getFloat64(0, true),
  write(target, value) {
    const view = dataView(target);
    if (Number.isNaN(value)) view.setBigUint64(0, 0x7ff8000000000000n, true);
    else view.setFloat64(0, value, true);
  },
  readBits: (source) => dataView(source).getBigUint64(0, true),
};

/** Reading and writing one scalar of a width, least significant byte first. */
export function floatBytes(width: FloatWidth): Pick<DataType<FloatScalar>, "readScalar" | "writeScalar"> {
  return {
    // What a user reads is a number, plainly NaN for any NaN.
    readScalar: (source, exact) =>
      exact === true ? floatFromBits(width, width.readBits(source)) : width.read(source),
    writeScalar(scalar, target) {
      if (scalar instanceof ExactNaN) {
        let bits = scalar.bits;
        for (let index = 0; index < width.itemSize; index++, bits >>= 8n)
          target[index] = Number(bits & 0xffn);
      } else width.write(target, scalar);
    },
  };
}

export const float32: DataType<FloatScalar, Float32Array> = typedArrayType(
  "float32",
  "f4",
  Float32Array,
  floatRules(FLOAT32_WIDTH),
  floatBytes(FLOAT32_WIDTH),
);
export const float64: DataType<FloatScalar, Float64Array> = typedArrayType(
  "float64",
  "f8",
  Float64Array,
  floatRules(FLOAT64_WIDTH),
  floatBytes(FLOAT64_WIDTH),
);
