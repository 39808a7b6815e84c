/**
 * numcodecs' `bz2` (bytes -> bytes): bzip2 streams, one behind the other; both checksums are verified. Read only: writing is an
 * UnsupportedError.
 * https://numcodecs.readthedocs.io/en/stable/compression/bz2.html, https://sourceware.org/bzip2/
 * Also `numcodecs.bz2`. Deviations: what follows the last stream is refused (Python ignores it), and so are the randomised blocks of
 * bzip2 before 0.9.5.
 * `{"id": "bz2", "level": 1}`; `level` says how the data were written, and is not looked at.
 */
import { CodecError, UnsupportedError } from "../../errors.js";
import type { BytesToBytesCodec, CodecEntry } from "../codec.js";
import { readNumcodecs } from "../configuration.js";
import { DecodedTooLong, decodeIntoOutput } from "../decoder-result.js";
import { BlockWriter, decodeBlock } from "./bz2-block.js";
import { BitReader, BZ2, damaged } from "./bz2-huffman.js";

function refuseWriting(): never {
  throw new UnsupportedError("wazarr reads bz2 and does not write it: take zstd or gzip", { codec: BZ2 });
}

const entry: CodecEntry = {
  kind: "bytes_to_bytes",
  checkWriting: refuseWriting,
  fromConfig(configuration): BytesToBytesCodec {
    readNumcodecs(BZ2, configuration, ["level"]);
    return {
      kind: "bytes_to_bytes",
      synchronous: true,
      decode: (bytes, context) =>
        decodeIntoOutput(
          context,
          { estimate: 4 * bytes.length, maximum: Number.MAX_SAFE_INTEGER },
          (output) => decodeBzip2(output, bytes),
          (capacity) =>
            new DecodedTooLong(`expected bzip2 streams of at most ${capacity} bytes, got more`, capacity, {
              codec: BZ2,
            }),
        ),
      encode: refuseWriting,
    };
  },
};
export default entry;

/** Digits of pi, and of its square root. */
const BLOCK = [0x314159, 0x265359] as const;
const END = [0x177245, 0x385090] as const;

/** Decodes streams, each a header, blocks and the checksum of all blocks. @returns bytes written, or undefined when `output` is too short @throws CodecError for anything but bzip2 streams */
export function decodeBzip2(output: Uint8Array, bytes: Uint8Array): number | undefined {
  let position = 0;
  let written = 0;
  do {
    const stream = decodeStream(output.subarray(written), bytes, position);
    if (stream === undefined) return undefined;
    written += stream.written;
    position = stream.end;
  } while (position < bytes.length);
  return written;
}

function decodeStream(
  output: Uint8Array,
  bytes: Uint8Array,
  start: number,
): { readonly written: number; readonly end: number } | undefined {
  const reader = new BitReader(bytes, start);
  const magic = reader.read(24);
  const level = reader.read(8) - 0x30;
  if (magic !== 0x425a68 || level < 1 || level > 9) {
    throw new CodecError(
      `expected the header of a bzip2 stream ("BZh1" to "BZh9") at byte ${start}, got other bytes`,
      {
        codec: BZ2,
        offset: start,
      },
    );
  }
  let written = 0;
  let combined = 0;
  // Runs of four equal bytes take five in a block: nothing that fits the output is longer. This bounds what a stream can claim.
  const capacity = Math.min(level * 100_000, Math.ceil(output.length * 1.25) + 5);
  let block: Uint32Array | undefined;
  for (;;) {
    const [high, low] = [reader.read(24), reader.read(24)];
    const expected = reader.read32();
    if (reader.isExhausted) throw damaged(reader, "ends early");
    if (high === END[0] && low === END[1]) {
      if (expected !== combined) throw damaged(reader, "has another checksum than is stored");
      return { written, end: reader.toByte() };
    }
    if (high !== BLOCK[0] || low !== BLOCK[1]) throw damaged(reader, "has no block where one has to be");
    block ??= new Uint32Array(capacity);
    const decoded = decodeBlock(reader, block);
    if (decoded === undefined) {
      // Too long for the block: for the output, or for what its level says.
      if (capacity < level * 100_000) return undefined;
      throw damaged(reader, "has a block longer than its level allows");
    }
    const writer = new BlockWriter(output.subarray(written));
    if (!writer.write(block, decoded.length, decoded.origin)) return undefined;
    if (writer.checksum !== expected)
      throw damaged(reader, "has a block with another checksum than is stored");
    combined = ((combined << 1) | (combined >>> 31)) ^ expected;
    combined >>>= 0;
    written += writer.written;
  }
}
