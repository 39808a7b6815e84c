/** Encodes blosc chunks with c-blosc's choice of block sizes and splits, which other readers know. */

import { InvalidArgumentError } from "../../../errors.js";
import type { Kernels } from "../../../kernels/kernels.js";
import bloscEncodeModule from "../../../kernels/modules/blosc-encode.generated.js";
import type { BytesToBytesCodec } from "../../codec.js";
import { functionsOf, intoArena, lazyKernelModule } from "../../kernel-modules.js";
import {
  BLOSC,
  BLOSCLZ,
  type BloscHeader,
  type BloscSettings,
  COMPRESSOR_FORMATS,
  COMPRESSOR_VERSION,
  COMPRESSORS,
  type CompressorName,
  FLAG_BITSHUFFLE,
  FLAG_COPIED,
  FLAG_SHUFFLE,
  FLAG_UNSPLIT,
  FORMAT_SHIFT,
  FORMAT_VERSION,
  type HashedBytes,
  HEADER_LENGTH,
  isWorthSplitting,
  LZ_WORKSPACE,
  LZ4,
  LZ4_HIGH_WORKSPACE,
  type LzFormat,
  SNAPPY,
  splitCount,
} from "../formats.js";
import { bitshuffle, shuffle } from "../javascript/shared.js";
import { encodeLz, encodeLz4High } from "./lz-encode.js";

/** c-blosc stores lengths as i32. */
const MAXIMUM_LENGTH = 2 ** 31 - 1 - HEADER_LENGTH;
/** Shorter chunks, or shorter blocks that the configuration asks for, are not worth compressing. */
const MINIMUM_LENGTH = 128;

/** Encodes into `target`. Returns the length, or 0 when it does not fit. */
type EncodeStream = (target: Uint8Array, source: Uint8Array) => number;

/** Encodes a chunk, in arena memory if there is room. `codec` is the zlib or zstd codec if the settings name it. */
export function encodeChunk(
  bytes: Uint8Array,
  settings: BloscSettings,
  kernels: Kernels,
  codec: BytesToBytesCodec | undefined,
): Uint8Array {
  if (bytes.length > MAXIMUM_LENGTH) {
    throw new InvalidArgumentError(
      `expected a chunk of at most ${MAXIMUM_LENGTH} bytes, got one of ${bytes.length}; use smaller chunks or another codec`,
      { codec: BLOSC },
    );
  }
  const { level, filter, typesize, compressor } = settings;
  const blocksize = chooseBlocksize(bytes.length, settings);
  const header: BloscHeader = {
    format: COMPRESSORS[compressor],
    copied: level === 0 || bytes.length < MINIMUM_LENGTH,
    filter,
    splitAllowed: mayBeSplit(compressor, typesize, blocksize),
    typesize,
    byteLength: bytes.length,
    blocksize,
  };
  const target = kernels.allocate(HEADER_LENGTH + bytes.length);
  const mark = kernels.mark();
  const length = header.copied ? 0 : encodeBlocks(target, bytes, header, settings, kernels, codec);
  kernels.release(mark);
  if (length > 0) {
    writeHeader(target, header, length);
    return target.subarray(0, length);
  }
  writeHeader(target, { ...header, copied: true }, target.length);
  target.set(bytes, HEADER_LENGTH);
  return target;
}

/** Writes the table and the blocks. Returns the length including the header, or 0 when storing takes no more bytes. */
function encodeBlocks(
  target: Uint8Array,
  bytes: Uint8Array,
  header: BloscHeader,
  settings: BloscSettings,
  kernels: Kernels,
  codec: BytesToBytesCodec | undefined,
): number {
  const { blocksize, filter } = header;
  const functions = bloscEncodeKernels(kernels);
  const source = encodeOperand(kernels, bytes);
  const encodeStream = makeEncoder(settings, functions, kernels, codec);
  const filtered = filter === "none" ? undefined : kernels.allocate(blocksize);
  const workspace = filter === "bitshuffle" ? kernels.allocate(blocksize) : new Uint8Array();
  const table = new DataView(target.buffer, target.byteOffset, target.length);
  const blocks = Math.ceil(bytes.length / blocksize);
  let to = HEADER_LENGTH + 4 * blocks;
  for (let block = 0; block < blocks; block++) {
    if (to >= target.length) return 0;
    table.setUint32(HEADER_LENGTH + 4 * block, to, true);
    const plain = source.subarray(block * blocksize, (block + 1) * blocksize);
    const content = filtered?.subarray(0, plain.length) ?? plain;
    if (filter === "shuffle") functions.shuffle(content, plain, header.typesize);
    else if (filter === "bitshuffle") functions.bitshuffle(content, plain, header.typesize, workspace);
    to = encodeBlock(target, to, content, splitCount(header, plain.length), encodeStream);
    if (to === 0) return 0;
  }
  return to < target.length ? to : 0;
}

