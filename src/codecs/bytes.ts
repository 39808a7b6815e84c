/**
 * `bytes` (array -> bytes): elements in C order, in the configured byte order. Costs nothing of its own: a byte order that
 * is not memory's (little-endian) is reversed inside the copy to or from the result.
 * https://zarr-specs.readthedocs.io/en/latest/v3/codecs/bytes/index.html (also its older name `endian`)
 * `{"name": "bytes", "configuration": {"endian": "little"}}`
 * Elements of variable length have the layout of ZEP 7: variable-length/zep7.ts.
 */
import { describe, InvalidMetadataError } from "../errors.js";
import type { JsonObject } from "../metadata/json.js";
import type { ArrayToBytesCodec, ChunkSpec, CodecEntry } from "./codec.js";

const bytes: CodecEntry = {
  kind: "array_to_bytes",
  fromConfig(configuration: JsonObject, spec: ChunkSpec): ArrayToBytesCodec {
    const { endian, ...others } = configuration;
    const { dataType } = spec;
    // Without it the legacy `structured` of zarr-python is little-endian (zarr-extensions, data-types/structured).
    const mayLack = !dataType.needsEndian || dataType.name === "struct";
    const isEndian = endian === "little" || endian === "big" || (endian === undefined && mayLack);
    if (!isEndian || Object.keys(others).length > 0) {
      throw new InvalidMetadataError(
        `expected only endian, "little" or "big", for data type ${dataType.name}, got ${describe(configuration)}`,
        { codec: "bytes", member: "configuration" },
      );
    }
    return { kind: "array_to_bytes", swapped: endian === "big" };
  },
  async prepare({ configuration }, { spec, kernels }) {
    // What has a serializer of its own is refused there.
    if ((spec.dataType.variable ?? spec.dataType.serializer) === undefined)
      return bytes.fromConfig(configuration, spec);
    const { prepareZep7 } = await import("./variable-length/zep7.js");
    return prepareZep7(configuration, spec, kernels);
  },
};
export default bytes;
