/**
 * Configurations that nobody writes are refused with the codec named, integers beyond 2^53 among them, which
 * JSON.stringify throws on.
 */
import { expect, it } from "vitest";
import { create } from "../../../src/index.js";
import type { CodecOption } from "../../../src/main/codecs.js";
import { LITTLE } from "../../setup/codecs.js";

const beyond = 2n ** 60n;

it.each<[string, CodecOption[]]>([
  ["bytes", [{ name: "bytes", configuration: { endian: beyond } }]],
  ["bytes", [{ name: "bytes", configuration: { endian: "little", width: 2 } }]],
  ["transpose", [{ name: "transpose", configuration: { order: [beyond] } }, LITTLE]],
  ["gzip", [LITTLE, { name: "gzip", configuration: { level: beyond } }]],
  ["zstd", [LITTLE, { name: "zstd", configuration: { level: 1, checksum: beyond } }]],
  ["blosc", [LITTLE, { name: "blosc", configuration: { cname: beyond } }]],
  ["crc32c", [LITTLE, { name: "crc32c", configuration: { location: beyond } }]],
  [
    "sharding_indexed",
    [{ name: "sharding_indexed", configuration: { chunk_shape: [beyond], codecs: [LITTLE] } }],
  ],
  ["sharding_indexed", [{ name: "sharding_indexed", configuration: { chunk_shape: [2], codecs: beyond } }]],
])("%s (%#)", async (codec, codecs) => {
  const created = create(new Map(), { shape: [4], chunkShape: [4], dtype: "int32", codecs });
  await expect(created).rejects.toMatchObject({ tag: "InvalidMetadataError", codec });
});