/** Writes the streams of a block, each after its length. Returns where the next block goes, or 0 when the target is full. */
function encodeBlock(
  target: Uint8Array,
  to: number,
  content: Uint8Array,
  splits: number,
  encodeStream: EncodeStream,
): number {
  const length = content.length / splits;
  for (let split = 0; split < splits; split++) {
    const stream = content.subarray(split * length, (split + 1) * length);
    const begin = to + 4;
    if (begin >= target.length) return 0;
    // One byte less than the stream itself: a stream of equal length means a stored one.
    const capacity = Math.min(length - 1, target.length - begin);
    let encoded = encodeStream(target.subarray(begin, begin + capacity), stream);
    if (encoded === 0) {
      if (length > target.length - begin) return 0;
      target.set(stream, begin);
      encoded = length;
    }
    new DataView(target.buffer, target.byteOffset + to, 4).setUint32(0, encoded, true);
    to = begin + encoded;
  }
  return to;
}

function makeEncoder(
  { compressor, level, filter, typesize }: BloscSettings,
  functions: BloscEncodeKernels,
  kernels: Kernels,
  codec: BytesToBytesCodec | undefined,
): EncodeStream {
  if (codec !== undefined) return (target, source) => encodeForeign(target, source, codec, kernels);
  if (compressor === "lz4hc") {
    const workspace = kernels.allocate(LZ4_HIGH_WORKSPACE);
    const depth = 1 << (level - 1);
    return (target, source) => functions.encodeLz4High(target, source, workspace, depth);
  }
  const workspace = kernels.allocate(LZ_WORKSPACE);
  const format = compressor === "lz4" ? LZ4 : compressor === "snappy" ? SNAPPY : BLOSCLZ;
  const acceleration = compressor === "lz4" ? 10 - level : 1;
  // The byte shuffle leaves single bytes unchanged.
  const hashed = filter === "none" || (filter === "shuffle" && typesize === 1) ? 5 : 6;
  return (target, source) => functions.encodeLz(format, target, source, workspace, acceleration, hashed);
}

function encodeForeign(
  target: Uint8Array,
  source: Uint8Array,
  codec: BytesToBytesCodec,
  kernels: Kernels,
): number {
  const mark = kernels.mark();
  const encoded = codec.encode(source, { kernels });
  if (!(encoded instanceof Uint8Array)) throw new TypeError("expected a synchronous codec inside blosc");
  const fits = encoded.length <= target.length;
  if (fits) target.set(encoded);
  kernels.release(mark);
  return fits ? encoded.length : 0;
}

const KIB = 1024;
/** Bytes of a block by level, before splitting. */
const LEVEL_BLOCKSIZES = [8, 16, 32, 64, 128, 128, 256, 256, 256, 256].map((kib) => kib * KIB);

function mayBeSplit(compressor: CompressorName, typesize: number, blocksize: number): boolean {
  return compressor !== "zstd" && isWorthSplitting(typesize, blocksize);
}

function chooseBlocksize(byteLength: number, settings: BloscSettings): number {
  const { compressor, level, typesize, blocksize: wanted } = settings;
  if (byteLength < typesize || byteLength === 0) return 1;
  let blocksize = byteLength;
  if (wanted > 0) {
    blocksize = Math.max(wanted, MINIMUM_LENGTH);
  } else if (byteLength >= 32 * KIB) {
    // Strong compressors get larger blocks: they lose most at the beginning of a block.
    const strong = compressor === "lz4hc" || compressor === "zlib" || compressor === "zstd";
    blocksize = (LEVEL_BLOCKSIZES[level] ?? 0) * (strong ? (level === 9 ? 4 : 2) : 1);
  }
  if (level > 0 && mayBeSplit(compressor, typesize, blocksize)) {
    blocksize = Math.min(Math.max(Math.min(blocksize, 256 * KIB) * typesize, 64 * KIB), 1024 * KIB);
  }
  blocksize = Math.min(blocksize, byteLength);
  return blocksize > typesize ? blocksize - (blocksize % typesize) : blocksize;
}

/** Writes the header to the start of `target`; `encodedLength` includes the header. */
export function writeHeader(target: Uint8Array, header: BloscHeader, encodedLength: number): void {
  const { filter, copied, splitAllowed, format } = header;
  const view = new DataView(target.buffer, target.byteOffset, HEADER_LENGTH);
  view.setUint8(0, FORMAT_VERSION);
  view.setUint8(1, COMPRESSOR_VERSION);
  view.setUint8(
    2,
    (filter === "shuffle" ? FLAG_SHUFFLE : filter === "bitshuffle" ? FLAG_BITSHUFFLE : 0) |
      (copied ? FLAG_COPIED : 0) |
      (splitAllowed ? 0 : FLAG_UNSPLIT) |
      (COMPRESSOR_FORMATS.indexOf(format) << FORMAT_SHIFT),
  );
  view.setUint8(3, header.typesize);
  view.setUint32(4, header.byteLength, true);
  view.setUint32(8, header.blocksize, true);
  view.setUint32(12, encodedLength, true);
}

