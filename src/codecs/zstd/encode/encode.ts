/**
 * Encoding for the codec: by our own encoder in WASM. Where that is missing, or has no room in the arena, by
 * the platform's encoder; without one, in frames that are not compressed.
 */
import type { Kernels } from "../../../kernels/kernels.js";
import zstdEncodeModule from "../../../kernels/modules/zstd-encode.generated.js";
import { loadBuiltin } from "../../../loading.js";
import { inArena, lazyKernelModule } from "../../kernel-modules.js";
import { xxh64Low } from "../javascript/xxh64.js";

type NativeEncode = (bytes: Uint8Array, level: number, checksum: boolean) => Uint8Array;

/**
 * From this level on the platform's encoder, where there is one, searches further than ours: 5 % smaller, in
 * many times the time.
 */
const MINIMUM_NATIVE = 10;

const kernelModule = lazyKernelModule("zstd-encode", zstdEncodeModule);
let nativeEncode: NativeEncode | undefined;

/** Callers await this before `encodeZstd`. */
export async function loadEncoder(kernels: Kernels): Promise<void> {
  [nativeEncode] = await Promise.all([loadNativeEncode(), kernelModule.load(kernels)]);
}

/** Encodes one frame with content size, in arena memory where there is room. */
export function encodeZstd(
  kernels: Kernels,
  bytes: Uint8Array,
  level: number,
  checksum: boolean,
): Uint8Array {
  if (level >= MINIMUM_NATIVE && nativeEncode !== undefined) return nativeEncode(bytes, level, checksum);
  return (
    encodeInWasm(kernels, bytes, strategyOf(level), checksum) ??
    nativeEncode?.(bytes, level, checksum) ??
    encodeStored(bytes, checksum)
  );
}

/** Encodes by our own encoder in WASM; undefined without a module, or without room in the arena. */
export function encodeInWasm(
  kernels: Kernels,
  bytes: Uint8Array,
  strategy: Strategy,
  checksum: boolean,
): Uint8Array | undefined {
  const module = kernelModule.of(kernels);
  const encode = module?.exports.encode;
  if (module === undefined || encode === undefined) return undefined;
  const before = kernels.mark();
  const target = kernels.allocate(bytes.length + 3 * Math.ceil(bytes.length / MAXIMUM_BLOCK) + TARGET_SLACK);
  const mark = kernels.mark();
  const workspace = module.pointer(kernels.allocate(workspaceLength(bytes.length, strategy)));
  const from = inArena(kernels, module, bytes);
  const to = module.pointer(target);
  kernels.release(mark);
  if (workspace === undefined || from === undefined || to === undefined) {
    kernels.release(before);
    return undefined;
  }
  const { rowBits, isLazy, skip } = strategy;
  const { bits, shortBits } = tableSizes(bytes.length, strategy);
  const lazy = Number(isLazy);
  const sum = Number(checksum);
  const length = encode(to, from, bytes.length, workspace, bits, rowBits, lazy, skip, shortBits, sum);
  return target.subarray(0, length);
}

/**
 * Bytes that the encoder may write beyond the content: frame header, one more block header, and stores wider
 * than their content.
 */
const TARGET_SLACK = 1024;

/** libzstd's numbers of its parameters (zstd.h). */
const COMPRESSION_LEVEL = 100;
const CHECKSUM_FLAG = 201;

/** The encoder of node:zlib, from Node 22.15 on; undefined elsewhere. */
async function loadNativeEncode(): Promise<NativeEncode | undefined> {
  const zlib = await loadBuiltin<object>("node:zlib");
  if (zlib === undefined || !("zstdCompressSync" in zlib)) return undefined;
  const { zstdCompressSync } = zlib;
  if (typeof zstdCompressSync !== "function") return undefined;
  return (bytes, level, checksum) => {
    const params = { [COMPRESSION_LEVEL]: level, [CHECKSUM_FLAG]: checksum ? 1 : 0 };
    const encoded: unknown = zstdCompressSync(bytes, { params, pledgedSrcSize: bytes.length });
    if (encoded instanceof Uint8Array) return encoded;
    throw new TypeError(`expected bytes from node:zlib, got ${typeof encoded}`);
  };
}

// zstd frames (RFC 8878) without compression: blocks of one repeated byte, and raw blocks. Valid and larger.
// Written where WebAssembly is missing or its memory has no room, and the platform has no zstd.
/** Frames with more content have a window of this size, like compressed frames. */
const WINDOW_LOG = 23;
const RAW = 0;
const REPEATED = 1;
/** Magic, descriptor, window, content size. */
const MAXIMUM_HEADER = 14;
const BLOCK_HEADER = 3;
const CHECKSUM = 4;

