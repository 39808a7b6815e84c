/**
 * Encodes blosc chunks with c-blosc's choice of block sizes and splits, which other readers know. Where
 * WebAssembly is missing or has no room, the fast encoder of LZ4 stands for those of lz4hc, Snappy and
 * BloscLZ: a chunk says in its header what it is.
 */
import { numberAt } from "../../../../base/at.js";
import { InvalidArgumentError } from "../../../../base/errors.js";
import type { Kernels } from "../../../../kernels/kernels.js";
import bloscEncodeModule from "../../../../kernels/modules/blosc-encode.generated.js";
import type { BytesToBytesCodec } from "../../codec.js";
import { functionsOf, intoArena, lazyKernelModule } from "../../modules/kernel-modules.js";
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
import { encodeLz4Fast } from "./lz4-fast.js";

/** c-blosc stores lengths as i32. */
const MAXIMUM_LENGTH = 2 ** 31 - 1 - HEADER_LENGTH;
/** Shorter chunks, or shorter blocks that the configuration asks for, are not worth compressing. */
const MINIMUM_LENGTH = 128;

/** Encodes into `target`. Returns the length, or 0 when it does not fit. */
type EncodeStream = (target: Uint8Array, source: Uint8Array) => number;

/**
 * Encodes a chunk, in arena memory if there is room. `codec` is the zlib or zstd codec if the settings name
 * it.
 */
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
  if (!header.copied) {
    const mark = kernels.mark();
    const length = encodeBlocks(target, bytes, header, settings, kernels, codec);
    kernels.release(mark);
    if (length > 0) return target.subarray(0, length);
  }
  writeHeader(target, { ...header, copied: true }, target.length);
  target.set(bytes, HEADER_LENGTH);
  return target;
}

/** Writes the header, the table and the blocks. Returns the length, or 0 when storing takes no more bytes. */
function encodeBlocks(
  target: Uint8Array,
  bytes: Uint8Array,
  header: BloscHeader,
  settings: BloscSettings,
  kernels: Kernels,
  codec: BytesToBytesCodec | undefined,
): number {
  const { blocksize, filter, typesize } = header;
  const source = encodeOperand(kernels, bytes);
  const filtered = filter === "none" ? source : kernels.allocate(blocksize);
  const bitWorkspace = kernels.allocate(filter === "bitshuffle" ? blocksize : 0);
  const workspaceLength = settings.compressor === "lz4hc" ? LZ4_HIGH_WORKSPACE : LZ_WORKSPACE;
  const workspace = kernels.allocate(codec === undefined ? workspaceLength : 0);
  const encoders = bloscEncoders(kernels, target, source, filtered, bitWorkspace, workspace);
  const encodeStream: EncodeStream =
    codec === undefined
      ? lzEncoder(encoders, settings, workspace)
      : (to, from) => encodeForeign(to, from, codec, kernels);
  const table = new DataView(target.buffer, target.byteOffset, target.length);
  const blocks = Math.ceil(bytes.length / blocksize);
  let to = HEADER_LENGTH + 4 * blocks;
  for (let block = 0; block < blocks; block++) {
    if (to >= target.length) return 0;
    table.setUint32(HEADER_LENGTH + 4 * block, to, true);
    const plain = source.subarray(block * blocksize, (block + 1) * blocksize);
    const content = filter === "none" ? plain : filtered.subarray(0, plain.length);
    if (filter === "shuffle") encoders.shuffle(content, plain, typesize);
    else if (filter === "bitshuffle") encoders.bitshuffle(content, plain, typesize, bitWorkspace);
    to = encodeBlock(target, to, content, splitCount(header, plain.length), encodeStream);
    if (to === 0) return 0;
  }
  if (to >= target.length) return 0;
  const isLz4 = codec === undefined && encoders.onlyLz4;
  writeHeader(target, isLz4 ? { ...header, format: "lz4" } : header, to);
  return to;
}

/**
 * Writes the streams of a block, each after its length. Returns where the next block goes, or 0 when the
 * target is full.
 */
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

