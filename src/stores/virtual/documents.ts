/** Zarr v3 documents of nodes that a format describes. */
import type { Json, JsonObject } from "../../core/for-stores.js";

export function groupDocument(attributes: JsonObject): JsonObject {
  return { zarr_format: 3, node_type: "group", attributes };
}

/** What a format says of an array. */
export interface ArrayDescription {
  readonly shape: readonly number[];
  readonly chunk: readonly number[];
  readonly dataType: Json;
  readonly fillValue: Json;
  /** The codecs, of which the first makes bytes. */
  readonly codecs: readonly Json[];
  /** Undefined if no dimension has a name. */
  readonly dimensionNames?: readonly (string | null)[] | undefined;
  readonly attributes: JsonObject;
}

export function arrayDocument(description: ArrayDescription): JsonObject {
  const { shape, chunk, dataType, fillValue, codecs, dimensionNames, attributes } = description;
  return {
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: dataType,
    chunk_grid: { name: "regular", configuration: { chunk_shape: chunk } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    fill_value: fillValue,
    codecs,
    attributes,
    ...(dimensionNames === undefined ? {} : { dimension_names: dimensionNames }),
  };
}

/** The codec that stores elements as they are. @param endian undefined for types without a byte order */
export const bytesCodec = (endian: "little" | "big" | undefined): JsonObject =>
  endian === undefined ? { name: "bytes" } : { name: "bytes", configuration: { endian } };

/** A float as a fill value: JSON has no numbers that are not finite. */
export function floatFill(value: number): Json {
  if (Number.isFinite(value)) return value;
  return Number.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}
