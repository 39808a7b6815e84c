/** Inflate on byte arrays: in WASM where its module is loaded and all operands lie in the arena, else in JavaScript. */
import { CodecError } from "../../errors.js";
import type { Kernels } from "../../kernels/kernels.js";
import inflateModule from "../../kernels/modules/inflate.generated.js";
import { DecodedTooLong, describeFailure, OUTPUT_OVERRUN } from "../decoder-result.js";
import { inArena, lazyKernelModule } from "../kernel-module.js";
import { lazyEncoder, lazyFallback } from "../late-modules.js";
import type { InflateResult } from "./javascript/inflate.js";

const kernelModule = lazyKernelModule("inflate", inflateModule);
const twin = lazyFallback("inflate", () => import("./javascript/inflate.js"));

export async function loadInflate(kernels: Kernels): Promise<void> {
  if ((await kernelModule.load(kernels)) === undefined) await twin.load();
}

/** No deflate stream expands further: 258 bytes from a bit for the length and one for the distance. */
export const MAXIMUM_EXPANSION = 1032;

/** Inflates the stream that `source` begins with into `target`, where its window begins. */
export function inflate(kernels: Kernels, target: Uint8Array, source: Uint8Array): InflateResult {
  const module = kernelModule.of(kernels);
  const to = module?.pointer(target);
  if (module === undefined || to === undefined) return twin.get().inflate(target, source);
  const mark = kernels.mark();
  const from = inArena(kernels, module, source);
  kernels.release(mark);
  const { decode, consumed } = module.exports;
  if (from === undefined || decode === undefined || consumed === undefined)
    return twin.get().inflate(target, source);
  const written = decode(to, target.length, from, source.length);
  return { written, read: consumed() };
}

/** Whether a stream was refused only because it makes more bytes than the target holds. */
export function isOutputFull({ written }: InflateResult): boolean {
  return written < 0 && describeFailure(written).code === OUTPUT_OVERRUN;
}

/** @param start where the stream begins in the value */
export function inflateError(codec: string, { written }: InflateResult, start: number): CodecError {
  const { reason, offset } = describeFailure(written);
  return new CodecError(
    `expected a deflate stream (RFC 1951) at byte ${start}, got one where, in the block at byte ${start + offset}, ${reason}`,
    { codec, offset: start + offset },
  );
}

export function outputFullError(codec: string, capacity: number): DecodedTooLong {
  return new DecodedTooLong(
    `expected a value of at most ${capacity} decoded bytes, got one that makes more bytes than that`,
    capacity,
    { codec },
  );
}

/** The encoders of gzip and zlib, loaded before something is first written. */
export const deflateEncoder = lazyEncoder(async () => {
  const module = await import("./encode.js");
  await module.loadDeflate();
  return module;
});