/** Encodes one frame with content size, without compression. */
export function encodeStored(bytes: Uint8Array, checksum: boolean): Uint8Array {
  const blocks = Math.max(1, Math.ceil(bytes.length / MAXIMUM_BLOCK));
  const encoded = new Uint8Array(MAXIMUM_HEADER + bytes.length + BLOCK_HEADER * blocks + CHECKSUM);
  let to = writeHeader(encoded, bytes.length, checksum);
  for (let block = 0; block < blocks; block++) {
    const content = bytes.subarray(block * MAXIMUM_BLOCK, (block + 1) * MAXIMUM_BLOCK);
    to = writeBlock(encoded, to, content, block === blocks - 1);
  }
  if (checksum) {
    new DataView(encoded.buffer).setUint32(to, xxh64Low(bytes), true);
    to += CHECKSUM;
  }
  return encoded.slice(0, to);
}

/** Writes the frame header. Returns where it ends. */
function writeHeader(target: Uint8Array, length: number, checksum: boolean): number {
  const view = new DataView(target.buffer);
  const single = length <= 1 << WINDOW_LOG;
  const sizeFlag = length < 256 ? 0 : length < 65536 + 256 ? 1 : length < 2 ** 32 ? 2 : 3;
  view.setUint32(0, 0xfd2fb528, true);
  view.setUint8(4, (sizeFlag << 6) | (single ? 0x20 : 0) | (checksum ? 4 : 0));
  let to = 5;
  if (!single) view.setUint8(to++, (WINDOW_LOG - 10) << 3);
  const sizeLength = 1 << sizeFlag;
  const coded = BigInt(sizeFlag === 1 ? length - 256 : length);
  for (let i = 0; i < sizeLength; i++) view.setUint8(to++, Number((coded >> BigInt(8 * i)) & 0xffn));
  return to;
}

function writeBlock(target: Uint8Array, start: number, content: Uint8Array, last: boolean): number {
  const isOneByte = content.length > 1 && isRepeated(content);
  const body = isOneByte ? content.subarray(0, 1) : content;
  const header = (content.length << 3) | ((isOneByte ? REPEATED : RAW) << 1) | (last ? 1 : 0);
  target[start] = header;
  target[start + 1] = header >>> 8;
  target[start + 2] = header >>> 16;
  target.set(body, start + BLOCK_HEADER);
  return start + BLOCK_HEADER + body.length;
}

/** A loop, since `every` would call a function for each byte. */
function isRepeated(content: Uint8Array): boolean {
  for (let i = 1; i < content.length; i++) if (content[i] !== content[0]) return false;
  return true;
}

// Levels of zstd, as our encoder implements them.
/** How the encoder searches for matches. */
interface Strategy {
  /** The most entries that a hash table has, as a power of two. */
  readonly tableBits: number;
  /**
   * Positions compared for each position, as a power of two, 2 to 6. 0: no rows, the first match is taken.
   */
  readonly rowBits: number;
  /** With rows: whether a match gives way to a better one at the next position. */
  readonly isLazy: boolean;
  /** Without rows: steps grow by 1 every 2^skip bytes without a match. */
  readonly skip: number;
  /** Without rows: whether only matches of 8 bytes or more are searched. */
  readonly isLong: boolean;
}

/** By level, from 5 on; beyond these lists 6 and 21. */
const ROW_BITS = [2, 2, 3, 3, 4, 4, 4, 4, 5, 5, 5];
const TABLE_BITS = [19, 19, 19, 20, 20];

/** The strategy of a level. Level 0 is the default, 3; levels 1, 2 and below 0 search less closely. */
export function strategyOf(level: number): Strategy {
  if (level >= 5) {
    const rowBits = ROW_BITS[level - 5] ?? 6;
    return { tableBits: TABLE_BITS[level - 5] ?? 21, rowBits, isLazy: level > 5, skip: 8, isLong: false };
  }
  const isLong = level !== 0 && level <= 2;
  const skip = !isLong ? 8 : level < 0 ? 5 : 4 + 2 * level;
  return { tableBits: isLong ? 17 : 16, rowBits: 0, isLazy: false, skip, isLong };
}

/** Sizes of the hash tables, as powers of two. */
interface TableSizes {
  readonly bits: number;
  /** Of the second table, which finds matches below 8 bytes; 0 if there is none. */
  readonly shortBits: number;
}

/**
 * A table has at most as many entries as the content has bytes, without rows half as many, so that clearing
 * it is little work. The two tables of the fast search fit into the second-level cache together with the
 * content.
 */
export function tableSizes(byteLength: number, { tableBits, rowBits, isLong }: Strategy): TableSizes {
  const most = (rowBits > 0 ? 31 : 30) - Math.clz32(byteLength);
  const bits = Math.min(Math.max(most, 8), tableBits);
  return { bits, shortBits: rowBits > 0 || isLong ? 0 : Math.min(Math.max(most, 8) - 1, tableBits) };
}

/** Most bytes of a block. */
export const MAXIMUM_BLOCK = 128 * 1024;

/**
 * Arena bytes that the encoder in WASM needs besides its operands: see `layOut` in
 * assembly/zstd-encode-context.ts.
 */
export function workspaceLength(byteLength: number, strategy: Strategy): number {
  const { bits, shortBits } = tableSizes(byteLength, strategy);
  const block = (Math.min(byteLength, MAXIMUM_BLOCK) + 15) & ~15;
  return 4 * block + 64 + (4 << bits) + (shortBits > 0 ? 4 << shortBits : 0);
}
