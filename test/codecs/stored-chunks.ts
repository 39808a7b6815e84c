/** Arrays of one chunk that another program encoded, in v2, in v3 and in a shard. */
import type { JsonObject } from "../../src/metadata/json.js";

export interface StoredChunk {
  readonly chunk: Uint8Array;
  readonly shape: readonly number[];
  /** In v3, and in v2. */
  readonly dataType: string;
  readonly dtype: string;
  readonly codecs: readonly JsonObject[];
  /** What v2 says of the codec. */
  readonly v2: JsonObject;
}

const encode = (json: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(json));

export function inV2({ chunk, shape, dtype, v2 }: StoredChunk): Map<string, Uint8Array> {
  const document = {
    zarr_format: 2,
    shape,
    chunks: shape,
    dtype,
    fill_value: 0,
    order: "C",
    compressor: null,
    filters: null,
  };
  return new Map([
    ["/.zarray", encode({ ...document, ...v2 })],
    [`/${shape.map(() => 0).join(".")}`, chunk],
  ]);
}

export function inV3({ chunk, shape, dataType, codecs }: StoredChunk): Map<string, Uint8Array> {
  const document = {
    ...{ zarr_format: 3, node_type: "array", shape, data_type: dataType, fill_value: 0, codecs },
    chunk_grid: { name: "regular", configuration: { chunk_shape: shape } },
    chunk_key_encoding: { name: "default" },
  };
  return new Map([
    ["/zarr.json", encode(document)],
    [`/c/${shape.map(() => 0).join("/")}`, chunk],
  ]);
}

/** The only inner chunk of a shard, whose index has no checksum. */
export function inShard(each: StoredChunk): Map<string, Uint8Array> {
  const configuration = {
    ...{ chunk_shape: [...each.shape], codecs: [...each.codecs] },
    index_codecs: [{ name: "bytes", configuration: { endian: "little" } }],
  };
  const { length } = each.chunk;
  const chunk = new Uint8Array(length + 16);
  chunk.set(each.chunk);
  new DataView(chunk.buffer).setUint32(length + 8, length, true);
  return inV3({ ...each, chunk, codecs: [{ name: "sharding_indexed", configuration }] });
}
