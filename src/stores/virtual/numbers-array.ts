/** Arrays of numbers that a format works out, and that are in no file: coordinates. */
import { type JsonObject, noItem, product } from "../../core/for-stores.js";
import type { VirtualArray } from "./port.js";

/** Chunk keys as `VirtualArray` has them. */
export const CHUNK_KEYS: JsonObject = { name: "default", configuration: { separator: "/" } };

export interface NumbersOptions {
  readonly type: "float64" | "int32" | "int64";
  readonly shape: readonly number[];
  readonly dimensions: readonly string[];
  readonly attributes: JsonObject;
  /** The numbers, worked out when they are wanted, as many as the shape has. */
  readonly values: () => ArrayLike<number>;
}

/** An array of one chunk. */
export function numbersArray({ type, shape, dimensions, attributes, values }: NumbersOptions): VirtualArray {
  const document: JsonObject = {
    zarr_format: 3,
    node_type: "array",
    shape: [...shape],
    data_type: type,
    chunk_grid: {
      name: "regular",
      configuration: { chunk_shape: shape.map((length) => Math.max(1, length)) },
    },
    chunk_key_encoding: CHUNK_KEYS,
    fill_value: 0,
    codecs: [{ name: "bytes", configuration: { endian: "little" } }],
    dimension_names: [...dimensions],
    attributes,
  };
  const only = shape.map(() => 0);
  return {
    kind: "array",
    document: async () => document,
    chunk: async (coordinates) =>
      coordinates.join() === only.join() ? { parts: [littleEndian(type, values())] } : undefined,
    async *chunks() {
      if (product(shape) > 0) yield only;
    },
  };
}

function littleEndian(type: NumbersOptions["type"], values: ArrayLike<number>): Uint8Array {
  const size = type === "int32" ? 4 : 8;
  const view = new DataView(new ArrayBuffer(size * values.length));
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? noItem(values, i);
    if (type === "float64") view.setFloat64(size * i, value, true);
    else if (type === "int32") view.setInt32(size * i, value, true);
    else view.setBigInt64(size * i, BigInt(value), true);
  }
  return new Uint8Array(view.buffer);
}