/** Bytes of the length before the block of the codec `lz4`. */
const LZ4_HEADER_LENGTH = 4;
/** The limit of the LZ4 library. */
const LZ4_MAXIMUM_LENGTH = 0x7e000000;

/** Encodes a value of the codec `lz4`: its length, then one LZ4 block. */
export function encodeLz4(bytes: Uint8Array, kernels: Kernels, acceleration: number): Uint8Array {
  if (bytes.length > LZ4_MAXIMUM_LENGTH) {
    throw new InvalidArgumentError(
      `expected at most ${LZ4_MAXIMUM_LENGTH} bytes, got ${bytes.length}; use smaller chunks or another codec`,
      { codec: "lz4" },
    );
  }
  // A 16th is more than any block grows by, and covers the reserve that the encoder requires.
  const target = kernels.allocate(LZ4_HEADER_LENGTH + bytes.length + (bytes.length >> 4) + 64);
  const mark = kernels.mark();
  const source = encodeOperand(kernels, bytes);
  const workspace = kernels.allocate(LZ_WORKSPACE);
  const block = target.subarray(LZ4_HEADER_LENGTH);
  const length = bloscEncodeKernels(kernels).encodeLz(LZ4, block, source, workspace, acceleration, 5);
  kernels.release(mark);
  new DataView(target.buffer, target.byteOffset).setUint32(0, bytes.length, true);
  return target.subarray(0, LZ4_HEADER_LENGTH + length);
}

// The encoders: kernels in WebAssembly, or their twins.

/** Encoders return a count, or 0 when the result does not fit. */
export interface BloscEncodeKernels {
  /**
   * `workspace` is LZ_WORKSPACE bytes; `acceleration` >= 1 trades size for speed. The hash that finds matches covers `hashed`
   * bytes: 6 for shuffled elements, else 5.
   */
  encodeLz(
    format: LzFormat,
    target: Uint8Array,
    source: Uint8Array,
    workspace: Uint8Array,
    acceleration: number,
    hashed: HashedBytes,
  ): number;
  /** `workspace` is LZ4_HIGH_WORKSPACE bytes; `depth` is the number of candidates for each match. */
  encodeLz4High(target: Uint8Array, source: Uint8Array, workspace: Uint8Array, depth: number): number;
  /** Target and source have equal length and do not overlap. */
  shuffle(target: Uint8Array, source: Uint8Array, typesize: number): void;
  /** As `shuffle`; `workspace` is as long as the source. */
  bitshuffle(target: Uint8Array, source: Uint8Array, typesize: number, workspace: Uint8Array): void;
}

const TWINS: BloscEncodeKernels = { encodeLz, encodeLz4High, shuffle, bitshuffle };

const kernelModule = lazyKernelModule("blosc-encode", bloscEncodeModule);

export async function loadBloscEncodeKernels(kernels: Kernels): Promise<void> {
  await kernelModule.load(kernels);
}

export function bloscEncodeKernels(kernels: Kernels): BloscEncodeKernels {
  const module = kernelModule.of(kernels);
  return module === undefined ? TWINS : inWasm(module);
}

/** Copies `bytes` into the arena if needed and possible, so that the functions above run in WASM. */
export function encodeOperand(kernels: Kernels, bytes: Uint8Array): Uint8Array {
  const module = kernelModule.of(kernels);
  return module === undefined ? bytes : intoArena(kernels, module, bytes);
}

const inWasm = functionsOf((module, find): BloscEncodeKernels => {
  const [encode, encodeHigh] = [find("lz_encode"), find("lz4_encode_high")];
  const [shuffleForth, bitshuffleForth] = [find("shuffle"), find("bitshuffle")];
  /** Undefined if one of the operands is outside the arena. */
  const addresses = (target: Uint8Array, source: Uint8Array, workspace = target) => {
    const [to, from, scratch] = [target, source, workspace].map((bytes) => module.pointer(bytes));
    return to === undefined || from === undefined || scratch === undefined
      ? undefined
      : { to, from, scratch };
  };
  return {
    encodeLz(format, target, source, workspace, acceleration, hashed) {
      const at = addresses(target, source, workspace);
      return at === undefined
        ? encodeLz(format, target, source, workspace, acceleration, hashed)
        : encode(format, at.to, target.length, at.from, source.length, at.scratch, acceleration, hashed);
    },
    encodeLz4High(target, source, workspace, depth) {
      const at = addresses(target, source, workspace);
      return at === undefined
        ? encodeLz4High(target, source, workspace, depth)
        : encodeHigh(at.to, target.length, at.from, source.length, at.scratch, depth);
    },
    shuffle(target, source, typesize) {
      const at = addresses(target, source);
      if (at === undefined) shuffle(target, source, typesize);
      else shuffleForth(at.to, at.from, source.length, typesize);
    },
    bitshuffle(target, source, typesize, workspace) {
      const at = addresses(target, source, workspace);
      if (at === undefined) bitshuffle(target, source, typesize);
      else bitshuffleForth(at.to, at.from, source.length, typesize, at.scratch);
    },
  };
});