function lzEncoder(
  { encodeLz, encodeLz4High }: BloscEncoders,
  { compressor, level, filter, typesize }: BloscSettings,
  workspace: Uint8Array,
): EncodeStream {
  if (compressor === "lz4hc") return (to, from) => encodeLz4High(to, from, workspace, 1 << (level - 1));
  const format = compressor === "lz4" ? LZ4 : compressor === "snappy" ? SNAPPY : BLOSCLZ;
  const acceleration = compressor === "lz4" ? 10 - level : 1;
  // The byte shuffle leaves single bytes unchanged.
  const hashed = filter === "none" || (filter === "shuffle" && typesize === 1) ? 5 : 6;
  return (to, from) => encodeLz(format, to, from, workspace, acceleration, hashed);
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
  const { compressor, level, typesize, blocksize: blockSizeOption } = settings;
  if (byteLength < typesize || byteLength === 0) return 1;
  let blocksize = byteLength;
  if (blockSizeOption > 0) {
    blocksize = Math.max(blockSizeOption, MINIMUM_LENGTH);
  } else if (byteLength >= 32 * KIB) {
    // Strong compressors get larger blocks: they lose most at the beginning of a block.
    const strong = compressor === "lz4hc" || compressor === "zlib" || compressor === "zstd";
    blocksize = numberAt(LEVEL_BLOCKSIZES, level) * (strong ? (level === 9 ? 4 : 2) : 1);
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
  const { encodeLz } = bloscEncoders(kernels, target, source, workspace);
  const length = encodeLz(LZ4, block, source, workspace, acceleration, 5);
  kernels.release(mark);
  new DataView(target.buffer, target.byteOffset).setUint32(0, bytes.length, true);
  return target.subarray(0, LZ4_HEADER_LENGTH + length);
}

/** Encoders return a count, or 0 when the result does not fit. Target and source do not overlap. */
export interface BloscEncoders {
  /** Whether the encoders write LZ4 whatever the format, as those in JavaScript do. */
  readonly onlyLz4: boolean;
  /**
   * `workspace` is LZ_WORKSPACE bytes; `acceleration` >= 1 trades size for speed. The hash that finds matches
   * covers `hashed` bytes: 6 for shuffled elements, else 5.
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
  /** Target and source have equal length. */
  shuffle(target: Uint8Array, source: Uint8Array, typesize: number): void;
  /** As `shuffle`; `workspace` is as long as the source. */
  bitshuffle(target: Uint8Array, source: Uint8Array, typesize: number, workspace: Uint8Array): void;
}

const IN_JAVASCRIPT: BloscEncoders = {
  onlyLz4: true,
  encodeLz: (_, target, source, workspace, acceleration, hashed) =>
    encodeLz4Fast(target, source, workspace, acceleration, hashed),
  encodeLz4High: (target, source, workspace) => encodeLz4Fast(target, source, workspace, 1, 5),
  shuffle,
  bitshuffle,
};

const kernelModule = lazyKernelModule("blosc-encode", bloscEncodeModule);

export async function loadBloscEncodeKernels(kernels: Kernels): Promise<void> {
  await kernelModule.load(kernels);
}

/**
 * The encoders for these operands and parts of them: in WASM if its module is loaded and all of them lie in
 * the arena.
 */
export function bloscEncoders(kernels: Kernels, ...operands: readonly Uint8Array[]): BloscEncoders {
  const module = kernelModule.of(kernels);
  const isInArena = operands.every((bytes) => module?.pointer(bytes) !== undefined);
  return module !== undefined && isInArena ? inWasm(module) : IN_JAVASCRIPT;
}

/** Copies `bytes` into the arena if needed and possible, so that the encoders run in WASM. */
export function encodeOperand(kernels: Kernels, bytes: Uint8Array): Uint8Array {
  const module = kernelModule.of(kernels);
  return module === undefined ? bytes : intoArena(kernels, module, bytes);
}

const inWasm = functionsOf((_, find): BloscEncoders => {
  const [encode, encodeHigh] = [find("lz_encode"), find("lz4_encode_high")];
  const [shuffle, bitshuffle] = [find("shuffle"), find("bitshuffle")];
  return {
    onlyLz4: false,
    encodeLz: (format, to, from, { byteOffset: workspace }, acceleration, hashed) =>
      encode(format, to.byteOffset, to.length, from.byteOffset, from.length, workspace, acceleration, hashed),
    encodeLz4High: (to, from, { byteOffset: workspace }, depth) =>
      encodeHigh(to.byteOffset, to.length, from.byteOffset, from.length, workspace, depth),
    shuffle: (to, from, typesize) => shuffle(to.byteOffset, from.byteOffset, from.length, typesize),
    bitshuffle: (to, from, typesize, { byteOffset: workspace }) =>
      bitshuffle(to.byteOffset, from.byteOffset, from.length, typesize, workspace),
  };
});
