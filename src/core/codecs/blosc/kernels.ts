/**
 * The functions of assembly/blosc.ts on byte arrays: in WASM if its module is loaded and all operands lie in
 * the arena, else in JavaScript. Both return the same bytes and results: a count, or a negative failure
 * (decoder-result.ts).
 */

import type { Kernels } from "../../../kernels/kernels.js";
import bloscModule from "../../../kernels/modules/blosc.generated.js";
import { damagedData, describeFailure } from "../decoder-result.js";
import { functionsOf, intoArena, lazyKernelModule } from "../modules/kernel-modules.js";
import { type LazyFallback, lazyFallback } from "../modules/missing-modules.js";
import { lazyEncoder } from "../modules/writing-modules.js";
import type { CompressorFormat, ForeignFormat } from "./formats.js";

/**
 * If `wanted` is less than the target's length, LZ4 decodes only the first `wanted` bytes and returns that
 * number; the other formats ignore `wanted`.
 */
export type LzDecoder = (target: Uint8Array, source: Uint8Array, enough?: number) => number;
type LzFormat = Exclude<CompressorFormat, ForeignFormat>;

export interface BloscKernels extends Readonly<Record<LzFormat, LzDecoder>> {
  /**
   * Target and source have equal length and do not overlap. Unshuffles at least bytes `start` to `end`, by
   * default all.
   */
  unshuffle(target: Uint8Array, source: Uint8Array, typesize: number, start?: number, end?: number): void;
  /**
   * Unshuffles every `period`-th element, `count` in all. `target` and each of `planes`, one for each byte of
   * the type, begin with the first of these elements. `workspace` has 4 bytes for each plane.
   */
  unshuffleSpread(
    target: Uint8Array,
    planes: readonly Uint8Array[],
    period: number,
    count: number,
    workspace: Uint8Array,
  ): void;
  /** As `unshuffle` of all bytes. `workspace` is `bitunshuffleWorkspace(typesize)` bytes. */
  bitunshuffle(target: Uint8Array, source: Uint8Array, typesize: number, workspace: Uint8Array): void;
}

const fallbacks: LazyFallback<BloscKernels> = lazyFallback("blosc", () => import("./javascript/decoders.js"));

const kernelModule = lazyKernelModule("blosc", bloscModule);

/** Called by `load` of the codecs blosc, lz4 and shuffle. */
export async function loadBloscKernels(kernels: Kernels): Promise<void> {
  bloscEncoder.announce();
  await loadBloscDecoders(kernels);
}

export async function loadBloscDecoders(kernels: Kernels): Promise<void> {
  if ((await kernelModule.load(kernels)) === undefined) await fallbacks.load();
}

export function bloscKernels(kernels: Kernels): BloscKernels {
  const module = kernelModule.of(kernels);
  return module === undefined ? fallbacks.get() : inWasm(module);
}

/** Copies `bytes` into the arena if needed and possible, so that the functions above run in WASM. */
export function bloscOperand(kernels: Kernels, bytes: Uint8Array): Uint8Array {
  const module = kernelModule.of(kernels);
  return module === undefined ? bytes : intoArena(kernels, module, bytes);
}

const inWasm = functionsOf((module, find): BloscKernels => {
  const at = (bytes: Uint8Array): number => module.pointer(bytes) ?? -1;
  const decoder = (format: LzFormat): LzDecoder => {
    const decode = find(format);
    return (target, source, enough = target.length) => {
      const to = at(target);
      const from = at(source);
      return to < 0 || from < 0
        ? fallbacks.get()[format](target, source, enough)
        : decode(to, target.length, from, source.length, enough);
    };
  };
  const unshuffleBack = find("unshuffle");
  const unshuffleSpreadBack = find("unshuffle_spread");
  const bitunshuffleBack = find("bitunshuffle");
  return {
    lz4: decoder("lz4"),
    snappy: decoder("snappy"),
    blosclz: decoder("blosclz"),
    unshuffle(target, source, typesize, start = 0, end = source.length) {
      const to = at(target);
      const from = at(source);
      if (to < 0 || from < 0) fallbacks.get().unshuffle(target, source, typesize, start, end);
      else unshuffleBack(to, from, source.length, typesize, start, end);
    },
    unshuffleSpread(target, planes, period, count, workspace) {
      const to = at(target);
      const table = at(workspace);
      const places = planes.map(at);
      if (Math.min(to, table, ...places) < 0) {
        fallbacks.get().unshuffleSpread(target, planes, period, count, workspace);
        return;
      }
      const view = new DataView(workspace.buffer, workspace.byteOffset);
      for (const [plane, place] of places.entries()) view.setUint32(4 * plane, place, true);
      unshuffleSpreadBack(to, table, planes.length, period, count);
    },
    bitunshuffle(target, source, typesize, workspace) {
      const to = at(target);
      const from = at(source);
      const scratch = at(workspace);
      if (to < 0 || from < 0 || scratch < 0)
        fallbacks.get().bitunshuffle(target, source, typesize, workspace);
      else bitunshuffleBack(to, from, source.length, typesize, scratch);
    },
  };
});

/** The encoders of blosc, lz4 and shuffle, loaded before something is first written. */
export const bloscEncoder = lazyEncoder(async (kernels) => {
  const module = await import("./encode/encode.js");
  await module.loadBloscEncodeKernels(kernels);
  return module;
});

/**
 * Throws unless a decoder made exactly `byteLength` bytes of a `format` stream.
 *
 * @param result what the decoder returned (decoder-result.ts)
 * @param offset where the stream begins in the value that `codec` decodes
 * @throws CodecError
 */
export function expectDecoded(
  result: number,
  byteLength: number,
  format: string,
  codec: string,
  offset: number,
): void {
  if (result === byteLength) return;
  const { reason, offset: within } =
    result < 0
      ? describeFailure(result)
      : { reason: `expected ${byteLength} decoded bytes, got ${result}`, offset: 0 };
  const at = offset + within;
  throw damagedData(codec, `${format} stream`, at, reason);
}
