/**
 * Bitshuffle as HDF5's filter 32008 (bytes -> bytes): blocks of elements whose bits are sorted by their
 * place, and each of which may be an LZ4 block. Elements that are no multiple of 8 at the end are as they
 * are. `{"name": "hdf5.bitshuffle", "configuration": {"elementsize": 4, "blocksize": 0, "compression":
 * "lz4"}}`; `blocksize` counts elements, and 0 stands for about 8 KiB. Read only.
 * https://github.com/kiyo-masui/bitshuffle
 */
import {
  bitunshuffleWorkspace,
  bloscKernels,
  bloscOperand,
  type CodecEntry,
  type DecodeContext,
  damagedData,
  decoderEntry,
  expectDecoded,
  loadBloscKernels,
  readChoice,
  readConfiguration,
  readInteger,
} from "../../../core/for-codecs.js";
import { blockAt, HEADER_LENGTH, readBlockStream } from "./block-stream.js";

const CODEC = "hdf5.bitshuffle";
const TARGET = 8192;
const FEWEST = 128;
const MOST = 2 ** 20;

const entry = decoderEntry(CODEC, { only: "v3" }, (configuration) => {
  readConfiguration(CODEC, configuration, ["elementsize", "blocksize", "compression"]);
  const elementsize = readInteger(CODEC, configuration, "elementsize", {
    minimum: 1,
    maximum: 255,
    absent: 1,
  });
  const blockSize = readInteger(CODEC, configuration, "blocksize", { minimum: 0, maximum: MOST, absent: 0 });
  const compression = readChoice(CODEC, configuration, "compression", ["none", "lz4"], "none");
  const blocksize = blockSize === 0 ? defaultBlock(elementsize) : blockSize;
  return compression === "none"
    ? (bytes, context) => decodePlain(bytes, context, elementsize, blocksize * elementsize)
    : (bytes, context) => decodeLz4(bytes, context, elementsize);
});

export const bitshuffle: CodecEntry = { ...entry, load: loadBloscKernels };

/** Elements of a block, as the library chooses them: a multiple of 8. */
function defaultBlock(elementsize: number): number {
  return Math.max(FEWEST, Math.floor(TARGET / elementsize / 8) * 8);
}

function decodePlain(
  bytes: Uint8Array,
  { kernels }: DecodeContext,
  elementsize: number,
  blockLength: number,
): Uint8Array {
  const target = kernels.allocate(bytes.length);
  const sorted = sortedLength(bytes.length, elementsize);
  for (let start = 0; start < sorted; start += blockLength) {
    const end = Math.min(start + blockLength, sorted);
    unshuffle(kernels, target.subarray(start, end), bytes.subarray(start, end), elementsize);
  }
  target.set(bytes.subarray(sorted), sorted);
  return target;
}

function decodeLz4(bytes: Uint8Array, context: DecodeContext, elementsize: number): Uint8Array {
  const { kernels } = context;
  const stream = readBlockStream(bytes, context, CODEC);
  const { byteLength, blockLength } = stream;
  if (blockLength % (8 * elementsize) !== 0)
    throw damagedData(CODEC, "header", 8, `blocks are no multiple of 8 elements`);
  const target = kernels.allocate(byteLength);
  const sorted = sortedLength(byteLength, elementsize);
  let at = HEADER_LENGTH;
  for (let start = 0; start < sorted; start += blockLength) {
    const into = target.subarray(start, Math.min(start + blockLength, sorted));
    const block = blockAt(stream, bytes, at, CODEC);
    const mark = kernels.mark();
    const content = kernels.allocate(into.length);
    const result = bloscKernels(kernels).lz4(content, bloscOperand(kernels, block));
    expectDecoded(result, into.length, "LZ4", CODEC, at + 4);
    unshuffle(kernels, into, content, elementsize);
    kernels.release(mark);
    at += 4 + block.length;
  }
  const rest = bytes.subarray(at);
  if (rest.length < byteLength - sorted)
    throw damagedData(CODEC, "stream of blocks", at, "the data end too early");
  target.set(rest.subarray(0, byteLength - sorted), sorted);
  return target;
}

/** Bytes of the elements whose bits are sorted. */
function sortedLength(byteLength: number, elementsize: number): number {
  return Math.floor(byteLength / elementsize / 8) * 8 * elementsize;
}

function unshuffle(
  kernels: DecodeContext["kernels"],
  target: Uint8Array,
  source: Uint8Array,
  elementsize: number,
): void {
  const mark = kernels.mark();
  const workspace = kernels.allocate(bitunshuffleWorkspace(elementsize));
  bloscKernels(kernels).bitunshuffle(target, bloscOperand(kernels, source), elementsize, workspace);
  kernels.release(mark);
}
