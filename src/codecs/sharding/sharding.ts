/**
 * `sharding_indexed` (array -> bytes): a chunk (the shard) holds many inner chunks and an index of where they are.
 * https://zarr-specs.readthedocs.io/en/latest/v3/codecs/sharding-indexed/index.html
 * Inner chunks may stand in any order, with gaps, and overlap; absent ones are fill value. Index codecs must be of fixed encoded length.
 * The engine reads and writes inner chunks one by one (src/engine/shards); whole-shards.ts decodes and encodes whole shards, for
 * shards that follow an array-to-array codec which changes values.
 * `{"name": "sharding_indexed", "configuration": {"chunk_shape": [32, 32], "codecs": [...], "index_codecs": [...], "index_location": "end"}}`
 */
import { InvalidMetadataError } from "../../errors.js";
import type { ArrayToBytesCodec, CodecEntry } from "../codec.js";
import { loadShardKernels } from "./index-table.js";
import { prepareShardLayout, SHARDING } from "./layout.js";

const sharding: CodecEntry = {
  kind: "array_to_bytes",
  load: loadShardKernels,
  fromConfig() {
    throw new InvalidMetadataError("a sharding codec is prepared with its inner codecs", { codec: SHARDING });
  },
  async prepare(metadata, place): Promise<ArrayToBytesCodec> {
    const { spec, decoded, transposes } = place;
    const layout = await prepareShardLayout([], metadata, spec, place);
    if (transposes === undefined) return (await import("./whole-shards.js")).wholeShards(layout, spec);
    return {
      kind: "array_to_bytes",
      sharding:
        transposes.length === 0 ? layout : await prepareShardLayout(transposes, metadata, decoded, place),
    };
  },
};
export default sharding;
