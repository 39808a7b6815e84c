/** blosc and lz4: `node scripts/run-ts.mjs bench/codecs-blosc.ts`; see codecs.ts. */
import { basename } from "node:path";
import Blosc from "numcodecs/blosc";
import LZ4 from "numcodecs/lz4";
import type { JsonObject } from "../src/metadata/json.js";
import { type CodecGroup, printCodecs } from "./codecs.js";

const blosc = (cname: string, shuffle: number): JsonObject => ({
  id: "blosc",
  cname,
  shuffle,
  clevel: 5,
  blocksize: 0,
});
const numcodecsBlosc = Blosc.fromConfig({ id: "blosc" });
const numcodecsLz4 = LZ4.fromConfig({ id: "lz4" });

export const BLOSC_GROUPS: readonly CodecGroup[] = [
  {
    codecs: [
      { name: "blosc lz4 shuffle", codec: blosc("lz4", 1) },
      { name: "blosc lz4 bitshuffle", codec: blosc("lz4", 2) },
      { name: "blosc lz4", codec: blosc("lz4", 0) },
      { name: "blosc blosclz shuffle", codec: blosc("blosclz", 1) },
      { name: "blosc zstd shuffle", codec: blosc("zstd", 1) },
    ],
    rivals: [{ name: "numcodecs.js", decode: (encoded) => numcodecsBlosc.decode(encoded) }],
  },
  {
    codecs: [{ name: "lz4", codec: { id: "lz4", acceleration: 1 } }],
    rivals: [{ name: "numcodecs.js", decode: (encoded) => numcodecsLz4.decode(encoded) }],
  },
];

if (basename(process.argv[1] ?? "").startsWith("codecs-blosc.")) await printCodecs(BLOSC_GROUPS);
