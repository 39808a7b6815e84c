/**
 * Encoding for the codec: by our own encoder in WASM. Where that is missing, or has no room in the arena, by
 * the platform's encoder; without one, in frames that are not compressed.
 */

import { loadBuiltin } from "../../../../base/loading.js";
import type { Kernels } from "../../../../kernels/kernels.js";
import zstdEncodeModule from "../../../../kernels/modules/zstd-encode.generated.js";
import { inArena, lazyKernelModule } from "../../modules/kernel-modules.js";
import { MAXIMUM_BLOCK, type Strategy, strategyOf, tableSizes, workspaceLength } from "./levels.js";
import { encodeStored } from "./stored.js";

type NativeEncode = (bytes: Uint8Array, level: number, checksum: boolean) => Uint8Array;

/**
 * From this level on the platform's encoder, if there is one, searches further than ours: 5 % smaller, in
 * many times the time.
 */
const MINIMUM_NATIVE = 10;

const kernelModule = lazyKernelModule("zstd-encode", zstdEncodeModule);
let nativeEncode: NativeEncode | undefined;

/** Callers await this before `encodeZstd`. */
export async function loadEncoder(kernels: Kernels): Promise<void> {
  [nativeEncode] = await Promise.all([loadNativeEncode(), kernelModule.load(kernels)]);
}

/** Encodes one frame with content size, in arena memory if there is room. */
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
