/** zstd, gzip and checksums: `node scripts/run-ts.mjs bench/codecs-zstd.ts`; see codecs.ts. */
import { basename } from "node:path";
import { gunzipSync as nodeGunzip } from "node:zlib";
import { gunzipSync } from "fflate";
import Zstd from "numcodecs/zstd";
import { type CodecGroup, printCodecs } from "./codecs.js";

const numcodecsZstd = Zstd.fromConfig({ id: "zstd" });

function decompressionStream(encoded: Uint8Array): Promise<ArrayBuffer> {
  const stream = new Blob([encoded.slice()]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

export const ZSTD_GROUPS: readonly CodecGroup[] = [
  {
    codecs: [1, 5, 19].map((level) => ({ name: `zstd ${level}`, codec: { id: "zstd", level } })),
    rivals: [{ name: "numcodecs.js", decode: (encoded) => numcodecsZstd.decode(encoded) }],
  },
  {
    codecs: [1, 5].map((level) => ({ name: `gzip ${level}`, codec: { id: "gzip", level } })),
    rivals: [
      {
        name: "fflate",
        decode: (encoded, byteLength) => gunzipSync(encoded, { out: new Uint8Array(byteLength) }),
      },
      { name: "node:zlib", decode: (encoded) => nodeGunzip(encoded) },
      { name: "DecompressionStream", decode: decompressionStream },
    ],
  },
  {
    codecs: ["crc32c", "crc32", "adler32", "fletcher32", "jenkins_lookup3"].map((id) => ({
      name: id,
      codec: { id },
    })),
    rivals: [],
  },
];

if (basename(process.argv[1] ?? "").startsWith("codecs-zstd.")) await printCodecs(ZSTD_GROUPS);
