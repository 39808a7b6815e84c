/** Encoding for the codec: our own encoder, in WASM where its module is loaded and there is room in the arena, else its twin. */
import type { Kernels } from "../../../kernels/kernels.js";
import zstdEncodeModule from "../../../kernels/modules/zstd-encode.generated.js";
import { inArena, lazyKernelModule } from "../../kernel-module.js";
import { encodeFrame } from "./frame.js";
import { loadNativeEncode, type NativeEncode } from "./native.js";
import { MAXIMUM_BLOCK, type Strategy, strategyOf, tableSizes, workspaceLength } from "./strategy.js";

/** From here on the platform's own encoder, where there is one, looks further than ours: 5 % smaller, in many times the time. */
const MINIMUM_NATIVE = 10;

const kernelModule = lazyKernelModule("zstd-encode", zstdEncodeModule);
let nativeEncode: NativeEncode | undefined;

/** Must have been awaited before `encodeZstd`. */
export async function loadEncoder(kernels: Kernels): Promise<void> {
  [nativeEncode] = await Promise.all([loadNativeEncode(), kernelModule.load(kernels)]);
}

/** One frame with content size; in arena memory where there is room. */
export function encodeZstd(
  kernels: Kernels,
  bytes: Uint8Array,
  level: number,
  checksum: boolean,
): Uint8Array {
  if (level >= MINIMUM_NATIVE && nativeEncode !== undefined) return nativeEncode(bytes, level, checksum);
  const strategy = strategyOf(level);
  return encodeInWasm(kernels, bytes, strategy, checksum) ?? encodeFrame(bytes, strategy, checksum);
}

/** By our own encoder in WASM; undefined where there is no module, or no room in the arena. */
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

/** What the encoder may write beyond the content: header, a block's header more, and stores that are wider than what they store. */
const TARGET_SLACK = 1024;
