/**
 * `bytes` (array -> bytes): elements in C order, in the configured byte order. A byte order that
 * is not memory's (little-endian) is reversed inside the copy to or from the result.
 * https://zarr-specs.readthedocs.io/en/latest/v3/codecs/bytes/index.html (also its older name `endian`)
 * `{"name": "bytes", "configuration": {"endian": "little"}}`
 * Elements of variable length have the layout of ZEP 7: variable-length/zep7.ts.
 */

import { describe, InvalidMetadataError } from "../../base/errors.js";
import type { DataType, Endian } from "../../data-types/data-type.js";
import type { JsonObject } from "../../metadata/json.js";
import type { CodecMetadata } from "../../metadata/model.js";
import type { ArrayToBytesCodec, ChunkSpec, CodecEntry } from "./codec.js";

const bytes: CodecEntry = {
  codecKind: "array_to_bytes",
  forms: { only: "v3" },
  fromConfig(configuration: JsonObject, spec: ChunkSpec): ArrayToBytesCodec {
    const { endian, ...others } = configuration;
    const { dataType } = spec;
    // Without `endian` the legacy `structured` of zarr-python is little-endian (zarr-extensions,
    // data-types/structured).
    const mayLack = !dataType.needsEndian || dataType.name === "struct";
    const isEndian = endian === "little" || endian === "big" || (endian === undefined && mayLack);
    if (!isEndian || Object.keys(others).length > 0) {
      throw new InvalidMetadataError(
        `expected only endian ("little" or "big") for data type ${dataType.name}, got ${describe(configuration)}`,
        { codec: "bytes", member: "configuration" },
      );
    }
    return { kind: "array_to_bytes", swapped: endian === "big" };
  },
  async prepare({ configuration }, { spec, kernels }) {
    // `prepareZep7` rejects data types that need a serializer of their own.
    if ((spec.dataType.variable ?? spec.dataType.serializer) === undefined)
      return bytes.fromConfig(configuration, spec);
    const { prepareZep7 } = await import("./variable-length/zep7.js");
    return prepareZep7(configuration, spec, kernels);
  },
};
export default bytes;

/** The codec in the metadata of an array; with a byte order if the data type needs one. */
export function bytesCodec({ needsEndian }: Pick<DataType, "needsEndian">, endian: Endian): CodecMetadata {
  return { name: "bytes", configuration: needsEndian ? { endian } : {} };
}

/** Whether a codec is `bytes`, which drafts of the final v3 called "endian". */
export function isBytesCodec({ name }: CodecMetadata): boolean {
  return name === "bytes" || name === "endian";
}
