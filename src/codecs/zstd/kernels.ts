/** Zstd on byte arrays: in WASM where its module is loaded and everything lies in the arena, else the twin. */
import type { Kernels } from "../../kernels/kernels.js";
import zstdModule from "../../kernels/modules/zstd.generated.js";
import { inArena, lazyKernelModule } from "../kernel-module.js";
import { lazyFallback } from "../late-modules.js";
import { DECODE_WORKSPACE } from "./workspace.js";

const kernelModule = lazyKernelModule("zstd", zstdModule);
const twin = lazyFallback("zstd", () => import("./javascript/decode.js"));

export async function loadZstdKernels(kernels: Kernels): Promise<void> {
  if ((await kernelModule.load(kernels)) === undefined) await twin.load();
}

/**
 * Decodes all frames of `source`, or at least the first `wanted` bytes; of frames with a checksum, everything: bytes written, or a failure
 * (decoder-result.ts).
 */
export function decodeZstd(
  kernels: Kernels,
  target: Uint8Array,
  source: Uint8Array,
  wanted = Number.POSITIVE_INFINITY,
): number {
  const module = kernelModule.of(kernels);
  const decode = module?.exports.decode;
  const to = module?.pointer(target);
  if (module === undefined || decode === undefined || to === undefined)
    return twin.get().decodeZstd(target, source, wanted);
  const mark = kernels.mark();
  const workspace = module.pointer(kernels.allocate(DECODE_WORKSPACE));
  const from = inArena(kernels, module, source);
  kernels.release(mark);
  if (workspace === undefined || from === undefined) return twin.get().decodeZstd(target, source, wanted);
  return decode(to, target.length, from, source.length, workspace, Math.min(wanted, target.length + 1));
}
