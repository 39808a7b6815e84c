/**
 * Configurations that nobody writes are refused with the codec named, integers beyond 2^53 among them, which
 * JSON.stringify throws on.
 */
import { expect, it } from "vitest";
import { create } from "../../../src/index.js";
import type { CodecOption } from "../../../src/main/codecs.js";

const beyond = 2n ** 60n;
const bytes: CodecOption = { name: "bytes", configuration: { endian: "little" } };

it.each<[string, CodecOption[]]>([
  ["bytes", [{ name: "bytes", configuration: { endian: beyond } }]],
  ["bytes", [{ name: "bytes", configuration: { endian: "little", width: 2 } }]],
  ["transpose", [{ name: "transpose", configuration: { order: [beyond] } }, bytes]],
  ["gzip", [bytes, { name: "gzip", configuration: { level: beyond } }]],
  ["zstd", [bytes, { name: "zstd", configuration: { level: 1, checksum: beyond } }]],
  ["blosc", [bytes, { name: "blosc", configuration: { cname: beyond } }]],
  ["crc32c", [bytes, { name: "crc32c", configuration: { location: beyond } }]],
  [
    "sharding_indexed",
    [{ name: "sharding_indexed", configuration: { chunk_shape: [beyond], codecs: [bytes] } }],
  ],
  ["sharding_indexed", [{ name: "sharding_indexed", configuration: { chunk_shape: [2], codecs: beyond } }]],
])("%s (%#)", async (codec, codecs) => {
  const created = create(new Map(), { shape: [4], chunkShape: [4], dtype: "int32", codecs });
  await expect(created).rejects.toMatchObject({ tag: "InvalidMetadataError", codec });
});
