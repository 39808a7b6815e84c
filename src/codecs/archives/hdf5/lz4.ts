/**
 * LZ4 as HDF5's filter 32004 (bytes -> bytes), as imagecodecs names it: the decoded length (u64) and that of
 * a block (u32), then for each block its encoded length (u32) and an LZ4 block, or the bytes themselves if
 * they are as long. All are big-endian. `{"id": "imagecodecs_lz4h5"}`. It encodes without compressing.
 * https://github.com/HDFGroup/hdf5_plugins/blob/master/docs/RegisteredFilterPlugins.md
 */
import {
  ALIKE,
  type BytesToBytesCodec,
  bloscKernels,
  bloscOperand,
  type CodecEntry,
  type DecodeContext,
  expectDecoded,
  loadBloscKernels,
  readImagecodecs,
} from "../../../core/for-codecs.js";
import { blockAt, HEADER_LENGTH, readBlockStream } from "./block-stream.js";

const CODEC = "imagecodecs_lz4h5";

export const lz4h5: CodecEntry = {
  codecKind: "bytes_to_bytes",
  forms: { both: ALIKE },
  load: loadBloscKernels,
  fromConfig(configuration): BytesToBytesCodec {
    readImagecodecs(CODEC, configuration, ["level", "blocksize"]);
    return { kind: "bytes_to_bytes", synchronous: true, decode, encode: stored };
  },
};

function decode(bytes: Uint8Array, context: DecodeContext): Uint8Array {
  const { kernels } = context;
  const stream = readBlockStream(bytes, context, CODEC);
  const target = kernels.allocate(stream.byteLength);
  for (let start = 0, at = HEADER_LENGTH; start < target.length; start += stream.blockLength) {
    const into = target.subarray(start, start + stream.blockLength);
    const block = blockAt(stream, bytes, at, CODEC);
    if (block.length === into.length) into.set(block);
    else {
      const mark = kernels.mark();
      const result = bloscKernels(kernels).lz4(into, bloscOperand(kernels, block));
      kernels.release(mark);
      expectDecoded(result, into.length, "LZ4", CODEC, at + 4);
    }
    at += 4 + block.length;
  }
  return target;
}

/** One block that is not compressed. */
function stored(bytes: Uint8Array): Uint8Array {
  const target = new Uint8Array(HEADER_LENGTH + (bytes.length === 0 ? 0 : 4 + bytes.length));
  const view = new DataView(target.buffer);
  view.setBigUint64(0, BigInt(bytes.length));
  view.setUint32(8, bytes.length);
  if (bytes.length === 0) return target;
  view.setUint32(HEADER_LENGTH, bytes.length);
  target.set(bytes, HEADER_LENGTH + 4);
  return target;
}
