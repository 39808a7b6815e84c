/** Arrays of a chunk that another program encoded, once or several times along the first dimension. */
import type { JsonObject } from "../../../src/metadata/json.js";
import { LITTLE } from "../../setup/codecs.js";

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

/** The name in v2 of integers and floats, little-endian. */
export function v2TypeOf(type: string): string {
  const size = Number(/\d+/.exec(type)) / 8;
  return `${size === 1 ? "|" : "<"}${type.slice(0, 1)}${size}`;
}

const encode = (json: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(json));

/** The array's shape, and the indices of its chunks. */
function repeated({ shape }: StoredChunk, times: number) {
  const [first = 1, ...rest] = shape;
  const indices = Array.from({ length: times }, (_, i) => [i, ...rest.map(() => 0)]);
  return { whole: [times * first, ...rest], indices };
}

export function inV2(each: StoredChunk, times = 1): Map<string, Uint8Array> {
  const { chunk, shape, dtype, v2 } = each;
  const { whole, indices } = repeated(each, times);
  const document = {
    zarr_format: 2,
    shape: whole,
    chunks: shape,
    dtype,
    fill_value: 0,
    order: "C",
    compressor: null,
    filters: null,
  };
  return new Map([
    ["/.zarray", encode({ ...document, ...v2 })],
    ...indices.map((index) => [`/${index.join(".")}`, chunk] as const),
  ]);
}

export function inV3(each: StoredChunk, times = 1): Map<string, Uint8Array> {
  const { chunk, shape, dataType, codecs } = each;
  const { whole, indices } = repeated(each, times);
  const document = {
    ...{ zarr_format: 3, node_type: "array", shape: whole, data_type: dataType, fill_value: 0, codecs },
    chunk_grid: { name: "regular", configuration: { chunk_shape: shape } },
    chunk_key_encoding: { name: "default" },
  };
  return new Map([
    ["/zarr.json", encode(document)],
    ...indices.map((index) => [`/c/${index.join("/")}`, chunk] as const),
  ]);
}

/** One shard, whose index has no checksum. */
export function inShard(each: StoredChunk, times = 1): Map<string, Uint8Array> {
  const configuration = {
    ...{ chunk_shape: [...each.shape], codecs: [...each.codecs] },
    index_codecs: [LITTLE],
  };
  const { length } = each.chunk;
  const chunk = new Uint8Array(times * (length + 16));
  const index = new DataView(chunk.buffer, times * length);
  for (let i = 0; i < times; i++) {
    chunk.set(each.chunk, i * length);
    index.setUint32(16 * i, i * length, true);
    index.setUint32(16 * i + 8, length, true);
  }
  const shape = repeated(each, times).whole;
  return inV3({ ...each, chunk, shape, codecs: [{ name: "sharding_indexed", configuration }] });
}
