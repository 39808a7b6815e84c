/**
 * Shards put together byte by byte: an array of uint8, [8, 8] in one shard of four inner chunks [4, 4]
 * without any codec.
 */
import { type AbsolutePath, open, type Store } from "../../../src/index.js";
import { LITTLE } from "../../setup/codecs.js";

export const SHARD_KEY: AbsolutePath = "/c/0/0";
export const INNER_BYTES = 16;
export const INDEX_BYTES = 4 * 16;

export function documentOf(location: "start" | "end"): Uint8Array {
  const document = {
    zarr_format: 3,
    node_type: "array",
    shape: [8, 8],
    data_type: "uint8",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [8, 8] } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    codecs: [
      {
        name: "sharding_indexed",
        configuration: {
          chunk_shape: [4, 4],
          codecs: [{ name: "bytes" }],
          index_codecs: [LITTLE],
          index_location: location,
        },
      },
    ],
    fill_value: 0,
  };
  return new TextEncoder().encode(JSON.stringify(document));
}

/**
 * @param values what each inner chunk is filled with
 * @param order the inner chunks in the order in which they stand in the shard; the others are not there
 */
export function makeShard(
  location: "start" | "end",
  values: readonly number[],
  order: readonly number[],
): Uint8Array {
  const first = location === "start" ? INDEX_BYTES : 0;
  const shard = new Uint8Array(INDEX_BYTES + order.length * INNER_BYTES);
  const index = location === "start" ? 0 : order.length * INNER_BYTES;
  const view = new DataView(shard.buffer, index, INDEX_BYTES);
  for (let i = 0; i < 8; i++) view.setBigUint64(8 * i, 2n ** 64n - 1n, true);
  for (const [place, position] of order.entries()) {
    const offset = first + place * INNER_BYTES;
    shard.fill(values[position] ?? 0, offset, offset + INNER_BYTES);
    view.setBigUint64(16 * position, BigInt(offset), true);
    view.setBigUint64(16 * position + 8, BigInt(INNER_BYTES), true);
  }
  return shard;
}

export async function openBytes<S extends Store>(store: S) {
  const array = await open.v3(store, { kind: "array" });
  if (!array.is("uint8")) throw new Error("expected uint8");
  return array;
}
